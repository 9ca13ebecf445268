"""Cases measured in the browser: on each page one control to press and the picture that changes.

A new page is a new line here. A picture that no page shows yet is a small script beside this file.
"""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tests.browser.server import APP

HERE = Path(__file__).parent
MODELS = HERE.parent / "models"

CHART = "[data-testid=stPlotlyChart]"


@dataclass(frozen=True)
class Case:
    """One control on one page of one script.

    `controls` are pressed in turn, one per measurement: a single toggle, or the options of a choice.
    `controls` and `picture` are CSS selectors; the picture may be several elements. A page that `reads` gets
    another sentence before every press; other pages get the press alone. `model` names the
    folder in models/ of its real model, if it has one.
    """

    name: str
    link: str
    controls: tuple[str, ...] = ()
    picture: str = CHART
    reads: bool = True
    script: Path = APP
    model: str = ""

    @property
    def lacks(self) -> str:
        """Reason why it cannot be measured here; empty if it can."""
        is_there = not self.model or (MODELS / self.model / "config.json").is_file()
        return "" if is_there else f"models/{self.model} is not there: make pretrained fetches it"


def toggle(name: str) -> tuple[str]:
    """Return the selector of the switch whose parameter in the link is `name`."""
    return (f".st-key-{name} [data-testid=stCheckbox] label",)


def choices(name: str, *options: str) -> tuple[str, ...]:
    """Return the selectors of options of the choice whose parameter in the link is `name`."""
    return tuple(f".st-key-{name} button:has-text('{option}')" for option in options)


def step(name: str) -> tuple[str]:
    """Return the selector of the button that counts `name` up, so that every press asks for something new."""
    return (f".st-key-{name} [data-testid=stNumberInputStepUp]",)


SENTENCES = tuple(
    f"The {who} who met the {whom} near the stores and the {what} is"
    for who, whom, what in product(("chef", "king", "boy"), ("queen", "girl"), ("street", "oven", "bread"))
)
"""Sentences of equal length, more than there are presses."""

ONE_SWITCH = Case(
    "one switch, a line of text", "/", toggle("scale"), ".st-key-answer", False, HERE / "one_switch.py"
)
ONE_FIGURE = Case(
    "one number, a figure of one bar", "/", step("seed"), reads=False, script=HERE / "one_figure.py"
)
"""A figure on an empty page; every case is measured in turn with it, and divided by it."""

HEADS = Case("explorer, heads", "/explorer", toggle("scale"))
NEW_COMBINATIONS = tuple(
    selector
    for name, option in (
        ("positions", "none"),
        ("heads", "2"),
        ("positions", "alibi"),
        ("heads", "8"),
        ("positions", "rotary"),
        ("heads", "1"),
        ("mask", "bidirectional"),
        ("positions", "learned"),
        ("heads", "4"),
    )
    for selector in choices(name, option)
)
"""Controls that ask one after the other for models that nobody has loaded yet."""

SMOLLM2 = Case(
    "explorer, heads of SmolLM2 135M",
    "/explorer?model=real&real=smollm2-135m",
    toggle("scale"),
    model="smollm2-135m",
)
"""All 270 heads of a real model over a sentence of 13 words that it has never read."""

CASES = (
    ONE_SWITCH,
    HEADS,
    Case("explorer, heads, new seed", "/explorer?model=random", step("seed"), reads=False),
    Case("explorer, another checkpoint each time", "/explorer", NEW_COMBINATIONS),
    # Head scores have fixed sentences.
    Case("explorer, head scores", "/explorer?view=head+scores&model=random", step("seed"), reads=False),
    Case("explorer, lines", "/explorer?drawn=lines", toggle("scale"), ".st-key-lines"),
    Case("explorer, compare", "/explorer?view=compare", toggle("scale")),
    SMOLLM2,
    Case("interaction distance", "/interaction-distance", choices("mask", "causal", "bidirectional")),
    # Changing one box alone would not give another order of the same words.
    Case("order invariance", "/order-invariance?model=random", step("seed"), reads=False),
    Case("blocks", "/blocks?view=pre+and+post&with_none=true", toggle("scale")),
    Case("architectures, encoder", "/architectures", toggle("residual"), ".st-key-architecture"),
    Case("masking, paint", "/masking", choices("preset", "window", "causal")),
    Case("positions, all schemes", "/positions?model=random", step("seed"), reads=False),
    Case("step by step, the strip", "/step-by-step", toggle("scale"), ".st-key-strip"),
    Case("step by step, soft lookup", "/step-by-step?view=soft+lookup", toggle("scale")),
    Case("heads, how many", "/heads?view=how+many", toggle("scale")),
    Case("translation", "/translation?translator=LSTM", choices("attention", "none", "dot"), reads=False),
    Case("gradients", "/gradients?reach=50", step("seed"), reads=False),
    Case("generation", "/generation", choices("heads", "2", "4"), reads=False),
    Case("classification", "/classification", choices("view", "flips", "one review"), reads=False),
    Case("scaling, heads", "/scaling?view=heads", choices("heads", "1", "2", "8", "4")),
    Case("training, before it begins", "/training", step("seed"), reads=False),
    Case("12 × 12 heads, 64 words", "/", step("seed"), reads=False, script=HERE / "many_heads.py"),
)

FIRST_VISITS = (
    ONE_SWITCH,
    ONE_FIGURE,
    HEADS,
    Case("the future", "/masking?view=the+future"),
    Case("length extrapolation", "/positions?view=length+extrapolation"),
    SMOLLM2,
)
"""Cases opened on a fresh server; `ONE_FIGURE` is the lower bound for a page with a figure."""
