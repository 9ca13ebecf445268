"""Measurements of the collection that come with the app; `python -m core.measures.findings` makes them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from core.learning.collection import FOLDER, path_of
from core.learning.collection.checkpoint_store import HASH, AlteredError, digest, read_numbers, write_numbers
from core.sources import UnavailableError

FILE = "findings.json"

AGAIN = "`python -m core.measures.findings --measure` measures all of it again"

Finding = list[float]


def stored_measurement(name: str, what: str, folder: Path = FOLDER) -> Finding | None:
    """Return a stored measurement of a member, if it is of this checkpoint; raises UnavailableError."""
    entry = entries(FILE, AGAIN, folder).get(name, {})
    found: Finding | None = entry.get(what) if is_measured(name, folder) else None
    return found


def is_measured(name: str, folder: Path = FOLDER) -> bool:
    """Return whether the findings are about the present checkpoint of a member."""
    entry = entries(FILE, AGAIN, folder).get(name)
    return entry is not None and entry[HASH] == digest(path_of(name, folder))


def write(found: Mapping[str, Mapping[str, object]], folder: Path = FOLDER) -> None:
    """Write the findings by member."""
    write_numbers(FILE, found, folder)
    entries.cache_clear()


@cache
def entries(file: str, again: str, folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the numbers of each model in a file of the collection; empty without the file.

    Raises UnavailableError if the file is altered; the error names the file and the command to measure it
    `again`.
    """
    try:
        return read_numbers(file, folder)
    except FileNotFoundError:
        return {}
    except AlteredError as error:
        raise UnavailableError(
            f"The file `checkpoints/{file}` has been altered: restore it, or {again}."
        ) from error
