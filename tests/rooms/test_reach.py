"""The address at which phones reach a room, also if the laptop opens `localhost`."""

import pytest

from rooms.reach import BY_NAME, NO_NETWORK, ON_LOCALHOST, Reach, is_loopback, machine_address, reach
from tests.covering import each

LAPTOP = "192.0.2.7"


@each(
    ("host", "listens_on", "is_forwarded", "found"),
    [
        ("lab.example", "localhost", False, Reach("http://lab.example")),
        ("lab.example:8501", "", True, Reach("http://lab.example:8501")),
        ("localhost:8501", "0.0.0.0", False, Reach(f"http://{LAPTOP}:8501")),
        ("127.0.0.1:8501", "", False, Reach(f"http://{LAPTOP}:8501")),
        ("[::1]:8501", "::", False, Reach(f"http://{LAPTOP}:8501")),
        ("localhost", "0.0.0.0", False, Reach(f"http://{LAPTOP}")),
        ("localhost:8501", "10.0.0.5", False, Reach("http://10.0.0.5:8501")),
        ("localhost:8501", "localhost", False, Reach("http://localhost:8501", ON_LOCALHOST)),
        ("LOCALHOST:8501", "127.0.0.1", False, Reach("http://LOCALHOST:8501", ON_LOCALHOST)),
        (
            *("localhost:8080", "127.0.0.1", True),
            Reach("http://localhost:8080", BY_NAME.format("localhost:8080")),
        ),
    ],
)
def test_the_address_for_phones_is_reachable_or_a_warning_says_why_not(
    host: str, listens_on: str, is_forwarded: bool, found: Reach
) -> None:
    assert (
        reach("http", host, listens_on=listens_on, is_forwarded=is_forwarded, machine=lambda: LAPTOP) == found
    )


def test_a_machine_in_no_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    found = reach("http", "localhost:8501", listens_on="0.0.0.0", machine=lambda: "")
    assert found == Reach("http://localhost:8501", NO_NETWORK)

    def fails(*_: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr("rooms.reach.socket.socket.connect", fails)
    assert machine_address() == ""


def test_the_address_of_the_machine_is_not_a_loopback_address() -> None:
    assert not is_loopback(machine_address() or "none")
