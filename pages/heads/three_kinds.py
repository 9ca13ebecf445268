"""Three kinds: standard, narrow and wide heads, their matrices to scale, their parameters and operations."""

from dataclasses import dataclass

import pandas as pd

from core.learning.collection.members import HEADS
from core.measures.heads.head_kinds import distance_to_torch, kinds_table
from core.programs.heads import kinds_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Footnote, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.heads.questions import KINDS, kinds_in_order, parameters_of_heads
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.head_blocks import Kind, head_blocks
from viz.theme import Theme
from viz.units import distance, magnitude_ticks

AT_LEAST = 560
"""Pixels in which the matrices of eight heads can be told apart and their shapes be read."""


@dataclass(frozen=True)
class Choices:
    """The width of the vectors, and how many words there are."""

    d: int
    n: int


@dataclass(frozen=True)
class Found:
    """What a layer of each kind costs, by `kinds_table`, and how far our standard heads are from torch's."""

    choices: Choices
    n_heads: int
    table: pd.DataFrame
    from_torch: float

    @property
    def own(self) -> pd.DataFrame:
        """The rows of the chosen number of heads, by their kind."""
        return self.table[self.table["heads"] == self.n_heads].set_index("kind")


def ask(ask: Ask, scene: Scene) -> Choices:
    """The width and the number of words."""
    return Choices(ask.menu("d_model", width=180), ask.menu("n", width=180))


def find(scene: Scene, choices: Choices) -> Found:
    """The costs for every number of heads."""
    n_heads = scene.switches.config.n_heads
    return Found(choices, n_heads, _table(choices.d, choices.n), _distance(choices.d, n_heads))


@remembered()
def _table(d: int, n: int) -> pd.DataFrame:
    return kinds_table(HEADS, d_model=d, n_words=n)


@remembered()
def _distance(d: int, n_heads: int) -> float:
    return distance_to_torch(d_model=d, n_heads=n_heads)


def sheet(found: Found, look: Look) -> Sheet:
    """The matrices to scale; below them, parameters and operations for every number of heads."""
    d, n = found.choices.d, found.choices.n
    column, _ = look.columns((1, 1))
    return Sheet(
        answer=_answer(found.own["parameters"], found.n_heads),
        parts=(
            _matrices(found, look),
            Columns(
                (
                    (_costs(found, "parameters", f"parameters of one layer, d = {d}", column),),
                    (_costs(found, "operations", f"operations on {n:,} words", column),),
                )
            ),
            Text(_explanation(found.from_torch)),
            Footnote("E6"),
        ),
    )


def _matrices(found: Found, look: Look) -> Shown:
    own, kinds = found.own, []
    for name, matrix in own["matrix"].items():
        height, width = map(int, matrix.split(" × "))
        kinds.append(Kind(name=str(name), shape=(height, width), n_heads=found.n_heads))
    picture = head_blocks(
        kinds,
        d_model=found.choices.d,
        theme=look.theme,
        size=look.room(at_least=AT_LEAST),
        table=lambda: own,
    )
    return Shown("blocks", picture)


def _colours(theme: Theme) -> dict[str, str]:
    return {"standard": theme.query, "narrow": theme.value, "wide": theme.key}


def _costs(found: Found, what: str, title: str, look: Look) -> Shown:
    """One kind of cost against the number of heads, both on logarithmic axes."""
    picture = chart(
        found.table,
        title=f"{title.partition(', ')[0].capitalize()} against number of heads",
        x="heads",
        y=what,
        by="kind",
        theme=look.theme,
        within=look.width,
        colours=_colours(look.theme),
        x_title="number of heads k",
        y_title=title,
        x_ticks={float(k): str(k) for k in HEADS},
        y_ticks=magnitude_ticks(found.table[what]),
        log=True,
        mark=found.n_heads,
        mark_name=f"k = {found.n_heads}",
    )
    return Shown(what, picture)


def _answer(parameters: pd.Series, n_heads: int) -> str:
    """What the three kinds cost for the number of heads chosen."""
    standard, narrow, wide = (parameters[kind] for kind in ("standard", "narrow", "wide"))
    return (
        f"Standard heads have {standard:,} parameters at k = {n_heads} as at every other k, narrow heads "
        f"{narrow:,} and wide heads {wide:,}."
    )


def _explanation(from_torch: float) -> str:
    """What each kind sees of a vector, and what ours was compared with."""
    return (
        "**Standard heads cost the same however many there are**: each has four matrices, for queries, keys, "
        "values and its part of the output. All are d × d/k, so that k heads have 4 × k × d × d/k = 4d² "
        "parameters. A narrow head sees only its own slice of the vector; a wide head keeps all d "
        "dimensions. Our standard heads and torch's `nn.MultiheadAttention` with the same weights differ by "
        f"at most {distance(from_torch)}."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """Whether more heads are more parameters, and the three kinds by theirs."""
    of_kind = found.table[found.table["kind"] == "standard"].set_index("heads")["parameters"]
    standard = {int(heads): int(count) for heads, count in of_kind.items()}
    own = {kind: int(found.own["parameters"][kind]) for kind in KINDS}
    return parameters_of_heads(standard, found.choices.d), kinds_in_order(own, found.n_heads)


def program(found: Found) -> Program:
    """The costs."""
    d, n = found.choices.d, found.choices.n
    return Program(lambda: kinds_program(d_model=d, n_heads=found.n_heads, n_words=n))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    switches=frozenset({"heads"}),
)
