"""A picture as a page of HTML, as a browser reads it."""

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pandas as pd
import pytest

from figures.document import document
from figures.export_pictures import ExportPicture, export_pictures
from figures.export_request import Style
from figures.layout import job
from figures.numbers import html
from figures.preset import SLIDE
from figures.rendering.job import Plot
from figures.rendering.marks import read_provenance
from tests.figures.made_up import HOSTILE
from viz.theme import THEMES

LIGHT = THEMES["light"]
LINK = f"/explorer?view=heads&text={HOSTILE.replace('&', '%26')}"


class Read(HTMLParser):
    """The elements of a page with their texts, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self.elements.append(("", {}, ""))

    def handle_data(self, data: str) -> None:
        if self.elements:
            tag, attributes, text = self.elements[-1]
            self.elements[-1] = tag, attributes, text + data

    def all(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, text) for name, attributes, text in self.elements if name == tag]


@pytest.fixture(scope="module")
def export_picture() -> ExportPicture:
    """A picture of hostile words."""
    drawn = export_pictures(LINK, SLIDE, LIGHT, origin="http://localhost:8501")
    found = next(one for one in drawn if one.key == "matrix")
    return replace(found, provenance={**found.provenance, "title": f"The weights of {HOSTILE}"})


@pytest.fixture(scope="module")
def page(export_picture: ExportPicture) -> str:
    drawn = job(export_picture, Style(), ("svg",)).drawn
    assert isinstance(drawn, Plot)
    return document(export_picture, LIGHT, drawn).decode()


@pytest.fixture(scope="module")
def read(page: str) -> Read:
    return Read(page)


def test_typed_text_is_text_everywhere(read: Read, export_picture: ExportPicture) -> None:
    assert [kind.get("type") for kind, _ in read.all("script")] == ["application/json", None, None]
    assert read.all("figcaption")[0][1] == export_picture.caption
    assert "<script>alert(1)</script>" in export_picture.caption
    assert read.all("div")[1][0]["aria-label"] == export_picture.alt
    assert read.all("title")[0][1] == read.all("h1")[0][1] == export_picture.title


def test_its_figure_is_complete_and_cannot_end_its_script(read: Read, export_picture: ExportPicture) -> None:
    written = read.all("script")[0][1]

    figure = json.loads(written)["figure"]

    assert not re.search("[<>&\u2028\u2029]", written)
    assert len(figure["data"]) == len(export_picture.picture.figure().to_dict()["data"])
    assert "&gt;" in json.dumps(figure), "Plotly has the word escaped"


def test_only_its_own_scripts_may_run_and_no_request_is_allowed(read: Read) -> None:
    (policy,) = [
        str(said["content"])
        for said, _ in read.all("meta")
        if said.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    scripts = [text for kind, text in read.all("script") if not kind.get("type")]
    hashes = [b64encode(sha256(one.encode()).digest()).decode() for one in scripts]

    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"].split() == [f"'sha256-{one}'" for one in hashes]
    assert {rules["img-src"], rules["font-src"]} == {"data:"}


def test_it_contains_its_provenance(page: str, read: Read, export_picture: ExportPicture) -> None:
    assert read_provenance(page.encode()) == export_picture.provenance
    assert read.all("a")[0][0]["href"] == export_picture.link


def test_its_table_has_words_as_they_are_and_six_digits() -> None:
    long = HOSTILE * 3
    table = pd.DataFrame({"<b>": [long, None], "share": [0.123456789, float("nan")], "n": [3, 4]})

    read = Read(html(table))

    assert [text for _, text in read.all("th")] == ["<b>", "share", "n"]
    assert [text for _, text in read.all("td")] == [long, "0.123457", "3", "", "", "4"]


def test_quoted_words_of_the_headline_are_in_italics(export_picture: ExportPicture) -> None:
    answering = replace(export_picture, headline="**Here *so* & *<b>* differ.**")
    page = document(answering, THEMES["light"], b"<svg/>").decode()
    assert "<p>Here <em>so</em> &amp; <em>&lt;b&gt;</em> differ.</p>" in page
