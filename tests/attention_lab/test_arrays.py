"""Weights of every library become one kind of object; errors say what to do."""

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import attention_lab as lab
from core.model import Trace
from core.text.language import encode
from tests.attention_lab.objects import TARGET, TEXT, model, outputs, tokenizer
from tests.covering import each

WORDS = "a b c d"
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(4), size=(2, 3, 4)).astype(np.float32)
"""Two layers with three heads each."""


class Cache(dict[str, Any]):
    """A mapping as TransformerLens has it."""


def cache(*, batch: bool) -> Cache:
    found = {f"blocks.{at}.attn.hook_pattern": torch.tensor(layer) for at, layer in enumerate(WEIGHTS)}
    whole = {name: value[None] if batch else value for name, value in found.items()}
    return Cache(whole | {"hook_embed": torch.zeros(4, 5), "blocks.0.attn.hook_q": torch.zeros(4, 3, 5)})


@each(
    ("given", "expected"),
    [
        (WEIGHTS, WEIGHTS),
        (WEIGHTS[0, 0], WEIGHTS[:1, :1]),
        ([list(row) for row in WEIGHTS[0, 0]], WEIGHTS[:1, :1]),
        (WEIGHTS[:, None], WEIGHTS),
        (torch.tensor(WEIGHTS, requires_grad=True), WEIGHTS),
        (tuple(torch.tensor(WEIGHTS)[:, None]), WEIGHTS),
        (SimpleNamespace(attentions=tuple(torch.tensor(WEIGHTS)[:, None])), WEIGHTS),
        (cache(batch=True), WEIGHTS),
    ],
)
def test_weights_of_any_kind_are_the_same_weights(given: Any, expected: np.ndarray) -> None:
    found = lab.attention(given, WORDS)
    np.testing.assert_array_equal(found.patterns, expected)
    assert found.words == found.keys == tuple(WORDS.split())


def test_eleven_layers_of_a_cache_are_in_order() -> None:
    layers = {f"blocks.{at}.attn.hook_pattern": np.full((1, 1, 1, 1), at / 20) for at in reversed(range(11))}
    assert lab.attention(layers, "a").patterns.ravel().tolist() == pytest.approx(
        [at / 20 for at in range(11)]
    )


def test_a_trace_of_our_own_is_a_cache_too() -> None:
    small, trace = lab.read(), Trace()
    run = small("the chef ran")
    run.loaded.model(encode(["the", "chef", "ran"]).tokens, trace=trace)
    np.testing.assert_allclose(lab.attention(trace, "the chef ran").patterns, run.patterns, atol=1e-6)


def test_one_of_several_sentences_is_chosen() -> None:
    both = np.stack([WEIGHTS, WEIGHTS[:, ::-1]], axis=1)
    np.testing.assert_array_equal(lab.attention(both, WORDS, batch=1).patterns, WEIGHTS[:, ::-1])
    for batch in (2, -1, "first"):
        with pytest.raises(lab.LabError, match=f"batch must be from 0 to 1, got {batch!r}"):
            lab.attention(both, WORDS, batch=batch)  # type: ignore[arg-type]
    with pytest.raises(lab.LabError, match=r"with a batch, \(layer, batch, head, query, key\); got"):
        lab.attention(WEIGHTS, WORDS, batch=1)


def test_the_weights_of_generate_lie_below_each_other() -> None:
    encoded = tokenizer()(TEXT, return_tensors="pt")
    found = model("bart").generate(
        **encoded, max_new_tokens=4, output_attentions=True, return_dict_in_generate=True
    )
    pieces = tokenizer().convert_ids_to_tokens(encoded["input_ids"][0])
    written = tokenizer().convert_ids_to_tokens(found.sequences[0][1:])
    crossing = lab.attention(found, written, pieces)
    assert crossing.patterns.shape == (2, 5, len(written), len(pieces))
    np.testing.assert_allclose(crossing.patterns.sum(axis=-1), 1, atol=1e-5)
    own = lab.attention(found.decoder_attentions, written)
    assert own.patterns.shape == (2, 5, len(written), len(written))
    assert (np.triu(own.patterns, 1) == 0).all()


def test_the_labels_of_pieces_are_words() -> None:
    found, pieces = outputs("gpt2")
    assert "Ġtrophy" in pieces
    words = lab.attention(found, pieces).words
    assert words[:7] == ("The", "trophy", "does", "not", "fit", "into", "the")
    assert words[7] == "suit"
    assert all(piece.startswith("##") for piece in words[8:])
    assert lab.attention(found, pieces).heads().caption[0] == f"“{TEXT}”", "the caption has whole words"


@each(
    ("given", "expected"),
    [
        (["▁The", "▁cat", "s", ",", "▁ran"], ("The", "cat", "##s", ",", "ran")),
        (["[CLS]", "the", "cat", "##s", "[SEP]"], ("[CLS]", "the", "cat", "##s", "[SEP]")),
        (["<s>", "ĠÃ©t", "Ã©", "</s>", "Ġ"], ("<s>", "ét", "##é", "</s>", "␣")),
        (["", "a", " ", "été", "Ł"], ("", "a", " ", "été", "Ł")),
    ],
)
def test_a_label_has_no_sign_of_a_blank(given: list[str], expected: tuple[str, ...]) -> None:
    n = len(given)
    assert lab.attention(np.full((n, n), 1 / n), given).words == expected


@each(
    ("given", "said"),
    [
        ({}, "blocks.0.attn.hook_pattern"),
        (None, 'attn_implementation="eager"'),
        (SimpleNamespace(attentions=None), 'attn_implementation="eager"'),
        (np.zeros((0, 0)), "There are no weights"),
        (WEIGHTS[..., :3], "4 queries and 3 keys: pass the words of the keys as key_words"),
        (WEIGHTS[:, :, :3, :3], "3 queries and 4 words for them"),
        (WEIGHTS * 9, "Take the softmax of scores first"),
        (np.full((4, 4), 0.5), "sum to up to 2. Take the softmax of scores first; call model.eval()"),
        (WEIGHTS[0, 0, 0], r"(query, key), (head, query, key)"),
        ("weights", "lab.read takes a model"),
        ([[1, 0], [1]], "one shape"),
        (np.stack([WEIGHTS] * 2, axis=1), "as in batch=0"),
    ],
)
def test_invalid_weights_are_refused_with_a_remedy(given: Any, said: str) -> None:
    with pytest.raises(lab.LabError, match=re.escape(said)):
        lab.attention(given, WORDS)


@each("words", [torch.arange(4)[None], [["a", "b", "c", "d"]]])
def test_numbers_are_not_words(words: Any) -> None:
    with pytest.raises(lab.LabError, match=r"A word must be a text, got .* convert_ids_to_tokens"):
        lab.attention(WEIGHTS, words)
    with pytest.raises(lab.LabError, match="Words are a sentence, or a list"):
        lab.attention(WEIGHTS, None)  # type: ignore[arg-type]


@each("allowed", ["sideways", np.ones((2, 2)), True])
def test_a_mask_of_another_kind_is_refused(allowed: Any) -> None:
    with pytest.raises(lab.LabError, match="allowed must"):
        lab.attention(WEIGHTS, WORDS, allowed=allowed)


def test_a_masked_cell_is_a_gap_and_no_zero() -> None:
    masked = lab.attention(np.tri(4) / 4, WORDS, allowed="causal").heatmap()
    assert "6 of 16 cells masked" in masked.alt()
    assert "masked" not in lab.attention(np.tri(4) / 4, WORDS).heatmap().alt()
    torch_mask = torch.tensor(np.tri(4, dtype=bool))
    assert masked.alt() == lab.attention(np.tri(4) / 4, WORDS, allowed=torch_mask).heatmap().alt()


def test_two_sentences_are_a_rectangle() -> None:
    found = lab.attention(WEIGHTS[:, :, :3], TARGET, WORDS)
    assert found.heatmap(2, 3).table().shape == (3, 4)
    assert "lines of attention, 3 query words by 4 key words" in found.lines(2, 3).alt()
    assert "3 query words by 4 key words" in found.heads().alt()
    assert list(found.table().columns) == ["layer", "head", "entropy", "largest"]
    with pytest.raises(lab.LabError, match="'distance' needs queries and keys that are the same words"):
        found.table(["distance"])
