"""The tables of the documents are parts of the reports that the measurements write."""

import re
from pathlib import Path

from tests.covering import each

ROOT = Path(__file__).parents[2]


def rows(file: Path) -> list[tuple[str, ...]]:
    """Return the rows of all tables of a page, headers included, rules not."""
    lines = re.findall(r"^\| (.*) \|$", file.read_text("utf-8"), re.MULTILINE)
    return [tuple(line.split(" | ")) for line in lines if "---" not in line]


@each("name", ["performance", "reliability"])
def test_a_row_of_numbers_is_part_of_a_row_of_a_report(name: str) -> None:
    reports = [set(row) for file in (ROOT / "bench" / "reports").glob("*.md") for row in rows(file)]
    measured = [row for row in rows(ROOT / "docs" / f"{name}.md") if re.fullmatch(r"[\d.,]+( MB)?", row[-1])]
    assert len(measured) >= 4
    assert [row for row in measured if not any(report.issuperset(row) for report in reports)] == []
