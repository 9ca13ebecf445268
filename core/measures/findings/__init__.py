"""What was measured of the collection once and for all: it comes with the app, beside the checkpoints.

`python -m core.measures.findings` measures it, after `python -m core.learning.collection` has trained.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from core.learning.collection import FOLDER, path_of
from core.learning.collection.checkpoint_store import HASH, digest

FILE = "findings.json"

Finding = list[float]


def finding(name: str, what: str, folder: Path = FOLDER) -> Finding | None:
    """What was measured of the member `name`; None unless its checkpoint is the one that was measured."""
    entry = _entries(folder).get(name, {})
    found: Finding | None = entry.get(what) if is_measured(name, folder) else None
    return found


def is_measured(name: str, folder: Path = FOLDER) -> bool:
    """Whether the checkpoint that is there is the one that was measured."""
    entry = _entries(folder).get(name)
    return entry is not None and entry[HASH] == digest(path_of(name, folder))


def write(entries: Mapping[str, Mapping[str, object]], folder: Path = FOLDER) -> None:
    """List what was measured, a line for each model."""
    lines = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries.items()]
    (folder / FILE).write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    _entries.cache_clear()


@cache
def _entries(folder: Path) -> dict[str, dict[str, Any]]:
    path = folder / FILE
    entries: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return entries
