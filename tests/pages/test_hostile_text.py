"""Typed text that could be markup, through a view of each menu: the screen has the characters typed.

The sheets of all views are asked in `contract/test_every_link.py`.

Every table and program is open in these runs, so that nothing of a view is left out, and the headings of the
tables are read as well.
"""

import json
import re
import sys
from functools import partial
from itertools import chain

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1.element_tree import Dataframe

from pages import group_of
from pages.contract.prose import Typed
from tests.covering import first_of_each
from tests.pages.asked import Asked
from tests.pages.session import Session
from tests.views import PAGES

HOSTILE, SAME_WORDS = "< @ < < @", "< @ < @ <"
"""Sentences of signs of markup, with two of them exchanged: every named word shows some."""

WITHOUT_WIDGET = ("cells", "edit", "by_hand")
"""Values that are painted, changed or chosen, which only the page writes into a link."""

WRONG = dict.fromkeys(("heads", "seed", "layer", "head", *WITHOUT_WIDGET, "<script"), "< b")
"""Parameters of a link with a value that no control accepts, and an unknown parameter."""

FORMAT = Typed.__format__
UNESCAPED = re.compile(r"(?<!\\)(<(?!\s?[.\d])|@)")
"""Such a sign as markup would have it; before a number the first is a comparison, such as <0.1 %."""


VIEWS = first_of_each(
    lambda address, view, reads: group_of(address),
    (
        (address, name, bool(view.sentence))
        for address, page in PAGES.items()
        for name, view in page.views.items()
    ),
    long="every view but the first of its menu: all of them take a link by one door",
)


@pytest.mark.parametrize(("address", "view", "reads"), [one for one in VIEWS if not one.marks])
def test_typed_text_is_markup_in_no_sentence_of_any_view(
    address: str, view: str, reads: bool, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if reads:  # the others show measurements of existing models
        request.getfixturevalue("noise_shelf")
    asked = []

    def escaping(text: Typed, longest: str) -> str:
        asked.append(sys._getframe(1).f_globals["__name__"])
        return FORMAT(text, longest)

    monkeypatch.setattr(Typed, "__format__", escaping)
    monkeypatch.setattr(st, "expander", partial(st.expander, expanded=True))
    session = Session(address, view=view, text=HOSTILE, other=SAME_WORDS, **WRONG)

    assert unescaped(session) == []
    assert [module for module in asked if not module.startswith("pages.")] == [], "they expect plain strings"
    assert any("\\<script" in one for one in session.warnings)
    assert [table.value for table in session.app.dataframe if not has_headings(table)] == []


def unescaped(session: Session | Asked) -> list[str]:
    """Yield the texts that the browser reads as Markdown and that have such a sign."""
    return [text for text in session.markdown if UNESCAPED.search(text)]


def has_headings(table: Dataframe) -> bool:
    """Return whether every visible column has a heading, also the names of the rows."""
    frame: pd.DataFrame = table.value
    of_rows = json.loads(table.proto.columns).get("_index", {})
    rows = [] if of_rows.get("hidden") else frame.index.names
    headings = [
        *chain.from_iterable(one if isinstance(one, tuple) else (one,) for one in frame.columns),
        *rows,
    ]
    return all(name is not None and str(name).strip() for name in headings)


def test_a_sign_that_was_not_escaped_would_be_noticed() -> None:
    assert UNESCAPED.search("*<* (1)")
    assert not UNESCAPED.search(r"*\<* (1), <0.1 %, p < .001")
