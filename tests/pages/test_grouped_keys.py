"""A real decoder with grouped keys and rotary positions, as SmolLM2 is, in every view that reads one."""

from pathlib import Path
from typing import Any

import pytest

from pages.contract.sheet import PicturePart, Strip
from tests.covering import each
from tests.llama import N_HEADS, N_KEY_HEADS, N_LAYERS, llama_folder
from tests.pages.asked import Asked
from tests.views import PAGES

TEXT = "I don't think the other cats saw the cat"
NAME = "grouped"
READ = [
    (address, name)
    for address, page in PAGES.items()
    for name, view in page.views.items()
    if view.real and address != "translation"
]
"""The pages and views that read a real model of one sentence; translations are of encoder–decoders."""


@pytest.fixture(autouse=True)
def decoder(no_real_model: Path) -> None:
    llama_folder(no_real_model / NAME, trained_on=TEXT)


def opened(address: str, view: str, **parameters: Any) -> Asked:
    return Asked(address, view=view, model="real", real=NAME, text=TEXT, **parameters)


def assert_reads(page: Asked) -> None:
    """Check that nothing is refused or missing, and that pieces are readable."""
    assert page.warnings == []
    drawn = [
        [part.picture.title, part.picture.alt(), str(part.picture.table()), str(part.picture.figure())]
        for part in page.parts
        if isinstance(part, PicturePart)
    ]
    strips = [str([part.alt, part.stages]) for part in page.parts if isinstance(part, Strip)]
    assert "Ġ" not in "\n".join([page.prose, *strips, *(text for texts in drawn for text in texts)])


@pytest.mark.long("a model with shared keys on all views; one view reads it in every run")
@each(("address", "view"), READ)
@each("mask", ["causal", "bidirectional"])
def test_every_view_reads_it(address: str, view: str, mask: str) -> None:
    if address == "generation" and mask == "bidirectional":
        return  # such a model cannot go on with a text
    page = opened(address, view, mask=mask)
    assert_reads(page)
    assert page.scene.switches.config.n_kv_heads == N_KEY_HEADS
    if "layer" in page.controls:
        page.set(layer=N_LAYERS)
        assert_reads(page)
    if "head" in page.controls:
        page.set(head=N_HEADS)
        assert_reads(page)


@pytest.mark.long("a model with shared keys at all stages; one view reads it in every run")
@each("form", ["all words", "one word"])
def test_every_stage_of_a_head_reads_it(form: str) -> None:
    page = opened("step-by-step", "one head", layer=2, head=N_HEADS, form=form)
    for stage in page.options("stage"):
        page.set(stage=stage)
        assert_reads(page)


@each(("view", "tokens"), [("heads", "tokens"), ("compare", "words")])
def test_a_cell_is_calculated_for_pieces_and_for_words(view: str, tokens: str) -> None:
    assert_reads(opened("explorer", view, tokens=tokens, query=5, key=2, linking_table=True))


def test_a_model_that_sees_the_next_word_has_no_loss() -> None:
    """Trained to predict the next word, it is read under a mask that shows it."""
    page = opened("explorer", "heads", mask="bidirectional", needed_table=True, place=2)
    assert "Loss on this sentence:" not in page.prose
    assert "may attend to the next token" in page.prose
    assert "The sentence has no token that can be scored." in page.prose
