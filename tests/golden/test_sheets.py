"""Every sheet is unchanged: its sentences, formulas and questions, and the texts of its pictures.

`pytest tests/golden --snapshot-update` writes the current texts into `__snapshots__/`. Review their diff
before you commit.
"""

import json
from collections.abc import Iterator
from itertools import groupby
from urllib.parse import parse_qs, urlsplit

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from core.sources import UnavailableError
from pages.home.controls import controls_on_sheet, said
from pages.home.search import FILE as FILE_OF_CONTROLS
from pages.sheet import SheetResult, build_sheet, lines
from tests.golden.agreement import agree
from tests.golden.links import FILE
from tests.pages.codes import WITH_CODES, codes_in
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
    """Return the name of the text of a view, with only ASCII characters, for every file system."""
    return f"{address or 'home'} {view}".replace("–", "-").replace(" ", "_")


LINKS = {view: tuple(links) for view, links in groupby(FILE.read_text("utf-8").splitlines(), view_of)}


def test_every_view_has_its_links() -> None:
    assert set(LINKS) == {named(address, view) for address, page in PAGES.items() for view in page.views}


@pytest.mark.usefixtures("without_real_models")
@pytest.mark.parametrize("view", LINKS)
def test_sheet(view: str, snapshot: SnapshotAssertion) -> None:
    sheets = {link: sheet_of(link) for link in LINKS[view]}
    text = "\n".join(line for link, found in sheets.items() for line in (f"> {link}", *told(found), ""))
    assert view.startswith(WITH_CODES) or codes_in(text) == []
    assert text == snapshot(extension_class=Golden)
    assert_listed([found for found in sheets.values() if isinstance(found, SheetResult)])


def sheet_of(link: str) -> SheetResult | UnavailableError:
    try:
        return build_sheet(link)
    except UnavailableError as error:
        return error


def told(found: SheetResult | UnavailableError) -> Iterator[str]:
    yield from lines(found) if isinstance(found, SheetResult) else [f"Unavailable: {found}"]


LISTED: dict[str, list[str]] = json.loads(FILE_OF_CONTROLS.read_text("utf-8"))


def assert_listed(sheets: list[SheetResult]) -> None:
    """Check that the search among the views knows exactly the controls of a view as it opens."""
    offered = [{text for one in controls_on_sheet(found.ask) for text in said(one)} for found in sheets]
    listed = {*LISTED.get(f"{sheets[0].entry.folder}/{sheets[0].name}", offered[0])}
    assert offered[0] <= listed <= set().union(*offered), "python -m pages.home.controls lists them"
