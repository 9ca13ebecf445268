"""No view speaks of a part that its setting has taken away, except to say that it is gone."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from core.sources import UnavailableError
from pages.contract.answers import LinkAnswers, parsed
from pages.contract.ask import Ask
from pages.contract.asking import scene_of
from pages.contract.items import Asked
from pages.sheet import answered
from tests.pages.words_used import said_in
from tests.views import PAGES

GONE = re.compile(r"\b(without|no|not|instead of|would|ablation|beside|differ)\b|eq 2\d|eq 3\d", re.I)
"""A sentence with one of these says that the part is missing, compares with models that have it, or cites."""

PARTS = {
    "residual=False": re.compile(r"residual connection"),
    "mlp=False": re.compile(r"feed-forward"),
    "norm=none": re.compile(r"\blayer norms? (normalis|shift|divid|keeps|takes)"),
    "scale=False": re.compile(r"divided by √"),
    "positions=none": re.compile(r"positions? (are|is) (added|rotated)|position vectors? "),
    "mask=bidirectional": re.compile(r"under the causal mask|the words? before it alone"),
    "model=random": re.compile(r"\b(has|have) learned (?!nothing|anything)|\blearned gain"),
}
"""A setting, and what is then not there to be spoken of."""

KNOWN = (
    "FNLP slides say: the feed-forward layer and the softmax",
    "(2020) is about blocks",
)
"""Beginnings of sentences about the sources, or about all schemes side by side."""


def sentences(setting: str) -> Iterator[tuple[str, str, str]]:
    """What the views say that have this switch, with their page and name."""
    name, value = setting.split("=")
    for address, page in PAGES.items():
        for view in page.views:
            link = f"/{address}?view={quote(view)}&{name}={value}"
            ask = Ask(LinkAnswers(parsed(link)[1]))
            try:
                scene_of(ask, page)
                asked = [
                    one.control.name
                    for items in ask.items.values()
                    for one in items
                    if isinstance(one, Asked)
                ]
                said = said_in(answered(link).sheet) if name in asked else []
            except UnavailableError:
                continue
            yield from ((address, view, one) for text in said for one in re.split(r"(?<=[.!?;])\s+", text))


ALWAYS = ("residual=False", "mask=bidirectional", "model=random")
"""What is looked at in every run."""


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(
            one, marks=[] if one in ALWAYS else pytest.mark.long(f"sentences that {one} makes false")
        )
        for one in PARTS
    ],
)
def test_no_view_speaks_of_a_part_that_its_setting_has_taken_away(setting: str) -> None:
    spoken = [
        said
        for said in sentences(setting)
        if PARTS[setting].search(said[-1]) and not GONE.search(said[-1]) and not said[-1].startswith(KNOWN)
    ]
    assert spoken == []
