"""Search for folders with a model."""

import os
import re
from collections import deque
from pathlib import Path

DEPTH = 2
"""Number of levels below a place that are searched for folders with a model."""

MOST_SEARCHED = 2_000

CACHED, SNAPSHOTS = "models--", "snapshots"
"""Names of the folders in a cache of the hub."""

MODULE = re.compile(r"\d+_[A-Z]\w*")
"""Names of the folders that sentence-transformers adds after a model, such as `1_Pooling`."""


def folders_with_models(place: Path) -> list[Path]:
    """Return the folders with a model in a place, or a few levels below it."""
    found, ahead, n_searched = [], deque([(place, DEPTH)]), 0
    while ahead and n_searched < MOST_SEARCHED:
        folder, depth = ahead.popleft()
        n_searched += 1
        if os.path.isfile(folder / "config.json"):
            found.append(folder)
        is_cached = folder.name.startswith(CACHED)
        if is_cached or depth > 0:
            below = folder / SNAPSHOTS if is_cached else folder
            ahead.extend((one, 0 if is_cached else depth - 1) for one in _folders_in(below))
    return found


def _folders_in(folder: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    named = (name for name in names if not name.startswith(".") and not MODULE.fullmatch(name))
    return [folder / name for name in named if os.path.isdir(folder / name)]
