"""What the views of Classification say, at every branch, of numbers made up for it."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from core.learning.evaluation.classification import KINDS, QUESTIONS
from core.measures.classification.baselines import LAST_OPINION
from core.measures.classification.contributions import Contributions
from core.measures.classification.flips import Flip
from core.measures.classification.verdicts import Share
from core.text.language.review_parts import held_out_kinds
from pages.classification import contributing, flipping, forgetting, one_review
from pages.classification.how_measured import what_is_asked, what_it_proves
from pages.classification.measures_said import (
    ABLATION,
    ATTENTION,
    GRADIENT,
    agreement,
    caution,
    how,
    small_ratio,
)
from pages.classification.review import UNSEEN, Review
from pages.classification.switches import BUT, EXAMPLES
from pages.contract.look import Look
from pages.contract.sheet import Notice, Shown
from tests.covering import each
from tests.pages.session import readable

LEVELS = np.zeros(2)


def review(text: str) -> Review:
    return Review(tuple(text.split()))


@each(
    ("verdicts", "said"),
    [
        ((0.25, 0.125), "All 2 classifiers call it blame: p(praise) from 0.125 to 0.250."),
        ((0.5, 0.75), "All 2 classifiers call it praise: p(praise) from 0.500 to 0.750."),
        ((0.5, 0.25), "1 of 2 classifiers calls it praise, 1 blame: p(praise) from 0.250 to 0.500."),
        ((0.5, 0.25, 1.0), "2 of 3 classifiers call it praise, 1 blame: p(praise) from 0.250 to 1.000."),
        ((0.25,), "The one classifier that is there calls it blame: p(praise) = 0.250."),
    ],
)
def test_verdicts_are_counted_on_both_sides_of_an_even_chance(verdicts: tuple[float, ...], said: str) -> None:
    assert one_review.agreement(dict(zip("ABC", verdicts, strict=False))) == said


def test_a_verdict_is_wrong_where_it_is_not_the_label_of_the_rules() -> None:
    verdicts = {"A": 0.5, "B": 0.25}
    assert one_review.mistaken("positive", verdicts) == " Wrong: B."
    assert one_review.mistaken("negative", verdicts) == " Wrong: A."
    assert one_review.mistaken("negative", {"B": 0.25}) == ""
    assert one_review.mistaken(None, verdicts) == ""


def test_the_rules_name_the_word_that_decides_and_what_training_lacked() -> None:
    assert review(BUT).by_rules() == "By the rules it is **blame**: the last opinion, *boring*, decides."
    held_out = review("the film was never dull .").by_rules()
    assert f"**praise**{UNSEEN}: the last opinion, *dull*, decides. Held out of training: " in held_out
    assert held_out.endswith("*adjective never negated*.")
    assert "There is no word of opinion" in review("the dog sleeps .").by_rules()
    assert UNSEEN not in review(EXAMPLES[-1]).by_rules()


@pytest.mark.parametrize(
    "text", ["the acting was good but the story was not boring .", "the film was not very good .", "good"]
)
def test_a_text_that_the_grammar_does_not_make_is_marked(text: str) -> None:
    assert held_out_kinds(text.split()) == ()
    said = review(text).by_rules()
    assert f"**{UNSEEN}: the last opinion" in said
    assert said.endswith("The grammar that made the reviews of training does not make this text.")


def accuracies(last_opinion: tuple[float, ...]) -> pd.DataFrame:
    shares = {"A": (0.9, 0.9, 0.8, 1.0, 0.7), LAST_OPINION: last_opinion}
    rows = [(model, kind, one) for model, of in shares.items() for kind, one in zip(KINDS, of, strict=True)]
    return pd.DataFrame(rows, columns=["model", "kind", "share"])


def test_only_where_one_word_is_enough_nothing_is_proved() -> None:
    half = dict.fromkeys(KINDS, Share(0.5, 0.1))
    said = what_it_proves(accuracies((1.0, 1.0, 0.25, 0.75, 0.5)), half)
    assert "proves no composition" not in said
    assert "it gets 100 % on *kinds seen*, 25 % on *although + negation*, 75 % on *but + intensifier*" in said
    assert "The majority-class baseline gets 50 %. Lowest" in said
    assert said.endswith("Lowest on what was held out: A on *adjective never negated*, 70 %.")
    said = what_it_proves(accuracies((1.0, 1.0, 0.25, 1.0, 0.5)), half)
    assert "On *but + intensifier* that one word is enough, so a right answer there proves no" in said


def test_neighbours_in_training_are_named_by_their_kind_or_said_to_be_none() -> None:
    near = {kind: Share(n / QUESTIONS, 0.1) for kind, n in zip(KINDS, (7, 7, 0, 0, 3), strict=True)}
    assert (
        "Training has none of them; of *kinds seen* 7 and of *adjective never negated* 3 differ from one of "
        "its reviews in one word, of *although + negation* and *but + intensifier* none does."
    ) in what_is_asked(near)


def weighed(
    ablation: list[float], *, log_odds: float = 1.5, attention: np.ndarray | None = None
) -> Contributions:
    return Contributions(log_odds, np.array(ablation), np.array([0.5, -0.25]), attention)


@each(
    ("found", "said"),
    [
        (weighed([0.5, -2.0]), "is praise, with log-odds of praise of 1.5; by ablation the word that counts"),
        (weighed([0.5, -2.0]), "counts most is *film*."),
        (weighed([2.0, -2.0]), "by ablation 2 words count most, and alike."),
        (weighed([0.0, 0.0]), "by ablation no word counts."),
        (weighed([1.0, 0.0], log_odds=0.0), "of the Transformer is praise, with log-odds of praise of 0;"),
        (weighed([1.0, 0.0], log_odds=-0.5), "of the Transformer is blame, with log-odds of praise of −0.5;"),
    ],
)
def test_the_word_that_counts_most_is_the_answer(found: Contributions, said: str) -> None:
    assert said in contributing.answer(review("the film"), found, "Transformer")


def test_each_measure_names_its_first_word_or_says_why_it_has_none() -> None:
    rows = {ABLATION: np.array([1.0, -2.0]), GRADIENT: np.array([0.5, 0.5]), ATTENTION: np.array([0.6, 0.4])}
    assert contributing.first_words(review("the film"), rows) == (
        "The word that counts most: by ablation **film**; by gradient × input none alone, 2 words are level; "
        "by attention weight **the**."
    )
    none = {ABLATION: LEVELS, GRADIENT: LEVELS}
    said = contributing.first_words(review("hello qwertz"), none)
    assert said.startswith("No word counts by ablation or gradient × input: all contributions are less than")
    said = readable(contributing.first_words(review("hello qwertz"), rows | {ABLATION: LEVELS}))
    assert "No word counts by ablation: the model reads each one as <unk>, so that" in said
    said = contributing.first_words(review("hello film"), rows | {ABLATION: LEVELS})
    assert "No word counts by ablation: all contributions are less than 0.00001, which is rounding." in said


def test_the_agreement_is_of_sizes_and_level_measures_have_none() -> None:
    one, other = np.array([1.0, -2.0, 3.0]), np.array([-3.0, 2.0, 1.0])
    assert agreement({ABLATION: one, GRADIENT: other}) == (
        "Rank agreement (Kendall's τ-b of the sizes, 1 is the same order of words, 0 no relation): ablation "
        "and gradient × input **−1.00**."
    )
    said = agreement({ABLATION: one, GRADIENT: np.zeros(3), ATTENTION: one})
    assert "ablation and attention weight **1.00**. By gradient × input all words are level" in said
    assert agreement({ABLATION: np.zeros(3), GRADIENT: np.zeros(3)}) == (
        "By ablation and gradient × input all words are level: there is no order to compare."
    )
    assert agreement({ABLATION: one[:1]}) == "One word has no order, so there is no rank agreement."


def test_what_is_said_of_attention_needs_attention() -> None:
    rows: Mapping[str, np.ndarray] = {ABLATION: LEVELS, GRADIENT: LEVELS}
    assert "The two measures ask different questions" in caution(rows)
    assert "Attention is not explanation" in caution({**rows, ATTENTION: LEVELS})
    assert "This network has no attention, so there are two measures." in how(weighed([1.0, 0.0]))
    assert "all queries of the one layer" in how(weighed([1.0, 0.0], attention=LEVELS))


@each(
    ("slope", "fall", "told"),
    [
        (1.0, 4.0, " Here the largest gradient × input is 25 % of the largest ablation."),
        (2.0, 4.0, ""),
        (3.0, 1e-5, ""),
        (3.0, 0.0, ""),
    ],
)
def test_the_slope_is_called_small_where_it_is(slope: float, fall: float, told: str) -> None:
    found = Contributions(1.0, np.array([fall / 2, -fall]), np.array([-slope, 0.0]), None)
    assert small_ratio(found) == told


def flipped(labels: tuple[str, ...], values: list[list[float]]) -> flipping.Found:
    whats = ("as typed", "+ negation", "+ intensifier")
    made = tuple(Flip(what, (what,), label) for what, label in zip(whats, labels, strict=True))
    return flipping.Found(review("good"), made, ("A", "B"), np.array(values))


VALUES = [[0.1, 0.9], [0.1, 0.3], [0.1, 0.4]]
"""The first model never moves, and is right after the change all the same; the second one turns twice."""


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (
            ("positive", "negative", "positive"),
            "1 of 2 changes turns the label round: 1 of 2 verdicts turns with it.",
        ),
        (
            ("positive", "negative", "negative"),
            "2 of 2 changes turn the label round: 2 of 4 verdicts turn with them.",
        ),
        (("positive",) * 3, "0 of 2 changes turn the label round, and 2 of 4 verdicts turn all the same."),
    ],
)
def test_only_verdicts_that_turn_are_counted_as_turned(labels: tuple[str, ...], said: str) -> None:
    assert said in flipping.answer(flipped(labels, VALUES))


def test_the_change_that_does_least_and_the_wrong_verdicts_are_told() -> None:
    told = flipping.told(flipped(("positive", "negative", "positive"), VALUES))
    assert told == (
        "The other changes turn 1 of 2 verdicts round. The change that moves the probabilities least is "
        "*+ intensifier*, by 0.250 on average: it turns 1 of 2 verdicts round. Of all 6 verdicts 3 are not "
        "those of the rules: they are outlined."
    )
    told = flipping.told(flipped(("positive", "negative", "positive"), [[0.1, 0.9], [0.9, 0.1], [0.1, 0.9]]))
    assert told.startswith("The other changes turn 0 of 2 verdicts round.")
    told = flipping.told(flipped(("negative",) * 3, [[0.1, 0.9], [0.1, 0.1], [0.1, 0.1]]))
    assert "The other changes" not in told
    assert told.endswith("Of all 6 verdicts 1 is not that of the rules: it is outlined.")
    told = flipping.told(flipped(("negative", "positive", "positive"), [[0.1, 0.1], [0.9, 0.9], [0.9, 0.8]]))
    assert "The other changes" not in told
    assert told.endswith("All 6 verdicts are those of the rules.")


def test_a_text_without_opinion_has_no_flips_and_no_program() -> None:
    found = flipping.Found(review("the dog sleeps ."), (), ("A",), np.array([]), absent="gone")
    sheet = flipping.sheet(found, Look())
    assert sheet.notes == (Notice("gone", "warning"),)
    assert sheet.parts == (Notice(flipping.NOTHING_TO_CHANGE),)
    assert flipping.program(found) is None


def places(shares: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    rows = [
        (model, after, words, share, share - 0.02, share + 0.02)
        for model, pair in shares.items()
        for after, words, share in zip((0, 6), (2.44, 60.45), pair, strict=True)
    ]
    return pd.DataFrame(rows, columns=["model", "after", "words", "share", "low", "high"])


def test_a_fall_is_told_where_it_is_more_than_its_error() -> None:
    table = places({"A": (1.0, 0.5), "B": (1.0, 0.97), "C": (0.9, 0.7)})
    no_better = "not clearly better than the majority-class baseline"
    assert forgetting.answer(table, 0.54) == (
        f"With 60 words after the one that decides: A falls from 100 % to 50 %, {no_better}; "
        "C falls from 90 % to 70 %."
    )
    assert f"C falls from 90 % to 70 %, {no_better}." in forgetting.answer(table, 0.67)
    assert no_better not in forgetting.answer(table, 0.45)
    assert forgetting.told(table) == f"No clear loss: B. {forgetting.WHY}"
    assert forgetting.told(table[table["model"] == "A"]) == forgetting.WHY
    still = table[table["model"] == "B"]
    assert forgetting.answer(still, 0.5).startswith("No classifier is clearly worse with 60 words after")
    assert forgetting.told(still) == ""


def test_an_average_that_is_worse_where_what_decides_comes_last_is_told() -> None:
    table = places({"A mean": (0.9, 1.0), "B max": (0.9, 1.0), "C mean": (0.99, 1.0)})
    said = forgetting.told(table)
    assert said == "Where what decides comes last, **A mean** has only 90 %."


def test_the_curves_are_told_in_whole_words_and_drawn_to_a_tenth() -> None:
    found = forgetting.Found(places({"A": (1.0, 0.5)}), 0.5, 100)
    (shown,) = (part for part in forgetting.sheet(found, Look()).parts if isinstance(part, Shown))
    assert (
        shown.picture.alt
        == "Accuracy against words read after the one that decides. A 100 % at 2, 50 % at 60."
    )
    assert list(shown.picture.figure.data[0].x) == [2.4, 60.4]
    assert shown.picture.table is not None
    assert list(shown.picture.table()["words"]) == [2.44, 60.45]
