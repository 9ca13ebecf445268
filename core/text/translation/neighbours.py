"""How near what a model is tested with comes to what it has learned from."""

from collections.abc import Iterable, Iterator

from core.text.language import Sentence


def with_a_neighbour(tested: Iterable[Sentence], learned: Iterable[Sentence]) -> list[bool]:
    """Whether each sentence tested has a learned one that is as long and has at most one other word.

    The time goes with the number of words in both together.
    """
    known = {gap for sentence in learned for gap in _with_a_gap(sentence.words)}
    return [any(gap in known for gap in _with_a_gap(sentence.words)) for sentence in tested]


def _with_a_gap(words: tuple[str, ...]) -> Iterator[int]:
    """A number for each way to leave one word out and keep its place: neighbours have one in common."""
    return (hash((*words[:i], None, *words[i + 1 :])) for i in range(len(words)))
