"""Slides that show no view, and own questions, in a file of slides."""

from base64 import b64decode
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfReader

from figures.export import file
from figures.export_request import ExportRequest, ExportRequestError
from figures.markup import has_formula
from figures.own_slides import as_png, options_of, solution_of
from figures.rendering.job import FORMULA, IN_TEXT, Paper, Script
from pages.lecture.deck import Deck, LectureStep, packed
from pages.lecture.slide_picture import name_in_browser
from tests.covering import each
from tests.figures.made_up import HOSTILE, MadeUp
from tests.figures.test_decks import notes, opened, text, title
from tests.pages.lecture.test_step import picture

PICTURE, WEBP = picture(size=(40, 20)), picture("WEBP", size=(40, 20))

LECTURE = Deck(
    "Own slides",
    (
        LectureStep(kind="title", title="Attention", text="For *everybody*", notes="Hello."),
        LectureStep(kind="agenda", title="Today", text="1. Scores\n- Weights\n\n## Heads"),
        LectureStep(kind="text", text=HOSTILE),
        LectureStep(kind="formula", title="Softmax", formula=r"\frac{a}{b}", text="Sums to one."),
        LectureStep(kind="picture", title="A group", picture=WEBP, text="A box"),
        LectureStep(kind="end"),
        LectureStep(
            "/glossary", "Words", question="Which?", options=("tea", "cat"), answer_kind="choice", right="cat"
        ),
    ),
)


def made(deck: Deck, exporter: MadeUp, kind: Any = "pptx", pictures: tuple[str, ...] = ()) -> bytes:
    return file(
        ExportRequest(link=f"/lecture?deck={packed(deck)}", kind=kind, pictures=pictures), exporter
    ).content


def shown(slide: Any) -> list[Any]:
    return [shape for shape in slide.shapes if shape.shape_type == 13]


def test_the_file_has_each_kind_of_slide(made_up: MadeUp) -> None:
    slides = opened(made(LECTURE, made_up, pictures=(WEBP,)))

    cover, agenda, words, formula, group, end, question, view = slides
    assert (title(cover), text(cover, "Text"), notes(cover).partition("\n")[0]) == (
        "Attention",
        "For everybody",
        "Hello.",
    )
    assert "/lecture?deck=" in notes(cover), "the first slide says the link of the file"
    assert text(agenda, "Text") == "1. Scores\n• Weights\n• Heads"
    assert title(words) == HOSTILE
    assert (title(formula), text(formula, "Caption")) == ("Softmax", "Sums to one.")
    assert r"\frac{a}{b}" in notes(formula)
    assert (title(group), text(group, "Caption")) == ("A group", "A box")
    assert [len(shown(one)) for one in slides] == [0, 0, 0, 1, 1, 0, 0, 0]
    assert title(end) == "The end"
    assert (title(question), text(question, "Text")) == ("Which?", "A. tea\nB. cat")
    assert notes(question).startswith("Right: cat.")
    assert title(view) == "Words"


def test_a_picture_has_a_format_that_office_shows(made_up: MadeUp) -> None:
    made(LECTURE, made_up, pictures=(WEBP,))

    typeset, formula, group = made_up.jobs
    assert isinstance(typeset.drawn, Paper)
    assert typeset.drawn.formula == r"\frac{a}{b}"
    for job, size in ((formula, (8, 4)), (group, (40, 20))):
        assert isinstance(job.drawn, Script)
        ((name, attributes, _),) = job.drawn.data["nodes"]
        assert name == "image"
        with Image.open(BytesIO(b64decode(attributes["href"].partition(",")[2]))) as image:
            assert (image.format, image.size) == ("PNG", size)


def test_a_formula_that_cannot_be_set_is_written_in_latex(made_up: MadeUp) -> None:
    made_up.refused = {"png"}
    deck = Deck("", (LectureStep(kind="formula", title="F", formula=r"\wrong{a}"),))

    _, slide = opened(made(deck, made_up))

    assert text(slide, "Text") == r"\wrong{a}"


def test_a_sentence_replaces_a_picture_that_is_not_sent_along(made_up: MadeUp) -> None:
    deck = Deck("", (LECTURE.steps[4],))

    assert "not in its link" in text(opened(made(deck, made_up))[1], "Text")
    assert shown(opened(made(deck, made_up, pictures=(PICTURE, WEBP)))[1])
    assert not shown(opened(made(deck, made_up, pictures=(PICTURE,)))[1]), "another picture"


@each("hostile", ["javascript:alert(1)", "data:image/svg+xml;base64,AAAA", "https://elsewhere.example/a.png"])
def test_an_attachment_that_is_not_a_picture_is_refused(hostile: str) -> None:
    with pytest.raises(ExportRequestError, match="Picture has to be a PNG, JPEG or WebP"):
        made(LECTURE, MadeUp(), pictures=(hostile,))


def test_a_pdf_has_the_same_slides(made_up: MadeUp) -> None:
    reader = PdfReader(BytesIO(made(LECTURE, made_up, "pdf", (WEBP,))))
    assert len(reader.pages) == len(LECTURE.steps) + 1, "a slide for each step, and one for the question"


def test_a_sentence_of_a_step_stands_below_each_first_picture(made_up: MadeUp) -> None:
    link = "/scaling?view=long+vectors"
    steps = (LectureStep(link, "T", sentence="Mine."), LectureStep(link, "T", sentence="none"))

    slides = [one for one in opened(made(Deck("", steps), made_up)) if shown(one)]

    first, second, third, fourth = (text(one, "Caption") for one in slides)
    assert first == f"Mine. · {third}"
    assert second == fourth


def test_items_to_put_in_order_are_not_in_the_right_order() -> None:
    ordered = LectureStep(question="?", answer_kind="order", options=("one", "two", "Four"))
    assert options_of(ordered) == ("A. Four", "B. one", "C. two")
    assert solution_of(ordered) == "In the right order: one, two, Four."
    drawn = LectureStep(question="?", answer_kind="drawing", options=("a", "b"), right="1 2.5")
    assert solution_of(drawn) == "Right: a 1, b 2.5."
    assert solution_of(LectureStep(question="?")) == ""


def test_a_picture_keeps_its_bytes_unless_office_does_not_know_them() -> None:
    assert as_png(PICTURE) == (PICTURE, 40, 20)
    assert as_png(WEBP)[0].startswith("data:image/png;base64,")
    assert name_in_browser(PICTURE) != name_in_browser(WEBP)


SET = "**So** *it* is:\n$$\n\\frac{a}{b}\n$$\n- with $d_k$ and `$x$`, and 5 $"


def test_a_text_with_formulas_is_typeset_with_its_emphasis(made_up: MadeUp) -> None:
    deck = Deck("T", (LectureStep(kind="text", title="Softmax", text=SET),))

    _, slide = opened(made(deck, made_up))

    typeset, _ = made_up.jobs
    assert isinstance(typeset.drawn, Paper)
    assert typeset.drawn.in_text == ((r"\frac{a}{b}", True), ("d_k", False))
    assert typeset.drawn.html.count(IN_TEXT) == 2
    assert "<p><strong>So</strong> <em>it</em> is:</p>" in typeset.drawn.html
    assert "$x$, and 5 $</li>" in typeset.drawn.html
    assert (title(slide), len(shown(slide))) == ("Softmax", 1)
    assert [one.name for one in slide.shapes if one.name == "Caption"] == []
    assert "frac" not in typeset.drawn.html


def test_a_formula_stands_above_a_text_with_formulas(made_up: MadeUp) -> None:
    deck = Deck("T", (LectureStep(kind="formula", formula="a^2", text="with $a$"),))

    made(deck, made_up)

    paper = made_up.jobs[0].drawn
    assert isinstance(paper, Paper)
    assert (paper.formula, paper.in_text) == ("a^2", (("a", False),))
    assert paper.html.index(FORMULA) < paper.html.index(IN_TEXT)


@each(
    ("text", "found"),
    [
        ("$a$", True),
        ("$$a\n$$", True),
        ("`$a$`", False),
        ("\\$a\\$", False),
        ("5 $ and 6 $", False),
        ("", False),
    ],
)
def test_a_formula_is_known_by_its_dollars(text: str, found: bool) -> None:
    assert has_formula(text) == found
