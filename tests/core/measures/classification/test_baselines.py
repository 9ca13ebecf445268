"""What the test reviews give away is counted among the reviews that accuracies are about."""

import pytest

from core.learning.collection import MEMBERS
from core.learning.collection.classifiers import classifiers
from core.learning.evaluation.classification import KINDS, QUESTIONS, SEEN, asked_about
from core.measures.classification import reviews as baselines
from core.measures.classification.reviews import (
    BY_LAST_OPINION,
    COUNTS,
    MAJORITY,
    NEAR_TO_TRAINING,
    ONE_OF_ALL,
    counted,
    shares,
)
from core.measures.findings import finding


@pytest.mark.parametrize("what", [BY_LAST_OPINION, MAJORITY])
def test_what_comes_with_the_app_is_what_is_counted_of_the_kinds_seen(what: str) -> None:
    found = finding(ONE_OF_ALL, what)
    assert found is not None
    assert len(found) == len(KINDS)
    assert found[KINDS.index(SEEN)] == COUNTS[what](asked_about(SEEN))


@pytest.mark.long("it draws test reviews of the last kind and the whole training for it")
@pytest.mark.parametrize("what", COUNTS)
def test_what_comes_with_the_app_is_what_is_counted(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baselines, "KINDS", KINDS[-1:])
    found = finding(ONE_OF_ALL, what)
    assert found is not None
    assert [found[-1]] == counted(what)


def test_of_the_kinds_seen_some_reviews_are_near_to_training_and_of_combinations_held_out_none() -> None:
    near = {kind: one.value * QUESTIONS for kind, one in shares(NEAR_TO_TRAINING).items()}
    assert 0 < near[SEEN] < QUESTIONS
    assert near["although + negation"] == near["but + intensifier"] == 0


def test_where_nothing_comes_with_the_app_it_is_counted_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baselines, "finding", lambda name, what: None)
    monkeypatch.setattr(baselines, "asked_about", lambda kind: kind)
    monkeypatch.setattr(baselines, "COUNTS", {MAJORITY: lambda kind: KINDS.index(kind) + 300})
    assert [one.value for one in shares(MAJORITY).values()] == [
        (300 + at) / QUESTIONS for at in range(len(KINDS))
    ]


def test_all_classifiers_learn_from_the_same_reviews() -> None:
    recipes = [MEMBERS[name].recipe for name in classifiers()]
    assert len({(recipe.seed, recipe.steps, recipe.batch_size) for recipe in recipes}) == 1
