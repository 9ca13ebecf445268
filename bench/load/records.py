"""Measurements: one record for each act, and results of a whole class."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Record:
    """One act: its kind, its beginning (seconds of the run), its duration, and the size of the answer."""

    kind: str
    begun: float
    milliseconds: float
    n_messages: int = 0
    n_bytes: int = 0
    n_changed: int = 0


@dataclass
class Records:
    """All acts of one run, and its errors by name."""

    acts: list[Record] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)

    def milliseconds(self, *kinds: str) -> list[float]:
        """Return the milliseconds of acts of these kinds; of all kinds if none is named."""
        return [act.milliseconds for act in self.acts if not kinds or act.kind in kinds]


@dataclass
class Pictures:
    """Milliseconds until pictures were drawn: the first of a page, and the answer to a switch."""

    first: list[float] = field(default_factory=list)
    switched: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Results of one class: processor time in milliseconds, memory in megabytes.

    `pictures` are from the real browsers among the sessions.
    """

    n_sessions: int
    seconds: float
    cpu: float
    cpu_generator: float
    memory_before: float
    memory_after: float
    records: Records = field(repr=False)
    pictures: Pictures = field(default_factory=Pictures)
