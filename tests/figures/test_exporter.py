"""The process that draws: its files, and its errors."""

import os
import signal
import sys
from collections.abc import Iterator
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image
from pypdf import PdfReader

from figures.rendering import browser, marks
from figures.rendering import exporter as exporting
from figures.rendering.exporter import NO_BROWSER, Exporter, ExportError, Worker
from figures.rendering.frame import SVG
from figures.rendering.job import Script
from tests.figures.sheets import frame, job, plot

BROKEN = Script(
    script="export default () => { throw new Error('no'); }", style="", data={}, width=10, height=10
)


def process_of(exporter: Exporter) -> int:
    worker = exporter._worker
    assert worker is not None
    return worker.process.pid


def test_one_job_gives_every_format(exporter: Exporter) -> None:
    files = exporter.files(job("svg", "png", "pdf", scale=2))
    assert set(files) == {"svg", "png", "pdf"}
    assert all(marks.read_provenance(content)["link"] == "/masking" for content in files.values())

    root = ElementTree.fromstring(files["svg"])
    words = [one.text for one in root.iter(f"{{{SVG}}}text")]
    assert {"Attention weights", "hot", "tea", "“hot tea” · trained weights"} <= set(words)

    image = Image.open(BytesIO(files["png"]))
    assert image.size == (800, 600)
    assert image.convert("RGB").getpixel((1, 1)) == (255, 255, 255)

    (page,) = PdfReader(BytesIO(files["pdf"])).pages
    assert (page.mediabox.width, page.mediabox.height) == pytest.approx((300, 225), abs=1)  # points
    assert "Attention weights" in page.extract_text()
    fonts = [one.get_object() for one in page["/Resources"]["/Font"].values()]
    assert {font["/Subtype"] for font in fonts} == {"/Type0"}
    assert all("SourceSans" in font["/BaseFont"] for font in fonts)


def test_a_page_is_as_wide_as_its_column(exporter: Exporter) -> None:
    millimetres = 77
    width = millimetres * 96 / 25.4
    made = exporter.files(job("pdf", frame=frame(width=width, height=200.3)))["pdf"]
    (page,) = PdfReader(BytesIO(made)).pages
    assert page.mediabox.width * 25.4 / 72 == pytest.approx(millimetres, abs=0.01)
    assert page.mediabox.height == pytest.approx(200.3 * 72 / 96, abs=0.01)
    assert "Attention weights" in page.extract_text()


def test_a_transparent_sheet_is_clear_in_dots(exporter: Exporter) -> None:
    clear = dict.fromkeys(("paper_bgcolor", "plot_bgcolor"), "rgba(0,0,0,0)")
    box = {"type": "rect", "x0": 0, "x1": 1, "y0": 0, "y1": 1, "xref": "paper", "yref": "paper"}
    shapes = [{**box, "fillcolor": "#FFFFFF", "line": {"width": 0}}]
    hidden = {"xaxis": {"visible": False}, "yaxis": {"visible": False}}
    bare = plot(figure={"data": [], "layout": {**clear, **hidden, "shapes": shapes}}, paper="#FFFFFF")
    made = job("png", frame=frame(transparent=True, title=(), caption=()), drawn=bare)
    image = Image.open(BytesIO(exporter.files(made)["png"]))
    assert image.mode == "RGBA"
    assert image.getchannel("A").getextrema() == (0, 0), "a box in the colour of the paper is clear too"


def test_characters_that_no_font_has_are_named(exporter: Exporter) -> None:
    unassigned = "\u0379"
    made = exporter.files(job("svg", frame=frame(caption=(f"tea {unassigned} é",))))
    assert made.undrawn == unassigned
    assert exporter.files(job("svg")).undrawn == ""


def test_markup_in_a_figure_is_not_run_and_nothing_is_fetched(exporter: Exporter) -> None:
    title = {"text": "a<script>document.title='x'</script><img src=x onerror=alert(1)>"}
    image = {"source": "file:///etc/passwd", "x": 0, "y": 0, "sizex": 1, "sizey": 1}
    layout = {"title": title, "images": [image, {**image, "source": "http://localhost:1/x.png"}]}
    svg = exporter.files(job("svg", drawn=plot(figure={"data": [], "layout": layout})))["svg"]
    root = ElementTree.fromstring(svg)
    assert next(root.iter(f"{{{SVG}}}script"), None) is None
    assert not [one for one in root.iter() if any(name.startswith("on") for name in one.attrib)]
    assert b"root:" not in svg


def test_after_an_undrawable_figure_the_next_one_is_drawn(exporter: Exporter) -> None:
    before = process_of(exporter)
    with pytest.raises(ExportError, match="could not be drawn"):
        exporter.files(job("svg", drawn=BROKEN))
    assert exporter.files(job("svg"))["svg"]
    assert process_of(exporter) == before


WITHOUT_BROWSER = """
import time
from figures.rendering.job import Files, receive_job, send_files
from figures.rendering.worker import connected
client = connected()
while True:
    job = receive_job(client)
    if "png" in job.formats:
        time.sleep(600)
    send_files(client, Files.fromkeys(job.formats, b""))
"""
"""A program that takes jobs as the process that draws does."""


@pytest.fixture
def no_drawing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Exporter]:
    """An exporter whose process starts no browser: its files are empty, and a PNG never ends."""

    def start() -> Worker:
        return Worker([sys.executable, "-c", WITHOUT_BROWSER])

    monkeypatch.setattr(exporting, "_start", start)
    one = Exporter()
    yield one
    one.close()


def test_a_dead_process_is_replaced_unnoticed(no_drawing: Exporter) -> None:
    no_drawing.files(job("svg"))
    before = process_of(no_drawing)
    os.kill(before, signal.SIGKILL)
    assert set(no_drawing.files(job("svg"))) == {"svg"}
    assert process_of(no_drawing) != before


@pytest.mark.long("a time-out that has to pass")
def test_a_figure_that_takes_too_long_is_abandoned(
    no_drawing: Exporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_drawing.files(job("svg"))
    monkeypatch.setattr(exporting, "PATIENCE", 0.5)
    with pytest.raises(ExportError, match="took more than"):
        no_drawing.files(job("png"))
    monkeypatch.setattr(exporting, "PATIENCE", 60)
    assert set(no_drawing.files(job("svg"))) == {"svg"}


def test_without_a_browser_a_sentence_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "find", lambda: None)
    with pytest.raises(ExportError) as told:
        Exporter().files(job("svg"))
    assert str(told.value) == NO_BROWSER
