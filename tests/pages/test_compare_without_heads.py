"""Compare with heads knocked out of B: it reads as a model without their columns of the output map."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from core.measures.prediction import Head, predict
from core.measures.reading import read
from core.sources import LoadedModel
from pages.contract.loading import loaded
from tests.covering import each
from tests.llama import llama_folder
from tests.pages.asked import Asked

TEXT = "the old chef is happy ."
REAL = "I don't think the other cats saw the cat"


@pytest.fixture
def decoder(no_real_model: Path) -> dict[str, str]:
    """A link to a small decoder whose heads share keys and values in groups."""
    llama_folder(no_real_model / "grouped", trained_on=REAL)
    return {"model": "real", "real": "grouped", "text": REAL}


def compared(**link: Any) -> Asked:
    return Asked(view="compare", **{"b_positions": "as A", "text": TEXT, **link})


def without_columns(page: Asked, *heads: Head) -> LoadedModel:
    """Return a copy of the model of A whose output maps have no columns for these heads."""
    found = loaded(page.scene.plain, page.scene.switches)
    model, d_head = deepcopy(found.model), found.model.config.d_head
    with torch.no_grad():
        for layer, head in heads:
            model.blocks[layer].attention.output.weight[:, head * d_head : (head + 1) * d_head] = 0
    return LoadedModel(
        **{name: getattr(found, name) for name in found.__dataclass_fields__} | {"model": model}
    )


def assert_b_reads_without(page: Asked, *heads: Head) -> None:
    layer, head = page.scene.layer, page.scene.head
    expected = read(without_columns(page, *heads)).pattern(layer, head)
    shown = np.nan_to_num(page.matrix("comparison", panel=1).astype(float))
    assert_allclose(shown, expected, atol=1e-5)
    assert np.abs(expected - page.scene.pattern).max() > 1e-3, "the heads matter to these weights"


def test_b_of_a_decoder_with_grouped_keys_attends_and_predicts_without_heads(decoder: Any) -> None:
    page = compared(**decoder, b_silenced=["2.4", "1.6"], layer=4, head=5, place=3)
    heads = (0, 5), (1, 3)
    assert_b_reads_without(page, *heads)
    assert (
        "In **B**, 0 takes the place of all numbers that head 6 of layer 1 and head 4 of layer 2 give."
        in page.prose
    )
    loss = predict(without_columns(page, *heads)).loss
    assert f"**B {loss:.2f} nats per token**" in page.prose
    whole = predict(loaded(page.scene.plain, page.scene.switches)).loss
    assert f"**A {whole:.2f} nats per token**" in page.prose
    assert loss != pytest.approx(whole, abs=0.01)


@each(("layer", "heads", "said"), [(1, ["2.1", "1.3"], 1), (2, ["2.1"], 2), (2, ["1.1", "2.1"], None)])
def test_weights_that_no_knocked_out_head_reaches_are_said_to_be(
    layer: int, heads: list[str], said: int | None
) -> None:
    page = compared(b_silenced=heads, layer=layer, head=2)
    change = np.nanmax(np.abs(page.matrix("comparison", panel=2)))
    if said is None:
        assert change > 1e-3
        assert "reaches only the weights of later layers" not in page.prose
    else:
        assert change == 0
        assert f"So the heads knocked out of B change no weight of layer {said}." in page.prose


def test_b_with_other_switches_loses_heads_that_it_has() -> None:
    page = compared(b_heads=1, b_layers=1, b_silenced="1.1")
    assert "head 1 of layer 1 gives" in page.prose
    assert page.options("b_silenced") == ("1.1",)
    page = compared(b_heads=1, b_layers=1, b_silenced="2.1")
    assert "0 takes the place" not in page.prose
    assert any("silenced = 2" in one for one in page.refused), page.refused


def test_heads_are_knocked_out_of_b_alone() -> None:
    """Heads ablated in B are not ablated elsewhere, nor in A on the view with the same control."""
    page = compared(b_silenced="1.3", layer=2, head=1)
    assert_allclose(
        np.nan_to_num(page.matrix("comparison", panel=0).astype(float)),
        read(loaded(page.scene.plain, page.scene.switches)).pattern(1, 0),
        atol=1e-6,
    )
    assert page.questions == []
    assert compared(b_positions="none").questions != []
