"""All five: the same sentence, layer and head under every scheme, and where each scheme enters."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.heads.rollout import mean_over_heads
from core.analysis.positions.attention_distance import mean_distance
from core.analysis.positions.doors import door_of
from core.analysis.reading import Reading
from core.config import POSITIONS, Positions
from core.learning.weights import UnavailableError
from core.programs.positions import weights_program
from pages.controls.link import choice, menu
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import room
from pages.controls.sentence import marked
from pages.controls.switches import Architecture
from pages.controls.weights import ablation_label
from pages.shell import Program, Scene
from pages.shell.scene import reading, subject
from viz.schemes import Panel, describe_side_by_side, side_by_side
from viz.tables import unique_words

MEAN, HEAD = "mean", "one head"

COUNTING = (
    " Even *none* is not blind to order here: under the causal mask every word sees one word more than the "
    "one before it. Choose *bidirectional* to take that away."
)
STOPS = {"embed": "x", "rotate": "q k", "bias": "scores"}
"""What each door of a scheme changes, as it is written above the matrices; in the order of the way there."""

ADDS: dict[Positions, str] = {
    "none": "adds nothing",
    "learned": "+ a learned vector",
    "sinusoidal": "+ sines, cosines",
    "alibi": "− slope · distance",
    "rotary": "turns pairs",
}

WITH_VIEW = frozenset(ADDS) - {"none"}
"""The schemes that have a view of their own, under their own name."""


@dataclass(frozen=True)
class Seen:
    """The sentence under one scheme: the switches, what was read, and the weights shown of it."""

    switches: Architecture
    reading: Reading
    weights: np.ndarray


def all_five(scene: Scene) -> Program:
    """Five small matrices in one figure, and what tells them apart."""
    config = scene.switches.config
    with scene.row:
        of = choice("of", "Shown", [MEAN, HEAD], MEAN, notes=scene.notes, hide_label=True)
        layer = menu("layer", "Layer", range(1, config.n_layers + 1), 1, notes=scene.notes, width=120) - 1
        head = None
        if of == HEAD:
            head = menu("head", "Head", range(1, config.n_heads + 1), 1, notes=scene.notes, width=120) - 1
    seen = _seen(scene, layer, head)
    if scene.switches.ablations:
        scene.notes.markdown(ablation_label(scene.switches.ablations))
    scene.name_unknown(next(iter(seen.values())).reading.unknown)
    _draw(scene, seen)
    st.markdown(_told(scene, seen, of))
    return _program(scene, layer, head)


def _seen(scene: Scene, layer: int, head: int | None) -> dict[Positions, Seen]:
    """Every scheme that there is a model for. Raises UnavailableError where there is none at all."""
    found: dict[Positions, Seen] = {}
    missing: UnavailableError | None = None
    for positions in POSITIONS:
        switches = _with(scene.switches, positions)
        try:
            read = reading(scene.words, switches)
        except UnavailableError as error:
            missing = error
            continue
        weights = mean_over_heads(read.patterns())[layer] if head is None else read.pattern(layer, head)
        found[positions] = Seen(switches, read, weights)
    if missing is not None:
        if not found:
            raise missing
        absent = ", ".join(positions for positions in POSITIONS if positions not in found)
        scene.notes.warning(f"Not trained with these switches yet: {absent}.")
    return found


def _with(switches: Architecture, positions: Positions) -> Architecture:
    return replace(switches, config=replace(switches.config, positions=positions))


def _draw(scene: Scene, seen: dict[Positions, Seen]) -> None:
    panels = [_panel(positions, one) for positions, one in seen.items()]
    read = next(iter(seen.values())).reading
    allowed = read.allowed()
    labels = marked(scene.words, read.unknown)

    def open_view(point: Point) -> None:
        positions = list(seen)[point["data"]]
        if positions in WITH_VIEW:
            st.session_state["view"] = positions

    picture(
        side_by_side(panels, labels, theme=theme(), allowed=allowed, size=room()),
        key="five",
        alt=describe_side_by_side(
            panels, labels, what="The weights of one sentence under every scheme", allowed=allowed
        ),
        table=lambda: _table(scene, seen),
        on_click=open_view,
    )


def _panel(positions: Positions, one: Seen) -> Panel:
    door = door_of(positions)
    below = [ADDS.get(positions, ""), f"looks {mean_distance(one.weights):.2f} words far"]
    record = one.switches.weights.record(one.switches.config)
    if record is not None and not one.switches.ablations:
        below.append(f"loss {record.loss:.2f} nats")
    return Panel(
        title=positions,
        matrix=one.weights,
        below=tuple(line for line in below if line),
        stops=tuple(STOPS.values()),
        lit=None if door is None else list(STOPS).index(door),
    )


def _told(scene: Scene, seen: dict[Positions, Seen], of: str) -> str:
    shown = (
        "Each matrix is the mean over the heads of its layer."
        if of == MEAN
        else ("Head 1 of one model is not head 1 of another: the mean compares better.")
    )
    where = (
        "Above each matrix stands the way from a word vector **x** over queries and keys to the scores, lit "
        "where the scheme enters. Click a matrix to look into its scheme."
    )
    if not scene.switches.weights.trained:
        return (
            f"{where} The weights are the same random numbers in all five: what differs is the scheme alone."
        )
    return (
        f"{where} Five models, each trained with its scheme on the same sentences; the loss is on unseen "
        f"ones, and how far a model looks is the mean distance from a word to what it looks at. {shown}"
        f"{COUNTING if scene.switches.config.mask == 'causal' else ''}"
    )


def _table(scene: Scene, seen: dict[Positions, Seen]) -> pd.DataFrame:
    """A row for each pair of words, a column for each scheme."""
    words = unique_words(scene.plain)
    pairs = pd.MultiIndex.from_product([words, words], names=["query", "key"])
    return pd.DataFrame({name: one.weights.ravel() for name, one in seen.items()}, index=pairs).reset_index()


def _program(scene: Scene, layer: int, head: int | None) -> Program:
    with st.container(horizontal=True, key="inline_program"):
        positions = menu("positions", "Program for", POSITIONS, "sinusoidal", notes=scene.notes, width=240)
    about = subject(scene.words, _with(scene.switches, positions), layer=layer, head=head or 0)
    return Program(lambda: weights_program(about, mean=head is None))
