"""Files of measured numbers beside the checkpoints, verified by `SHA256SUMS`."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.learning.collection.checkpoint_store import FOLDER, AlteredError

SUMS = "SHA256SUMS"


def path_in(folder: Path, file: str) -> Path:
    """Return the path of a file."""
    return folder / file


def read_numbers(file: str, folder: Path = FOLDER) -> Mapping[str, Any]:
    """Return the content of a file by name.

    Raises FileNotFoundError, and AlteredError for a file that is not listed.
    """
    content = path_in(folder, file).read_bytes()
    if _sums(folder).get(file) != sha256(content).hexdigest():
        raise AlteredError(f"{file} does not match {SUMS}")
    found: Mapping[str, Any] = json.loads(content)
    return found


def write_numbers(file: str, numbers: Mapping[str, Any], folder: Path = FOLDER) -> None:
    """Write a file, one line for each name, and list its checksum."""
    lines = [f"{json.dumps(name)}: {json.dumps(one)}" for name, one in numbers.items()]
    content = ("{\n" + ",\n".join(lines) + "\n}\n").encode()
    path_in(folder, file).write_bytes(content)
    sums = {**_sums(folder), file: sha256(content).hexdigest()}
    text = "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))
    path_in(folder, SUMS).write_text(text, "utf-8")


def _sums(folder: Path) -> dict[str, str]:
    """Return the listed checksums by file; empty if there is no list."""
    path = path_in(folder, SUMS)
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
