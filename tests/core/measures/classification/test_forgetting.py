"""The same reviews with the same sentences around, at every place among them; errors that are never 0."""

import math

import pytest

from core.learning.evaluation.classification import right
from core.learning.tasks.classification import AROUND
from core.measures.classification import forgetting
from core.measures.classification.forgetting import PLACES, REVIEWS, asked_about, by_place, words_after
from core.measures.classification.verdicts import share
from core.model.classifier import SequenceClassifier
from core.text.language.review_parts import held_out_kinds
from tests.core.learning.evaluation.test_classification import classifier

N = 11


def test_only_the_place_of_a_review_changes() -> None:
    for texts in zip(*asked_about(n=N), strict=True):
        assert len({tuple(sorted(text.words)) for text in texts}) == 1
        assert len({text.review.words for text in texts}) == 1
        assert held_out_kinds(texts[0].review.words) == ()
        for after, text in zip(PLACES, texts, strict=True):
            behind = text.words[text.start + len(text.review.words) :]
            assert behind.count(".") == after


def test_words_after_the_one_that_decides_are_counted() -> None:
    first = asked_about(n=1)[AROUND][0]
    assert words_after(n=1)[AROUND] == len(first.words[first.deciding :]) - 1
    assert words_after(n=N) == sorted(words_after(n=N))


def test_accuracy_by_place_is_the_share_of_right_labels_there() -> None:
    model = classifier()
    expected = [sum(right(model, texts).tolist()) / N for texts in asked_about(n=N)]
    assert by_place(model, n=N) == pytest.approx(expected)


@pytest.mark.parametrize("value", [0.0, 0.25, 1.0])
def test_the_error_is_that_of_one_more_right_and_one_more_wrong_answer(value: float) -> None:
    hits, misses = value * 8 + 1, 8 - value * 8 + 1
    variance = hits * misses / (hits + misses) ** 3
    assert share(value, 8).error == pytest.approx(math.sqrt(variance))
    assert share(value, 8).value == value


def test_a_table_has_every_model_at_every_place(noise_shelf: None, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = [place / AROUND for place in PLACES]
    monkeypatch.setattr(forgetting, "finding", lambda name, what: shares)
    made = {name: classifier().config for name in ("one", "other")}

    def measured(config: object) -> SequenceClassifier:
        raise AssertionError("it was measured again")

    table = forgetting.table_by_place(made, measured)
    assert table.groupby("model", sort=False)["share"].agg(list).to_list() == [shares] * 2
    first = table.iloc[0]
    assert first["high"] - first["share"] == pytest.approx(share(0.0, REVIEWS).error)
    assert table["words"].iloc[: len(PLACES)].tolist() == words_after()
