"""What the guide for operators says is what there is."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from deploy.settings import Settings, variable

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "operations.md").read_text("utf-8")


@pytest.mark.parametrize("field", fields(Settings), ids=lambda field: field.name)
def test_every_setting_is_listed_with_its_default(field) -> None:
    row = re.search(rf"^\| `{variable(field.name)}` \|\s*`?([^|`]*?)`?\s*\|", GUIDE, re.MULTILINE)
    assert row is not None
    assert row[1].strip() == str(field.default)


def test_every_file_that_is_named_is_there() -> None:
    named = re.findall(r"`((?:deploy|docs|core|\.streamlit)/[^`]*)`", GUIDE)
    assert len(named) >= 4
    assert [name for name in named if not (ROOT / name).exists()] == []
