"""Several files as one: a ZIP in which each has a name of its own and none has a path."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

README = "README.txt"

AGAIN = "The link shows the same numbers again."
NOT_AGAIN = "The link opens the same settings. What was trained or measured is not in the link."

FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The time of every file, so that the same link makes the same archive."""


def packed(files: Iterable[tuple[str, bytes]], remembered: Mapping[str, str], said: Sequence[str]) -> bytes:
    """An archive of files by their names, with a text of what is `said` and of where they come from."""
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, content in unique([(README, _readme(remembered, said)), *files]):
            archive.writestr(ZipInfo(name, FIRST_DAY), content, ZIP_DEFLATED)
    return written.getvalue()


def unique(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """The files, of which a later one of the same name gets a number: `name-2.svg`."""
    taken: set[str] = set()
    for name, content in files:
        yield free_name(name, taken), content


def free_name(name: str, taken: set[str]) -> str:
    """The name, with a number where it is taken, whatever its case; it is taken from then on."""
    path, number, found = PurePosixPath(name), 1, name
    while found.casefold() in taken:
        number += 1
        found = f"{path.stem}-{number}{path.suffix}"
    taken.add(found.casefold())
    return found


def _readme(remembered: Mapping[str, str], said: Sequence[str]) -> bytes:
    """What the archive says of itself, a line each."""
    lines = ["Figures of Attention Lab", "", *filter(None, said)]
    lines += [f"{name}: {' '.join(value.split())}" for name, value in remembered.items()]
    lines += ["", NOT_AGAIN if "moment" in remembered else AGAIN]
    return "\r\n".join(lines).encode()
