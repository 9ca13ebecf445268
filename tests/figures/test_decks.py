"""The pictures of a view, and the steps of a lecture, as decks."""

from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation

from figures.files import file
from figures.order import Order, OrderError, Style
from figures.plain import plain
from figures.rendering.marks import remembered
from pages.lecture.deck import Deck, Step, packed
from pages.sheet import answered
from tests.figures.made_up import HOSTILE, MadeUp

ORIGIN = "http://localhost:8501"
SOFTMAX = "/scaling?view=long+vectors"
LECTURE = Deck(
    f"A lecture {HOSTILE}",
    (
        Step(SOFTMAX, "Saturated", notes="Say *so*.\nThen wait.", question="What **is** it?"),
        Step("/glossary"),
        Step(f"/explorer?text={'a+' * 1500}", "Too long"),
    ),
)


def opened(content: bytes) -> list[Any]:
    return list(Presentation(BytesIO(content)).slides)


def notes(slide: Any) -> str:
    return str(slide.notes_slide.notes_text_frame.text)


def test_a_view_has_a_slide_for_each_of_its_pictures(made_up: MadeUp) -> None:
    made = file(Order(link=SOFTMAX, kind="pptx"), made_up, origin=ORIGIN)
    found = answered(SOFTMAX)

    slides = opened(made.content)

    assert made.name == "scaling-long-vectors-zuko-made-his-uncle.pptx"
    assert len(slides) == len(made_up.jobs) == 2
    for slide in slides:
        assert plain(str(found.sheet.answer)) in notes(slide)
        assert f"{ORIGIN}{SOFTMAX}" in notes(slide)
    assert remembered(made.content)["link"] == f"{ORIGIN}{SOFTMAX}"


def test_a_lecture_has_a_slide_for_its_title_and_for_each_step(made_up: MadeUp) -> None:
    link = f"/lecture?deck={packed(LECTURE)}"

    made = file(Order(link=link, kind="pptx"), made_up, origin=ORIGIN)
    cover, first, second, third = opened(made.content)

    assert made.name == "lecture-a-lecture-cmd-c.pptx"
    assert cover.shapes.title.text_frame.text == LECTURE.title
    assert [one.text_frame.text for one in cover.placeholders][1] == "Attention Lab · 3 steps"
    assert remembered(made.content)["link"] == f"{ORIGIN}{link}"
    assert first.shapes.title.text_frame.text == "Saturated"
    assert len(made_up.jobs) == 1, "the first picture alone"
    said = notes(first)
    assert said.startswith("Say so.\nThen wait.\n\nQuestion: What is it?\n\n")
    assert plain(str(answered(SOFTMAX).sheet.answer)) in said
    assert said.endswith(f"{ORIGIN}{SOFTMAX}")
    assert second.shapes.title.text_frame.text == answered("/glossary").question
    assert {shape.name for shape in third.shapes} >= {"Answer"}
    assert "words" in next(shape for shape in third.shapes if shape.name == "Answer").text_frame.text


def test_a_link_too_long_for_a_code_is_refused_alone_and_in_a_lecture_has_none(made_up: MadeUp) -> None:
    long = f"/explorer?text={'a+' * 300}"
    lecture = Deck("A lecture", (Step(SOFTMAX), Step(f"/masking?view=paint&text={'the+cat+' * 60}")))
    link, coded = f"/lecture?deck={packed(lecture)}", Style(qr=True)

    with pytest.raises(OrderError, match=r"room for 400 characters, and this link has 636\."):
        file(Order(link=long, kind="svg", style=coded), made_up, origin=ORIGIN)
    made = file(Order(link=link, kind="pptx", style=coded), made_up, origin=ORIGIN)

    _, first, second = opened(made.content)
    assert [any(shape.name == "QR code" for shape in one.shapes) for one in (first, second)] == [True, False]


def test_a_lecture_that_there_is_not_is_refused_in_a_sentence(made_up: MadeUp) -> None:
    with pytest.raises(OrderError, match="There is no lecture “nothing”"):
        file(Order(link="/lecture?deck=nothing", kind="pptx"), made_up)
