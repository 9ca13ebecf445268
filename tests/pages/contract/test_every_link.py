"""For every link, every view answers: with its sheet, or with a sentence on what to do."""

import ast
import re
from functools import cache
from typing import Any

import pytest

from pages.contract.prose import literal
from pages.sheet import build_sheet
from tests.covering import each, first_of_each
from tests.pages.asked import Asked
from tests.pages.contract.test_every_sheet import VIEWS
from tests.pages.test_hostile_text import UNESCAPED
from tests.views import PAGES

pytestmark = pytest.mark.usefixtures("without_real_models")

READING = [(address, view) for address, view in VIEWS if PAGES[address].views[view].sentence]
EVERY = pytest.mark.parametrize(("address", "view"), VIEWS)
ODD = "<b> $x$ **bold** :tada: 🙂 `code` ![](http://evil) 茶 אב \u202e <"
TAG = re.compile(r"</?(?:b|i|br|span|sub|sup|extra)(?: [^<>]*)?/?>|<(?=\s?[.\d])")
"""Markup in the texts of our figures: Plotly's tags, and a sign before a number."""
COMMAND = "python -m core.learning.collection"
"""The command that trains a missing model."""


@cache
def usual(address: str, view: str) -> Asked:
    """Return a view as it opens, which nothing may change."""
    return Asked(address, view=view)


def markup_in(figure: Any) -> list[str]:
    """Texts of a figure that Plotly would read as markup, formulas among them."""
    if isinstance(figure, str):
        return [figure] * ("$" in figure or "<" in TAG.sub("", figure))
    named = (
        figure.items() if isinstance(figure, dict) else enumerate(figure) if isinstance(figure, list) else ()
    )
    return [text for name, one in named if name not in ("customdata", "source") for text in markup_in(one)]


@pytest.mark.parametrize(
    ("address", "view"),
    first_of_each(
        lambda address, _: address, VIEWS, long="a control of a view whose wrong value is taken or not named"
    ),
)
def test_invalid_values_are_refused_one_by_one_and_replaced_by_defaults(address: str, view: str) -> None:
    opened = usual(address, view)
    controls = opened.controls
    names = {name for name, one in controls.items() if one.parameter.kind != "text"} - {"view"}
    wrong = Asked(address, view=view, **dict.fromkeys(names, "<b>"))
    for name in names:
        (said,) = [one for one in wrong.refused if one.startswith(f"The link asks for {literal(name)} = ")]
        assert not UNESCAPED.search(said)
        assert said.endswith(f". Showing {controls[name].parameter.at_first}.")
    assert len(wrong.refused) == len(names)
    assert {name: one.value for name, one in wrong.controls.items()} == {
        name: one.value for name, one in controls.items()
    }
    assert (wrong.said, wrong.pictures) == (opened.said, opened.pictures)
    assert [*map(wrong.alt, wrong.pictures)] == [*map(opened.alt, opened.pictures)]


@each("address", PAGES)
def test_a_view_that_a_page_does_not_have_is_refused_and_its_first_one_shown(address: str) -> None:
    found = build_sheet(f"/{address}?view=telepathy")
    assert [str(one) for one in found.refused if "view = telepathy" in str(one)]
    assert found.name == next(iter(PAGES[address].views))


RIGHTLY = ("The probes ", "A text may have at most 256 words")
"""How warnings begin that are right here: of probes that are no noise, and where words are added."""

TEXTS = {"one word": "tea", "markup": ODD}
"""`test_hostile_links.py` gives every view 256 words."""


@pytest.mark.long("odd sentences on all views; hostile ones are typed in every run")
@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize(
    ("address", "view", "text"),
    first_of_each(
        lambda address, view, text: (address, text == "one word" or view, text),
        [(*one, text) for text in TEXTS for one in READING],
        long="a view that has nothing to show of one word; markup is typed into every view in every run",
    ),
)
def test_any_sentence_is_answered_with_a_program_that_python_can_read(
    address: str, view: str, text: str
) -> None:
    asked = Asked(address, view=view, text=TEXTS[text], theme="dark")
    assert_answered(asked, asked.warnings)


def assert_answered(asked: Asked, warnings: list[str]) -> None:
    """Check that the warnings are not about the sentence, nothing is markup, and the program is Python."""
    assert [said for said in warnings if not said.startswith(RIGHTLY)] == []
    assert [said for said in asked.markdown if UNESCAPED.search(said)] == []
    assert {key: found for key in asked.pictures if (found := markup_in(asked.figure(key)))} == {}
    if asked.program is not None:
        assert ast.get_docstring(ast.parse(asked.code)), "a program has a description"


@each(("address", "view"), READING)
def test_an_empty_box_has_a_sentence_on_what_to_do(address: str, view: str) -> None:
    asked = Asked(address, view=view, text=" \u200b")
    assert asked.warnings == ["The sentence is empty: type at least one word."]
    assert asked.pictures == []


NEED_NONE = {
    "exam": ["exam"],
    "glossary": ["glossary"],
    "lecture": ["lecture"],
    "explorer": ["similarity"],
    "models": ["models"],
    "interaction-distance": ["networks", "cost"],
    "sources": ["sources"],
    "step-by-step": ["one head", "soft lookup"],
    "positions": ["sinusoidal", "alibi"],
    "heads": ["two things"],
    "scaling": ["long vectors"],
    "blocks": ["pre and post"],
    "gradients": ["clipping"],
}
"""The views of each page that need no trained model."""


WITHOUT_MODELS = {"training": ["curves", "trained_attention"]}
"""The pictures of views that need no model for these: a training makes its own."""


@pytest.mark.long("a folder without models, on all views")
@pytest.mark.usefixtures("empty_shelf")
@EVERY
def test_a_view_without_its_models_names_the_command_that_trains_them(address: str, view: str) -> None:
    asked = Asked(address, view=view)
    if view in NEED_NONE.get(address, ()):
        assert asked.warnings == []
        return
    assert COMMAND in asked.warnings[0]
    assert asked.pictures == WITHOUT_MODELS.get(view, [])


@pytest.mark.usefixtures("empty_shelf")
def test_nothing_is_trained_where_the_other_model_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def learn() -> None:
        raise AssertionError("seconds of work that nobody sees")

    monkeypatch.setattr("core.measures.masking.future.learn", learn)
    assert COMMAND in Asked("masking", view="the future").warnings[0]
