"""Every sheet says what it said: its sentences, formulas and questions, and what its pictures show in words.

`pytest tests/golden --snapshot-update` writes the texts of today into `__snapshots__/`. Review their diff
before you commit.
"""

from collections.abc import Iterator
from itertools import groupby
from urllib.parse import parse_qs, urlsplit

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from core.sources import UnavailableError
from pages.sheet import answered, lines
from tests.golden.agreement import agree
from tests.golden.links import FILE
from tests.views import PAGES


class Golden(SingleFileSnapshotExtension):
    """A text file for each view, compared as words and rounded numbers."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    def matches(self, *, serialized_data: str, snapshot_data: str) -> bool:
        return agree(serialized_data, snapshot_data)


def view_of(link: str) -> str:
    parts = urlsplit(link)
    return named(parts.path[1:], parse_qs(parts.query)["view"][0])


def named(address: str, view: str) -> str:
    """The name of the text of a view, with ASCII characters alone, as in every file system."""
    return f"{address or 'home'} {view}".replace("–", "-").replace(" ", "_")


LINKS = {view: tuple(links) for view, links in groupby(FILE.read_text("utf-8").splitlines(), view_of)}


def test_every_view_has_its_links() -> None:
    assert set(LINKS) == {named(address, view) for address, page in PAGES.items() for view in page.views}


@pytest.mark.parametrize("view", LINKS)
def test_sheet(view: str, snapshot: SnapshotAssertion) -> None:
    said = "\n".join(line for link in LINKS[view] for line in (f"> {link}", *sheet_of(link), ""))
    assert said == snapshot(extension_class=Golden)


def sheet_of(link: str) -> Iterator[str]:
    try:
        yield from lines(answered(link))
    except UnavailableError as error:
        yield f"Unavailable: {error}"
