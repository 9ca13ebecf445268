"""What the views of Architectures ask first, on numbers made up for it and on those of the sheets."""

from typing import Any

import numpy as np
import pytest

from pages.architectures import questions as asks
from pages.contract.question import Estimate, solution
from pages.controls.prose import Typed
from tests.pages.asked import Asked
from tests.pages.questions.read import reasons, whole

PAGE = "architectures"


def known(asked: Estimate | None) -> dict[float, str]:
    assert asked is not None
    return dict(asked.mistaken)


def test_what_a_mask_hides_is_less_than_half_for_the_diagonal_stays() -> None:
    causal = np.tri(4, dtype=bool)
    asked = known(asks.hidden_weights("causal", causal))
    assert set(asked) == {10, 8, 0}
    assert "the diagonal stays" in asked[10]
    assert "less than half" in asked[8]
    prefix = causal | (np.arange(4) < 2)
    assert set(known(asks.hidden_weights("prefix", prefix))) == {6, 10, 8, 0}
    assert asks.hidden_weights("causal", causal[:1, :1]) is None
    window = causal & ~np.tri(4, k=-2, dtype=bool)
    assert asks.hidden_weights("window", window) is None, "it hides earlier words too"


def test_the_first_word_of_an_encoder_sees_all_and_itself() -> None:
    asked = known(asks.seen_by_first(Typed("hot"), 3, 3))
    assert set(asked) == {1, 2}
    assert "a decoder" in asked[1]
    assert known(asks.seen_by_first(Typed("hot"), 2, 2)) == {}, "of two words 1 may be either mistake"
    assert asks.seen_by_first(Typed("hot"), 1, 1) is None


def test_a_matrix_of_cross_attention_is_told_from_those_of_self_attention() -> None:
    assert set(known(asks.cross_weights(2, 3))) == {4, 9}
    assert asks.cross_weights(3, 3) is None


def test_recurrence_reads_word_by_word_and_hands_over_one_state() -> None:
    assert "all words at once" in known(asks.steps_of_recurrence("RNN", 3))[1]
    assert known(asks.steps_of_recurrence("RNN", 1)) == {}
    assert set(known(asks.numbers_handed_over(3, 5, 5))) == {15}
    assert known(asks.numbers_handed_over(1, 5, 5)) == {}
    assert set(known(asks.weights_of_alignment(3, 5))) == {3, 5}
    assert known(asks.weights_of_alignment(1, 1)) == {}


def test_heads_share_the_width_whether_they_become_more_or_fewer() -> None:
    more, fewer = asks.heads_and_parameters(4, 8, 48, 400), asks.heads_and_parameters(8, 1, 48, 400)
    assert solution(whole(more)) == solution(whole(fewer)) == "as many"
    why = {**reasons(more), **reasons(fewer)}
    assert why["800"].startswith("More heads are not more parameters")
    assert why["50"].startswith("Fewer heads are not fewer parameters")


def test_attention_of_both_is_asked_where_it_is_a_whole_number_of_times() -> None:
    assert set(known(asks.attention_of_both(10, 30))) == {2}
    assert asks.attention_of_both(10, 25) is None
    assert asks.attention_of_both(0, 0) is None


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"view": "encoder"}, "every word attends to all 11."),
        ({"view": "decoder"}, "hides 55 of 121 weights"),
        ({"view": "decoder", "mask": "prefix"}, "hides 45 of 121 weights"),
        ({"view": "recurrent", "network": "LSTM"}, "11 words are 11 steps"),
        ({"view": "recurrent", "network": "encoder–decoder"}, "through one vector of 64 numbers"),
    ],
)
def test_the_right_answer_is_the_number_of_the_sheet(link: dict[str, Any], said: str) -> None:
    page = Asked(PAGE, **link)
    first = page.questions[0]
    assert isinstance(first, Estimate)
    assert solution(first) in said
    assert said in page.sheet.answer


def test_weights_between_decoder_and_encoder_are_those_drawn() -> None:
    page = Asked(PAGE, view="encoder–decoder", part="decoder: cross-attention")
    asks_for, weights = page.questions
    assert solution(asks_for).startswith("queries of the decoder")
    assert isinstance(weights, Estimate)
    assert weights.right == page.matrix("computed").size


def test_steps_of_a_decoder_that_attends_are_those_of_its_sheet() -> None:
    page = Asked(PAGE, view="recurrent", network="with attention")
    (weights,) = page.questions
    assert isinstance(weights, Estimate)
    assert "each step of the decoder, 13 here" in page.sheet.answer.lower() or weights.right == 13 * 11


def test_parameters_are_those_of_the_table() -> None:
    page = Asked(PAGE, view="parameters", layers=3)
    heads, both = page.questions
    (table,) = page.tables
    assert f"{table.loc['queries', 'encoder']:,} parameters that make queries" in heads.text
    assert isinstance(both, Estimate)
    assert "have 3 times the attention of one" in page.prose
    assert solution(both) == "3"
