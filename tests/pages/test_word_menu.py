"""The menus of words: a visitor chooses a word, the link keeps its position, typed signs stay text."""

import pytest

from pages.contract.ask import numbered
from pages.controls.widgets import MENU
from tests.covering import first_of_each
from tests.pages.session import Session

TEXT = "the <b> saw the **z** and $y$"
WORDS = ("the", "<", "b", ">", "saw", "the", "*", "*", "z", "*", "*", "and", "$", "y", "$")

MENUS = [
    ("explorer", {"view": "heads", "model": "random"}, ("query", "key")),
    ("explorer", {"view": "heads"}, ("place",)),
    ("interaction-distance", {"view": "networks", "count": "distance from a word"}, ("from", "to")),
    ("order-invariance", {"view": "two orders", "other": TEXT}, ("word",)),
    ("step-by-step", {"view": "soft lookup"}, ("word",)),
    ("positions", {"view": "rotary"}, ("query", "key")),
    ("masking", {"view": "paint"}, ("query", "key")),
    ("masking", {"view": "mask values"}, ("query",)),
    ("scaling", {"view": "long vectors"}, ("word",)),
    ("scaling", {"view": "heads"}, ("word",)),
    ("blocks", {"view": "feed-forward"}, ("word",)),
]


@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize(
    ("address", "link", "names"),
    first_of_each(
        lambda address, link, names: names,
        MENUS,
        long="a page that lists other words than it reads: all menus are made by one function",
    ),
)
def test_a_menu_has_every_word_with_its_position_and_puts_the_position_into_the_link(
    address: str, link: dict[str, str], names: tuple[str, ...]
) -> None:
    session = Session(address, text=TEXT, **link)
    for name in names:
        assert list(session.element(name + MENU).options) == [f"{i} {w}" for i, w in enumerate(WORDS, 1)]

    session.set(**{name + MENU: 2 + at for at, name in enumerate(names)})

    assert {name: session.value(name) for name in names} == {name: 2 + at for at, name in enumerate(names)}
    assert {name: session.link[name] for name in names} == {n: str(2 + at) for at, n in enumerate(names)}
    assert not any(name.endswith(MENU) for name in session.link)
    assert session.warnings == []


def test_a_link_chooses_a_word_and_a_click_another() -> None:
    session = Session(model="random", text=TEXT, view="heads", query=6)
    assert (session.value("query_word"), session.value("key_word")) == (6, None)

    session.click("matrix", x=4, y=8)
    assert (session.value("query_word"), session.value("key_word")) == (9, 5)


def test_a_word_can_be_let_go_of() -> None:
    session = Session(model="random", text=TEXT, view="heads", query=6, key=2)
    session.set(query_word=None)

    assert (session.value("query"), session.value("key")) == (None, 2)
    assert "query" not in session.link


def test_a_position_that_the_sentence_does_not_have_gets_a_note_and_no_word() -> None:
    session = Session(model="random", text=TEXT, view="heads", query=16)

    assert session.value("query_word") is None
    assert session.warnings == ["The link asks for query = 16, but here it can be 1 to 15. Showing none."]


def test_signs_that_turn_a_text_around_are_shown_as_such_and_a_long_word_is_cut() -> None:
    assert numbered(["the", "a\u202eb"], 1) == "2 a�b"

    session = Session(model="random", text="a " + "m" * 300, view="heads")
    long = session.element("query_word").options[1]
    assert long.startswith("2 mmmm")
    assert long.endswith("m…")
    assert len(long) < 40
