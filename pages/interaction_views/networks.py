"""The recurrent network and self-attention over one sentence, side by side, with one path lit in each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from jaxtyping import Int

from core.analysis.distance import costs
from core.config import ModelConfig
from core.programs import distance_program, serial_program
from pages.controls.link import choice, place
from pages.controls.picture import Point, picture, theme
from pages.shell import Program, Scene
from viz.networks import attention_network, describe_network, recurrent_network
from viz.tables import unique_words

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
    """Both networks with their counts, and what the lit paths say."""
    with scene.row:
        count = choice(
            "count", "In the boxes", list(COUNTS), next(iter(COUNTS)), notes=scene.notes, hide_label=True
        )
        pair = chosen_pair(scene)
    recurrent, attention = COUNTS[count](pair)
    # Figure 1 counts a network that reads onwards; only Figure 2 looks in both directions.
    reads_onwards = pair.is_causal or COUNTS[count] is serial_operations
    left, right = st.columns(2, gap="medium")
    with left:
        _recurrent(pair, recurrent, reachable=pair.is_onwards or not reads_onwards)
    with right:
        _attention(pair, attention, reachable=pair.is_onwards or not pair.is_causal)
    return Program(lambda: counting(pair, count=count), prints="the numbers in the boxes, row by row")


def chosen_pair(scene: Scene) -> Pair:
    """The two words chosen: at first the first and the last."""
    n = len(scene.words)
    source = place("from", "From", n, notes=scene.notes, unchosen="first")
    target = place("to", "To", n, notes=scene.notes, unchosen="last")
    return Pair(scene, 0 if source is None else source, n - 1 if target is None else target)


def _recurrent(pair: Pair, counts: Counts, *, reachable: bool) -> None:
    path = costs.recurrent_path(pair.source, pair.target, pair.config.n_layers) if reachable else []
    st.markdown("##### Recurrent network")
    figure = recurrent_network(pair.words, counts, ends=pair.ends, path=path, theme=theme())
    alt = describe_network(pair.words, ends=pair.ends, path=path, name="Recurrent network")
    picture(figure, key="recurrent", alt=alt, table=lambda: _table(pair, counts), on_click=_choose)
    _say(pair, path, "one after the other.", otherwise="a network that reads onwards carries nothing back.")


def _attention(pair: Pair, counts: Counts, *, reachable: bool) -> None:
    n, layers = len(pair.words), pair.config.n_layers
    path = costs.attention_path(pair.source, pair.target, layers) if reachable else []
    st.markdown("##### Self-attention")
    look: dict[str, Any] = {"theme": theme(), "causal": pair.is_causal}
    figure = attention_network(pair.words, counts, ends=pair.ends, path=path, **look)
    alt = describe_network(pair.words, ends=pair.ends, path=path, name="Self-attention")
    picture(figure, key="attention", alt=alt, table=lambda: _table(pair, counts), on_click=_choose)
    scores = costs.n_scores(n, n_layers=layers)
    how = f"for every pair at once. The price: {scores:,} scores per head instead of {n * layers} steps."
    _say(pair, path, how, otherwise="the mask hides the future.")


def _say(pair: Pair, path: list[costs.Node], how: str, *, otherwise: str) -> None:
    source, target = (pair.scene.words[at] for at in (pair.source, pair.target))
    if not path:
        st.markdown(f"**No path**: *{target}* stands before *{source}*, and {otherwise}")
        return
    steps = len(path) - 1
    count = "1 operation" if steps == 1 else f"{steps} operations"
    st.markdown(f"**{count}** between *{source}* and the state of *{target}*, {how}")


def _table(pair: Pair, counts: Counts) -> pd.DataFrame:
    rows = ["word vector", *(f"layer {row}" for row in range(1, len(counts)))]
    table = pd.DataFrame(counts, index=rows, columns=unique_words(pair.words))
    return table.mask(table == costs.UNREACHED)


def _choose(point: Point) -> None:
    """A click on a word vector chooses where the path starts, one on a state where it ends."""
    row, column = point["data"]
    st.session_state["to" if row else "from"] = column + 1
