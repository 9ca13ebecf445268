"""The recurrent network and self-attention over one sentence, side by side: the operations in each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from jaxtyping import Int

from core.measures.distance import costs
from core.model.config import ModelConfig
from core.programs import distance_program, serial_program
from pages.controls.link import choice, word_menu
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import columns
from pages.shell import Program, Scene
from viz.networks import Ends, attention_network, describe_counts, describe_network, recurrent_network
from viz.tables import unique_words
from viz.text import counted

Counts = Int[np.ndarray, "row word"]


@dataclass(frozen=True)
class Pair:
    """Two words of a sentence, counted from 0, and the network between them."""

    scene: Scene
    source: int
    target: int

    @property
    def words(self) -> tuple[str, ...]:
        """The sentence, for figures and tables."""
        return self.scene.plain

    @property
    def config(self) -> ModelConfig:
        """The architecture of both networks."""
        return self.scene.switches.config

    @property
    def ends(self) -> tuple[int, int]:
        """Both words, as the figures want them."""
        return self.source, self.target

    @property
    def is_onwards(self) -> bool:
        """Whether the path runs from an earlier word to a later one, as reading does."""
        return self.source <= self.target

    @property
    def is_causal(self) -> bool:
        """Whether no word may see a later one."""
        return self.config.mask == "causal"


RECURRENT, ATTENTION = NAMES = ("Recurrent network", "Self-attention")


def distances(pair: Pair) -> tuple[Counts, Counts]:
    """Operations from the source to every state, of the recurrent network and of attention (Figure 2)."""
    n, layers = len(pair.words), pair.config.n_layers
    return (
        costs.recurrent_interaction_distances(n, pair.source, layers, causal=pair.is_causal),
        costs.attention_interaction_distances(n, pair.source, layers, causal=pair.is_causal),
    )


def serial_operations(pair: Pair) -> tuple[Counts, Counts]:
    """Operations one after the other before each state is known (Figure 1)."""
    n, layers = len(pair.words), pair.config.n_layers
    return costs.recurrent_serial_operations(n, layers), costs.attention_serial_operations(n, layers)


COUNTS: dict[str, Callable[[Pair], tuple[Counts, Counts]]] = {
    "distance from a word": distances,
    "serial operations": serial_operations,
}


def counting(pair: Pair, *, count: str) -> str:
    """A program that counts what stands in the boxes."""
    shape: dict[str, Any] = {"n_layers": pair.config.n_layers, "causal": pair.is_causal}
    if COUNTS[count] is serial_operations:
        return serial_program(pair.words, **shape)
    return distance_program(pair.words, origin=pair.source, **shape)


def networks(scene: Scene) -> Program:
    """Both networks with their counts, and what these say."""
    with scene.row:
        count = choice("count", options=list(COUNTS), notes=scene.notes, hide_label=True)
        is_serial = COUNTS[count] is serial_operations
        # Figure 1 is about every state at once: no path between two words is lit in it.
        pair = Pair(scene, 0, len(scene.words) - 1) if is_serial else chosen_pair(scene)
    draw = _serial if is_serial else _path
    for side, name, counts in zip(columns(2), NAMES, COUNTS[count](pair), strict=True):
        with side:
            st.markdown(f"## {name}")
            draw(pair, counts, name)
    return Program(lambda: counting(pair, count=count), prints="the numbers in the boxes, row by row")


def chosen_pair(scene: Scene) -> Pair:
    """The two words chosen: at first the first and the last."""
    n = len(scene.words)
    source = word_menu("from", scene.words, notes=scene.notes, unchosen="first")
    target = word_menu("to", scene.words, notes=scene.notes, unchosen="last")
    return Pair(scene, 0 if source is None else source, n - 1 if target is None else target)


def _serial(pair: Pair, counts: Counts, name: str) -> None:
    """Figure 1: how many operations stand one after the other before each state."""
    key, figure = _figure(pair, counts, name, ends=None, path=[])
    alt = describe_counts(pair.words, counts, name=name)
    picture(figure, key=key, alt=alt, table=lambda: _table(pair, counts))
    last = counted(int(counts[-1, -1]), "serial operation")
    if name == RECURRENT:
        why = "each state waits for the one before it"
    else:
        why = "all states of a layer are computed at once"
    st.markdown(f"**{last}** before the state of *{pair.scene.words[-1]}*: {why}.")


def _path(pair: Pair, counts: Counts, name: str) -> None:
    """Figure 2: the path from one word to the state of another."""
    layers = pair.config.n_layers
    find = costs.recurrent_path if name == RECURRENT else costs.attention_path
    path = find(pair.source, pair.target, layers) if pair.is_onwards or not pair.is_causal else []
    key, figure = _figure(pair, counts, name, ends=pair.ends, path=path)
    alt = describe_network(pair.words, ends=pair.ends, path=path, name=name)
    picture(figure, key=key, alt=alt, table=lambda: _table(pair, counts), on_click=_choose)
    st.markdown(_told(pair, path, name))


def _figure(
    pair: Pair, counts: Counts, name: str, *, ends: Ends | None, path: list[costs.Node]
) -> tuple[str, Any]:
    """The key of a network's picture, and its figure."""
    look: dict[str, Any] = {"ends": ends, "path": path, "theme": theme()}
    if name == RECURRENT:
        return "recurrent", recurrent_network(pair.words, counts, **look)
    return "attention", attention_network(pair.words, counts, **look, causal=pair.is_causal)


def _told(pair: Pair, path: list[costs.Node], name: str) -> str:
    source, target = (pair.scene.words[at] for at in (pair.source, pair.target))
    if not path:
        why = "a causal network carries nothing back" if name == RECURRENT else "the mask hides later words"
        return f"**No path**: *{target}* stands before *{source}*, and {why}."
    steps = counted(len(path) - 1, "operation")
    between = f"**{steps}** between *{source}* and the state of *{target}*"
    if name == RECURRENT:
        return f"{between}, one after the other."
    n, layers = len(pair.words), pair.config.n_layers
    scores = counted(costs.n_scores(n, n_layers=layers), "score")
    alike = "" if pair.is_causal or n == 1 else ", as between any two words"
    return (
        f"{between}{alike}. The price: {scores} per head instead of {counted(n * layers, 'recurrent step')}."
    )


def _table(pair: Pair, counts: Counts) -> pd.DataFrame:
    rows = pd.Index(["word vector", *(f"layer {row}" for row in range(1, len(counts)))], name="state in")
    table = pd.DataFrame(counts, index=rows, columns=unique_words(pair.words))
    return table.mask(table == costs.UNREACHED)


def _choose(point: Point) -> None:
    """A click on a word vector chooses where the path starts, one on a state where it ends."""
    row, column = point["data"]
    st.session_state["to" if row else "from"] = column + 1
