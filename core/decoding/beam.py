"""Beam search: continue the likeliest beginnings of a sentence, and keep the whole tree."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from core.decoding.decoding import DecodingState


@dataclass(frozen=True)
class Hypothesis:
    """A word in the tree of a beam search; it stands for the sentence from the root to it.

    `parent` is None for the start. Log-probabilities are natural; only hypotheses that were `kept` among the
    best of their step, and have not `ended`, are continued.
    """

    word: int
    parent: int | None
    log_probability: float
    total: float
    depth: int
    kept: bool
    ended: bool


@dataclass(frozen=True)
class Beam:
    """The tree of a search as it grew, 0 the start; `kept` are the likeliest hypotheses, the best first."""

    tree: tuple[Hypothesis, ...]
    kept: tuple[int, ...]

    @property
    def best(self) -> int:
        """Number of the hypothesis that the search found."""
        return self.kept[0]

    def words(self, number: int) -> tuple[int, ...]:
        """Return the words of a hypothesis, without the start; with the end, if it has ended."""
        return tuple(self.tree[i].word for i in self.path(number)[1:])

    def path(self, number: int) -> tuple[int, ...]:
        """Return the numbers of the hypotheses from the start to this one."""
        parent = self.tree[number].parent
        return (*(() if parent is None else self.path(parent)), number)


def beams(
    decoding: DecodingState, *, width: int, start: int, ends: Collection[int], longest: int
) -> Iterator[Beam]:
    """Yield the tree after each word: the `width` likeliest hypotheses are continued, until all have ended.

    Probabilities are not normalised by length. `decoding` has one row; `ends` are words that end a sentence.
    """
    search = _Search([Hypothesis(start, None, 0.0, 0.0, 0, kept=True, ended=False)], width, ends)
    beam, open_ones = [0], [0]
    for _ in range(longest):
        with torch.inference_mode():
            logits, decoding = decoding.step(torch.tensor([search.tree[i].word for i in open_ones]))
            grown = search.grow(open_ones, logits.double().log_softmax(dim=-1))
            beam = search.keep_best([i for i in beam if search.tree[i].ended], grown)
            rows = {number: row for row, number in enumerate(open_ones)}
            open_ones = [i for i in beam if not search.tree[i].ended]
            if open_ones:
                decoding = decoding.select_rows(torch.tensor([rows[search.parent(i)] for i in open_ones]))
        yield Beam(tuple(search.tree), tuple(beam))
        if not open_ones:
            return


@dataclass(frozen=True)
class _Search:
    """The growing tree of a search."""

    tree: list[Hypothesis]
    width: int
    ends: Collection[int]

    def grow(self, numbers: Sequence[int], log_probabilities: torch.Tensor) -> list[int]:
        """Add the `width` likeliest words after each of these: more of one cannot be among the best."""
        first = len(self.tree)
        for number, row in zip(numbers, log_probabilities, strict=True):
            self.tree.extend(self._children(number, row))
        return list(range(first, len(self.tree)))

    def _children(self, number: int, row: torch.Tensor) -> Iterator[Hypothesis]:
        parent = self.tree[number]
        values, words = row.cpu().sort(descending=True, stable=True)
        for value, word in zip(values[: self.width].tolist(), words[: self.width].tolist(), strict=True):
            total, depth = parent.total + value, parent.depth + 1
            yield Hypothesis(word, number, value, total, depth, kept=False, ended=word in self.ends)

    def keep_best(self, ended: Sequence[int], grown: Sequence[int]) -> list[int]:
        """Return the likeliest of these, the best first, and mark those of this step as kept."""
        best = sorted((*ended, *grown), key=lambda number: -self.tree[number].total)[: self.width]
        for number in best:
            self.tree[number] = replace(self.tree[number], kept=True)
        return best

    def parent(self, number: int) -> int:
        parent = self.tree[number].parent
        assert parent is not None, "only the start has none, and it is never asked"
        return parent
