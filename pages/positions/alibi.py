"""Linear bias: both forms side by side, and the attention weights that each slope gives by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.measures.order.verdicts import compare_mirrored
from core.measures.positions import alibi as linear
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from core.programs.positions import alibi_program
from core.sources import SOURCES, UnavailableError, load
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Footnote, Formula, Sheet, Shown, Text
from pages.controls.examples import OVEN
from pages.controls.memory import remembered
from pages.controls.weights import absent_of, missing_notes
from pages.positions import questions_of_bias as asked
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.schemes import Panel, side_by_side
from viz.text import counted
from viz.theme import Theme
from viz.units import distance, fraction, per_cent

WIDTH = 600
FEWEST_DISTANCES = 32
NOTE = "note: slope 1"
FORMULA = (
    r"s_{ij} = \frac{q_i\,k_j^\top}{\sqrt{d_\text{head}}} - m_h\,\lvert i - j \rvert, "
    r"\qquad m_h = 2^{-8h/H} \ \text{or}\ 1"
)
X = "words back"
ALONE = "Attention weights where all words match equally well"
BOTH_SIDES = "The bias depends on the distance of a word, not on its side"
DRAWN = 6
"""Words that somebody draws the weights of."""
WEIGHTS = (13, 8)
"""How wide the matrices are beside the curves."""


@dataclass(frozen=True)
class Found:
    """The slopes of all heads, the head chosen among them, and what reading backwards changes.

    `mirrored` has, by the name of the weights, the largest difference between the sentence and its mirror
    image; it is empty for a sentence of one word. `missing` says which model is not there.
    """

    scene: Scene
    head: int
    slopes: Sequence[float]
    mirrored: Mapping[str, float]
    missing: str

    @property
    def n_distances(self) -> int:
        """How many distances the curves have."""
        return max(FEWEST_DISTANCES, len(self.scene.words))

    @property
    def slope(self) -> float:
        """The slope of the head chosen."""
        return self.slopes[self.head]


def ask(ask: Ask, scene: Scene) -> int:
    """The head, counted from 0."""
    head: int = ask.menu("head", options=range(1, scene.switches.config.n_heads + 1))
    return head - 1


def find(scene: Scene, head: int) -> Found:
    """The slopes, and how differently the models read the sentence from its last word to its first."""
    config = replace(scene.switches.config, positions="alibi")
    slopes = linear.slopes(config.n_heads)
    if len(scene.words) < 2:
        return Found(scene, head, slopes, {}, "")
    found = {name: _mirror_difference(scene.plain, config, name) for name in SOURCES}
    mirrored = {name: amount for name, amount in found.items() if amount is not None}
    return Found(scene, head, slopes, mirrored, absent_of("trained", [config]))


@remembered()
def _mirror_difference(words: tuple[str, ...], config: ModelConfig, source: str) -> float | None:
    """How differently the two directions are read; None where there is no such model."""
    try:
        both = [load(source, config, order, 0) for order in (words, words[::-1])]
    except UnavailableError:
        return None
    return float(compare_mirrored(*both).differences.max())


def sheet(found: Found, look: Look) -> Sheet:
    """The two bias matrices, then the weights that a bias gives where nothing else decides."""
    about, mask = SCHEMES["alibi"].about, found.scene.switches.config.mask
    left, right = look.columns(WEIGHTS)
    columns = ((_matrices(found, left),), (Text(f"## {ALONE}"), _alone(found, right)))
    mirror = (Text(mirror_image(found.mirrored, mask)),) if found.mirrored else ()
    return Sheet(
        answer=answer(found.head, found.slope),
        notes=missing_notes(found.missing),
        parts=(
            Formula(FORMULA, about.source),
            Columns(columns, WEIGHTS),
            Text(told(found.n_distances, found.slopes, found.head)),
            *mirror,
            *map(Footnote, about.slips),
        ),
    )


def _matrices(found: Found, look: Look) -> Shown:
    n = len(found.scene.words)
    panels = [
        Panel(title=NOTE, matrix=linear.bias(n, linear.NOTE_SLOPE)),
        Panel(
            title=f"head {found.head + 1}: slope {fraction(found.slope)}", matrix=linear.bias(n, found.slope)
        ),
    ]
    picture = side_by_side(
        panels,
        found.scene.plain,
        title=f"Linear bias (ALiBi) added to scores, slope 1 and {fraction(found.slope)}",
        theme=look.theme,
        allowed=linear.allowed(found.scene.switches.config.mask, n),
        signed=True,
        size=look.room(WIDTH),
        listed=1,
    )
    return Shown("bias", picture)


def _alone(found: Found, look: Look) -> Shown:
    n = found.n_distances
    picture = chart(
        _weights(n, found.slopes),
        title="Attention weights by linear bias (ALiBi) alone against distance",
        x=X,
        y="attention weight",
        by="form",
        say=per_cent,
        theme=look.theme,
        within=look.width,
        colours=_colours(len(found.slopes), found.head, look.theme),
        x_title="words back from the last word",
        y_title="attention weight",
        x_ticks={float(at): str(at) for at in range(0, n + 1, 8 * -(-n // 64))},
        y_ticks={0.0: "0 %", 0.25: "25 %", 0.5: "50 %"},
        height=290,
    )
    return Shown("alone", picture)


def _weights(n: int, slopes: Sequence[float]) -> pd.DataFrame:
    forms = {NOTE: linear.NOTE_SLOPE} | {f"head {at}": slope for at, slope in enumerate(slopes, start=1)}
    columns = [
        pd.DataFrame({"form": name, X: np.arange(n), "attention weight": linear.alone(n, slope)})
        for name, slope in forms.items()
    ]
    return pd.concat(columns, ignore_index=True)


def _colours(n_heads: int, chosen: int, look: Theme) -> dict[str, str]:
    """The note's form in the colour of the key, the chosen head in that of a choice, the others muted."""
    heads = {f"head {at + 1}": look.selection if at == chosen else look.muted for at in range(n_heads)}
    return {NOTE: look.key, **heads}


def answer(head: int, slope: float) -> str:
    """How far a head must look for the bias that slope 1 has for the next word."""
    return (
        f"In head {head + 1}, a distance of {1 / slope:.3g} words lowers a score as much as a distance of "
        "one word does at slope 1."
    )


def told(n: int, slopes: Sequence[float], head: int) -> str:
    """What the slopes alone give the last of `n` words."""
    note, own = linear.alone(n, linear.NOTE_SLOPE), linear.alone(n, slopes[head])
    listed = ", ".join(map(fraction, slopes))
    of_heads = (
        f"1 head the slope is {listed}, which is not"
        if len(slopes) == 1
        else f"{counted(len(slopes), 'head')} the slopes are {listed}; none of them is"
    )
    return (
        f"If all {n} words matched equally well, the last word would give itself an attention weight of "
        f"{per_cent(note[0])} at slope 1 and of {per_cent(own[0])} in head {head + 1}. With {of_heads} "
        "learned."
    )


def mirror_image(mirrored: Mapping[str, float], mask: str) -> str:
    """Whether the models tell the sentence from the same words in reverse."""
    listed = " and ".join(f"{distance(amount)} with {name} weights" for name, amount in mirrored.items())
    differs = f"the largest difference in any weight or dimension of an output is {listed}"
    if not MASKS[mask].hides:
        return (
            f"**Mirror image.** {BOTH_SIDES}, so without a mask ALiBi cannot tell this sentence from the "
            f"same words in reverse: {differs}, which is rounding error."
        )
    return (
        f"**Mirror image.** {BOTH_SIDES}. Here the {mask} mask alone tells this sentence from the same words "
        f"in reverse: {differs}. Choose *bidirectional* to remove this cue."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a bias alone makes of equal scores, and which head looks furthest."""
    weights = list(map(float, linear.alone(DRAWN, found.slope)))
    return (
        asked.weights_by_bias_alone(found.head, found.slope, weights),
        asked.head_that_looks_furthest(found.slopes),
    )


def program(found: Found) -> Program:
    """A program for the two matrices."""
    return Program(lambda: alibi_program(found.scene.plain, found.scene.switches.config, found.head))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    sentence=OVEN,
    switches=frozenset({"mask", "heads"}),
    defaults={"positions": "alibi"},
)
