"""Baselines without reading: the accuracy that a model has to beat."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from core.learning.evaluation.phenomena import QUESTIONS, Question, evaluation_questions

N_LEARNED = 512
"""Number of training questions from which the constant answer is chosen."""

DOUBT = 2.0
"""Standard errors above its baseline within which an accuracy may still be luck."""


@cache
def baseline(name: str) -> float:
    """Return the best share of right answers without reading: by random scores or a constant answer."""
    questions = evaluation_questions(name)
    learned_from = evaluation_questions(name, n=N_LEARNED, split="train")
    return max(chance_accuracy(questions), constant_answer_accuracy(questions, learned_from=learned_from))


def chance_accuracy(questions: Sequence[Question]) -> float:
    """Return the expected share of right answers of a random choice."""
    return _mean([len(one.right) / len(one.choice or one.right | one.wrong) for one in questions])


def constant_answer_accuracy(questions: Sequence[Question], *, learned_from: Sequence[Question]) -> float:
    """Return the share of right answers if the word most often right comes first; a tie is wrong."""
    often = Counter(word for one in learned_from for word in one.right)

    def best(words: frozenset[str]) -> int:
        return max(often[word] for word in words)

    return _mean([best(one.right) > best(one.wrong) for one in questions])


def is_no_better(accuracy: float, baseline: float, *, n: int = QUESTIONS) -> bool:
    """Return whether an accuracy from `n` questions may come from guessing without reading."""
    return accuracy <= baseline + DOUBT * (baseline * (1 - baseline) / n) ** 0.5


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares)
