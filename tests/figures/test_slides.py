"""Slides as PowerPoint reads them."""

from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE

from figures.rendering.marks import remembered
from figures.slides.presentation import presentation
from figures.slides.slide import (
    HEIGHT,
    WIDTH,
    Box,
    Drawn,
    Slide,
)
from tests.figures.made_up import HOSTILE, SVG, dots
from viz.theme import THEMES

EMBED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed"
PIXEL = 9525

DRAWN = Drawn(SVG, dots(), 800, 400, f"In words: {HOSTILE}")
WHOLE = Slide(
    title="The weights", caption=f"“{HOSTILE}” · seed 3", notes=f"So it is.\n\n{HOSTILE}", picture=DRAWN
)
LONG = "A title that says more than a slide has room for, and then goes on to say it once more " * 3


def opened(*slides: Slide, theme: str = "light", cover: Slide | None = None, **said: str) -> Any:
    return Presentation(BytesIO(presentation(slides, THEMES[theme], said, cover=cover)))


def boxes(slide: Any) -> dict[str, Box]:
    """Where each shape of a slide stands, in pixels."""
    return {
        shape.name: Box(*(one / PIXEL for one in (shape.left, shape.top, shape.width, shape.height)))
        for shape in slide.shapes
    }


def test_words_are_words_and_all_there() -> None:
    (slide,) = opened(WHOLE).slides

    assert slide.shapes.title.text_frame.text == "The weights"
    assert [shape.text_frame.text for shape in slide.shapes if shape.name == "Caption"] == [WHOLE.caption]
    assert slide.notes_slide.notes_text_frame.text == WHOLE.notes


def test_the_picture_is_a_vector_with_dots_for_who_cannot_draw_it() -> None:
    (slide,) = opened(WHOLE).slides
    (picture,) = [shape for shape in slide.shapes if shape.shape_type == 13]

    (vector,) = picture._element.xpath(".//*[local-name()='svgBlip']")
    part = slide.part.related_part(vector.get(EMBED))

    assert (part.content_type, part.blob) == ("image/svg+xml", SVG)
    assert picture.image.blob == DRAWN.png
    assert picture._element.nvPicPr.cNvPr.get("descr") == DRAWN.alt


@pytest.mark.parametrize("title", ["The weights", LONG])
@pytest.mark.parametrize("link", ["", "http://localhost:8501/explorer"])
@pytest.mark.parametrize(("size", "caption"), [((300, 1200), "word " * 60), ((1200, 560), "a line")])
def test_nothing_stands_on_anything_else_or_beyond_the_slide(
    title: str, link: str, size: tuple[int, int], caption: str
) -> None:
    drawn = DRAWN._replace(width=size[0], height=size[1])
    (slide,) = opened(Slide(title=title, caption=caption, notes="", picture=drawn, link=link)).slides

    found = list(boxes(slide).values())

    assert len(found) == 3 + bool(link)
    for box in found:
        assert box.left >= 0
        assert box.top >= 0
        assert box.left + box.width <= WIDTH
        assert box.top + box.height <= HEIGHT
    for i, box in enumerate(found):
        for other in found[:i]:
            apart_across = min(box.left + box.width, other.left + other.width) <= max(box.left, other.left)
            apart = min(box.top + box.height, other.top + other.height) <= max(box.top, other.top)
            assert apart or apart_across


@pytest.mark.parametrize("theme", THEMES)
def test_a_slide_is_of_the_paper_of_its_theme(theme: str) -> None:
    document = opened(WHOLE, theme=theme)

    (slide,) = document.slides
    ours = document.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME).blob.decode()

    assert f"#{slide.background.fill.fore_color.rgb}" == THEMES[theme].paper
    assert f'<a:lt1><a:srgbClr val="{THEMES[theme].paper[1:]}"/></a:lt1>' in ours


def test_it_remembers_where_it_comes_from_however_long_that_is() -> None:
    said = {"title": HOSTILE, "description": "so", "link": "http://x/?text=" + "a" * 5000, "version": "0.1.0"}
    content = presentation([WHOLE], THEMES["light"], said)

    core = Presentation(BytesIO(content)).core_properties

    assert remembered(content) == said
    assert (core.title, core.comments, core.version) == (HOSTILE, "so", "0.1.0")
    assert core.keywords.startswith("http://x/?text=aaa")
    assert (core.author, core.last_modified_by) == ("Attention Lab", "Attention Lab")
    assert core.category == "Attention Lab: figure"


def test_characters_that_xml_has_none_of_do_not_keep_the_rest() -> None:
    odd = "a\x00b\x0bc\ufffe\ud800d"
    slide = Slide(title=odd, caption=odd, notes=odd, picture=DRAWN._replace(alt=odd))

    document = opened(slide, title=odd, link="/x")

    assert document.slides[0].shapes.title.text_frame.text == "a\ufffdb\ufffdc\ufffd\ufffdd"
