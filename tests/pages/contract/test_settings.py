"""No view speaks of a part that its setting has taken away, except to say that it is gone."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "__snapshots__" / "test_sheets"
"""The sentences of every view at its golden links, which have each value of each switch."""

GONE = re.compile(r"\b(without|no|not|instead of|would|ablation|beside|differ)\b|eq 2\d|eq 3\d", re.I)
"""A sentence with one of these says that the part is missing, compares with models that have it, or cites."""

PARTS = {
    "residual=false": re.compile(r"residual connection"),
    "mlp=false": re.compile(r"feed-forward"),
    "norm=none": re.compile(r"\blayer norms? (normalis|shift|divid|keeps|takes)"),
    "scale=false": re.compile(r"divided by √"),
    "positions=none": re.compile(r"positions? (are|is) (added|rotated)|position vectors? "),
    "mask=bidirectional": re.compile(r"under the causal mask|the words? before it alone"),
    "model=random": re.compile(r"\b(has|have) learned (?!nothing|anything)|\blearned gain"),
}
"""A setting, and words about things that it removes."""

KNOWN = ("FNLP slides say: the feed-forward layer and the softmax", "(2020) is about blocks")
"""Beginnings of sentences about the sources, or about all schemes side by side."""


def sentences(setting: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of sheets with this setting, with the link; no titles, pictures and questions."""
    name, value = setting.split("=")
    for file in GOLDEN.glob("*.txt"):
        for sheet in re.split(r"^> ", file.read_text("utf-8"), flags=re.M)[1:]:
            link, *lines = sheet.splitlines()
            if parse_qs(urlsplit(link).query).get(name) == [value]:
                said = (line for line in lines if not line.startswith(("#", "[", "?")))
                yield from ((link, one) for line in said for one in re.split(r"(?<=[.!?;])\s+", line))


@pytest.mark.parametrize("setting", PARTS)
def test_no_view_speaks_of_a_part_that_its_setting_has_taken_away(setting: str) -> None:
    said = [*sentences(setting)]
    assert len(said) > 100
    assert [
        (link, one)
        for link, one in said
        if PARTS[setting].search(one) and not GONE.search(one) and not one.startswith(KNOWN)
    ] == []
