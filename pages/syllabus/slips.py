"""The places where a source slips, and what is true."""

from dataclasses import dataclass
from pathlib import Path

from pages.data.entries import FOLDER, read_entries
from pages.syllabus.concepts import DOCUMENTS


@dataclass(frozen=True, kw_only=True)
class Slip:
    """A slip: where a source says something that does not hold, what it says, and what is true.

    `says` and `truth` go on a sentence: they have no full stop.
    """

    name: str
    place: str
    says: str
    truth: str

    def __post_init__(self) -> None:
        """Raise ValueError for a place in no document, and for what ends a sentence."""
        if not self.place.startswith(tuple(DOCUMENTS)):
            raise ValueError(f"place must begin with one of {', '.join(DOCUMENTS)}")
        if self.says.endswith(".") or self.truth.endswith("."):
            raise ValueError("says and truth go on a sentence: they have no full stop")


def read_slips(folder: Path = FOLDER) -> dict[str, Slip]:
    """Return every slip by its name. Raises DataError for a wrong entry."""
    return read_entries(Slip, "slips.toml", folder=folder)


SLIPS = read_slips()
"""Every slip by the name that the page Sources gives it."""
