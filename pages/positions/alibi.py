"""Linear bias: the attention weights that each slope alone gives."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.measures.positions import schemes as linear
from core.programs import render_program
from pages.contract.ask import Ask
from pages.contract.question import Choose, Sketch
from pages.contract.question_builders import choose_largest, sketch
from pages.contract.sheet import PicturePart, Program
from pages.positions.any_scheme import OFFSET, SchemeAdditions, SchemeEffect, SchemeViewOptions
from viz.curves import Curves
from viz.theme import Role
from words import counted, fraction, per_cent

NOTE = "with slope 1"
WEIGHT = "attention weight"
DRAWN = 6
"""Number of words whose weights a reader draws."""


def more(ask: Ask, entering: SchemeEffect) -> SchemeAdditions:
    """Show the weights that a bias gives if nothing else counts."""
    config, head, n = entering.scene.switches.config, entering.head, entering.n
    slopes = linear.slopes(config.n_heads)
    alone = list(map(float, linear.weights_by_bias_alone(DRAWN, slopes[head])))
    ahead = entering.shown.shape[1] - 1 - entering.query
    return SchemeAdditions(
        headline=f"In head {head + 1}, a score falls by {fraction(slopes[head])} for each word of distance.",
        heading="Attention weights where all words match equally well",
        parts=(_alone(n, slopes, head),),
        says=explanation(n, slopes, head),
        alone=True,
        questions=lambda: (
            weights_by_bias_alone(head, slopes[head], alone),
            head_that_looks_furthest(slopes),
        ),
        program=lambda: Program(
            lambda: render_program(
                "alibi",
                "ALiBi: how much each head adds to a score, by the words from the query to the key.",
                n=entering.shown.shape[1],
                ahead=ahead,
                n_heads=config.n_heads,
            )
        ),
    )


def _alone(n: int, slopes: Sequence[float], head: int) -> PicturePart:
    forms = {NOTE: linear.NOTE_SLOPE} | {f"head {at}": slope for at, slope in enumerate(slopes, start=1)}
    table = pd.concat(
        [
            pd.DataFrame(
                {"form": name, OFFSET: -np.arange(n), WEIGHT: linear.weights_by_bias_alone(n, slope)}
            )
            for name, slope in forms.items()
        ],
        ignore_index=True,
    )
    picture = Curves(
        rows=table,
        title="Attention weights by ALiBi alone against distance",
        x=OFFSET,
        y=WEIGHT,
        by="form",
        say=per_cent,
        colours=_colours(len(slopes), head),
        x_title="words from query to key",
        y_title=WEIGHT,
    )
    return PicturePart("alone", picture)


def _colours(n_heads: int, chosen: int) -> dict[str, Role]:
    """Return the chosen head in the colour of a choice, the others muted, and the note's form in the key's.

    The heads come first, so that each has the same dashes as in the picture beside.
    """
    heads: dict[str, Role] = {
        f"head {at + 1}": "output" if at == chosen else "muted" for at in range(n_heads)
    }
    return {**heads, NOTE: "key"}


def explanation(n: int, slopes: Sequence[float], head: int) -> str:
    """Say which weights the slopes alone give the last of `n` words."""
    note, own = (
        linear.weights_by_bias_alone(n, linear.NOTE_SLOPE),
        linear.weights_by_bias_alone(n, slopes[head]),
    )
    listed = ", ".join(map(fraction, slopes))
    of_heads = (
        f"{counted(len(slopes), 'head')} the {'slope is' if len(slopes) == 1 else 'slopes are'} {listed}"
    )
    return (
        f"With {of_heads}. If all {n} words match equally well, the last word gives itself "
        f"{per_cent(own[0])} of its attention in head {head + 1}. With a slope of 1 it would give itself "
        f"{per_cent(note[0])}."
    )


def weights_by_bias_alone(head: int, slope: float, weights: Sequence[float]) -> Sketch | None:
    """Ask for the weights that a linear bias alone gives the words before the last, the nearest last."""
    n = len(weights)
    factor = weights[1] / weights[0]
    return sketch(
        f"All {n} words of a sentence match the last one equally well. In head {head + 1} ALiBi lowers "
        f"scores by {fraction(slope)} for each word of distance. Draw the weights of the last word.",
        [f"{back} back" for back in range(n - 1, 0, -1)] + ["itself"],
        list(reversed(weights)),
        because=f"Each word back gets {factor:.3g} of the weight of the next: exp(−{fraction(slope)}).",
    )


def head_that_looks_furthest(slopes: Sequence[float]) -> Choose | None:
    """Ask which head attends furthest back by its bias; None for one head."""
    named = {f"head {at}: slope {fraction(slope)}": slope for at, slope in enumerate(slopes, start=1)}
    steepest = max(named, key=named.__getitem__, default="")
    return choose_largest(
        "Which head attends furthest back, if all words match equally well?",
        named,
        why_not={steepest: "The slope is what a score loses with each word: the largest looks least far."},
        smallest=True,
        apart=0.0,
        because="The smaller the slope, the less a distant word loses.",
    )


ALIBI = SchemeViewOptions(more=more, facts={"switches": frozenset({"mask", "heads"})})
