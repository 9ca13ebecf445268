"""Pinned packages of the project, and the packages that they need, by the metadata of the installed ones."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
APP, SERVE, DEV = "requirements.txt", "requirements-serve.txt", "requirements-dev.txt"

_PIN = re.compile(r"([\w.-]+)==([\w.+!-]+)(?:\s*;.+)?")
"""A line of requirements, with or without the systems that it is for."""


def pinned(file: str) -> dict[str, str]:
    """Return the versions in a file of requirements, without the files that it includes.

    Raises ValueError for a line that pins no version.
    """
    found: dict[str, str] = {}
    for line in (ROOT / file).read_text("utf-8").splitlines():
        said = line.partition("#")[0].strip()
        if not said or said.startswith("-r "):
            continue
        pin = _PIN.fullmatch(said)
        if pin is None:
            raise ValueError(f"{file} must pin a version with ==, got {said}")
        found[canonicalize_name(pin[1])] = pin[2]
    return found


def brought_along(names: Iterable[str]) -> dict[str, str]:
    """Return the packages and all that they need on this machine, with the installed versions.

    For a build such as `2.13.0+cpu` it is the published version.
    """
    found: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        try:
            found[name], needs = _installed(name)
        except PackageNotFoundError:  # for another system, or for an extra that is not installed
            continue
        waiting += needs
    return dict(sorted(found.items()))


@cache
def _installed(name: str) -> tuple[str, tuple[str, ...]]:
    """Return a package's version and its requirements on this machine. Raises PackageNotFoundError."""
    needs = map(Requirement, requires(name) or ())
    wanted = (need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""}))
    return version(name).partition("+")[0], tuple(wanted)
