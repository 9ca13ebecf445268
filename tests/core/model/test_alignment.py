"""Score functions are their formulas, and attention with them is a weighted sum of the encoder's states."""

import numpy as np
import pytest
import torch

from core.model.alignment import SCORE_FUNCTIONS, Additive, AlignedAttention, Bilinear
from core.model.masks.combining import padding
from core.model.trace import Trace
from tests.core.references import close, noise, noisy
from tests.covering import each

BATCH, TARGET, SOURCE, D_MODEL = 2, 3, 5, 7
every_score = each("name", SCORE_FUNCTIONS)
PADDED = padding(torch.tensor([SOURCE, 2]), SOURCE)


def attention_of(name: str) -> AlignedAttention:
    return noisy(AlignedAttention(name, D_MODEL))


def by_hand(attention: AlignedAttention, name: str, q: np.ndarray, h: np.ndarray) -> float:
    """Return the score of one query and one key, from the formulas of the slides and of Bahdanau et al."""
    score = attention.score
    if isinstance(score, Bilinear):
        return float(q @ score.between.weight.detach().numpy() @ h)
    if isinstance(score, Additive):
        w, u, v = (part.weight.detach().numpy() for part in (score.from_query, score.from_key, score.total))
        return float(v[0] @ np.tanh(w @ q + u @ h))
    return float(q @ h) / (D_MODEL if name == "linear" else 1)


@every_score
def test_a_score_is_its_formula_for_each_query_and_key(name: str) -> None:
    attention, x, memory = (
        attention_of(name),
        noise(BATCH, TARGET, D_MODEL),
        noise(BATCH, SOURCE, D_MODEL, seed=1),
    )
    trace = Trace()
    attention(x, memory, allowed=PADDED, trace=trace)
    assert trace["scores"].shape == (BATCH, 1, TARGET, SOURCE)
    for b in range(BATCH):
        for i in range(TARGET):
            for j in range(SOURCE):
                expected = by_hand(attention, name, x[b, i].numpy(), memory[b, j].numpy())
                assert trace["scores"][b, 0, i, j].item() == pytest.approx(expected, abs=1e-12)


@every_score
def test_weights_are_a_softmax_over_words_or_without_one_the_scores_and_padding_gets_none(name: str) -> None:
    attention, trace = attention_of(name), Trace()
    attention(
        noise(BATCH, TARGET, D_MODEL), noise(BATCH, SOURCE, D_MODEL, seed=1), allowed=PADDED, trace=trace
    )
    alignment, scores = trace["alignment"], trace["scores"]
    assert bool((alignment[1, ..., 2:] == 0).all())
    if name == "linear":
        close(alignment[0], scores[0])
        assert bool((alignment < 0).any())
    else:
        close(alignment[0], scores[0].exp() / scores[0].exp().sum(dim=-1, keepdim=True))
        close(alignment[1, ..., :2], scores[1, ..., :2].softmax(dim=-1))
