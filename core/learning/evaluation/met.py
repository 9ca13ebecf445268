"""What training has shown: which beginnings of sentences a model has met, so that it may remember them."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from jaxtyping import Bool

from core.learning.evaluation.phenomena import Question
from core.learning.tasks.sentences import batch_of_sentences
from core.learning.training import Recipe

Words = tuple[str, ...]


def met(questions: Sequence[Question], recipe: Recipe) -> Bool[np.ndarray, "question"]:
    """Whether a training of this recipe has met the words before the place of each question, as a beginning.

    Every batch is drawn again, of the sentences that language models learn from; which of their words were
    hidden or unknown does not count. 4,000 batches of 32 take some ten seconds of a core.
    """
    beginnings = [question.words[: question.place] for question in questions]
    found = met_beginnings(beginnings, stream(recipe))
    return np.array([one in found for one in beginnings], bool)


def met_beginnings(beginnings: Collection[Words], sentences: Iterator[Words]) -> frozenset[Words]:
    """Those of the beginnings with which any of the sentences begins."""
    sought = set(beginnings)
    lengths = sorted({len(one) for one in sought})
    begun = (sentence[:n] for sentence in sentences for n in lengths if n <= len(sentence))
    return frozenset(one for one in begun if one in sought)


def stream(recipe: Recipe) -> Iterator[Words]:
    """The sentences that a training of this recipe sees, in their order."""
    for step in range(recipe.steps):
        for sentence in batch_of_sentences(recipe.seed, step, recipe.batch_size, "train"):
            yield sentence.words
