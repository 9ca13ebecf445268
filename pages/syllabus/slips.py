"""Errors in the sources, with their corrections."""

from dataclasses import dataclass
from pathlib import Path

from pages.data.entries import FOLDER, read_entries
from pages.syllabus.concepts import DOCUMENTS


@dataclass(frozen=True, kw_only=True)
class Slip:
    """An error in a source: its place, the wrong claim, and the correction.

    `says` and `truth` continue a sentence, so they have no full stop.
    """

    name: str
    place: str
    says: str
    truth: str

    def __post_init__(self) -> None:
        """Raise ValueError for a place in no document, and for texts that end a sentence."""
        if not self.place.startswith(tuple(DOCUMENTS)):
            raise ValueError(f"place must begin with one of {', '.join(DOCUMENTS)}")
        if self.says.endswith(".") or self.truth.endswith("."):
            raise ValueError("says and truth go on a sentence: they have no full stop")


def read_slips(folder: Path = FOLDER) -> dict[str, Slip]:
    """Return every slip by its name. Raises DataError for a wrong entry."""
    return read_entries(Slip, "slips.toml", folder=folder)


SLIPS = read_slips()
"""Every slip by the name that the page Sources gives it."""
