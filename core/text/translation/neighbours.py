"""How near the sentences of a test come to sentences of the training."""

from collections.abc import Iterable, Iterator

from core.text.language import Sentence


def with_a_neighbour(tested: Iterable[Sentence], learned: Iterable[Sentence]) -> list[bool]:
    """Return, for each tested sentence, whether a learned one of the same length differs in at most one word.

    The time grows with the number of words in both together.
    """
    known = {gap for sentence in learned for gap in _with_a_gap(sentence.words)}
    return [any(gap in known for gap in _with_a_gap(sentence.words)) for sentence in tested]


def _with_a_gap(words: tuple[str, ...]) -> Iterator[int]:
    """Yield a hash for each way to leave one word out and keep its place; neighbours share one."""
    return (hash((*words[:i], None, *words[i + 1 :])) for i in range(len(words)))
