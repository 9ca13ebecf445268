"""Files drawn by a real browser, in one file of tests so that it starts once."""

from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from PIL import Image
from playwright.sync_api import sync_playwright
from pptx import Presentation
from pypdf import PdfReader

from figures.export import file
from figures.export_request import ExportRequest, Style
from figures.markup import set_text
from figures.own_slides import picture_of
from figures.rendering.browser import find
from figures.rendering.exporter import Exporter
from figures.rendering.frame import SVG
from figures.rendering.job import Job, SheetFrame
from pages.lecture.deck import Deck, packed
from pages.lecture.slide_picture import bytes_of
from pages.lecture.step import LectureStep
from tests.figures.made_up import HOSTILE
from viz.theme import THEMES

LINK = f"/explorer?view=heads&text=日本 {HOSTILE.replace('&', '%26')}"


def vectors(content: bytes) -> dict[str, ElementTree.Element]:
    """Return the SVG parts of a presentation by their names."""
    with ZipFile(BytesIO(content)) as archive:
        return {
            name: ElementTree.fromstring(archive.read(name))
            for name in archive.namelist()
            if name.endswith(".svg")
        }


def labels(root: ElementTree.Element) -> list[str]:
    return [said for one in root.iter() if (said := one.get("aria-label")) is not None]


def test_a_slide_shows_its_words_without_the_typeface(exporter: Exporter) -> None:
    request = ExportRequest(link=LINK, key="matrix", kind="pptx", style=Style(theme=THEMES["dark"]))

    made = file(request, exporter, origin="http://localhost:8501")
    (drawn,) = vectors(made.content).values()
    texts = [text.text or "" for text in drawn.iter(f"{{{SVG}}}text")]
    (slide,) = Presentation(BytesIO(made.content)).slides
    (picture,) = [shape for shape in slide.shapes if shape.shape_type == 13]

    assert {"key: attended to →", "calc†", "<†"} <= set(labels(drawn))
    assert "日" in texts
    assert not any(text.isascii() and text.strip() for text in texts), "all of the typeface are outlines"
    assert not list(drawn.iter(f"{{{SVG}}}script"))
    assert picture.image.size[0] == 2 * float(drawn.get("width", 0))
    ratio = picture.width / picture.height
    assert ratio == pytest.approx(float(drawn.get("width", 0)) / float(drawn.get("height", 0)), rel=0.01)
    assert made.name == "explorer-heads-matrix-layer-1-head-3-dark-cmd-c-calc-a0.pptx"


@pytest.mark.long("the printed hand-out")
def test_a_wide_picture_of_a_hand_out_fits_on_a4(exporter: Exporter, tmp_path: Path) -> None:
    deck = Deck("Heads", (LectureStep("/explorer?view=heads"), LectureStep("/explorer")))
    made = file(ExportRequest(link=f"/lecture?deck={packed(deck)}", kind="html"), exporter)
    (tmp_path / "page.html").write_bytes(made.content)
    rights: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find())
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto((tmp_path / "page.html").as_uri())
        page.wait_for_selector(".main-svg")
        before = page.locator(".plot").first.evaluate("(plot) => plot.style.transform")
        printed = page.pdf(format="A4", prefer_css_page_size=False)
        assert page.locator(".plot").first.evaluate("(plot) => plot.style.transform") == before
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        right = "(all) => all.map((one) => one.getBoundingClientRect().width)"
        rights = page.locator(".plot").evaluate_all(right)
        browser.close()

    assert len(PdfReader(BytesIO(printed)).pages) > 1
    line = (210 - 2 * 12) / 25.4 * 96
    assert max(rights) <= line


def test_a_formula_is_set_in_a_text_and_alone_and_a_wrong_one_shows_its_source(
    exporter: Exporter,
) -> None:
    text = "**So** *is* $d_k$:\n\n$$\\sqrt{d_k}$$\n\n- $\\frac{a$ and `$x$`"
    paper = set_text(text)
    frame = SheetFrame(width=10, height=10, margin=0, paper="#ffffff", ink="#000000", muted="#000000")
    made = exporter.files(Job(drawn=paper, frame=frame, formats=("set-html",)))["set-html"].decode()

    assert made.startswith('<p><strong>So</strong> <em>is</em> <span class="katex">')
    assert made.count('class="katex-display"') == 1
    assert made.count('class="katex"') == 2
    assert "\\sqrt" not in made
    assert ">\\frac{a</span>" in made
    assert "$x$" in made

    right, wrong = (LectureStep(kind="formula", formula=formula) for formula in (r"\frac{a}{b}", r"\frac{a"))
    with Image.open(BytesIO(bytes_of(picture_of(right, Style(), exporter)))) as image:
        assert image.height > image.width > 20
    assert picture_of(wrong, Style(), exporter) == ""
