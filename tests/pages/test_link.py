"""The link holds the visible state and nothing else, and a wrong one gets a sentence instead of an error."""

from functools import cache
from typing import Any

import pytest

from pages.contract.parameter import spell
from pages.contract.prose import literal
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, readable
from tests.views import PAGES

pytestmark = pytest.mark.usefixtures("noise_shelf")

PAGE = ("explorer", next(iter(PAGES["explorer"].views)))
"""A page for all: one function binds the controls, and every view's are asked on its sheet."""

MANGLED = ["<b>", "9" * 5000]
"""Further errors are tested by `contract/test_control.py` for controls, `test_hostile_links.py` for views."""


@cache
def defaults() -> dict[str, Any]:
    """Return the defaults of the page, with its tables; None if nothing is chosen.

    A box for any text accepts all texts of a link.
    """
    asked = Asked(PAGE[0], view=PAGE[1])
    controls = {name: one.parameter for name, one in asked.controls.items() if one.parameter.kind != "text"}
    names = {name: one.default for name, one in controls.items() if name != "view"}
    in_sight = untouched().keys() - {"lines"}  # others are behind a closed fold
    return names | {f"{key}_table": False for key in in_sight if asked.picture(key).has_table}


def opened(**parameters: Any) -> Session:
    address, view = PAGE
    return Session(address, view=view, **parameters)


@cache
def untouched() -> dict[str, Any]:
    """Return the pictures of the page if its link asks for nothing."""
    return pictures(opened())


def pictures(session: Session) -> dict[str, Any]:
    lines = [session.element("lines").proto.json] if session.has("lines") else []
    return {key: session.figure(key) for key in session.pictures} | {"lines": lines}


def test_a_parameter_at_its_default_leaves_the_link() -> None:
    session = opened(**{name: one for name, one in defaults().items() if one not in (None, [], "")})

    assert session.warnings == []
    assert set(session.link) <= {"view"}
    assert pictures(session) == untouched()


def test_a_mangled_parameter_is_named_and_ignored() -> None:
    for value in MANGLED:
        session = opened(**dict.fromkeys(defaults(), value))

        for name, default in defaults().items():
            asked = f"asks for {literal(name)} = {literal(value)}, but"
            (warning,) = [one for one in session.warnings if asked in one]
            assert len(readable(warning)) < 300
            if default not in (None, []):
                assert readable(warning).endswith(f"Showing {spell(default)}.")
        assert set(session.link) <= {"view"}
        assert pictures(session) == untouched()

    told = session.warnings
    session.run()
    assert len(told) == len(defaults())
    assert sorted(session.warnings) == sorted(told), "they stay when the page runs again"


def test_a_sentence_about_a_mangled_parameter_goes_when_its_control_is_changed() -> None:
    session = Session(layers="zz", heads="zz", model="random", view="heads")
    before = session.warnings
    session.set(scale=False)
    assert session.warnings == before

    session.set(layers=3)
    (left,) = session.warnings
    assert "asks for heads = zz" in left


BY_HAND: list[tuple[str, list[dict[str, Any]]]] = [
    ("explorer", [{"drawn": "lines", "residual": False, "text": "så varför inte"}, {"mass": 50}]),
    ("interaction-distance", [{"from_": 4, "to": 1, "layers": 2}]),
]


@each(("address", "steps"), BY_HAND)
def test_a_link_shows_the_same_as_choices_by_hand(address: str, steps: list[dict[str, Any]]) -> None:
    by_hand = Session(address)
    for step in steps:
        by_hand.set(**step)

    chosen = {name: value for step in steps for name, value in step.items()}
    by_link = Session(address, **chosen)

    assert by_link.warnings == []
    assert pictures(by_link) == pictures(by_hand)
    assert by_link.prose == by_hand.prose
    assert by_link.link == {name.rstrip("_"): spell(value) for name, value in chosen.items()}


def test_fewer_heads_than_the_one_chosen_show_the_opening_one_or_the_last() -> None:
    session = Session(view="heads", heads=8, head=7)
    session.set(heads=2)

    assert session.value("head") == 2
    assert "head = 7, but here it can be 1, 2. Showing 2." in session.warnings[0]
    assert "head" not in session.link


def test_a_sentence_that_shrinks_lets_go_of_a_word_it_lost() -> None:
    session = Session(view="heads", text="one two three four five", query=5, key=2)
    session.set(text="one two three")

    assert (session.value("query"), session.value("key")) == (None, 2)
    assert "query = 5, but here it can be 1 to 3. Showing none." in session.warnings[0]
    assert session.link.get("key") == "2"
    assert "query" not in session.link


def test_a_choice_has_the_same_meaning_on_all_pages() -> None:
    session = Session("positions", view="sinusoidal", positions_shown=64)
    session.go("masking")
    session.set(preset="window")
    assert session.value("radius") == 1
