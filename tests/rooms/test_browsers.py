"""A browser uses up its own allowance, and leaves some of its address's to others."""

import asyncio
from math import exp
from pathlib import Path
from types import SimpleNamespace

from starlette.requests import Request

from access import limits
from access.buckets import AddressRateLimiter, Client
from access.limits import Shared
from rooms.browsers import (
    COOKIE,
    KNOWN_AFTER,
    LASTS,
    READ_AGAIN,
    Browsers,
    client_of,
    new_cookie,
)
from rooms.room import LASTS as ROOM_LASTS
from rooms.room import LETTERS, MOST_OPEN, N_LETTERS
from rooms.store import Store, StoreError
from tests.covering import each
from tests.rooms.clock import Clock

DOORS = (Path(__file__).parents[1] / "threats" / "README.md").read_text("utf-8")


def test_a_browser_takes_its_own_share_and_leaves_the_rest_to_its_neighbours() -> None:
    asked = AddressRateLimiter(Shared("", (2, 0), (5, 0)), clock=Clock())
    assert [asked.take(Client("hall", "one")) for _ in range(20)] == [True] * 2 + [False] * 18
    others = [asked.take(Client("hall", name)) for name in ("two", "three", "four", "five")]
    assert others == [True, True, True, False], "five in all"
    assert asked.take(Client("another hall", "six"))


def test_known_browsers_have_a_separate_allowance() -> None:
    asked = AddressRateLimiter(Shared("", (1, 0), (3, 0)), clock=Clock())
    assert sum(asked.take(Client("hall", f"new {at}")) for at in range(9)) == 3
    assert sum(asked.take(Client("hall", f"known {at}", is_known=True)) for at in range(9)) == 3


def test_browsers_without_a_cookie_count_as_one() -> None:
    asked = AddressRateLimiter(Shared("", (1, 0), (3, 0)), clock=Clock())
    assert [asked.take(Client("hall")) for _ in range(3)] == [True, False, False]
    assert asked.take(Client("another hall"))
    assert asked.take(Client("hall", "one"))


def test_a_refusal_by_the_address_costs_a_browser_no_token() -> None:
    clock = Clock()
    asked = AddressRateLimiter(Shared("", (1, 0), (1, 1)), clock=clock)
    asked.take(Client("hall", "one"))
    assert not asked.take(Client("hall", "two"))
    clock.now += 1
    assert asked.take(Client("hall", "two"))


def test_a_cookie_of_the_server_identifies_a_browser_and_its_age() -> None:
    cookie = new_cookie("secret", 1000.5)
    young = client_of("secret", cookie, "hall", 1000.5)
    assert (young.address, young.is_known, len(young.browser)) == ("hall", False, 32)
    assert new_cookie("secret", 1000.5) != cookie
    old = client_of("secret", cookie, "elsewhere", 1000 + KNOWN_AFTER)
    assert old == Client("elsewhere", young.browser, is_known=True)
    assert client_of("secret", cookie, "hall", 1001 + LASTS) == Client("hall")


@each(
    "change",
    [
        lambda cookie: "",
        lambda cookie: cookie[:-1],
        lambda cookie: "f" * 32 + cookie[32:],
        lambda cookie: cookie.replace(".1000.", ".1."),
        lambda cookie: cookie + "\n",
        lambda cookie: cookie.replace(".1000.", f".{'9' * 5000}."),
        lambda cookie: cookie.replace(".1000.", ".\u0661."),
    ],
)
def test_a_forged_cookie_does_not_count(change) -> None:
    forged = change(new_cookie("secret", 1000))
    assert client_of("secret", forged, "hall", 2000) == Client("hall")
    assert client_of("another", new_cookie("secret", 1000), "hall", 2000) == Client("hall")
    assert COOKIE.isidentifier()


@each("limit", [limits.GUESSES, limits.ARRIVALS, limits.PHONES, limits.ROOMS, limits.FILES])
def test_one_browser_never_uses_up_its_address(limit: Shared) -> None:
    (at_once, per_second), (of_all, of_all_per_second) = limit.browser, limit.address
    assert at_once * 3 <= of_all
    assert per_second < of_all_per_second, "nor in the long run"


def test_the_chance_of_finding_a_room_agrees_with_the_threat_model() -> None:
    clock = Clock()
    guesses = AddressRateLimiter(limits.GUESSES, clock)
    of_one = guessed = 0
    for second in range(0, ROOM_LASTS + 1, 10):
        clock.now = float(second)
        many = [Client("a", f"{is_known} {second} {n}", is_known) for n in range(101) for is_known in (0, 1)]
        guessed += sum(map(guesses.take, many if second == 0 else many[:4]))
        of_one += sum(guesses.take(Client("b", "one")) for _ in range(6))
    n_codes = len(LETTERS) ** N_LETTERS
    alone, of_hundred = guessed / n_codes, 1 - exp(-MOST_OPEN * guessed / n_codes)
    assert (guessed, of_one) == (740, 185)
    for said in (f"{guessed} guesses", f"{of_one} of one browser", f"{alone:.1%}", f"{of_hundred:.0%}"):
        assert said.replace("%", " %") in DOORS


def test_without_a_store_all_browsers_of_an_address_count_as_one() -> None:
    def fails() -> Store:
        raise StoreError("no Redis")

    request = Request({"type": "http", "headers": [], "client": ("hall", 1)})
    assert asyncio.run(Browsers(fails).client_or_address(request)) == Client("hall")


def test_a_secret_that_has_changed_is_read_again() -> None:
    clock, store = Clock(), SimpleNamespace(secret=lambda: "one")
    browsers = Browsers(lambda: store, clock)
    assert asyncio.run(browsers.secret()) == "one"
    store.secret = lambda: "another"
    assert asyncio.run(browsers.secret()) == "one", "it is not asked for with each request"
    clock.now += READ_AGAIN + 1
    assert asyncio.run(browsers.secret()) == "another"
