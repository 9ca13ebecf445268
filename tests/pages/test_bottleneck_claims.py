"""What the accuracies of translators by length come to, and what their vectors carry: of both sides."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from core.learning.evaluation.translation import Share
from pages.contract.sheet import Fold, Remark
from pages.translation import bottleneck_claims as claims
from pages.translation import bottleneck_said as says
from tests.covering import each

SPANS = ((4, 6), (7, 9), (25, 34))
N = 100


def table_of(**right: Sequence[int]) -> pd.DataFrame:
    """So many right of a hundred by the number of words."""
    rows = [
        (name, (first + last) / 2, first, last, n_right, N)
        for name, counts in right.items()
        for (first, last), n_right in zip(SPANS, counts, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["model", "words", "first", "last", "right", "n"])
    return table.assign(share=table["right"] / table["n"])


def claimed(attending: Sequence[int], alone: Sequence[int]) -> str:
    return claims.claim(table_of(alone=alone, attending=attending), "attending", "alone")


def test_the_numbers_are_those_of_the_shortest_and_of_the_longest() -> None:
    assert claimed([100, 90, 70], [50, 20, 10]).startswith(
        "At 4–6 words **attending** gets 100 % of all sentences right and **alone** 50 %, a difference of "
        "50 ± 5 percentage points; at 25–34 words 70 % and 10 %, 60 ± 5."
    )
    assert "**alone** 70 %, a difference of −60 ± 5 percentage" in claimed([10, 20, 70], [70, 20, 20])
    assert "50 % and 50 %, 0 ± 7." in claimed([50, 50, 50], [50, 50, 50])


MORE, FEWER = "more sentences are right", "fewer sentences are right"
REST = "elsewhere the difference is not more than 2 standard errors."


@each(
    ("attending", "alone", "said"),
    [
        ([100, 90, 70], [50, 20, 10], f"**With attention {MORE} at every length**."),
        ([90, 50, 3], [5, 5, 1], f"**With attention {MORE} up to 7–9 words**; {REST}"),
        ([90, 90, 70], [88, 89, 10], f"**With attention {MORE} at 25–34 words**; {REST}"),
        ([50, 50, 50], [50, 48, 55], "At no length is the difference more than 2 standard errors."),
        ([10, 20, 5], [60, 90, 70], f"**With attention {FEWER} at every length**."),
        (
            [90, 50, 10],
            [50, 50, 60],
            f"**With attention {MORE} at 4–6 words, and {FEWER} at 25–34 words**; {REST}",
        ),
    ],
)
def test_where_attention_is_better_is_said_of_both_sides(
    attending: list[int], alone: list[int], said: str
) -> None:
    assert f" {said}" in claimed(attending, alone)


ALREADY = "The difference is there at 4–6 words already, so length is not its only reason."
NONE_YET = "At 4–6 words there is no clear difference."


@each(
    ("attending", "alone", "said"),
    [
        ([100, 97, 76], [48, 12, 0], f"{ALREADY} It is largest at 7–9 words: 85 ± 4 percentage points."),
        ([93, 53, 1], [0, 0, 1], f"{ALREADY} It is largest at 4–6 words: 93 ± 3 percentage points."),
        ([10, 10, 0], [60, 90, 95], ALREADY),
        ([90, 90, 80], [90, 30, 20], f"{NONE_YET} It is largest at 7–9 words: 60 ± 5 percentage points."),
        ([90, 90, 80], [90, 90, 80], NONE_YET),
    ],
)
def test_the_length_with_the_largest_difference_is_named(
    attending: list[int], alone: list[int], said: str
) -> None:
    """It need not be the longest: the difference can grow first and shrink then."""
    assert claimed(attending, alone).endswith(f" {said}")


def test_a_network_that_gets_none_right_says_nothing_about_length() -> None:
    said = "**alone** gets none right, however short, so its curve cannot say what length costs."
    assert said in claimed([93, 53, 1], [0, 0, 0])
    assert said not in claimed([93, 53, 1], [1, 0, 0])


def test_without_one_of_the_models_nothing_is_claimed() -> None:
    assert claims.claim(table_of(alone=[1, 2, 3]), "attending", "alone").startswith("One of the two")


def test_training_is_said_to_be_as_long_only_where_it_was() -> None:
    assert claims.trained({3000}).startswith("All models had 3,000 training steps. What is measured is what")
    assert claims.trained({3000, 5000}) == "The models were not trained for the same number of steps."


LESS, MORE_IN_IT = "**less with attention**", "**more with attention**"
AS_MUCH = "no more than 2 standard errors apart"
OPEN = " So whether a decoder attends does not by itself settle what its vector carries."


@each(
    ("counts", "first", "second", "ending"),
    [
        ((26, 42, 10, 30), LESS, LESS, ""),
        ((26, 42, 30, 10), LESS, MORE_IN_IT, OPEN),
        ((42, 26, 30, 10), MORE_IN_IT, MORE_IN_IT, ""),
        ((40, 42, 30, 10), AS_MUCH, MORE_IN_IT, OPEN),
        ((40, 42, 10, 11), AS_MUCH, AS_MUCH, ""),
    ],
)
def test_what_each_vector_carries_is_said_of_both_networks(
    counts: tuple[int, int, int, int], first: str, second: str, ending: str
) -> None:
    names = ("A", "a", "B", "b")
    table = table_of(**{name: [right] * 3 for name, right in zip(names, counts, strict=True)})
    assert claims.carried(table, [("A", "a"), ("B", "b")]) == (
        f"Of all content words {counts[1]} % can be told from the vector of a and {counts[0]} % from that of "
        f"A, {first}; {counts[3]} % from that of b and {counts[2]} % from that of B, {second}.{ending}"
    )


def test_only_vectors_that_are_there_are_compared() -> None:
    table = table_of(A=[1, 2, 3], a=[30, 40, 50], B=[1, 2, 3])
    assert "B" not in claims.carried(table, [("A", "a"), ("B", "b")])
    assert claims.carried(table, [("B", "b")]) == ""


def test_what_is_told_by_distance_names_the_near_the_fewest_and_the_far() -> None:
    told = claims.lost(table_of(A=[90, 20, 30], a=[80, 40, 10]), "A", "a")
    assert told == (
        "Share of content words that can be told from the vector: **a** 80 % of those just before the full "
        "stop, 10 % (the minimum) when 25–34 words follow; **A** 90 % of those just before the full stop, "
        "20 % (the minimum) when 7–9 words follow, 30 % when 25–34 follow."
    )
    assert claims.lost(table_of(), "A", "a") == ""


def test_the_answer_has_the_longest_sentences_of_both_and_without_them_the_vector_alone() -> None:
    table = table_of(alone=[48, 12, 0], attending=[100, 97, 76])
    counted = {"n_numbers": 128, "n_words": 1}
    assert claims.answer(table, "attending", "alone", **counted) == (
        "One vector of 128 numbers, for 1 word as for any other sentence: of sentences with 25–34 words "
        "alone gets 0 % right, with attention 76 %."
    )
    lacking = claims.answer(table_of(alone=[1, 2, 3]), "attending", "alone", **counted)
    assert lacking == "One vector of 128 numbers, for 1 word as for any other sentence."


def remark(fold: Fold) -> str:
    (part,) = fold.parts
    assert isinstance(part, Remark)
    return part.markdown


@pytest.mark.parametrize(
    ("n_right", "n", "near", "said", "unsaid"),
    [
        (0, 100, Share(661, 1000), ("below 3 %", "661 of 1,000 test sentences have"), ()),
        (0, 128, None, ("Where none of 128 is right", "below 2.4 %"), ("test sentences have",)),
        (1, 100, None, ("Each point is 100 sentences",), ("below",)),
    ],
)
def test_how_it_was_measured_says_what_none_right_leaves_possible(
    n_right: int, n: int, near: Share | None, said: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    told = remark(says.how_measured(table_of(alone=[n_right] * 3).assign(n=n), near))
    assert all(part in told for part in said)
    assert not any(part in told for part in unsaid)


def test_told_words_are_counted_above_one_half_and_only_of_known_content_words() -> None:
    found = {"a": np.array([0.9, 0.5, np.nan, 0.8]), "b": np.array([0.1, 0.6, np.nan, 0.8])}
    told = says.told(found, [True, True, True, False])
    assert "Told, above 50 %, of 2 content words: **a** 1; **b** 1." in told
    assert "of 1 content word: **a** 0; **b** 1." in says.told(found, [False, True, True, False])
    assert "Told" not in says.told(found, [False, False, True, False])


def test_the_change_of_contexts_is_that_from_step_to_step() -> None:
    assert "change by 1.50 on average" in says.contexts("RNN", np.array([[0.0, 0], [1, 2], [1, 5]]))
    assert "change by 0.00 on average" in says.contexts("RNN", np.array([[4.0, 2]]))


def test_the_vector_of_an_lstm_has_a_cell() -> None:
    assert "128 numbers (h and the cell), as many for 1 word as" in says.vector("LSTM", 1, 128)
    assert "64 numbers (h), as many for 9 words as" in says.vector("RNN", 9, 64)
