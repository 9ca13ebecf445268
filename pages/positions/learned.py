"""A learned table: which positions training has made alike, and where it has not been."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.learning.collection import name_of
from core.measures.positions.learned import LearnedTable, learned_table
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.models import Transformer
from core.model.positions import SCHEMES
from core.programs.positions import learned_program
from core.sources.trained import load_member, record_of_member
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Formula, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.positions.questions import vector_after_the_table, vector_beyond_training
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.number_map import colour_map
from viz.text import counted

LENGTHS = (32, 64, 128, 256)
LENGTH = 128
REACH = "training ends here"
X, Y = "words in", "degrees"
COSINES = "Cosine between the vectors of two positions"
ROWS = "The learned vectors, a column for each position"
ANGLES = "Angle between each vector before training and after it"
WITHOUT_GRADIENT: dict[str, str] = {
    "next word": "no training sentence predicts a word from them",
    "masked word": "no training sentence is that long",
}
"""Why the rest of the table has no gradient, by what is predicted.

Of next words that goes for the last word of the longest sentence too: no word follows it.
"""


@dataclass(frozen=True)
class Found:
    """The table of the switches before training and after it, of which the first `n` rows are shown."""

    config: ModelConfig
    table: LearnedTable
    n: int

    @property
    def borders(self) -> dict[str, float]:
        """The end of training, by the name of the line that is drawn there."""
        return {REACH: self.table.reach}

    @property
    def rest(self) -> float:
        """The largest angle in degrees of a row that training has not reached; 0 where there is none."""
        return float(self.table.turned()[self.table.reach :].max(initial=0))


def ask(ask: Ask, scene: Scene) -> int:
    """How many positions are shown."""
    n: int = ask.menu("positions_shown", options=LENGTHS, default=LENGTH, width=165)
    return n


def find(scene: Scene, n: int) -> Found:
    """The table of the trained model."""
    return Found(scene.switches.config, table_of(scene.switches.config), n)


@remembered()
def table_of(config: ModelConfig) -> LearnedTable:
    """The table of the model trained with learned positions and the mask, heads and norm of `config`.

    Raises UnavailableError where there is none.
    """
    name = name_of(replace(config, positions="learned"))
    model = load_member(name)
    assert isinstance(model, Transformer), "the collection says so"
    return learned_table(model, seed=record_of_member(name).recipe.seed)


def sheet(found: Found, look: Look) -> Sheet:
    """The cosines of all pairs of rows on the left; the rows and what training changed on the right."""
    about, (left, right) = SCHEMES["learned"].about, look.columns((1, 1))
    columns = (
        (Text(f"## {COSINES}"), _similarities(found, left)),
        (Text(f"## {ROWS}"), _rows(found, right), Text(f"## {ANGLES}"), _turned(found, right)),
    )
    reach, n_rows = found.table.reach, len(found.table.after)
    return Sheet(
        answer=answer(reach, n_rows),
        parts=(
            Formula(about.formula, about.source),
            Columns(columns),
            Text(told(reach, n_rows, rest=found.rest, mask=found.config.mask)),
        ),
    )


def _similarities(found: Found, look: Look) -> Shown:
    picture = colour_map(
        found.table.similarities(found.n),
        title="Cosine similarity of the learned vectors of two positions",
        x_title="position",
        y_title="position",
        theme=look.theme,
        height=420,
        borders=found.borders,
        word="cosine",
    )
    return Shown("similarities", picture)


def _rows(found: Found, look: Look) -> Shown:
    values = found.table.after[: found.n]
    picture = colour_map(
        values.T,
        title="Learned position vectors",
        x_title="position",
        y_title="dimension",
        theme=look.theme,
        height=200,
        borders=found.borders,
        table=lambda: _by_position(values),
    )
    return Shown("table", picture)


def _by_position(values: np.ndarray) -> pd.DataFrame:
    """A row for each position, though the picture has a column for it."""
    columns = [f"dimension {at}" for at in range(values.shape[1])]
    return pd.DataFrame(values, index=pd.RangeIndex(len(values), name="position"), columns=columns)


def _turned(found: Found, look: Look) -> Shown:
    n = found.n
    degrees = pd.DataFrame({"curve": "angle", X: np.arange(n), Y: found.table.turned()[:n]})
    picture = chart(
        degrees,
        title="Angle between position vectors before and after training",
        x=X,
        y=Y,
        by="curve",
        say=lambda value: f"{value:.1f}°",
        theme=look.theme,
        within=look.width,
        colours={"angle": look.theme.output},
        x_title="position",
        y_title="angle",
        x_ticks={float(at): str(at) for at in range(0, n + 1, n // 4)},
        y_ticks={0.0: "0°", 45.0: "45°", 90.0: "90°"},
        height=190,
    )
    return Shown("turned", picture)


def answer(reach: int, n_rows: int) -> str:
    """How many vectors training has changed, and what the others are."""
    if reach == n_rows:
        return f"Training has changed the direction of all {n_rows} vectors."
    rest = n_rows - reach
    other = "the other one is still random" if rest == 1 else f"those of the other {rest} are still random"
    return f"Training has changed the direction of the first {counted(reach, 'vector')} of {n_rows}; {other}."


def told(reach: int, n_rows: int, *, rest: float, mask: str) -> str:
    """Why the others have not changed, by up to `rest` degrees of rounding, and what a longer text gets."""
    end = f"After position {n_rows} there is no vector at all."
    if reach == n_rows:
        return end
    why = WITHOUT_GRADIENT[MASKS[mask].objective]
    return (
        f"Vectors after position {reach} have not turned, but for at most {rest:.2f}° of rounding: "
        f"{why}, so they never had a gradient. A longer sentence has random numbers added to its later "
        f"words. {end}"
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What lies beyond training, and beyond the table."""
    turned = found.table.turned().tolist()
    return vector_beyond_training(found.table.reach, turned), vector_after_the_table(len(turned))


def program(found: Found) -> Program:
    """The rows of the table."""
    return Program(lambda: learned_program(found.config, found.n))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    switches=frozenset({"mask", "heads", "norm"}),
    defaults={"positions": "learned"},
)
