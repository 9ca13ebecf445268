"""A slide of a lecture is a page of the app, which shows its words as Markdown and runs nothing."""

import json

import pytest

from pages.lecture.deck import Deck, packed
from pages.lecture.player import played
from pages.lecture.slide import type_of_formula, type_of_text
from pages.lecture.slide_picture import name_in_browser
from pages.lecture.step import SLIDES, LectureStep
from tests.covering import each
from tests.pages.lecture.test_step import picture
from tests.pages.session import Session

HOSTILE = "<script>alert(1)</script> *a*"

SHOWN = {
    "title": LectureStep(kind="title", title="A *b* <i>", text=HOSTILE),
    "agenda": LectureStep(kind="agenda", title="T", text="1. One\n2. Two"),
    "text": LectureStep(kind="text", text=HOSTILE),
    "formula": LectureStep(kind="formula", formula=r"\href{javascript:alert(1)}{a}", text="Below"),
    "picture": LectureStep(kind="picture", title="T", picture=picture()),
    "end": LectureStep(kind="end"),
}


def slide(step: LectureStep, **asked: str) -> Session:
    return Session("lecture", deck=packed(Deck("D", (LectureStep("/"), step))), slide="2", large="1", **asked)


def said(session: Session) -> list[str]:
    return [one.value for one in session.app.markdown]


def test_every_kind_is_shown() -> None:
    assert SHOWN.keys() == SLIDES.keys()
    for step in SHOWN.values():
        session = slide(step)
        assert not session.has("my_lecture")
        if step.text:
            assert step.text in said(session)
        assert not any(one.proto.allow_html for one in session.app.markdown if one.value == step.text)


def test_a_title_shows_its_very_signs_and_only_that_of_a_title_slide_is_on_the_page_too() -> None:
    assert r"The end" in said(slide(SHOWN["end"]))
    assert "T" in said(slide(SHOWN["agenda"]))
    assert "T" not in said(slide(SHOWN["agenda"], titled="1"))
    assert r"A \*b\* \<i\>" in said(slide(SHOWN["title"], titled="1"))


def test_a_picture_that_a_link_leaves_in_the_browser_is_named() -> None:
    data = json.loads(slide(SHOWN["picture"]).element("slide_image").proto.json)
    assert data == {"picture": name_in_browser(picture()), "alt": "T"}


def test_a_covered_slide_has_a_plate() -> None:
    assert slide(SHOWN["text"], cover="1").has("plate")
    assert not slide(SHOWN["text"]).has("plate")


@each("number", ["1", "99"])
def test_a_number_of_no_slide_shows_the_lecture_or_its_last_slide(
    monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    seen: list[object] = []
    monkeypatch.setattr("pages.lecture.player.play", lambda *asked: seen.append(asked))
    Session("lecture", deck=packed(Deck("D", (LectureStep("/"), SHOWN["text"]))), slide=number)
    assert bool(seen) == (number != "99")


def test_the_player_shows_a_slide_by_its_number() -> None:
    assert played(SHOWN["text"], "~a", 3).startswith("/lecture?deck=~a&slide=3&large=1")
    assert "&cover=1" in played(LectureStep(kind="text", text="a", covered=True), "b", 1)


@each(
    ("text", "size"),
    [
        ("", 30.0),
        ("a\n" * 8, 30.0),
        ("a\n" * 9, 24.0),
        ("a" * 500, 24.0),
        ("a\n" * 17, 18.0),
        ("a" * 3000, 14.0),
    ],
)
def test_a_longer_text_is_smaller(text: str, size: float) -> None:
    assert type_of_text(text) == size


def test_a_longer_formula_is_smaller() -> None:
    short, long = r"\frac{a}{b}", "+".join("abcdefghijklmnopqrstuvwxyz")
    assert type_of_formula(short) > type_of_formula(long) > type_of_formula(long * 3)
    assert type_of_formula(rf"{short} \\ {short}") == type_of_formula(short)
