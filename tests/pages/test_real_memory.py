"""The keys and values that a real model keeps of a text, and what shared keys save."""

from pathlib import Path
from typing import Any

import pytest

from core.model.config import ModelConfig
from pages.contract.loading import loaded
from pages.generation.real_memory import (
    KEEPS_NONE,
    MULTI_QUERY,
    OWN_KEYS,
    describe_key_sharing,
    with_other_keys,
)
from tests.covering import each
from tests.llama import N_HEADS, N_KEY_HEADS, N_LAYERS, llama_folder
from tests.pages.asked import Asked
from tests.real import bert_folder
from viz.curves import Curves

TEXT = "I don't think the other cats saw the cat"


@pytest.fixture(autouse=True)
def decoder(no_real_model: Path) -> None:
    llama_folder(no_real_model / "grouped", trained_on=TEXT)


def opened(**link: Any) -> Asked:
    link = {"view": "memory", "model": "real", "real": "grouped", "text": TEXT, **link}
    return Asked("generation", **link)


def test_the_cache_has_the_bytes_of_the_maps_that_make_keys_and_values() -> None:
    page = opened(layer=N_LAYERS, head=N_HEADS)
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


def test_an_encoder_keeps_no_keys(no_real_model: Path) -> None:
    bert_folder(no_real_model / "encoder")
    page = opened(real="encoder")
    assert page.infos == [KEEPS_NONE]
    assert page.pictures == []
