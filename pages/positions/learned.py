"""A learned table: how far training has turned its vectors, and which ones it has not reached."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.learning.collection import name_of
from core.measures.positions.schemes import LearnedTable, learned_table
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.models import Transformer
from core.programs import Call
from core.sources.trained import load_member, record_of_member
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, is_near
from pages.contract.sheet import PicturePart, Program
from pages.positions.any_scheme import SchemeAdditions, SchemeEffect, SchemeViewOptions
from viz.curves import Curves

REACH = "training ends here"
X, Y = "position", "degrees"
WITHOUT_GRADIENT: dict[str, str] = {
    "next word": "the longest training sentence has {longest} words, "
    "and nothing is predicted at its last word",
    "masked word": "no training sentence is that long",
}
"""Reasons why the rest of the table has no gradient, by the task; `{longest}` is a number of words."""


@cached_for_all()
def table_of(config: ModelConfig) -> LearnedTable:
    """Return the table of the model trained with learned positions and the mask, heads and norm of `config`.

    Raises UnavailableError if it is not there.
    """
    name = name_of(replace(config, positions="learned"))
    model = load_member(name)
    assert isinstance(model, Transformer), "the collection says so"
    return learned_table(model, seed=record_of_member(name).recipe.seed)


def more(ask: Ask, entering: SchemeEffect) -> SchemeAdditions:
    """Show how far training has turned each vector."""
    config = entering.scene.switches.config
    table = table_of(config)
    turned, reach = table.turned(), table.reach
    return SchemeAdditions(
        headline=headline(reach, len(turned)),
        heading="Angle between each vector before training and after it",
        parts=(_turned(turned[: entering.n], reach),),
        says=explanation(reach, len(turned), mask=config.mask),
        borders={REACH: reach},
        questions=lambda: (
            untrained_row_question(reach, turned.tolist()),
            beyond_table_question(len(turned)),
        ),
        program=lambda: Program.calling(
            "The learned vector of each position, after training.",
            learned_table,
            Call(load_member, name_of(replace(config, positions="learned"))),
            seed=record_of_member(name_of(replace(config, positions="learned"))).recipe.seed,
            shows=(f".after[:{entering.n}]",),
            prints="the learned vector of each position",
        ),
    )


def _turned(turned: np.ndarray, reach: int) -> PicturePart:
    n = len(turned)
    picture = Curves(
        rows=pd.DataFrame({"curve": "angle", X: np.arange(1, n + 1), Y: turned}),
        title="Angle between position vectors before and after training",
        x=X,
        y=Y,
        by="curve",
        say=_degrees,
        colours={"angle": "output"},
        x_title=X,
        y_title="angle",
        mark=reach + 0.5,
        mark_name=REACH,
    )
    return PicturePart("turned", picture)


def _degrees(angle: float) -> str:
    return f"{angle:.1f}°"


def headline(reach: int, n_rows: int) -> str:
    """Say how many vectors training has turned, and where the others come from."""
    if reach == n_rows:
        return f"All {n_rows} position vectors were learned."
    rest = n_rows - reach
    first = f"first {reach} of {n_rows} position vectors were" if reach != 1 else "first position vector was"
    other = "last vector is" if rest == 1 else f"other {rest} are"
    return f"The {first} learned. The {other} still random."


def explanation(reach: int, n_rows: int, *, mask: str) -> str:
    """Say why the others have not turned, and which vectors a longer sentence gets."""
    end = f"After position {n_rows} there is no vector at all."
    if reach == n_rows:
        return end
    why = WITHOUT_GRADIENT[MASKS[mask].objective].format(longest=reach + 1)
    return (
        f"Training has not turned the vectors after position {reach}: {why}. A longer sentence has "
        f"vectors of random directions added to its later words. {end}"
    )


def untrained_row_question(reach: int, turned: Sequence[float]) -> Choose | None:
    """Ask for a row of a learned table that training has not reached; None if it has reached all.

    `turned` are the degrees by which training has turned each row.
    """
    n_rows = len(turned)
    if reach >= n_rows:
        return None
    at = (reach + n_rows + 1) // 2
    return choose(
        f"A learned table has a vector for each of {n_rows} positions. Training has turned only the first "
        f"{reach}. What is the vector of position {at}?",
        Option(
            "a random direction: training has not turned it", is_near(turned[at - 1], 0, within=1, beyond=10)
        ),
        Option(
            "a continuation of the vectors before it",
            False,
            "A learned table has no rule: each vector changes by its own gradient alone.",
        ),
        Option("all zeros", False, "It began as random numbers, and no gradient has changed its direction."),
        because=f"No gradient has reached position {at}, so training has not turned its vector.",
    )


def beyond_table_question(n_rows: int) -> Choose | None:
    """Ask which vector a position beyond the last row of a learned table gets."""
    return choose(
        f"A learned table has {n_rows} vectors. What does the word at position {n_rows + 10} get?",
        Option("no vector: the model cannot read it", True),
        Option(
            "the last vector",
            False,
            "Then two positions would be one. A table has one vector for each position.",
        ),
        Option(
            "position 10's vector again",
            False,
            "Nothing in a table repeats: its vectors are looked up, not computed.",
        ),
        because=("A formula, such as the sinusoidal one, has a vector for every position. A table ends."),
    )


LEARNED = SchemeViewOptions(
    more=more, facts={"switches": frozenset({"mask", "heads", "norm"})}, sizes=(64, 128, 256)
)
