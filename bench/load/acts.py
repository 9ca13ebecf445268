"""Acts of a student, drawn at random: messages for the server, or None if the page lacks the control."""

from random import choice, choices, randint, random, randrange
from typing import TypeVar
from urllib.parse import urlencode

from bench.load.tab import Control, Tab

T = TypeVar("T")

TOGGLES = ("positions", "mask", "norm", "view", "drawn", "preset", "question", "classifier")
HEADS = ("layer", "head")
PICTURES = ("heads_grid", "painted", "matrix")
"""Pictures in which a click or a stroke chooses a head or a cell."""

PAGES = {
    "explorer": 12,
    "masking": 3,
    "step-by-step": 2,
    "positions": 2,
    "heads": 2,
    "order-invariance": 2,
    "interaction-distance": 1,
    "blocks": 1,
    "generation": 1,
    "classification": 1,
}
"""Pages of a class with their shares in 27."""

WIDTHS = {0: 5, 960: 2, 340: 2, 380: 1}
"""Page widths in pixels with their weights: the app's default, a laptop, and two telephones."""

WHO = ("chef", "king", "boy", "queen", "girl", "cat", "uncle")
VERBS = ("praised", "met", "studied")
WHERE = ("stores", "street", "oven", "bread", "tea")
SENTENCES = (
    "The {0} {3} the {1} near the {5}",
    "The {0} who {3} the {1} near the {5} is",
    "the {0} who {3} the {1} and the {2} {4} the {6} near the {5}",
    "The {0} near the {5} and the {1} {3} the {2} so",
)


def link() -> tuple[str, str]:
    """Return the page and the query of the link that a student opens."""
    page = _weighted(PAGES)
    return page, urlencode({"positions": "alibi"} if page == "explorer" and random() < 0.5 else {})


def width() -> int:
    """Return the width of a student's page in pixels; 0 for the app's default."""
    return _weighted(WIDTHS)


def sentence() -> str:
    """Return a sentence in words that the models know; it is likely that nobody has typed it before."""
    return choice(SENTENCES).format(*choices(WHO, k=3), *choices(VERBS, k=2), *choices(WHERE, k=2))


def toggle(tab: Tab) -> bytes | None:
    """Choose another option in a row of options."""
    return _choose(tab, [one for one in tab.named(*TOGGLES) if one.kind == "button_group"])


def head(tab: Tab) -> bytes | None:
    """Choose a layer or a head in a menu, or click at a head or a cell of a picture."""
    clicks = [(one, chart) for one in tab.named("clicks") for chart in one.options if chart in PICTURES]
    if clicks and random() < 0.5:
        return _click(tab, *choice(clicks))
    return _choose(tab, tab.named(*HEADS)) or (_click(tab, *choice(clicks)) if clicks else None)


def type_sentence(tab: Tab) -> bytes | None:
    """Type a new sentence."""
    boxes = tab.named("text")
    return tab.choose(boxes[0], sentence()) if boxes else None


def turn(tab: Tab) -> bytes | None:
    """Follow the menu to another page."""
    others = {page: n for page, n in PAGES.items() if page != tab.path and page in tab.pages}
    return tab.turn_to(_weighted(others)) if others else None


def _weighted(weights: dict[T, int]) -> T:
    return choices(list(weights), weights=list(weights.values()))[0]


def _choose(tab: Tab, controls: list[Control]) -> bytes | None:
    """Choose another option of one of these controls, if one has another."""
    others = [(one, [name for name in one.options if name not in _chosen(tab, one)]) for one in controls]
    possible = [(one, names) for one, names in others if names]
    if not possible:
        return None
    control, names = choice(possible)
    return tab.choose(control, [choice(names)] if control.field == "string_array_value" else choice(names))


def _chosen(tab: Tab, control: Control) -> list[object]:
    value = tab.value(control)
    return list(value) if isinstance(value, list) else [value]


def _click(tab: Tab, listener: Control, chart: str) -> bytes:
    """Click at a tile (column and row, from 1) or at a cell that no mask hides (key and query, from 0)."""
    if chart.startswith("heads"):
        counts = {one.name: len(one.options) for one in tab.named(*HEADS)}
        x, y = randint(1, counts.get("head", 1)), randint(1, counts.get("layer", 1))
    else:
        y = randrange(min((len(str(tab.value(box)).split()) for box in tab.named("text")), default=3) or 1)
        x = randint(0, y)
    number = randrange(10**12)
    point = {"chart": chart, "x": x, "y": y, "curve": 0, "data": None, "id": number, "stroke": number}
    return tab.trigger(listener, "points", [point])
