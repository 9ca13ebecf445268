"""The menus of words: a visitor chooses a word, the link keeps its position, typed signs stay text."""

from typing import Any

import pytest

from pages.contract.ask import numbered
from tests.covering import each
from tests.pages.session import Session

TEXT = "the <b> saw the **z** and $y$"
WORDS = ("the", "<", "b", ">", "saw", "the", "*", "*", "z", "*", "*", "and", "$", "y", "$")

MENUS = [
    ("explorer", {"view": "heads", "needed_table": True}, ("query", "key", "place")),
    ("interaction-distance", {"view": "networks", "count": "distance from a word"}, ("from", "to")),
]


@pytest.mark.usefixtures("noise_shelf")
@each(("address", "link", "names"), MENUS)
def test_a_menu_has_every_word_with_its_position_and_puts_the_position_into_the_link(
    address: str, link: dict[str, Any], names: tuple[str, ...]
) -> None:
    session = Session(address, text=TEXT, **link)
    for name in names:
        assert list(session.element(name).options) == [f"{i} {w}" for i, w in enumerate(WORDS, 1)]

    session.set(**{name: 2 + at for at, name in enumerate(names)})

    assert {name: session.value(name) for name in names} == {name: 2 + at for at, name in enumerate(names)}
    assert {name: session.link[name] for name in names} == {n: str(2 + at) for at, n in enumerate(names)}
    assert session.warnings == []


def test_a_link_chooses_a_word_a_click_another_and_each_can_be_let_go_of() -> None:
    session = Session(model="random", text=TEXT, view="heads", query=6)
    assert (session.value("query"), session.value("key")) == (6, None)

    session.click("matrix", x=4, y=8)
    assert (session.value("query"), session.value("key")) == (9, 5)

    session.set(query=None)
    assert (session.value("query"), session.value("key")) == (None, 5)
    assert "query" not in session.link


def test_signs_that_turn_a_text_around_are_shown_as_such_and_a_long_word_is_cut() -> None:
    assert numbered(["the", "a\u202eb"], 1) == "2 a�b"
    long = numbered(["a", "m" * 300], 1)
    assert long.startswith("2 mmmm")
    assert long.endswith("m…")
    assert len(long) < 40
