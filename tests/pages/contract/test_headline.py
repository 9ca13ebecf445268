"""A headline is about what the link selects: it names the layer, the head and the words."""

import re
from typing import Any

import pytest

from pages.contract.items import Control as AskedControl
from pages.contract.parameters import PARAMETERS
from tests.covering import each
from tests.pages.asked import Asked, items
from tests.pages.contract.test_every_sheet import VIEWS, opened
from tests.pages.session import readable
from words import per_cent

pytestmark = pytest.mark.usefixtures("without_real_models")

PLACES = ("layer", "head")
WORDS = tuple(
    name
    for name, one in PARAMETERS.items()
    if one.kind == "number" and (one.smallest, one.largest) == (1, None)
)
"""Parameters that select a word by its position, or a step."""

SAYS_NOTHING = {("training", "training"): "no model is trained yet"}
"""Views whose headline cannot speak of a selection, and why."""


def values(name: str, control: AskedControl) -> list[int]:
    """Some values that select something else than the view does at first."""
    one = control.parameter
    if name in PLACES:
        return [value for value in one.options if value != control.value][-2:]
    first, last = one.bounds
    return sorted({first, (first + last) // 2, last} - {control.value})


def names(name: str, value: int, control: AskedControl, headline: str) -> bool:
    """Return whether a headline names what the parameter selects."""
    if name in PLACES:
        return re.search(rf"\b{name} {value}\b", headline.lower()) is not None
    if name == "step":
        return re.search(rf"\b(?:step|word) {value}\b", headline.lower()) is not None
    return str(control.words[value - 1]).casefold() in headline.casefold()


def selecting(address: str, view: str) -> dict[str, AskedControl]:
    """Return the controls of a view that select something."""
    found = [item for item in items(opened(address, view).ask) if isinstance(item, AskedControl)]
    return {item.parameter.name: item for item in found if item.parameter.name in (*PLACES, *WORDS)}


def unnamed(address: str, view: str, **chosen: int) -> list[tuple[str, int, str]]:
    """Return the selections that the headline does not name."""
    link: dict[str, Any] = {f"{name}_" if name == "from" else name: value for name, value in chosen.items()}
    asked = Asked(address, view=view, **link)
    assert asked.warnings == []
    headline = readable(str(asked.sheet.headline))
    return [
        (name, value, headline)
        for name, value in chosen.items()
        if not names(name, value, asked.controls[name], headline)
    ]


@each(("address", "view"), VIEWS)
def test_a_headline_names_all_that_the_link_selects(address: str, view: str) -> None:
    controls = selecting(address, view)
    chosen = {name: found[-1] for name, one in controls.items() if (found := values(name, one))}
    if not chosen:
        return
    assert unnamed(address, view, **chosen) == [] or (address, view) in SAYS_NOTHING


@pytest.mark.long("a headline that forgets one selection where no other is made")
@pytest.mark.parametrize(("address", "view"), VIEWS)
def test_a_headline_names_each_selection_alone(address: str, view: str) -> None:
    controls = selecting(address, view)
    alone = [{name: value} for name, one in controls.items() for value in values(name, one)]
    wrong = [said for chosen in alone for said in unnamed(address, view, **chosen)]
    assert wrong == [] or (address, view) in SAYS_NOTHING


def test_the_number_in_the_headline_is_the_number_of_the_cell() -> None:
    asked = Asked("explorer", view="heads", layer=2, head=3, query=5, key=3)
    weight = asked.scene.pattern[4, 2]
    said = readable(str(asked.sheet.headline))
    assert "layer 2, head 3, *" in said
    assert f"gives {per_cent(float(weight))} of its attention to" in said
    assert asked.matrix("matrix")[4, 2] == pytest.approx(weight, abs=1e-6)


def test_the_share_in_the_headline_is_the_share_of_the_head_drawn() -> None:
    asked = Asked("translation", view="cross-attention", layer=2, head=1)
    said = readable(str(asked.sheet.headline))
    share = asked.table("aligned").loc["layer 2, head 1", "test sentences"]
    found = f"finds the source word of {per_cent(float(share))} of content words"
    assert said.startswith(f"Head 1 of layer 2 {found}, ")
    assert asked.picture("alignment").title.endswith("layer 2, head 1")
