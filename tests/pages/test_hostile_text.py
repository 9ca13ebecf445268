"""Typed text that could be markup, through every view of every page: the screen has the characters typed."""

import re
import sys
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest

import pages
from pages import GROUPS
from pages.controls.prose import Typed
from pages.shell import Page
from tests.pages.session import Session

HOSTILE, SAME_WORDS = "< b < c <", "< c < b <"
"""Sentences of which every other word begins a tag, in two orders."""

FORMAT = Typed.__format__
UNESCAPED = re.compile(r"(?<!\\)<(?!\s?[.\d])")
"""Such a sign as markup would have it; before a number it is a comparison, such as <0.1 %."""


def page_at(file: str) -> Page:
    """The page that this file of the folder `pages` shows."""
    source = (Path(pages.__file__).parent / file).read_text("utf-8")
    (folder,) = re.findall(r"from (pages\.\w+_views) import PAGE", source)
    page: Page = import_module(folder).PAGE
    return page


VIEWS = [
    (entry.address, name)
    for entry in chain.from_iterable(GROUPS.values())
    for name, view in page_at(entry.file).views.items()
    if view.sentence
]


@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize(("address", "view"), VIEWS)
def test_what_somebody_typed_is_markup_in_no_sentence_of_any_view(
    address: str, view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def escaping(text: Typed, longest: str) -> str:
        asked.append(sys._getframe(1).f_globals["__name__"])
        return FORMAT(text, longest)

    monkeypatch.setattr(Typed, "__format__", escaping)
    session = Session(address, view=view, text=HOSTILE, other=SAME_WORDS)

    shown = [session.prose, *(one.value for kind in ("warning", "info") for one in session.app.get(kind))]
    assert [text for text in shown if UNESCAPED.search(text)] == []
    assert [module for module in asked if not module.startswith("pages.")] == [], "they want mere characters"


def test_a_sign_that_was_not_escaped_would_be_noticed() -> None:
    assert UNESCAPED.search("*<* (1)")
    assert not UNESCAPED.search(r"*\<* (1), <0.1 %, p < .001")
