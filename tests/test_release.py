"""The version of the app is the same wherever it is written."""

import re
from pathlib import Path

from figures.provenance import version

ROOT = Path(__file__).parents[1]


def test_the_newest_entry_of_the_changelog_and_the_citation_name_the_version_and_one_date() -> None:
    changelog, citation = ((ROOT / name).read_text("utf-8") for name in ("CHANGELOG.md", "CITATION.cff"))
    newest = re.search(r"^## \[([\d.]+)\] - (\S+)$", changelog, re.MULTILINE)
    cited = re.search(r"^version: (\S+)\ndate-released: (\S+)$", citation, re.MULTILINE)
    assert newest is not None
    assert cited is not None
    assert newest.groups() == cited.groups()
    assert newest[1] == version()
