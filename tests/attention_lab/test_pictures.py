"""A picture shows itself without a network, and its files have the same metadata as the app's."""

import re
from base64 import b64decode
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

import attention_lab as lab
from figures import notebook
from figures.preset import MM
from figures.rendering import browser
from figures.rendering.exporter import Exporter, ExportError
from figures.rendering.marks import read_provenance
from tests.covering import each
from tests.figures.conftest import exporter, made_up
from tests.figures.made_up import MadeUp
from viz.layout.figure import Figure
from viz.word_lines import WordLines

__all__ = ["exporter", "made_up"]

SENTENCE = "the chef who ran"


@pytest.fixture
def drawn(made_up: MadeUp, monkeypatch: pytest.MonkeyPatch) -> MadeUp:
    """An exporter that draws nothing, in place of the notebook's."""
    monkeypatch.setattr(notebook, "exporter", lambda: made_up)
    return made_up


@pytest.fixture
def no_chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Exporter:
        raise ExportError("none here")

    monkeypatch.setattr(notebook, "exporter", none)
    monkeypatch.setattr(notebook, "_has_script", False)


def picture() -> lab.Picture:
    return lab.read()(SENTENCE).heatmap(2, 3)


def test_a_cell_shows_an_image_and_a_short_line(drawn: MadeUp) -> None:
    found = picture()
    shown = found._repr_mimebundle_()
    assert set(shown) == {"text/html", "image/png", "text/plain"}
    assert "<script" not in shown["text/html"]
    assert re.findall(r'(?:src|href)="(\w+):', shown["text/html"]) == ["data"]
    assert f'alt="{found.alt()}"' in unescape(shown["text/html"])
    assert shown["text/plain"] == repr(found)
    assert repr(found).startswith("<Picture: Layer 2 · head 3 · “the chef who ran” · small causal model")
    assert len(repr(found)) < 140


HOSTILE = ['<script>alert("1")</script>', '"><img src=x onerror=alert(1)>', "</script>"]


def hostile() -> str:
    found = lab.attention(np.full((3, 3), 1 / 3), HOSTILE, name="<b>mine</b>").lines(title="</script><b>mine")
    html = found._repr_mimebundle_()["text/html"]
    assert not any(one in html for one in ("<script>alert", "<img src=x", "<b>mine"))
    assert html.count("</script>") == html.count("<script>")
    return str(html)


def test_hostile_words_stay_words_in_an_image(drawn: MadeUp) -> None:
    assert hostile().count("<") == 1


@pytest.mark.usefixtures("no_chromium")
def test_hostile_words_stay_words_in_a_drawing_by_plotly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WordLines, "draw", lambda picture, room: Figure(SPEC))
    assert r"\u003c/script\u003e" in hostile()


SPEC = {"data": [], "layout": {"width": 90, "height": 90, "title": {"text": "</script><script>alert(1)"}}}


@pytest.mark.usefixtures("no_chromium")
def test_without_chromium_plotly_draws_and_its_script_comes_once() -> None:
    first, second = picture()._repr_mimebundle_(), picture()._repr_mimebundle_()
    plotly = browser.PLOTLY.read_text("utf-8")
    assert plotly in first["text/html"]
    assert len(second["text/html"]) < 100_000
    assert set(first) == {notebook.PLOTLY_JSON, "text/html", "text/plain"}
    assert first[notebook.PLOTLY_JSON]["data"]
    for shown in (first, second):
        place = re.findall(r'<div id="([\w-]+)"', shown["text/html"])
        assert len(place) == 1
        assert f'getElementById("{place[0]}")' in shown["text/html"]
    assert 'src="http' not in first["text/html"].replace(plotly, "")


@pytest.mark.usefixtures("no_chromium")
def test_without_chromium_a_file_is_refused_with_a_remedy() -> None:
    with pytest.raises(lab.LabError, match="none here"):
        picture().save("figure.pdf")


def test_without_streamlit_a_cell_is_drawn_by_plotly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The typeface of files comes with it."""
    notebook.exporter.cache_clear()
    monkeypatch.setattr(notebook, "find_spec", lambda name: None)
    assert notebook.PLOTLY_JSON in picture()._repr_mimebundle_()
    with pytest.raises(lab.LabError, match="install it with pip"):
        picture().save(tmp_path / "figure.svg")


REMEMBERED = {
    "title": "Layer 2 · head 3",
    "call": "lab.read()('the chef who ran').heatmap(layer=2, head=3)",
    "link": "/explorer?view=heads&text=the+chef+who+ran&layer=2&head=3",
}


@each("kind", ["svg", "pdf"])
def test_a_file_remembers_the_link_the_weights_and_the_python(
    kind: str, drawn: MadeUp, tmp_path: Path
) -> None:
    picture().save(tmp_path / f"figure.{kind}")
    said = drawn.jobs[-1].provenance
    assert {name: said[name] for name in REMEMBERED} == REMEMBERED
    assert said["weights"].startswith("small causal model: 2 layers, 4 heads each, sinusoidal positions")
    assert len(said["checkpoint"]) == 64


def test_a_picture_without_a_link_remembers_the_python(drawn: MadeUp, tmp_path: Path) -> None:
    lines = lab.attention([[1, 0], [0.4, 0.6]], "hot tea", name="mine").lines()
    with ZipFile(BytesIO(lines.save(tmp_path / "lines.zip").read_bytes())) as archive:
        read_me = archive.read("README.txt").decode()
    assert "lab.attention(…, 'hot tea').lines(layer=1, head=1)" in read_me
    assert "The link" not in read_me


@pytest.mark.long(
    "a browser of its own: the drawing is that of figures, and what is asked of it is tested without"
)
def test_a_picture_is_drawn_by_chromium(
    tmp_path: Path, exporter: Exporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook, "exporter", lambda: exporter)
    found = read_provenance(picture().save(tmp_path / "figure.pdf", width="77mm").read_bytes())
    assert {name: found[name] for name in REMEMBERED} == REMEMBERED
    shown = picture()._repr_mimebundle_()
    assert b64decode(shown["image/png"]).startswith(b"\x89PNG")
    (image,) = re.findall(r"base64,([^\"]+)", shown["text/html"])
    assert "chef" in b64decode(image).decode()
    assert sum(map(len, shown.values())) < 300_000


def test_a_printed_figure_is_as_wide_as_asked(drawn: MadeUp, tmp_path: Path) -> None:
    picture().save(tmp_path / "figure.pdf", width="77mm", theme="grey")
    (job,) = drawn.jobs
    assert job.frame.width == round(77 * MM)
    assert job.frame.paper == "#FFFFFF"
    assert job.frame.title == ("Layer 2 · head 3",)
    assert "“the chef who ran”" in job.frame.caption
    picture().save(tmp_path / "figure.pdf", preset="acl", title=False, transparent=True)
    assert (drawn.jobs[1].frame.title, drawn.jobs[1].frame.transparent) == ((), True)
    picture().save(tmp_path / "figure.png", scale=4)
    assert (drawn.jobs[2].scale, drawn.jobs[2].frame.width) == (4, notebook.SCREEN.width)


def test_the_numbers_of_a_picture_are_a_file(drawn: MadeUp, tmp_path: Path) -> None:
    lines = picture().save(tmp_path / "figure.csv").read_text("utf-8-sig").splitlines()
    assert lines[0] == "query,the,chef,who,ran"
    assert picture().figure().to_dict()["data"]
    run = lab.read()(SENTENCE)
    assert [len(one.table()) for one in (run.lines(), run.heads())] == [4, 32]
    assert picture().save(str(tmp_path / "f.svg"), format="SVG-outlines").exists()
    assert drawn.jobs[0].formats == ("svg-outlines",)


@each(
    ("name", "asked", "said"),
    [
        ("figure.jpg", {}, "There are svg, svg-outlines, png"),
        ("missing/figure.svg", {}, "cannot be written"),
        ("figure.svg", {"theme": "blue"}, "There are light, dark, grey"),
        ("figure.svg", {"width": "7"}, "such as 77mm"),
        ("figure.svg", {"width": "77mm", "preset": "acl"}, "Give a width or a preset, not both"),
        ("figure.svg", {"width": "900mm"}, "from 40 to 400 mm"),
        ("figure.svg", {"preset": "poster"}, "There are slide, half"),
        ("figure.png", {"scale": 3}, "There are 1, 2, 4"),
        ("figure.pptx", {"width": "77mm"}, "Slides are made for the presets"),
    ],
)
def test_an_error_says_why_a_file_cannot_be_made(
    name: str, asked: dict[str, Any], said: str, drawn: MadeUp, tmp_path: Path
) -> None:
    with pytest.raises(lab.LabError, match=said):
        picture().save(tmp_path / name, **asked)


def test_the_caption_names_the_sentence_the_model_and_the_ablation() -> None:
    run = lab.read(positions="rotary")(SENTENCE)
    caption = run.ablate((2, 1)).heads().caption
    assert caption[0] == "“the chef who ran”"
    assert "rotary positions" in caption[1]
    assert caption[2] == "without head 1 of layer 2"
    assert run.ablate((2, 1)).heads().provenance_fields["link"] == "", "no link shows it"
    assert lab.attention([[1.0]], "tea", name="mine").heatmap().caption == ("“tea”", "mine")
    assert lab.read()("hot tea , is it ?").heads().caption[0] == "“hot tea, is it?”"
