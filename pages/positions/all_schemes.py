"""All schemes: the same sentence, layer and head under each of them, and where each of them enters."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.distance.attention_distance import mean_attention_distance
from core.measures.heads.rollout import mean_over_heads
from core.measures.reading import Reading
from core.model.config import POSITIONS, Positions
from core.model.positions import SCHEMES, InjectionPoint
from core.programs.positions import weights_program
from core.sources import UnavailableError
from pages.controls.link import choice, menu
from pages.controls.parameters import options_of
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import room
from pages.controls.sentence import marked
from pages.controls.switches import Architecture
from pages.controls.weights import ablation_label, absent_of, note_absent
from pages.shell import Program, Scene
from pages.shell.scene import reading, subject
from viz.schemes import Panel, describe_side_by_side, side_by_side
from viz.tables import unique_words
from viz.text import counted

MEAN, HEAD = options_of("of")

COUNTING = (
    " Even *none* is not blind to order here: under the causal mask every word can attend to one word more "
    "than the word before it. Choose *bidirectional* to remove this cue."
)
STOPS: dict[InjectionPoint, str] = {"embed": "x", "rotate": "q k", "bias": "scores"}
"""What is changed at each injection point, as it is written above the matrices; in the order of the path."""


@dataclass(frozen=True)
class Seen:
    """The sentence under one scheme: the switches, what was read, and the weights shown of it."""

    switches: Architecture
    reading: Reading
    weights: np.ndarray


def all_schemes(scene: Scene) -> Program:
    """A small matrix for each scheme in one figure, and what tells them apart."""
    config = scene.switches.config
    with scene.row:
        of = choice("of", notes=scene.notes, hide_label=True)
        layer = menu("layer", options=range(1, config.n_layers + 1), notes=scene.notes, width=120) - 1
        head = None
        if of == HEAD:
            head = menu("head", options=range(1, config.n_heads + 1), notes=scene.notes, width=120) - 1
    seen = _seen(scene, layer, head)
    if scene.switches.ablations:
        scene.notes.markdown(ablation_label(scene.switches.ablations))
    scene.name_unknown(next(iter(seen.values())).reading.unknown)
    _draw(scene, seen)
    st.markdown(_told(scene, len(seen), of))
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
        every = [_with(scene.switches, positions).config for positions in POSITIONS]
        note_absent(scene.notes, absent_of(scene.switches.source, every))
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
        if SCHEMES[positions].injection_point() is not None:
            st.session_state["view"] = positions

    picture(
        side_by_side(panels, labels, theme=theme(), allowed=allowed, size=room()),
        key="schemes",
        alt=describe_side_by_side(
            panels, labels, what="Attention weights of one sentence under every scheme", allowed=allowed
        ),
        table=lambda: _table(scene, seen),
        on_click=open_view,
    )


def _panel(positions: Positions, one: Seen) -> Panel:
    scheme = SCHEMES[positions]
    point = scheme.injection_point()
    below = [scheme.about.in_brief, f"distance {mean_attention_distance(one.weights):.2f} words"]
    record = one.switches.weights.record(one.switches.config)
    if record is not None and not one.switches.ablations:
        below.append(f"loss {record.loss:.2f} nats")
    return Panel(
        title=positions,
        matrix=one.weights,
        below=tuple(below),
        stops=tuple(STOPS.values()),
        lit=None if point is None else list(STOPS).index(point),
    )


def _told(scene: Scene, n_models: int, of: str) -> str:
    shown = (
        "Each matrix is the mean over the heads of its layer."
        if of == MEAN
        else "Head 1 of one model does not correspond to head 1 of another: the *mean* compares better."
    )
    where = (
        "Above each matrix, the path from a word vector **x** over queries **q** and keys **k** to the "
        "scores is lit where the scheme enters; a click on the matrix opens the view of its scheme. "
        "*Distance* is the mean attention distance, from a word to the words it attends to, weighted by "
        "attention."
    )
    counting = COUNTING if scene.switches.config.mask == "causal" else ""
    if not scene.switches.weights.trained:
        return (
            f"{where} All {len(POSITIONS)} models have the same random weights: only the scheme differs."
            f"{counting}"
        )
    return (
        f"{where} {counted(n_models, 'model')} learned from the same sentences, each with its own scheme; "
        f"*loss* is on unseen sentences. {shown}{counting}"
    )


def _table(scene: Scene, seen: dict[Positions, Seen]) -> pd.DataFrame:
    """A row for each pair of words, a column for each scheme."""
    words = unique_words(scene.plain)
    pairs = pd.MultiIndex.from_product([words, words], names=["query", "key"])
    return pd.DataFrame({name: one.weights.ravel() for name, one in seen.items()}, index=pairs).reset_index()


def _program(scene: Scene, layer: int, head: int | None) -> Program:
    with st.container(horizontal=True, key="inline_program"):
        positions = menu("positions", label="Program for", notes=scene.notes, width=240)
    about = subject(scene.words, _with(scene.switches, positions), layer=layer, head=head or 0)
    return Program(lambda: weights_program(about, mean=head is None))
