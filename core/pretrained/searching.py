"""Search for folders with a model, and whether an earlier search is still valid."""

import os
import re
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path

DEPTH = 2
"""Number of levels below a place that are searched for folders with a model."""

MOST_SEARCHED = 2_000

LASTS = 1.0
"""Greatest number of seconds for which a search is valid."""

STEP = 1.0
"""Seconds within which two changes of a folder may have the same time.

A search that finds a folder changed so lately does not hold.
"""

CACHED, SNAPSHOTS = "models--", "snapshots"
"""Names of the folders in a cache of the hub."""

MODULE = re.compile(r"\d+_[A-Z]\w*")
"""Names of the folders that sentence-transformers adds after a model, such as `1_Pooling`."""

State = tuple[int, int, int]


class Search:
    """The folders with a model in some places, and the states of all folders that were looked into."""

    def __init__(self, places: Iterable[Path]) -> None:
        self._begun, now = time.monotonic(), time.time_ns()
        self._states: dict[Path, State | None] = {}
        self.folders = [folder for place in places for folder in self._in(place)]
        latest = max((max(state[:2]) for state in self._states.values() if state), default=0)
        self._is_settled = latest < now - STEP * 1e9

    def holds(self) -> bool:
        """Return whether a search would find the same: no folder has changed, and little time has passed.

        The time is for a link to a file elsewhere: its folder does not change when the file comes or goes.
        """
        if not self._is_settled or time.monotonic() - self._begun > LASTS:
            return False
        return all(_state_of(folder) == state for folder, state in self._states.items())

    def _in(self, place: Path) -> list[Path]:
        found, ahead, n_searched = [], deque([(place, DEPTH)]), 0
        while ahead and n_searched < MOST_SEARCHED:
            folder, depth = ahead.popleft()
            n_searched += 1
            self._note(folder)
            if os.path.isfile(folder / "config.json"):
                found.append(folder)
            is_cached = folder.name.startswith(CACHED)
            if is_cached or depth > 0:
                below = folder / SNAPSHOTS if is_cached else folder
                self._note(below)
                ahead.extend((one, 0 if is_cached else depth - 1) for one in _folders_in(below))
        return found

    def _note(self, folder: Path) -> None:
        """Record the state of a folder, before it is searched."""
        if folder not in self._states:
            self._states[folder] = _state_of(folder)


def _state_of(folder: Path) -> State | None:
    """Return when a folder last changed, and its identity; None if it is missing."""
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _folders_in(folder: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    named = (name for name in names if not name.startswith(".") and not MODULE.fullmatch(name))
    return [folder / name for name in named if os.path.isdir(folder / name)]
