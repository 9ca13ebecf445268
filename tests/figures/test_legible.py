"""No text on a sheet is cut off, too small or on other text, in any preset."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from figures.export_pictures import export_pictures
from figures.export_request import Style
from figures.layout import job
from figures.preset import ACL_COLUMN, SLIDE, Preset
from figures.rendering import browser
from figures.rendering.exporter import Exporter
from pages.contract.view import every_view
from tests.covering import each
from tests.figures.checker import Checker, checker
from viz.theme import LIGHT

LINKS = [f"/{entry.address}?view={quote(name)}" for entry, name in every_view()]
EVERY = 18
"""Each day looks at a different one of so many views."""

LONG = pytest.mark.long("a view whose words have no room in the narrowest preset")
CASES = [
    pytest.param(link, ACL_COLUMN, marks=[] if at % EVERY == 0 else LONG) for at, link in enumerate(LINKS)
]
CASES += [pytest.param(link, SLIDE) for link in LINKS[EVERY // 2 :: EVERY]]
"""Each view in the narrowest preset, and some of them in the widest."""


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" font-size="16">{}</svg>'


@pytest.fixture(scope="module")
def check(exporter: Exporter) -> Iterator[Checker]:
    path = browser.find()
    assert path is not None, "the exporter has one"
    with checker(path) as one:
        yield one


@pytest.mark.long("all pictures; illegible text is found in every run")
@pytest.mark.parametrize(("link", "preset"), CASES)
def test_every_word_of_every_picture_can_be_read(
    link: str, preset: Preset, exporter: Exporter, check: Checker
) -> None:
    for export_picture in export_pictures(link, preset, LIGHT):
        made = exporter.files(job(export_picture, Style(preset=preset), ("svg",)))
        assert check.found(made["svg"], preset.least_type) == [], export_picture.key


@pytest.mark.parametrize(
    "preset", [ACL_COLUMN, pytest.param(SLIDE, marks=pytest.mark.long("more room than a column has"))]
)
def test_a_long_sentence_can_be_read_too(preset: Preset, exporter: Exporter, check: Checker) -> None:
    words = "+".join((["Maria", "met", "Zuko", "near", "the", "stores"] * 6)[:32])
    for export_picture in export_pictures(f"/explorer?view=heads&drawn=lines&text={words}", preset, LIGHT):
        made = exporter.files(job(export_picture, Style(preset=preset), ("svg",)))
        assert check.found(made["svg"], preset.least_type) == [], export_picture.key
        if export_picture.key == "lines":
            assert made["svg"].count(b">Maria<") == 2 * 6, "every word is named on both sides"


@each(
    ("drawn", "said"),
    [
        ('<text x="10" y="50">tea</text><text x="60" y="50">hot</text>', []),
        ('<text x="190" y="50">tea</text>', ["outside"]),
        ('<svg width="30" height="90"><text x="10" y="50">teapot</text></svg>', ["outside"]),
        ('<text x="10" y="50">tea</text><text x="20" y="55">hot</text>', ["overlap"]),
        ('<g transform="scale(0.5)"><text x="10" y="50">tea</text></g>', ["high"]),
        ('<text x="10" y="50" font-size="12">tea</text>', ["high"]),
        ('<text transform="rotate(-60 50 90)" x="50" y="90">tea</text><text x="90" y="60">hot</text>', []),
        ('<defs><text x="190" y="50">tea</text></defs>', []),
        ('<text x="10" y="50">tea</text><text x="10" y="50" opacity="0">tea</text>', []),
    ],
)
def test_illegible_text_is_found(drawn: str, said: list[str], check: Checker) -> None:
    found = check.found(SVG.format(drawn).encode(), 16)
    assert len(found) == len(said)
    assert all(word in one for word, one in zip(said, found, strict=True))
