"""What the project is pinned to, and what that brings along, as the packages that are installed say."""

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
"""A line of requirements, perhaps with the systems that it is for."""


def pinned(file: str) -> dict[str, str]:
    """The versions in a file of requirements, without those of the files that it includes.

    Raises ValueError for a line that pins nothing.
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
    """These packages and all that they need on this machine, with the version that is installed.

    Of a build such as `2.13.0+cpu` it is the version that was published.
    """
    found: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        try:
            found[name], needs = _installed(name)
        except PackageNotFoundError:  # for another system, or for an extra that nobody asked for
            continue
        waiting += needs
    return dict(sorted(found.items()))


@cache
def _installed(name: str) -> tuple[str, tuple[str, ...]]:
    """The version of a package and what it needs on this machine. Raises PackageNotFoundError."""
    needs = map(Requirement, requires(name) or ())
    wanted = (need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""}))
    return version(name).partition("+")[0], tuple(wanted)
