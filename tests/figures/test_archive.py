"""Several files as one."""

from io import BytesIO
from zipfile import ZipFile

import pytest

from figures import export
from figures.export import AGAIN, NOT_AGAIN, File, combined_file, packed
from figures.export_pictures import ExportPicture
from figures.export_request import ExportRequest
from figures.tables import tabled
from pages.contract.sheet import Table
from tests.figures.made_up import MadeUp

REMEMBERED = {"link": "http://localhost/masking?view=paint", "version": "0.1.0", "title": "two\nlines"}


def test_every_file_is_in_it_under_a_unique_name() -> None:
    names = ("a.svg", "a.svg", "A.svg", "a.png", "README.txt")
    given = [File(name, str(number).encode()) for number, name in enumerate(names, 1)]

    with ZipFile(BytesIO(packed(given, {}, ()))) as archive:
        found = {name: archive.read(name) for name in archive.namelist()[1:]}

    assert found == {
        "a.svg": b"1",
        "a-2.svg": b"2",
        "A-3.svg": b"3",
        "a.png": b"4",
        "README-2.txt": b"5",
    }


def test_it_contains_its_provenance() -> None:
    with ZipFile(BytesIO(packed([], REMEMBERED, ["Layer norm: post"]))) as archive:
        said = archive.read("README.txt").decode().splitlines()

    assert "Layer norm: post" in said
    assert "link: http://localhost/masking?view=paint" in said
    assert "version: 0.1.0" in said
    assert "title: two lines" in said


@pytest.mark.parametrize(
    ("moment", "said"), [({}, AGAIN), ({"moment": "taken after step 3 of 9"}, NOT_AGAIN)]
)
def test_it_promises_the_same_numbers_only_if_the_link_has_them(moment: dict[str, str], said: str) -> None:
    with ZipFile(BytesIO(packed([], REMEMBERED | moment, ()))) as archive:
        lines = archive.read("README.txt").decode().splitlines()

    assert lines[-1] == said


def test_it_promises_no_same_numbers_if_one_of_its_pictures_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(export, "picture_files", lambda *given: [])
    shown, name = tabled(Table("key", "| a |\n| :-- |\n| b |")), ("masking", "paint", "key")
    one = ExportPicture("key", shown, "", REMEMBERED, name)
    measured = ExportPicture("key", shown, "", {**REMEMBERED, "moment": "measured on a CPU"}, name)
    for pictures, said in (([one, one], AGAIN), ([one, measured], NOT_AGAIN)):
        whole = combined_file(pictures, ExportRequest(link="/masking", kind="zip"), MadeUp())
        with ZipFile(BytesIO(whole.content)) as archive:
            assert archive.read("README.txt").decode().splitlines()[-1] == said


def test_the_same_files_make_the_same_archive() -> None:
    assert packed([File("a.svg", b"1")], REMEMBERED, ()) == packed([File("a.svg", b"1")], REMEMBERED, ())
