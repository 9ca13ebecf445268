"""Predictions by hand: forward passes, knocked-out heads, losses, logits, softmax and entropy."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch import Tensor
from torch.nn.functional import cross_entropy, kl_div

from core.measures.prediction import (
    MASKED_AT_ONCE,
    Head,
    Prediction,
    WordLogits,
    divergence,
    entropy,
    predict,
    softmax,
    softmax_jacobian_norm,
    top_indices,
    word_logits,
)
from core.model.attention import attention_pattern
from core.model.config import ModelConfig
from core.model.masks import MASKS, NEXT_WORD
from core.model.masks.combining import window
from core.model.models import Transformer
from core.sources import LoadedModel, load
from core.text.language import MASK, vocabulary
from core.text.tokenizer import Vocabulary
from tests.core.references import noise, noisy
from tests.covering import each

pytestmark = pytest.mark.usefixtures("noise_shelf")
WORDS = ("Maria", "met", "Zuko", "near", "the", "stores")
CAUSAL = ModelConfig(vocab_size=1)
BIDIRECTIONAL = ModelConfig(vocab_size=1, mask="bidirectional", positions="rotary")
CONFIGS = {"bidirectional": BIDIRECTIONAL} | {
    name: replace(CAUSAL, mask=name) for name, mask in MASKS.items() if mask.objective == NEXT_WORD
}
HEADS: tuple[tuple[Head, ...], ...] = (((1, 3),), ((0, 3), (1, 0), (1, 2)))


def predicted(mask: str, words: tuple[str, ...] = WORDS, **options: object) -> Prediction:
    return predict(load("trained", CONFIGS[mask], words, 0), **options)


def model_for(mask: str, words: tuple[str, ...] = WORDS) -> tuple[Transformer, Tensor]:
    loaded = load("trained", CONFIGS[mask], words, 0)
    return deepcopy(loaded.model), loaded.tokens


def by_hand(mask: str, model: Transformer, tokens: Tensor) -> np.ndarray:
    """Logits at every place: of the sentence read on, or of the sentence with the word there masked."""
    if MASKS[mask].objective == NEXT_WORD:
        return model(tokens)[0].log_softmax(-1).numpy()
    rows = []
    for place in range(tokens.shape[1]):
        shown = tokens.clone()
        shown[0, place] = vocabulary().words.index(MASK)
        rows.append(model(shown)[0, place].log_softmax(-1).numpy())
    return np.stack(rows)


def without_columns(model: Transformer, heads: Iterable[Head]) -> Transformer:
    for layer, head in heads:
        d_head = model.config.d_head
        columns = model.blocks[layer].attention.output.weight[:, head * d_head : (head + 1) * d_head]
        assert columns.any()
        columns.zero_()
    return model


@each("mask", MASKS)
def test_a_prediction_is_a_forward_pass_by_hand(mask: str) -> None:
    found = predicted(mask)
    assert_allclose(found.log_probabilities, by_hand(mask, *model_for(mask)), atol=1e-5)
    for place in range(len(WORDS)):
        assert found.probabilities(place).sum() == pytest.approx(1, abs=1e-12)
    assert found.vocabulary == vocabulary().words


@each("heads", HEADS)
@each("mask", MASKS)
def test_knocking_heads_out_equals_zeroing_their_columns_of_the_output_map(
    mask: str, heads: tuple[Head, ...]
) -> None:
    model, tokens = model_for(mask)
    expected = by_hand(mask, without_columns(model, heads), tokens)
    found = predicted(mask, silenced=frozenset(heads))
    assert_allclose(found.log_probabilities, expected, atol=1e-5)
    assert np.abs(found.log_probabilities - predicted(mask).log_probabilities).max() > 1e-2


@each("head", [(-1, 0), (2, 0), (0, -1), (0, 4)])
def test_a_head_that_the_model_lacks_is_refused(head: Head) -> None:
    with pytest.raises(ValueError, match=r"(layer|head) must be between 0 and"):
        predicted("causal", silenced=[head])


def test_the_divergence_agrees_with_torch() -> None:
    before, after = predicted("causal"), predicted("causal", silenced=[(0, 0), (1, 1)])
    for place in range(len(WORDS)):
        p, q = (torch.tensor(each.log_probabilities[place]) for each in (before, after))
        expected = kl_div(q, p, reduction="sum", log_target=True).item()
        assert divergence(before, after, place) == pytest.approx(expected, rel=1e-9)
        assert divergence(before, after, place) > 1e-3


def test_a_model_that_reads_on_is_scored_on_every_word_but_the_first() -> None:
    model, tokens = model_for("causal")
    losses = predicted("causal").losses()
    assert np.isnan(losses[0])
    assert_allclose(
        losses[1:], cross_entropy(model(tokens)[0, :-1], tokens[0, 1:], reduction="none"), atol=1e-5
    )
    assert predicted("causal").loss == pytest.approx(losses[1:].mean())
    assert predicted("causal").n_scored == len(WORDS) - 1


def test_a_model_that_fills_in_is_scored_on_every_word() -> None:
    model, tokens = model_for("bidirectional")
    expected = -by_hand("bidirectional", model, tokens)[np.arange(len(WORDS)), tokens[0]]
    found = predicted("bidirectional")
    assert_allclose(found.losses(), expected, atol=1e-5)
    assert found.loss == pytest.approx(expected.mean(), abs=1e-5)


def test_a_sentence_longer_than_one_part_is_filled_in_place_by_place() -> None:
    words = (WORDS * MASKED_AT_ONCE)[: 2 * MASKED_AT_ONCE + 3]
    expected = by_hand("bidirectional", *model_for("bidirectional", words))
    assert_allclose(predicted("bidirectional", words).log_probabilities, expected, atol=1e-5)


@each("mask", MASKS)
def test_unknown_words_are_read_as_such_and_not_scored(mask: str) -> None:
    words = ("Maria", "såg", "Zuko", "and", "qzx")
    found = predicted(mask, words)
    assert np.isnan(found.losses()[[1, 4]]).all()
    assert np.isfinite(found.losses()[[2, 3]]).all()
    assert found.loss == pytest.approx(np.nanmean(found.losses()))
    assert found.unknown == (1, 4)
    assert [found.vocabulary[token] for token in found.tokens[[1, 4]]] == ["<unk>", "<unk>"]
    assert np.isnan(found.losses()[0]) == (MASKS[mask].objective == NEXT_WORD)
    assert_allclose(found.log_probabilities, by_hand(mask, *model_for(mask, words)), atol=1e-5)


def test_the_answer_is_the_next_word_or_the_masked_one() -> None:
    predicts_next, fills_in = predicted("causal"), predicted("bidirectional")
    known = vocabulary().words
    assert [predicts_next.target(place) for place in (0, 4, 5)] == [
        known.index("met"),
        known.index("stores"),
        None,
    ]
    assert [fills_in.target(place) for place in (0, 5)] == [known.index("maria"), known.index("stores")]
    assert predicts_next.rank(5) is None


@each("mask", ["causal", "bidirectional"])
def test_the_rank_counts_the_words_that_are_likelier(mask: str) -> None:
    found = predicted(mask)
    for place in (3, 4):
        order = np.argsort(-found.probabilities(place)).tolist()
        assert found.rank(place) == 1 + order.index(found.target(place))


@each("mask", MASKS)
def test_a_window_hides_the_words_beyond_it(mask: str) -> None:
    model, tokens = model_for(mask)
    allowed = window(len(WORDS), len(WORDS), width=1)
    if MASKS[mask].objective == NEXT_WORD:
        assert_allclose(
            predicted(mask, window=1).log_probabilities,
            model(tokens, allowed=allowed)[0].log_softmax(-1),
            atol=1e-5,
        )
    far = ("Ivan", *WORDS[1:])
    narrow = [predicted(mask, words, window=1).log_probabilities[4] for words in (WORDS, far)]
    wide = [predicted(mask, words).log_probabilities[4] for words in (WORDS, far)]
    assert_allclose(*narrow, atol=1e-6)
    assert np.abs(wide[0] - wide[1]).max() > 1e-3


def test_a_source_without_a_mask_word_cannot_be_asked_to_fill_in() -> None:
    with pytest.raises(ValueError, match="no <mask>"):
        predict(load("random", BIDIRECTIONAL, WORDS, 0))


LOWER = ("zuko", "met", "maria", "near", "the", "stores")
AT = 3


def loaded(words: tuple[str, ...] = LOWER, **fields: Any) -> LoadedModel:
    """Return a model of noise with a bias and a transform in its output layer, unless told otherwise."""
    vocabulary = Vocabulary(("<mask>", *dict.fromkeys(words), *map(str, range(6))))
    details = {"output_bias": True, "output_transform": True} | fields
    config = ModelConfig(vocab_size=len(vocabulary.words), d_model=14, n_heads=2, n_layers=2, **details)
    model = noisy(Transformer(config)).eval()
    return LoadedModel(model, vocabulary, words, vocabulary.encode(words))


@each("mask", ["causal", "bidirectional"])
@each("window", [None, 1])
def test_logits_and_probabilities_agree_with_the_model(mask: str, window: int | None) -> None:
    one = loaded(mask=mask)
    found = word_logits(one, AT, window=window)
    assert_allclose(found.probabilities, predict(one, window=window).probabilities(AT), rtol=1e-9)
    reference = torch.tensor(found.logits).softmax(-1)
    assert_allclose(found.probabilities, reference, rtol=1e-12)
    assert_allclose(found.log_sum, torch.tensor(found.logits).logsumexp(-1), rtol=1e-12)


@each("fields", [{}, {"output_transform": False}, {"output_bias": False}])
def test_a_logit_is_the_product_of_a_row_and_the_state_plus_the_bias(fields: dict[str, bool]) -> None:
    found = word_logits(loaded(mask="causal", **fields), AT)
    best = list(found.best)
    assert best == np.argsort(-found.logits)[:2].tolist()
    assert_allclose(found.best_rows @ found.state + found.biases, found.logits[best], rtol=1e-5)
    assert found.biases.any() == fields.get("output_bias", True)


def test_large_logits_have_probabilities_too() -> None:
    logits = np.array([1000.0, 999.0, -1000.0])
    found = WordLogits(("a", "b", "c"), np.zeros(2), logits, np.zeros((2, 2)), np.zeros(2))
    assert_allclose(found.probabilities, torch.tensor(logits).softmax(-1))
    assert found.best == (0, 1)
    assert top_indices(np.array([1.0, 3.0, 3.0]), 2) == [1, 2], "of equal ones the first"


def test_the_gradient_is_the_norm_of_torchs_jacobian() -> None:
    scores = noise(3, 5) * 2
    for row in scores:
        jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(-1), row)
        ours = softmax_jacobian_norm(row.softmax(-1).numpy())
        assert ours == pytest.approx(jacobian.norm().item(), abs=1e-12)


@each("axes", [(7,), (3, 5, 7)])
def test_rows_of_a_softmax_sum_to_one_whatever_the_axes(axes: tuple[int, ...]) -> None:
    scores = noise(*axes)
    ours = softmax(scores.numpy())
    np.testing.assert_allclose(ours.sum(axis=-1), 1)
    np.testing.assert_allclose(ours, scores.softmax(-1).numpy())
    large = softmax(1000 * scores.numpy())
    assert np.isfinite(large).all()


def test_a_softmax_over_the_allowed_keys_is_the_models_own_and_a_blind_row_stays_empty() -> None:
    scores = noise(5, 7) * 3
    allowed = noise(5, 7, seed=1) > 0
    allowed[2] = False
    ours = softmax(scores.numpy(), allowed.numpy())
    np.testing.assert_allclose(ours, attention_pattern(scores[None, None], allowed[None, None])[0, 0].numpy())
    assert ours[2].tolist() == [0] * 7


def test_entropy_is_torchs_in_bits() -> None:
    logits = noise(3, 5, 7) * 2
    expected = torch.distributions.Categorical(logits=logits).entropy().numpy() / np.log(2)
    np.testing.assert_allclose(entropy(logits.softmax(-1).numpy()), expected)
    assert entropy(logits.softmax(-1).float().numpy()).dtype == np.float32
