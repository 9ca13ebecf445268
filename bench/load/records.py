"""What was measured: one line for each act, and what they come to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Record:
    """One act: what kind, when it began (seconds of the run), how long it took, how much came back."""

    kind: str
    begun: float
    milliseconds: float
    n_messages: int = 0
    n_bytes: int = 0
    n_changed: int = 0


@dataclass
class Records:
    """All acts of one run, and what went wrong by its name."""

    acts: list[Record] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)
    n_idle: int = 0
    n_left: int = 0

    def milliseconds(self, *kinds: str) -> list[float]:
        """How long acts of these kinds took; of all kinds where none is named."""
        return [act.milliseconds for act in self.acts if not kinds or act.kind in kinds]


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of all lie below, between two of them in proportion; not a number of none."""
    if not values:
        return float("nan")
    ranked = sorted(values)
    place = share * (len(ranked) - 1)
    below = int(place)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (place - below) * (ranked[above] - ranked[below])
