"""Rank: singular values of what a head compares with, which are zero beyond its width d/k."""

from dataclasses import replace

import streamlit as st

from core.measures.heads.head_counts import with_each
from core.measures.heads.ranks import FLOOR, OF, Values, values_table
from core.measures.heads.ranks import rank as rank_of
from core.programs.heads import rank_program
from core.sources import UnavailableError
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.link import choice
from pages.controls.memory import remembered
from pages.controls.parameters import options_of
from pages.controls.picture import theme
from pages.controls.switches import Architecture
from pages.controls.weights import absent_of, note_absent
from pages.shell import Program, Scene
from viz.text import counted
from viz.theme import Theme

POWERS = {10.0**power: f"10{sign}" for power, sign in [(-7, "⁻⁷ ≈ 0"), (-5, "⁻⁵"), (-3, "⁻³"), (-1, "⁻¹")]}
SIZES = {**POWERS, 1.0: "1"}
ACROSS, EVERY = options_of("among")
EQUATION = (
    r"\alpha = \text{softmax}(x_{1:n} Q K^\top x_{1:n}^\top), \qquad Q, K \in \mathbb{R}^{d \times d/k}"
)

Words = tuple[str, ...]


def rank(scene: Scene) -> Program:
    """Singular values of every head of a model, or of one head of models with 1, 2, 4 and 8."""
    with scene.row:
        of = choice("ranked", options=list(OF), notes=scene.notes, hide_label=True)
        among = choice("among", notes=scene.notes, hide_label=True)
    words, config = scene.words, scene.reading.config
    values = (_across if among == ACROSS else _every)(words, scene.switches, scene.layer, of)
    if among == ACROSS:
        note_absent(scene.notes, absent_of(scene.switches.source, with_each(scene.switches.config)))
    _picture(values, config.d_head, config.d_model if of == next(iter(OF)) else len(words), of)
    st.markdown(_told(values, config.d_model, of, len(words)))
    equation(EQUATION, "CS 224N note, eq 25, with the matrices of one of k heads")
    return Program(lambda: rank_program(scene.subject, of_sentence=of != next(iter(OF))))


@remembered(128)
def _values(words: Words, switches: Architecture, layer: int, of: str) -> list[Values]:
    return OF[of](words, switches.config, source=switches.source, seed=switches.seed, layer=layer)


def _every(words: Words, switches: Architecture, layer: int, of: str) -> dict[str, Values]:
    """Every head of the model of the switches."""
    found = _values(words, switches, layer, of)
    return {f"head {at}": values for at, values in enumerate(found, start=1)}


def _across(words: Words, switches: Architecture, layer: int, of: str) -> dict[str, Values]:
    """The first head of the models with 1, 2, 4 and 8 heads, as far as the source has them."""
    found = {}
    for config in with_each(switches.config):
        other = replace(switches, config=config)
        try:
            found[counted(config.n_heads, "head")] = _values(words, other, layer, of)[0]
        except UnavailableError:
            continue
    return found


def _colours(names: list[str], look: Theme) -> dict[str, str]:
    cycle = (look.query, look.key, look.value, look.output)
    return {name: cycle[at % len(cycle)] for at, name in enumerate(names)}


def _picture(values: dict[str, Values], d_head: int, largest: int, of: str) -> None:
    ticks = sorted({1, d_head, largest, *(int(largest / 2**halved) for halved in range(1, 5))} - {0})
    chart(
        values_table(values),
        key="singular_values",
        what=f"Singular values of {of}",
        x="number",
        y="size",
        by="matrix",
        say=_share,
        colours=_colours(list(values), theme()),
        x_title=f"singular values of {of}, the largest first",
        y_title="share of the largest",
        x_ticks={float(at): str(at) for at in ticks},
        y_ticks=SIZES,
        log=True,
        mark=d_head,
        mark_name=f"d/k = {d_head}",
        height=360,
    )


def _share(value: float) -> str:
    return "0" if value <= FLOOR else f"{value:.3g}"


def _told(values: dict[str, Values], d: int, of: str, n: int) -> str:
    """The rank of every curve, and where it comes from."""
    different = {rank_of(one) for one in values.values()}
    ranks = ", ".join(f"{name} **{rank_of(one)}**" for name, one in values.items())
    if len(different) == 1:
        ranks = f"**{different.pop()}** in each"
    size = f"{d} × {d}" if of == next(iter(OF)) else f"{n} × {n}"
    limit = "" if of == next(iter(OF)) else f", and at most {n}, the number of words"
    return (
        f"{of} is {size}, but queries and keys have d/k dimensions, so its rank is at most d/k{limit}. "
        f"Rank: {ranks}. With more heads, each head compares words in fewer dimensions."
    )
