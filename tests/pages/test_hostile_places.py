"""Markup from typing or a model's folder, if a view names it only beside something else.

`test_hostile_text.py` opens each view with one sentence. Here are names that appear only in a mask without
keys, in a second box, for a real model or after a click. Each case says what the page has to quote, because
a case without a quotation would notice nothing.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from pages.contract.prose import literal
from pages.masking.mask import spell
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session
from tests.pages.test_hostile_text import HOSTILE, unescaped
from tests.real import HOSTILE_NAME, bart_folder
from tests.views import PAGES

REAL = [(address, name) for address, page in PAGES.items() for name, view in page.views.items() if view.real]
OF_REAL = {
    "model": "real",
    "real": HOSTILE_NAME,
    "special": "true",
    "text": "</s> < cats @ <unk>",
    "other": "</s> < @ cats <unk>",
}
"""A sentence with signs of the model's own, and with what it has no piece for."""

TAG, AT, MARKED, TITLE = map(literal, ("<", "@", "<†", HOSTILE_NAME))

CASES: dict[str, tuple[str, dict[str, Any], str]] = {
    "blind rows": (
        "masking",
        {"view": "paint", "text": HOSTILE, "cells": spell([(0, 0), (1, 0), (1, 1)])},
        f"*{literal('< (1)')}* and *{literal('@ (2)')}* may attend to nothing",
    ),
    "what a translation begins with": (
        "translation",
        {"view": "translate", "begins": HOSTILE},
        f"does not have “{TAG}”, “{AT}”",
    ),
    "other words in the second box": (
        "order-invariance",
        {"view": "two orders", "text": HOSTILE, "other": "< @ < < <"},
        f"the second has more of {TAG}",
    ),
    "the way to a word": (
        "explorer",
        {"view": "heads", "text": HOSTILE, "show": "rollout", "layer": 2, "query": 4, "key": 1},
        f"comes from “{MARKED}” (1)",
    ),
    "a mean weight": (
        "explorer",
        {"view": "heads", "text": HOSTILE, "show": "mean over heads", "query": 4, "key": 2},
        f"“{MARKED}” (4) attends to “",
    ),
    "a gate after a word": (
        "generation",
        {"view": "memory", "text": HOSTILE, "writer": "LSTM"},
        f"after *{AT} \\(5\\)* have the mean",
    ),
}


@pytest.mark.usefixtures("noise_shelf")
@each("case", CASES)
def test_typed_text_is_never_markup(case: str) -> None:
    address, link, quoted = CASES[case]
    assert_quotes(Asked(address, **link), quoted)


def assert_quotes(session: Session | Asked, quoted: str) -> None:
    """The page has this, and no sign of markup that was typed or read."""
    assert unescaped(session) == []
    assert any(quoted in text for text in session.markdown), session.markdown


@pytest.mark.long("hostile pieces on all views; typed markup is tested in every run")
@pytest.mark.usefixtures("hostile_model")
@pytest.mark.parametrize(("address", "view"), REAL)
def test_signs_of_a_real_model_are_markup_in_no_view(address: str, view: str) -> None:
    named = {"translator": "small"} if address == "translation" else {}
    assert unescaped(Asked(address, view=view, **OF_REAL, **named)) == []


@pytest.mark.usefixtures("hostile_model")
def test_names_and_signs_of_a_real_model_are_quoted() -> None:
    session = Asked(view="heads", **OF_REAL | {"special": "false", "tokens": "words"})
    assert_quotes(session, f"{literal('</s>')} and {literal('<unk>')} stay, as part of the sentence")
    session = Asked(view="heads", **OF_REAL | {"silenced": ["1.1"], "text": "< < <"})
    assert_quotes(session, f"The state of **{literal('<')}")
    session = Asked(view="heads", **OF_REAL | {"text": "< " * 50})
    assert_quotes(session, f"{TITLE} reads sentences of up to 37 tokens")
    assert_quotes(Asked("models"), f"**{TITLE}**")
    assert_quotes(Session(view="heads", text=HOSTILE), f"Read it with {TITLE}")


def test_the_error_of_an_unreadable_folder_is_quoted(hostile_model: Path) -> None:
    (hostile_model / "config.json").write_text('{"model_type": "<b>"}', "utf-8")
    session = Asked(view="heads", **OF_REAL)
    assert_quotes(session, f"{TITLE} cannot be read")
    assert_quotes(session, literal("got '<b>'"))


def test_signs_of_a_real_translator_are_markup_nowhere(hostile_model: Path) -> None:
    folder = hostile_model.with_name("<b>pair")
    bart_folder(folder, tokenizer_of=hostile_model)
    said = json.loads((folder / "config.json").read_text("utf-8"))
    said["task_specific_params"] = {"summarise": {"prefix": "<u>short: "}}
    (folder / "config.json").write_text(json.dumps(said), "utf-8")
    session = Asked(
        "translation", view="cross-attention", translator="real", text=OF_REAL["text"], begins="<"
    )
    assert_quotes(session, f"{literal('<b>pair')} wrote ")
    assert_quotes(session, f"Its folder names: *{literal('<u>short:')}")
    assert_quotes(session, "Given, not chosen: **")
    assert_quotes(session, f"special tokens **{literal('<s>')}**")
