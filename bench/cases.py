"""Cases measured in the browser: on each page one control to press and the picture that changes.

A new page is a new line here. A picture that no page shows yet is a small script beside this file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from tests.browser.server import APP

HERE = Path(__file__).parent
MODELS = HERE.parent / "models"

CHART = "[data-testid=stPlotlyChart]"
STRIP = ".st-key-strip"


@dataclass(frozen=True, kw_only=True)
class Case:
    """One control on one page of one script.

    `controls` are pressed in turn, one per measurement: a single toggle, or the options of a choice.
    `controls` and `picture` are CSS selectors; the picture may be several elements. A page that `reads` gets
    another sentence before every press; on other pages every press asks for something new. `model` names the
    folder in models/ of its real model, if it has one.
    """

    name: str
    controls: tuple[str, ...]
    picture: str
    script: Path = APP
    path: str = "/explorer"
    reads: bool = True
    query: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""

    @property
    def lacks(self) -> str:
        """Reason why it cannot be measured here; empty if it can."""
        is_there = not self.model or (MODELS / self.model / "config.json").is_file()
        return "" if is_there else f"models/{self.model} is not there: make pretrained fetches it"


def toggle(name: str) -> str:
    """Return the selector of the switch whose parameter in the link is `name`."""
    return f".st-key-{name} [data-testid=stCheckbox] label"


def choice(name: str, option: str) -> str:
    """Return the selector of one option of the choice whose parameter in the link is `name`."""
    return f".st-key-{name} button:has-text('{option}')"


def step(name: str) -> str:
    """Return the selector of the button that counts `name` up, so that every press asks for something new."""
    return f".st-key-{name} [data-testid=stNumberInputStepUp]"


SENTENCES = tuple(
    f"The {who} who met the {whom} near the stores and the {what} is"
    for who, whom, what in product(("chef", "king", "boy"), ("queen", "girl"), ("street", "oven", "bread"))
)
"""Sentences of equal length, more than there are presses."""

ONE_SWITCH = Case(
    name="one switch, a line of text",
    script=HERE / "one_switch.py",
    reads=False,
    controls=(toggle("scale"),),
    picture=".st-key-answer",
)
TEXT_ONLY = Case(
    name="text only: all switches, a line of text",
    script=HERE / "text_only.py",
    controls=(toggle("scale"),),
    picture="[data-testid=stMain] [data-testid=stMarkdown]",
)
"""The page with all switches and a line of text in place of a picture."""

ONE_FIGURE = Case(
    name="one number, a figure of one bar",
    script=HERE / "one_figure.py",
    reads=False,
    controls=(step("seed"),),
    picture=CHART,
)
"""A figure on an empty page; every case is measured in turn with it, and divided by it."""

FLOORS = (ONE_SWITCH, TEXT_ONLY)
"""Lower bounds for every page of this app."""

NEW_COMBINATIONS = (
    choice("positions", "none"),
    choice("heads", "2"),
    choice("positions", "alibi"),
    choice("heads", "8"),
    choice("positions", "rotary"),
    choice("heads", "1"),
    choice("mask", "bidirectional"),
    choice("positions", "learned"),
    choice("heads", "4"),
)
"""Cases that ask one after the other for models that nobody has loaded yet."""

HEADS = tuple(choice("heads", str(n_heads)) for n_heads in (1, 2, 8, 4))

SMOLLM2 = Case(
    name="explorer, heads of SmolLM2 135M",
    query={"model": "real", "real": "smollm2-135m"},
    controls=(toggle("scale"),),
    picture=CHART,
    model="smollm2-135m",
)
"""All 270 heads of a real model over a sentence of 13 words that it has never read."""

CASES = (
    Case(name="explorer, heads", controls=(toggle("scale"),), picture=CHART),
    Case(
        name="explorer, heads, new seed",
        query={"model": "random"},
        reads=False,
        controls=(step("seed"),),
        picture=CHART,
    ),
    Case(name="explorer, another checkpoint each time", controls=NEW_COMBINATIONS, picture=CHART),
    Case(
        name="explorer, head scores",
        query={"view": "head scores", "model": "random"},
        reads=False,  # it has fixed sentences
        controls=(step("seed"),),
        picture=CHART,
    ),
    Case(
        name="explorer, lines",
        query={"drawn": "lines"},
        controls=(toggle("scale"),),
        picture=".st-key-lines",
    ),
    Case(name="explorer, compare", query={"view": "compare"}, controls=(toggle("scale"),), picture=CHART),
    SMOLLM2,
    Case(
        name="interaction distance",
        path="/interaction-distance",
        controls=(choice("mask", "causal"), choice("mask", "bidirectional")),
        picture=CHART,
    ),
    Case(
        name="order invariance",  # changing one box alone would not give another order of the same words
        path="/order-invariance",
        query={"model": "random"},
        reads=False,
        controls=(step("seed"),),
        picture=CHART,
    ),
    Case(
        name="blocks",
        path="/blocks",
        query={"view": "pre and post", "with_none": True},
        controls=(toggle("scale"),),
        picture=CHART,
    ),
    Case(
        name="architectures, encoder",
        path="/architectures",
        controls=(toggle("residual"),),
        picture=".st-key-architecture",
    ),
    Case(
        name="masking, paint",
        path="/masking",
        controls=(choice("preset", "window"), choice("preset", "causal")),
        picture=CHART,
    ),
    Case(
        name="positions, all schemes",
        path="/positions",
        controls=(choice("mask", "bidirectional"), choice("mask", "causal")),
        picture=CHART,
    ),
    Case(
        name="step by step, the strip",
        path="/step-by-step",
        controls=(toggle("scale"),),
        picture=STRIP,
    ),
    Case(
        name="step by step, soft lookup",
        path="/step-by-step",
        query={"view": "soft lookup"},
        controls=(toggle("scale"),),
        picture=CHART,
    ),
    Case(
        name="heads, how many",
        path="/heads",
        query={"view": "how many"},
        controls=(toggle("scale"),),
        picture=CHART,
    ),
    Case(
        name="translation",
        path="/translation",
        query={"translator": "LSTM"},
        reads=False,
        controls=(choice("attention", "none"), choice("attention", "dot")),
        picture=CHART,
    ),
    Case(
        name="gradients",
        path="/gradients",
        query={"reach": 50},
        reads=False,
        controls=(step("seed"),),
        picture=CHART,
    ),
    Case(
        name="generation",
        path="/generation",
        reads=False,
        controls=(choice("heads", "2"), choice("heads", "4")),
        picture=CHART,
    ),
    Case(
        name="classification",
        path="/classification",
        reads=False,
        controls=(choice("view", "flips"), choice("view", "one review")),
        picture=CHART,
    ),
    Case(name="scaling, heads", path="/scaling", query={"view": "heads"}, controls=HEADS, picture=CHART),
    Case(
        name="training, before it begins",
        path="/training",
        reads=False,
        controls=(step("seed"),),
        picture=CHART,
    ),
    Case(
        name="12 × 12 heads, 64 words",
        script=HERE / "many_heads.py",
        reads=False,
        controls=(step("seed"),),
        picture=CHART,
    ),
)

FIRST_VISITS = (
    ONE_SWITCH,
    ONE_FIGURE,
    CASES[0],
    Case(name="the future", path="/masking", query={"view": "the future"}, controls=(), picture=CHART),
    Case(
        name="length extrapolation",
        path="/positions",
        query={"view": "length extrapolation"},
        controls=(),
        picture=CHART,
    ),
)
"""Cases opened once on a fresh server; `ONE_FIGURE` is the lower bound for a page with a figure."""
