"""What a model expects, by hand: forward passes, knocked-out heads, losses and divergences."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch import Tensor
from torch.nn.functional import cross_entropy, kl_div

from core.measures.prediction import MASKED_AT_ONCE, Head, Prediction, distribution, divergence, predict
from core.model.config import ModelConfig
from core.model.masks import MASKS, NEXT_WORD
from core.model.masks.combining import window
from core.model.models import Transformer
from core.sources import load
from core.text.language import MASK, vocabulary
from tests.covering import each

pytestmark = pytest.mark.usefixtures("noise_shelf")

WORDS = ("Maria", "met", "Zuko", "near", "the", "stores")
CAUSAL = ModelConfig(vocab_size=1)
BIDIRECTIONAL = ModelConfig(vocab_size=1, mask="bidirectional", positions="rotary")
CONFIGS = {"bidirectional": BIDIRECTIONAL} | {
    name: replace(CAUSAL, mask=name) for name, mask in MASKS.items() if mask.objective == NEXT_WORD
}
HEADS: tuple[tuple[Head, ...], ...] = (((0, 0),), ((1, 3),), ((0, 1), (0, 2)), ((0, 3), (1, 0), (1, 2)))


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


@pytest.mark.parametrize("mask", MASKS)
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


@pytest.mark.parametrize("mask", MASKS)
def test_the_shared_model_stays_as_it_was(mask: str) -> None:
    before = {name: value.clone() for name, value in model_for(mask)[0].state_dict().items()}
    predicted(mask, silenced=[(0, 1), (1, 1)], window=1)
    after = load("trained", CONFIGS[mask], WORDS, 0).model.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before)


@each("head", [(-1, 0), (2, 0), (0, -1), (0, 4)])
def test_a_head_that_the_model_lacks_is_refused(head: Head) -> None:
    with pytest.raises(ValueError, match=r"(layer|head) must be between 0 and"):
        predicted("causal", silenced=[head])


@pytest.mark.parametrize("mask", MASKS)
def test_the_divergence_is_that_of_torch(mask: str) -> None:
    before, after = predicted(mask), predicted(mask, silenced=[(0, 0), (1, 1)])
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


@pytest.mark.parametrize("mask", MASKS)
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


@pytest.mark.parametrize("mask", MASKS)
def test_where_no_word_can_be_scored_there_is_no_loss(mask: str) -> None:
    assert predicted(mask, ("qzx",)).loss is None
    assert predicted(mask, ("qzx",)).n_scored == 0


def test_the_answer_is_the_next_word_or_the_masked_one() -> None:
    reads_on, fills_in = predicted("causal"), predicted("bidirectional")
    known = vocabulary().words
    assert [reads_on.answer(place) for place in (0, 4, 5)] == [
        known.index("met"),
        known.index("stores"),
        None,
    ]
    assert [fills_in.answer(place) for place in (0, 5)] == [known.index("maria"), known.index("stores")]
    assert reads_on.rank(5) is None


@pytest.mark.parametrize("mask", MASKS)
def test_the_rank_counts_the_words_that_are_likelier(mask: str) -> None:
    found = predicted(mask)
    asked = [place for place in range(len(WORDS)) if found.answer(place) is not None]
    assert len(asked) >= len(WORDS) // 2
    for place in asked:
        order = np.argsort(-found.probabilities(place)).tolist()
        assert found.rank(place) == 1 + order.index(found.answer(place))


@pytest.mark.parametrize("mask", MASKS)
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


def test_a_distribution_lists_every_word_the_likeliest_of_either_run_first() -> None:
    before, after = predicted("causal"), predicted("causal", silenced=[(0, 0), (0, 1), (1, 2)])
    table = distribution(before, after, 2)
    assert sorted(table["word"]) == sorted(vocabulary().words)
    numbers = [vocabulary().words.index(word) for word in table["word"]]
    assert_allclose(table["before"], before.probabilities(2)[numbers])
    assert_allclose(table["after"], after.probabilities(2)[numbers])
    assert (np.diff(table[["before", "after"]].max(axis=1)) <= 0).all()
    assert list(table["word"][table["answer"]]) == ["near"]


def expecting(*probabilities: float) -> Prediction:
    """A prediction of one place by hand."""
    words = tuple(f"word {number}" for number in range(len(probabilities)))
    return Prediction(words, np.log([probabilities]), np.array([0]), unknown=(), ahead=0)


def test_words_that_are_equally_likely_stay_in_the_order_of_the_vocabulary() -> None:
    found = expecting(*[0.01, 0.02] * 50)
    likelier_first = [*found.vocabulary[1::2], *found.vocabulary[::2]]
    assert distribution(found, found, 0)["word"].tolist() == likelier_first


def test_rounding_makes_no_divergence_negative() -> None:
    before, after = expecting(0.5, 0.5), expecting(0.5, 0.5 + 1e-12)
    assert divergence(before, after, 0) == 0


def test_a_source_without_a_mask_word_cannot_be_asked_to_fill_in() -> None:
    with pytest.raises(ValueError, match="no <mask>"):
        predict(load("random", BIDIRECTIONAL, WORDS, 0))


def test_a_prediction_cannot_be_changed_by_who_shares_it() -> None:
    with pytest.raises(ValueError, match="read-only"):
        predicted("causal").log_probabilities[0] = 0
