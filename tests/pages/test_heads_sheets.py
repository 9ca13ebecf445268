"""Heads: every sentence at each of its branches, said of small made-up numbers."""

import numpy as np
import pandas as pd
import pytest

from core.measures.heads.two_things import STEPS, Learned
from pages.heads import one_and_many, rank, reshape, three_kinds, two_things
from viz.reshape import FORMS, Blocks


@pytest.mark.parametrize(
    ("percent", "maria", "zuko"), [(0, "100 %", "0 %"), (50, "50 %", "50 %"), (80, "6 %", "94 %")]
)
def test_one_head_loses_half_at_every_balance(percent: int, maria: str, zuko: str) -> None:
    assert two_things._answer(percent) == (
        f"With {percent} % of its attention weight on Maria, one head loses at least {maria} of her content "
        f"and {zuko} of Zuko's: 50 % on average, however the weight is split."
    )


def test_what_both_layers_have_lost_at_the_end_is_told() -> None:
    one, two = (Learned(np.array([1.0, end]), np.ones((n, 3)) / 3) for n, end in ((1, 0.5), (2, 0.25)))
    told = two_things._explanation(one, two)
    assert f"After {STEPS} training steps one head loses **50 %** and two heads lose **25 %**" in told


def records(*counts: int) -> pd.DataFrame:
    rows = [(k, 1.5, 0.5, 0.5 + k / 100, 0.25 + k / 100) for k in counts]
    return pd.DataFrame(rows, columns=["heads", "loss", "task", "agreement", "names"])


def test_the_models_with_the_fewest_and_the_most_heads_are_compared() -> None:
    assert one_and_many._answer(records(1, 2, 8)) == (
        "Accuracy is 51 % on *agreement* and 26 % on *names* with 1 head, and 58 % on *agreement* and 33 % "
        "on *names* with 8 heads."
    )
    alone = one_and_many._answer(records(4))
    assert alone == "Accuracy is 54 % on *agreement* and 29 % on *names* with 4 heads."


def test_the_accuracies_of_all_models_are_told() -> None:
    told = one_and_many._explanation(records(1, 8), "next word")
    assert "Accuracy with 1, 8 heads: next word prediction 50 %, 50 %; *agreement* 51 %, 58 %;" in told
    assert "Accuracy with 1 head: " in one_and_many._explanation(records(1), "next word")
    assert "Accuracy with 2 heads: " in one_and_many._explanation(records(2), "next word")
    assert "no model with 1 head and" in one_and_many._lacking(1)
    assert "no model with 2 heads and" in one_and_many._lacking(2)


def test_what_three_kinds_cost_is_told() -> None:
    costs = pd.Series({"standard": 16384, "narrow": 4864, "wide": 61440})
    assert three_kinds._answer(costs, 4) == (
        "Standard heads have 16,384 parameters at k = 4 as at every other k, narrow heads 4,864 and wide "
        "heads 61,440."
    )
    assert "differ by at most 5·10⁻¹⁶." in three_kinds._explanation(5e-16)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (
            FORMS[0],
            "One product of 5 words with one matrix gives the keys of all heads at once: n × d = 5 × 21.",
        ),
        (FORMS[1], "Every row is cut into 3 pieces of d/k = 7 dimensions: n × k × d/k = 5 × 3 × 7."),
        (
            FORMS[2],
            "Every head sees every word, but only its own 7 dimensions of it: k × n × d/k = 3 × 5 × 7.",
        ),
    ],
)
def test_a_form_is_said_with_its_axes(form: str, said: str) -> None:
    assert reshape._answer(Blocks(n_heads=3, n_words=5, d_head=7), form, "k") == said


def test_one_head_and_one_word_are_counted_as_one() -> None:
    alone = Blocks(n_heads=1, n_words=1, d_head=7)
    assert "One product of 1 word with" in reshape._answer(alone, FORMS[0], "q")
    assert "cut into 1 piece of" in reshape._answer(alone, FORMS[1], "q")
    assert "first 12 of 256 words" in reshape._cut(256)


def test_ranks_are_named_by_their_models_or_heads() -> None:
    across = rank._answer({"1 head": 48, "2 heads": 24}, "QKᵀ", 48, is_across=True)
    assert across == "QKᵀ is 48 × 48, and its rank is 48 with 1 head, 24 with 2 heads."
    alike = {"1 head": 5, "2 heads": 5}
    assert rank._answer(alike, "xQKᵀxᵀ", 5, is_across=True).endswith("its rank is 5 in each model.")
    every = {"head 1": 6, "head 2": 5}
    assert rank._answer(every, "QKᵀ", 48, is_across=False).endswith("rank is 6 in head 1, 5 in head 2.")
    alike = {"head 1": 6, "head 2": 6}
    assert rank._answer(alike, "QKᵀ", 48, is_across=False).endswith("its rank is 6 in each head.")
    assert rank._answer({"4 heads": 12}, "QKᵀ", 48, is_across=True).endswith("rank is 12 with 4 heads.")


def test_the_rank_between_words_is_limited_by_their_number() -> None:
    assert "at most d/k. With" in rank._explanation(rank.OF_WEIGHTS, 5)
    assert "at most d/k, and at most 5, the number of words." in rank._explanation(rank.OF_SENTENCE, 5)
