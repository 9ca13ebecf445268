"""The pictures of a view, and the steps of a lecture, as decks."""

import re
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pypdf import PdfReader

from figures import decks
from figures.export import Failure, file, files, is_long
from figures.export_pictures import NO_OWN_MODEL
from figures.export_request import ExportRequest, ExportRequestError, Kind, Style
from figures.plain import plain
from figures.preset import ACL_COLUMN, HALF
from figures.rendering.marks import read_provenance
from pages.lecture.deck import Deck, LectureStep, packed, shipped
from pages.sheet import build_sheet
from tests.covering import each
from tests.figures.made_up import HOSTILE, MadeUp

ORIGIN = "http://localhost:8501"
SOFTMAX = "/scaling?view=long+vectors"
LECTURE = Deck(
    f"A lecture {HOSTILE}",
    (
        LectureStep(
            SOFTMAX, "Saturated", notes="Say *so*.\nThen wait.\n(h) Press *More*.", question="What **is** it?"
        ),
        LectureStep("/glossary"),
        LectureStep(f"/explorer?text={'a+' * 1500}", "Too long"),
    ),
)


def linked(lecture: Deck) -> str:
    return f"/lecture?deck={packed(lecture)}"


def opened(content: bytes) -> list[Any]:
    return list(Presentation(BytesIO(content)).slides)


def title(slide: Any) -> str:
    return str(slide.shapes.title.text_frame.text)


def text(slide: Any, name: str) -> str:
    return str(next(shape for shape in slide.shapes if shape.name == name).text_frame.text)


def notes(slide: Any) -> str:
    return str(slide.notes_slide.notes_text_frame.text)


def italic(slide: Any) -> list[str]:
    paragraphs = slide.notes_slide.notes_text_frame.paragraphs
    return [run.text for paragraph in paragraphs for run in paragraph.runs if run.font.italic]


def test_a_view_has_a_slide_with_notes_for_each_of_its_pictures(made_up: MadeUp) -> None:
    made = file(ExportRequest(link=SOFTMAX, kind="pptx"), made_up, origin=ORIGIN)
    answer = plain(str(build_sheet(SOFTMAX).sheet.headline))

    slides = opened(made.content)

    assert made.name == "scaling-long-vectors-zuko-made-his-uncle.pptx"
    assert len(slides) == len(made_up.jobs) == 2
    for slide, job in zip(slides, made_up.jobs, strict=True):
        assert notes(slide).startswith(job.provenance["description"])
        assert answer in notes(slide)
        assert notes(slide).endswith(f"{ORIGIN}{SOFTMAX}")
    assert notes(slides[0]) != notes(slides[1])
    assert read_provenance(made.content)["link"] == f"{ORIGIN}{SOFTMAX}"


def test_a_lecture_has_its_title_then_each_question_and_all_pictures(made_up: MadeUp) -> None:
    link = linked(LECTURE)

    made = file(ExportRequest(link=link, kind="pptx"), made_up, origin=ORIGIN)
    cover, question, first, second, glossary, refused = opened(made.content)

    answer = plain(str(build_sheet(SOFTMAX).sheet.headline))
    assert made.name == "lecture-a-lecture-cmd-c.pptx"
    assert read_provenance(made.content)["link"] == f"{ORIGIN}{link}"
    assert title(cover) == LECTURE.title
    assert re.fullmatch(r"\d+ \w+ \d{4}", text(cover, "Text")), "so long a link is in the notes alone"
    assert notes(cover).endswith(f"{ORIGIN}{link}")
    assert (title(question), italic(question)) == ("What is it?", ["tea", "so"])
    assert notes(question) == f"{answer}\n\nSay so.\nThen wait."
    assert len(made_up.jobs) == 2
    assert title(first) == "Saturated"
    assert text(first, "Caption").startswith(made_up.jobs[0].provenance["title"])
    assert notes(first).startswith(f"Say so.\nThen wait.\n\n{made_up.jobs[0].provenance['description']}")
    assert title(second) == made_up.jobs[1].provenance["title"]
    assert notes(second).startswith(made_up.jobs[1].provenance["description"])
    for slide in (first, second):
        assert answer in notes(slide)
        assert notes(slide).endswith(f"{ORIGIN}{SOFTMAX}")
    assert title(glossary) == build_sheet("/glossary").question
    assert text(glossary, "Text") == plain(str(build_sheet("/glossary").sheet.headline))
    assert (title(refused), "words" in text(refused, "Text")) == ("Too long", True)
    numbers = [slide.shapes._spTree.xpath("string(.//a:fld/a:t)") for slide in opened(made.content)]
    assert numbers == ["", "2", "3", "4", "5", "6"]


def test_a_step_with_an_own_model_says_that_it_cannot_be_saved(made_up: MadeUp) -> None:
    lecture = Deck("A", (LectureStep("/explorer?view=heads&model=mine", "My model"),))

    _, slide = opened(file(ExportRequest(link=linked(lecture), kind="pptx"), made_up).content)

    assert (title(slide), text(slide, "Text")) == ("My model", NO_OWN_MODEL)
    assert made_up.jobs == []


def test_a_step_without_a_question_gets_the_next_of_its_view_with_its_options(made_up: MadeUp) -> None:
    link = "/step-by-step?view=soft+lookup"
    asked, *others = build_sheet(link).questions
    lecture = Deck("A", (LectureStep(link),) * (len(others) + 2))

    _, question, *slides = opened(file(ExportRequest(link=linked(lecture), kind="pptx"), made_up).content)

    assert title(question) == plain(asked.text)
    assert text(question, "Text").startswith("A. ")
    assert plain(asked.because) in notes(question)
    later = [title(one) for one in slides if not any(shape.shape_type == 13 for shape in one.shapes)]
    assert later == [plain(one.text) for one in others], "no question is repeated"


def test_a_lecture_is_a_pdf_with_the_same_slides(made_up: MadeUp) -> None:
    request = ExportRequest(link=linked(LECTURE), kind="pdf")
    titles = [
        title(one) for one in opened(file(ExportRequest(link=request.link, kind="pptx"), made_up).content)
    ]

    made = file(request, made_up)

    assert made.name == "lecture-a-lecture-cmd-c.pdf"
    reader = PdfReader(BytesIO(made.content))
    assert [str(entry["/Title"]) for entry in reader.outline if isinstance(entry, dict)] == titles
    assert len(reader.pages) == len(titles)
    assert is_long(request)


@each("kind", ["svg", "csv", "zip"])
def test_a_lecture_is_saved_only_as_slides_or_a_page(kind: Kind, made_up: MadeUp) -> None:
    request = ExportRequest(link=linked(LECTURE), kind=kind)

    with pytest.raises(ExportRequestError, match=r"saved as slides, PPTX or PDF, or as one page of HTML\."):
        file(request, made_up)
    (failure,) = files(request, [kind], made_up)
    assert isinstance(failure, Failure)


def test_slides_are_as_large_as_their_preset_and_without_a_title_pictures_alone(made_up: MadeUp) -> None:
    style = Style(preset=HALF, title=False)
    content = file(ExportRequest(link=SOFTMAX, kind="pptx", style=style), made_up).content

    document = Presentation(BytesIO(content))
    assert document.slide_width is not None
    assert document.slide_width.inches == pytest.approx(6 + 2 / 3)
    assert made_up.jobs[0].frame.width == HALF.width - 2 * HALF.margin
    for slide in document.slides:
        (picture,) = slide.shapes
        assert picture.shape_type == 13


@each(("link", "kind"), [(SOFTMAX, "pptx"), (linked(LECTURE), "pdf")])
def test_a_preset_for_print_has_no_slides(link: str, kind: Kind, made_up: MadeUp) -> None:
    with pytest.raises(ExportRequestError, match="A figure for print has no slide"):
        file(ExportRequest(link=link, kind=kind, style=Style(preset=ACL_COLUMN)), made_up)


IN_THE_APP = re.compile(
    r"\b(reveal|click|press|scroll|type it|paint|drag|button|switch on|turn (it|the))\b", re.I
)


@each("name", shipped())
def test_notes_of_shipped_lectures_mention_no_control(name: str) -> None:
    for step in shipped()[name].steps:
        told = decks.notes_in_a_file(step.notes)
        assert told
        assert not IN_THE_APP.findall(told), step.title
        assert "(h)" not in told


def test_a_link_too_long_for_a_code_is_refused_alone_and_in_a_lecture_has_none(made_up: MadeUp) -> None:
    long = f"/explorer?text={'a+' * 300}"
    steps = (
        LectureStep(SOFTMAX, question="?"),
        LectureStep(f"/masking?view=paint&text={'the+cat+' * 60}", question="?"),
    )
    link, coded = linked(Deck("A lecture", steps)), Style(qr=True)

    with pytest.raises(ExportRequestError, match=r"room for 400 characters, and this link has 636\."):
        file(ExportRequest(link=long, kind="svg", style=coded), made_up, origin=ORIGIN)
    made = file(ExportRequest(link=link, kind="pptx", style=coded), made_up, origin=ORIGIN)

    has_code = [any(shape.name == "QR code" for shape in one.shapes) for one in opened(made.content)]
    assert has_code == [False, False, True, True, False, False]


def test_a_missing_lecture_is_refused_in_a_sentence(made_up: MadeUp) -> None:
    with pytest.raises(ExportRequestError, match="There is no lecture “nothing”"):
        file(ExportRequest(link="/lecture?deck=nothing", kind="pptx"), made_up)
