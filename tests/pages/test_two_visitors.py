"""Two visitors of one page: no act of one changes the other's page."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pages.interaction_distance import cost
from tests.pages.session import Session
from tests.pages.test_interaction_distance import measured

CAT = "the cat that the dogs chase sleeps"


def type_and_go_back(session: Session) -> None:
    session.set(text=CAT)
    session.press("Zuko made …")


def paint(session: Session) -> None:
    session.click("painted", x=0, y=2)
    session.stroke("painted", (3, 1), (3, 0))


def measure(session: Session) -> None:
    session.set(costs="measured")
    session.press(next(one.label for one in session.app.button if one.label.startswith("Measure on")))


def change_controls(session: Session) -> None:
    """Give every switch, number and text of the page another value, and leave by a link."""
    others = {
        "toggle": lambda now: not now,
        "number_input": lambda now: (now or 0) + 1,
        "text_input": lambda _: CAT,
    }
    for kind, other in others.items():
        for control in session.app.get(kind):
            if not control.disabled:
                control.set_value(other(control.value))
    session.run()
    session.app.query_params["nobody"] = "1"
    session.run()


ACTS: dict[str, tuple[str, str, Callable[[Session], None]]] = {
    "controls": ("training", "training", change_controls),
    "sentences": ("masking", "mask values", type_and_go_back),
    "painted cells": ("masking", "paint", paint),
    "measured times": ("interaction-distance", "cost", measure),
}
"""State of a session, with a view and an act that creates it."""


def seen(session: Session) -> Mapping[str, Any]:
    """Return all of a page: its text, its figures, the values of its controls, its link."""
    parts = (session.app.main, session.app.sidebar)
    controls = [node for part in parts for node in part if hasattr(node, "value")]
    return {
        "text": session.markdown,
        "figures": {key: session.element(key).proto.spec for key in session.pictures},
        "values": {node.key: repr(node.value) for node in controls if getattr(node, "key", None)},
        "link": dict(session.link),
    }


def assert_concerns_nobody_else(act: Callable[[Session], None], address: str, view: str) -> None:
    """Check that the page of another visitor stays as it is when one acts, and a later visitor's too."""
    one, other = Session(address, view=view), Session(address, view=view)
    opened, before = seen(one), seen(other)
    assert opened == before
    act(one)
    assert seen(one) != opened, "nothing was done"
    other.run()
    assert seen(other) == before
    assert seen(Session(address, view=view)) == before


@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize("what", ACTS)
def test_state_of_a_session_is_visible_in_no_other(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "forward_times", measured)
    address, view, act = ACTS[what]
    assert_concerns_nobody_else(act, address, view)
