"""Rank: singular values of what a head compares with, which are zero beyond its width d/k."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.measures.heads.head_counts import with_each
from core.measures.heads.ranks import FLOOR, OF, Values, values_table
from core.measures.heads.ranks import rank as rank_of
from core.model.config import ModelConfig
from core.programs.heads import rank_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Formula, Notice, Sheet, Shown, Text
from pages.controls.examples import MARIA
from pages.controls.memory import remembered
from pages.controls.parameters import options_of
from pages.controls.switches import Architecture
from pages.controls.weights import absent_of
from pages.heads.questions import rank_of_scores
from pages.heads.switches import OF_MATRICES
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import loaded, those_there
from pages.shell.scene import at_place
from viz.curves import chart
from viz.text import counted
from viz.theme import Theme

POWERS = {10.0**power: f"10{sign}" for power, sign in [(-7, "⁻⁷ ≈ 0"), (-5, "⁻⁵"), (-3, "⁻³"), (-1, "⁻¹")]}
SIZES = {**POWERS, 1.0: "1"}
ACROSS, _ = options_of("among")
OF_WEIGHTS, OF_SENTENCE = OF
HEIGHT = 310
MATRIX = {
    OF_WEIGHTS: Formula(
        r"Q K^\top, \qquad Q, K \in \mathbb{R}^{d \times d/k}",
        "CS 224N note, eq 25, with the matrices of one of k heads",
    ),
    OF_SENTENCE: Formula(
        r"S = q\,k^\top, \qquad q, k \in \mathbb{R}^{n \times d/k}",
        "CS 224N note, eq 25, where q = xQ and k = xK, of one of k heads. Here a bias vector and rotary "
        "positions act on q and k too; what follows q·k is left out",
    ),
}
"""What the rank is of, by its name."""

Words = tuple[str, ...]


@dataclass(frozen=True)
class Choices:
    """The matrix whose rank is asked for, and among which heads."""

    of: str
    among: str


@dataclass(frozen=True)
class Found:
    """Singular values by the head they are of; `missing` says why some models are not there."""

    scene: Scene
    choices: Choices
    config: ModelConfig
    values: Mapping[str, Values]
    missing: str

    @property
    def size(self) -> int:
        """Rows and columns of the matrix."""
        return self.config.d_model if self.choices.of == OF_WEIGHTS else len(self.scene.words)


def ask(ask: Ask, scene: Scene) -> Choices:
    """The matrix and the heads."""
    of = ask.choice("ranked", options=list(OF), hide_label=True)
    return Choices(of, ask.choice("among", hide_label=True))


def find(scene: Scene, choices: Choices) -> Found:
    """The singular values of every head of a model, or of one head of models with 1, 2, 4 and 8."""
    switches, is_across = scene.switches, choices.among == ACROSS
    config = scene.reading.config
    values = (_across if is_across else _every)(scene.words, switches, scene.layer, choices.of)
    missing = absent_of(switches.source, with_each(switches.config).values()) if is_across else ""
    return Found(scene, choices, config, values, missing)


@remembered()
def _values(words: Words, switches: Architecture, layer: int, of: str) -> list[Values]:
    return OF[of](loaded(words, switches), layer=layer)


def _every(words: Words, switches: Architecture, layer: int, of: str) -> dict[str, Values]:
    """Every head of the model of the switches."""
    found = _values(words, switches, layer, of)
    return {f"head {at}": values for at, values in enumerate(found, start=1)}


def _across(words: Words, switches: Architecture, layer: int, of: str) -> dict[str, Values]:
    """The first head of the models with 1, 2, 4 and 8 heads, as far as the source has them."""
    others = {n: replace(switches, config=config) for n, config in with_each(switches.config).items()}
    found = those_there(lambda other: _values(words, other, layer, of)[0], others)
    return {counted(n_heads, "head"): values for n_heads, values in found.items()}


def sheet(found: Found, look: Look) -> Sheet:
    """The singular values as curves, and the rank of each."""
    ranks = {name: rank_of(values) for name, values in found.values.items()}
    is_across = found.choices.among == ACROSS
    return Sheet(
        answer=at_place(
            found.scene.layer_place, _answer(ranks, found.choices.of, found.size, is_across=is_across)
        ),
        notes=(Notice(found.missing, "warning"),) if found.missing else (),
        parts=(
            MATRIX[found.choices.of],
            _curves(found, look),
            Text(_explanation(found.choices.of, len(found.scene.words))),
        ),
    )


def _colours(names: list[str], theme: Theme) -> dict[str, str]:
    cycle = (theme.query, theme.key, theme.value, theme.output)
    return {name: cycle[at % len(cycle)] for at, name in enumerate(names)}


def _curves(found: Found, look: Look) -> Shown:
    of, d_head, largest = found.choices.of, found.config.d_head, found.size
    ticks = sorted({1, d_head, largest, *(int(largest / 2**halved) for halved in range(1, 5))} - {0})
    picture = chart(
        values_table(found.values),
        title=f"Singular values of {of}, {_which(found)}",
        x="number",
        y="size",
        by="matrix",
        say=_share,
        theme=look.theme,
        narrow=True,  # all curves end within the axes, where a name would stand on another curve
        colours=_colours(list(found.values), look.theme),
        x_title="singular values by size",
        y_title="singular value / largest",
        x_ticks={float(at): str(at) for at in ticks},
        y_ticks=SIZES,
        log=True,
        mark=d_head,
        mark_name=f"d/k = {d_head}",
        height=HEIGHT,
    )
    return Shown("singular_values", picture)


def _which(found: Found) -> str:
    """What has a curve, as the title says it."""
    of_layer = f"layer {found.scene.layer + 1}"
    is_across = found.choices.among == ACROSS
    return f"{of_layer}, head 1, by number of heads" if is_across else f"every head of {of_layer}"


def _share(value: float) -> str:
    return "0" if value <= FLOOR else f"{value:.3g}"


def _answer(ranks: Mapping[str, int], of: str, size: int, *, is_across: bool) -> str:
    """The rank of every curve."""
    named = "with" if is_across else "in"
    told = ", ".join(f"{rank} {named} {name}" for name, rank in ranks.items())
    if len(ranks) > 1 and len(set(ranks.values())) == 1:
        told = f"{next(iter(ranks.values()))} in each {'model' if is_across else 'head'}"
    return f"{of} is {size} × {size}, and its rank is {told}."


def _explanation(of: str, n: int) -> str:
    """A sentence on the origin of the rank."""
    limit = "" if of == OF_WEIGHTS else f", and at most {n}, the number of words"
    return (
        f"Queries and keys have d/k dimensions, so the rank of {of} is at most d/k{limit}. With more heads, "
        "each head compares words in fewer dimensions."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """The rank of the last curve: of the model with the most heads, or of the last head."""
    name, values = list(found.values.items())[-1]
    config = found.config
    n_heads = int(name.split()[0]) if found.choices.among == ACROSS else config.n_heads
    return (rank_of_scores(found.choices.of, found.size, n_heads, config.d_model, rank_of(values)),)


def program(found: Found) -> Program:
    """The rank of every head."""
    of_sentence = found.choices.of == OF_SENTENCE
    return Program(lambda: rank_program(found.scene.subject, of_sentence=of_sentence))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    sentence=MARIA,
    switches=OF_MATRICES,
    about="layer",
)
