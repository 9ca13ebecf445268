"""What may be claimed of two shares, and where the shares by length come from."""

import pytest

from core.learning.collection import MEMBERS
from core.learning.collection.translators import recurrent_pair, translators
from core.learning.evaluation.translation import LENGTHS, SENTENCES, Share, of_length
from core.learning.training import Recipe
from core.measures.findings import __main__ as command
from core.measures.translation import vector as lengths
from core.measures.translation.vector import (
    DIFFERENT_SHORTEST,
    Difference,
    by_source_length,
    difference,
    highest_of_none,
    share_near_to_training,
    table_by_length,
    training_steps,
)
from tests.covering import each
from tests.records import record_of


def test_a_difference_has_the_errors_of_both_shares_squared_and_added() -> None:
    found = difference(Share(60, 100), Share(30, 100))
    assert found.value == pytest.approx(0.3)
    assert found.error == pytest.approx((0.6 * 0.4 / 100 + 0.3 * 0.7 / 100) ** 0.5)


@each(("value", "sign"), [(0.21, 1), (0.2, 0), (0.05, 0), (0.0, 0), (-0.05, 0), (-0.2, 0), (-0.21, -1)])
def test_only_more_than_two_standard_errors_count_on_either_side(value: float, sign: int) -> None:
    assert Difference(value, 0.1).sign == sign


def test_as_many_sentences_of_each_length_are_different_as_is_said() -> None:
    different = [len({one.words for one in some}) for some in of_length(0, SENTENCES).values()]
    assert different == [DIFFERENT_SHORTEST] + [SENTENCES] * 5


def test_steps_are_those_of_the_translators() -> None:
    config = recurrent_pair("lstm", "dot")
    records = [record_of(config, recipe=Recipe(steps=steps)) for steps in (7, 11, 7)]
    assert training_steps(records) == {7, 11}


def test_no_success_at_all_leaves_three_in_n_possible() -> None:
    """The exact bound solves (1 − p)ⁿ = 0.05."""
    assert highest_of_none(128) == pytest.approx(1 - 0.05 ** (1 / 128), rel=0.02)


def test_shares_are_those_of_the_record() -> None:
    shares = {f"sentences {a}–{b}": right / SENTENCES for right, (a, b) in enumerate(LENGTHS, start=3)}
    config = recurrent_pair("lstm", "dot")
    record = record_of(config, accuracies={**shares, "sentences": 0.5, "alignment error rate": 0.25})
    found = by_source_length(record)
    assert found == {span: Share(right, SENTENCES) for right, span in enumerate(LENGTHS, start=3)}

    table = table_by_length({"a": record, "b": record})
    assert list(table["model"]) == ["a"] * 6 + ["b"] * 6
    first = table.iloc[0]
    assert (first["words"], first["first"], first["last"], first["right"]) == (5, 4, 6, 3)
    assert first["share"] == pytest.approx(3 / 128)
    assert first["high"] - first["share"] == pytest.approx(Share(3, 128).error)
    assert first["share"] - first["low"] == pytest.approx(Share(3, 128).error)


def test_a_record_without_lengths_gives_none() -> None:
    assert by_source_length(record_of(recurrent_pair("lstm", "none"), accuracies={"sentences": 1.0})) == {}


def test_all_translators_learn_from_the_same_sentences() -> None:
    recipes = [MEMBERS[name].recipe for name in translators()]
    assert len({(recipe.seed, recipe.steps, recipe.batch_size) for recipe in recipes}) == 1


def test_what_is_near_to_training_was_counted_for_the_translators_that_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Recipe] = []

    def counted(recipe: Recipe) -> Share:
        asked.append(recipe)
        return Share(5, 7)

    monkeypatch.setattr(command, "near_to_training", counted)
    member = MEMBERS["translation-lstm-dot"]
    measure = command.measures(member)[lengths.NEAR_TO_TRAINING]
    assert measure(None) == [5, 7]
    assert asked == [member.recipe]

    shipped = share_near_to_training()
    assert shipped is not None
    assert shipped.n == 1000
    assert 0 < shipped.right < shipped.n


def test_of_other_translators_nothing_is_said_to_be_near_to_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lengths, "finding", lambda name, what: None)
    assert share_near_to_training() is None
