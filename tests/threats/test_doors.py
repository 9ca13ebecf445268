"""Each door of the app has a promise, and every test that it names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOORS = Path(__file__).with_name("README.md").read_text("utf-8")
THREAT_MODEL = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
WORDS_OF_A_PAGE = 600


def test_every_door_has_existing_tests() -> None:
    rows = [row.strip("| ").split(" | ") for row in DOORS.splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 20
    for door, promise, tests in rows:
        named = re.findall(r"`([^`]+)`", tests)
        assert promise, door
        assert named, door
        assert [name for name in named if not (ROOT / name).is_file()] == [], door


def test_the_threat_model_has_one_page() -> None:
    assert len(THREAT_MODEL.split()) < WORDS_OF_A_PAGE
