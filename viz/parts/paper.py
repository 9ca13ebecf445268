"""Where things stand on the paper of a figure that is drawn larger: panels grow, words around them do not."""

from collections.abc import Iterable
from dataclasses import dataclass

Span = tuple[float, float]
"""From where to where on the paper, whose edges are 0 and 1."""

WHOLE: Span = (0.0, 1.0)


@dataclass(frozen=True)
class Paper:
    """One direction of a paper that is drawn `after` pixels long in place of `before`.

    The `panels`, which lie apart and in order, share the difference by their lengths. What is between and
    beside them, words and legends, keeps its pixels.
    """

    panels: tuple[Span, ...]
    before: float
    after: float

    @property
    def growth(self) -> float:
        """How many times as long panels become."""
        inside = self.before * sum(last - first for first, last in self.panels)
        return 1 + (self.after - self.before) / inside

    def place(self, share: float) -> float:
        """Where a place of the paper before lies on the paper after, both as shares."""
        inside = sum(min(max(share, first), last) - first for first, last in self.panels)
        return (share + inside * (self.growth - 1)) * self.before / self.after


def paper(panels: Iterable[Span], before: float, after: float) -> Paper:
    """The paper with panels that may overlap; without any, or without room between them, all of it grows."""
    apart: list[Span] = []
    for first, last in sorted(panels):
        if apart and first <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(last, apart[-1][1]))
        elif last > first:
            apart.append((max(first, 0.0), min(last, 1.0)))
    found = Paper(tuple(apart) or (WHOLE,), before, after)
    return found if found.growth > 0 else Paper((WHOLE,), before, after)
