"""Each row of the threat model has a test, and every test that it names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
WORDS_OF_TWO_PAGES = 1500


def test_every_door_has_existing_tests() -> None:
    section = TEXT.partition("## Doors")[2].partition("\n## ")[0]
    rows = [row.strip("| ").split(" | ") for row in section.splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 20
    for door, promise, tests in rows:
        named = re.findall(r"`([^`]+)`", tests)
        assert promise, door
        assert named, door
        assert [name for name in named if not (ROOT / name).is_file()] == [], door


def test_it_has_two_pages() -> None:
    assert len(TEXT.split()) < WORDS_OF_TWO_PAGES
