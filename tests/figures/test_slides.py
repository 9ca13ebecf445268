"""Slides as PowerPoint reads them, and as a PDF."""

from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE
from pypdf import PdfReader

from figures.export_request import Style
from figures.preset import HALF, POINT, SLIDE, SQUARE, Preset
from figures.rendering.job import Job, Script, SheetFrame
from figures.rendering.marks import read_provenance
from figures.slides.presentation import presentation
from figures.slides.slide import Slide, framed, pages, room_in
from tests.covering import each
from tests.figures.made_up import HOSTILE, SVG, MadeUp, dots
from viz.theme import THEMES, Theme

EMBED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed"
PIXEL = 9525
USUAL = Style()


def drawn(width: float = 800, height: float = 400, alt: str = "In words") -> Job:
    frame = SheetFrame(width=width, height=height, margin=0, paper="#FFFFFF", ink="#000000", muted="#555555")
    script = Script(script="", style="", data={}, width=width, height=height)
    return Job(drawn=script, frame=frame, formats=("svg-outlines", "png"), provenance={"description": alt})


WHOLE = Slide(
    title="The weights",
    caption=f"“{HOSTILE}” · seed 3",
    notes="So is *it*\n\n*Zuko* made tea.",
    picture=drawn(alt=f"In words: {HOSTILE}"),
)
LONG = "A title that says more than a slide has room for, and then goes on to say it once more " * 3


def opened(*slides: Slide, style: Style = USUAL, **said: str) -> Any:
    return Presentation(BytesIO(presentation(slides, style, said, MadeUp())))


def boxes(slide: Any) -> dict[str, tuple[float, ...]]:
    """Left, top, right and bottom of each shape of a slide, in pixels."""
    return {
        shape.name: (
            shape.left / PIXEL,
            shape.top / PIXEL,
            (shape.left + shape.width) / PIXEL,
            (shape.top + shape.height) / PIXEL,
        )
        for shape in slide.shapes
    }


def shape_of(slide: Any, name: str) -> Any:
    return next(shape for shape in slide.shapes if shape.name == name)


def test_all_words_are_text() -> None:
    (slide,) = opened(WHOLE).slides

    assert slide.shapes.title.text_frame.text == "The weights"
    assert shape_of(slide, "Caption").text_frame.text == WHOLE.caption
    notes = slide.notes_slide.notes_text_frame
    assert notes.text == "So is it\n\nZuko made tea."
    italic = [run.text for paragraph in notes.paragraphs for run in paragraph.runs if run.font.italic]
    assert italic == ["it", "Zuko"]


def test_titles_have_28_points_and_the_typeface_of_the_pictures() -> None:
    document = opened(WHOLE)

    (slide,) = document.slides
    (run,) = slide.shapes.title.text_frame.paragraphs[0].runs
    ours = document.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME).blob.decode()

    assert run.font.size.pt == 28
    assert ours.count('<a:latin typeface="Source Sans 3"') == 2
    assert "Calibri" not in ours
    assert not slide._element.xpath(".//a:latin")


def test_the_picture_is_a_vector_with_a_png_as_fallback() -> None:
    (slide,) = opened(WHOLE).slides
    (picture,) = [shape for shape in slide.shapes if shape.shape_type == 13]

    (vector,) = picture._element.xpath(".//*[local-name()='svgBlip']")
    part = slide.part.related_part(vector.get(EMBED))

    assert (part.content_type, part.blob) == ("image/svg+xml", SVG)
    assert picture.image.blob == dots()
    assert picture._element.nvPicPr.cNvPr.get("descr") == f"In words: {HOSTILE}"


TEXT = Slide(title="A question " * 20, body=("An answer " * 9, "B", "C"), number=12)


@pytest.mark.long("all shapes of slides; their content is read in every run")
@pytest.mark.parametrize("preset", [SLIDE, HALF, SQUARE])
@pytest.mark.parametrize("slide", [WHOLE, Slide(title=LONG, caption="word " * 60, picture=drawn()), TEXT])
@pytest.mark.parametrize("link", ["", "http://localhost:8501/explorer"])
def test_shapes_do_not_overlap_or_leave_the_slide(preset: Preset, slide: Slide, link: str) -> None:
    style = Style(preset=preset, qr=bool(link))
    wanted = Slide(**{**vars(slide), "link": link, "number": 12})

    document = opened(wanted, style=style)
    (made,) = document.slides
    found = list(boxes(made).values())

    assert (document.slide_width, document.slide_height) == (preset.width * PIXEL, 720 * PIXEL)
    assert len(found) == (4 if slide.picture else 3) + bool(link)
    for left, top, right, bottom in found:
        assert min(left, top) >= 0
        assert right <= preset.width
        assert bottom <= 720
    for i, box in enumerate(found):
        for other in found[:i]:
            apart_across = min(box[2], other[2]) <= max(box[0], other[0]) + 0.01
            assert apart_across or min(box[3], other[3]) <= max(box[1], other[1]) + 0.01


@each("preset", [HALF])
def test_without_a_title_the_picture_has_the_whole_slide(preset: Preset) -> None:
    style = Style(preset=preset, title=False)
    room = room_in(framed(WHOLE, style))
    wanted = Slide(**{**vars(WHOLE), "picture": drawn(room.width, room.height)})

    (slide,) = opened(wanted, style=style).slides

    ((left, top, right, bottom),) = boxes(slide).values()
    assert slide.shapes.title is None
    assert (left, top) == pytest.approx((preset.margin, preset.margin))
    assert (right, bottom) == pytest.approx((preset.width - preset.margin, 720 - preset.margin))


def test_the_slide_number_is_a_field() -> None:
    numbered, bare = opened(TEXT, Slide(title="Cover", body=())).slides

    (field,) = numbered.shapes._spTree.xpath(".//a:fld[@type='slidenum']")

    assert field.xpath("string(a:t)") == "12"
    assert float(field.xpath("string(a:rPr/@sz)")) / 100 * POINT < SLIDE.margin
    assert [shape.name for shape in bare.shapes] == ["Title"]


@each("theme", THEMES.values())
def test_a_slide_has_the_paper_of_its_theme(theme: Theme) -> None:
    document = opened(WHOLE, style=Style(theme=theme))

    (slide,) = document.slides
    ours = document.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME).blob.decode()

    assert f"#{slide.background.fill.fore_color.rgb}" == theme.paper
    assert f'<a:lt1><a:srgbClr val="{theme.paper[1:]}"/></a:lt1>' in ours


def test_a_transparent_presentation_has_no_background_anywhere() -> None:
    document = opened(WHOLE, TEXT, style=Style(transparent=True))

    sheets = [document.slide_master, *document.slide_layouts, *document.slides]
    assert len(sheets) == 5
    assert [sheet._element.xpath(".//p:bg") for sheet in sheets] == [[]] * 5


def test_it_contains_its_provenance_of_any_length() -> None:
    said = {"title": HOSTILE, "description": "so", "link": "http://x/?text=" + "a" * 5000, "version": "0.1.0"}
    content = presentation([WHOLE], Style(), said, MadeUp())

    core = Presentation(BytesIO(content)).core_properties

    assert read_provenance(content) == said
    assert (core.title, core.comments, core.version) == (HOSTILE, "so", "0.1.0")
    assert core.keywords.startswith("http://x/?text=aaa")
    assert (core.author, core.last_modified_by) == ("Attention Lab", "Attention Lab")
    assert core.category == "Attention Lab: figure"


def test_characters_that_xml_forbids_are_replaced() -> None:
    odd = "a\x00b\x0bc\ufffe\ud800d"
    slide = Slide(title=odd, caption=odd, notes=odd, picture=drawn(alt=odd))
    text = Slide(title=odd, body=(odd,))

    first, second = opened(slide, text, title=odd, link="/x").slides

    assert first.shapes.title.text_frame.text == "a\ufffdb\ufffdc\ufffd\ufffdd"
    assert first.notes_slide.notes_text_frame.text == "a\ufffdb\ufffdc\ufffd\ufffdd"
    assert shape_of(second, "Text").text_frame.text == "a\ufffdb\ufffdc\ufffd\ufffdd"


def test_a_pdf_has_a_page_for_each_slide_with_the_same_words() -> None:
    made_up = MadeUp()

    content = pages([TEXT, WHOLE], Style(), {"title": "A lecture", "link": "/lecture?deck=x"}, made_up)

    reader = PdfReader(BytesIO(content))
    assert len(reader.pages) == len(made_up.jobs) == 2
    assert [str(one["/Title"]) for one in reader.outline if isinstance(one, dict)] == [
        TEXT.title,
        WHOLE.title,
    ]
    assert read_provenance(content) == {"title": "A lecture", "link": "/lecture?deck=x"}
    text, picture = made_up.jobs
    assert isinstance(text.drawn, Script)
    lines = [node[2] for node in text.drawn.data["nodes"]]
    assert " ".join(lines).split() == " ".join([TEXT.title, *(TEXT.body or ())]).split()
    assert text.frame.number == "12"
    assert WHOLE.picture is not None
    assert picture.drawn is WHOLE.picture.drawn
    assert picture.frame.title == ("The weights",)
    assert picture.frame.title_type == pytest.approx(28 * POINT)
