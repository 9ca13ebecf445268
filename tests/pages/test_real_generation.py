"""A real model on the page *Generation*: the surprisal of a typed text, and the memory that it keeps."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from core.model.config import ModelConfig
from pages.contract.loading import loaded
from pages.generation.real_memory import (
    KEEPS_NONE,
    MULTI_QUERY,
    OWN_KEYS,
    describe_key_sharing,
    with_other_keys,
)
from pages.generation.surprisal import UNSURPRISED
from tests.covering import each
from tests.llama import N_HEADS, N_KEY_HEADS, N_LAYERS, llama_folder
from tests.pages.asked import Asked
from tests.real import bert_folder
from viz.curves import Curves

TEXT = "I don't think the other cats saw the catalogue"


@pytest.fixture(autouse=True)
def decoder(no_real_model: Path) -> None:
    llama_folder(no_real_model / "grouped", trained_on="I don't think the other cats saw the cat")


def opened(view: str = "surprisal", **link: Any) -> Asked:
    link = {"view": view, "model": "real", "real": "grouped", "text": TEXT, **link}
    return Asked("generation", **link)


def nats_of(page: Asked) -> np.ndarray:
    """−log p of each piece, computed from the logits of the model."""
    found = loaded(page.scene.plain, page.scene.switches)
    with torch.inference_mode():
        logs = found.model(found.tokens)[0].double().log_softmax(-1)
    rest = found.tokens[0, 1:]
    return np.array([np.nan, *(-logs[torch.arange(len(rest)), rest]).tolist()])


def drawn(page: Asked) -> np.ndarray:
    return np.array(page.picture("surprisals").shares)[0]


def test_each_piece_has_the_surprisal_that_its_logit_says() -> None:
    page, step = opened(step=3), 3
    nats = nats_of(page)
    assert_allclose(drawn(page), nats, rtol=1e-5)
    assert f"has a surprisal of {nats[step]:.2f} nats for grouped." in str(page.sheet.headline)
    assert f"**grouped {np.exp(np.nanmean(nats)):,.2f}**" in page.prose
    assert_allclose(drawn(opened(measure="probability")), np.exp(-nats), rtol=1e-5)


def test_the_surprisals_of_the_pieces_of_a_word_add_up() -> None:
    page = opened(tokens="words", step=3)
    nats, groups = nats_of(page), page.scene.pieces.groups
    assert max(map(len, groups)) > 1, "a word has several tokens"
    expected = [nats[[*group]].sum() for group in groups]
    assert_allclose(drawn(page), expected, rtol=1e-5)
    perplexity = page.prose.split("of the whole text: **grouped ")[1].split("**")[0].removesuffix(".")
    assert float(perplexity.replace(",", "")) == pytest.approx(np.exp(np.nanmean(expected)), rel=1e-3)
    assert "add up to the surprisal of a word" in page.prose
    assert "add up to the surprisal of a word" not in opened().prose


@each("step", [1, 4])
def test_a_click_on_a_bar_walks_there(step: int) -> None:
    page = opened()
    page.click("surprisals", x=step, y=0, data=[0, step])
    assert page.value("step") == step
    page.click("surprisals", x=0, y=0, data=[0, 0])
    assert page.value("step") == 1


def test_one_piece_has_no_surprisal() -> None:
    assert any("Nothing comes before the first token" in one for one in opened(text="I").infos)


def test_the_cache_has_the_bytes_of_the_maps_that_make_keys_and_values() -> None:
    page = opened("memory", layer=N_LAYERS, head=N_HEADS)
    n, model = len(page.scene.words), loaded(page.scene.plain, page.scene.switches).model
    maps = (one for block in model.blocks for one in (block.attention.key, block.attention.value))
    n_bytes = sum(one.weight.shape[0] for one in maps) * n * 4
    assert f" = {n_bytes:,} bytes." in page.prose
    assert f"Its {N_HEADS} query heads share {N_KEY_HEADS} key heads" in page.prose
    assert "so sharing saves 67 %." in page.prose
    picture = page.picture("memory")
    assert isinstance(picture, Curves)
    table = picture.rows
    here = table[table["tokens"] == n].set_index("network")["bytes"]
    assert here.to_dict() == {
        "grouped": n_bytes,
        OWN_KEYS: n_bytes * N_HEADS // N_KEY_HEADS,
        MULTI_QUERY: n_bytes // N_KEY_HEADS,
    }
    assert f"In layer {N_LAYERS}, head {N_HEADS}, " in str(page.sheet.headline)
    assert "attends most to" in str(page.sheet.headline)


@each(
    ("key_heads", "said", "others"),
    [
        (None, "Each of its 4 heads has its own keys and values.", [MULTI_QUERY]),
        (2, "Its 4 query heads share 2 key heads: ", [OWN_KEYS, MULTI_QUERY]),
        (1, "so sharing saves 75 %.", [OWN_KEYS]),
    ],
)
def test_sentences_on_sharing_are_true(key_heads: int | None, said: str, others: list[str]) -> None:
    config = ModelConfig(vocab_size=1, n_heads=4, n_kv_heads=key_heads)
    assert said in describe_key_sharing(config, 7)
    assert list(with_other_keys(config)) == others


def test_an_encoder_that_fills_in_does_not_continue_a_text(no_real_model: Path) -> None:
    bert_folder(no_real_model / "encoder")
    for view, said in (("surprisal", UNSURPRISED), ("memory", KEEPS_NONE)):
        page = opened(view, real="encoder")
        assert page.infos == [said]
        assert page.pictures == []
