"""Drawings by scripts are saved as they are seen."""

from xml.etree import ElementTree

from figures.export_pictures import ExportPicture, export_pictures
from figures.export_request import Style
from figures.layout import job
from figures.preset import ACL_COLUMN, HALF, SLIDE, Preset
from figures.rendering.exporter import Exporter
from figures.rendering.frame import SVG
from tests.covering import each
from viz.theme import LIGHT, Theme

OF_THE_PAGE = {"class", "style", "tabindex", "role", "aria-label", "dominant-baseline"}


def one_of(link: str, key: str, preset: Preset = SLIDE, theme: Theme = LIGHT) -> ExportPicture:
    return next(one for one in export_pictures(link, preset, theme) if one.key == key)


def drawn(exporter: Exporter, export_picture: ExportPicture, style: Style) -> ElementTree.Element:
    root = ElementTree.fromstring(exporter.files(job(export_picture, style, ("svg",)))["svg"])
    inner = root.find(f"{{{SVG}}}svg")
    assert inner is not None
    return inner


def words(inner: ElementTree.Element) -> list[str]:
    return ["".join(one.itertext()) for one in inner.iter(f"{{{SVG}}}text")]


def test_lines_have_every_word_on_both_sides_and_a_curve_for_every_weight(exporter: Exporter) -> None:
    export_picture = one_of("/explorer?drawn=lines&text=hot+tea+%3Cb%3E&mass=100", "lines")
    inner = drawn(exporter, export_picture, Style(preset=SLIDE))
    said, typed = words(inner), list(export_picture.picture.data["words"])
    assert "hot" in typed
    assert all(said.count(word) == 2 * typed.count(word) for word in typed)
    curves = list(inner.iter(f"{{{SVG}}}path"))
    assert len(curves) == len(export_picture.picture.data["lines"])
    assert {curve.get("stroke", "").upper() for curve in curves} == {LIGHT.query}
    assert export_picture.table is not None
    assert export_picture.title == "Attention weights as lines, layer 1, head 3"


def test_lines_of_a_chosen_word_have_their_weights_and_no_plate_behind_the_word(exporter: Exporter) -> None:
    inner = drawn(exporter, one_of("/explorer?drawn=lines&text=hot+tea&query=2", "lines"), Style())
    assert list(inner.iter(f"{{{SVG}}}rect")) == []
    weights = [one for one in inner.iter(f"{{{SVG}}}text") if "".join(one.itertext()).startswith("0.")]
    assert weights
    assert all(one.get("stroke") and one.get("paint-order", "").startswith("stroke") for one in weights)
    bold = [one for one in inner.iter() if one.get("font-weight") == "600"]
    assert ["".join(one.itertext()).strip() for one in bold] == ["tea", "0.25", "0.75"]


def test_a_drawing_has_no_handlers_and_no_names_of_its_page(exporter: Exporter) -> None:
    for link, key in (("/explorer?drawn=lines", "lines"), ("/heads?view=reshape", "reshape")):
        inner = drawn(exporter, one_of(link, key), Style(preset=SLIDE))
        attributes = {name for one in inner.iter() for name in one.attrib}
        assert not attributes & OF_THE_PAGE
        assert inner.find(f".//{{{SVG}}}title") is None


@each(("form", "times"), [("k × n × d/k", 4)])
def test_a_reshape_has_the_words_that_its_form_shows(form: str, times: int, exporter: Exporter) -> None:
    export_picture = one_of(f"/heads?view=reshape&text=hot+tea&shape={form}", "reshape", HALF)
    inner = drawn(exporter, export_picture, Style(preset=HALF))
    said = words(inner)
    assert [said.count(f"head {head}") for head in (1, 2, 3, 4)] == [1] * 4
    assert (said.count("hot"), said.count("tea")) == (times, times)
    filled = [one.get("fill") for one in inner.iter(f"{{{SVG}}}rect") if one.get("fill") != "none"]
    assert filled == [
        colour for head in export_picture.picture.data["colours"] for row in head for colour in row
    ]


def test_a_stage_has_the_words_and_the_digits_of_its_matrices(exporter: Exporter) -> None:
    preset = ACL_COLUMN
    export_picture = one_of("/step-by-step?stage=scores", "strip", preset)
    said = words(drawn(exporter, export_picture, Style(preset=preset)))
    assert {"Zuko", "made", "his", "uncle", "tea", "·", "="} <= set(said)
    assert any(word.startswith("q") for word in said)
    assert export_picture.table is not None
    numbers = [f"{number:.2f}" for number in export_picture.table().to_numpy().ravel()]
    assert sum(map(said.count, set(numbers))) >= len(numbers)
    assert export_picture.title == "Scores, layer 1, head 1"
