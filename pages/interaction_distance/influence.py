"""Which words the state of a chosen word depends on, in three networks that read the sentence typed."""

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.distance import long_range
from core.model.config import ModelConfig
from pages.controls.memory import remembered
from pages.controls.picture import Point, picture, theme
from pages.controls.sentence import marked
from pages.interaction_distance.networks import Pair, chosen_pair
from pages.interaction_distance.trained import colours
from pages.shell import Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.tables import unique_words
from viz.units import per_cent


def influence(scene: Scene) -> None:
    """A bar for every word and network: its share of the influence on the state of the target."""
    switches = scene.switches
    with scene.row:
        pair = chosen_pair(scene)
    found = _influences(scene.words, pair.target, switches.config, switches.source, switches.seed)
    scene.name_unknown(found.unknown)
    shares, look = found.shares(), theme()
    labels = marked(pair.words, found.unknown)
    top = float(np.nanmax(shares))  # without a network whose gradients no float can hold
    figure = bar_rows(shares, colours(look), labels, top=top, theme=look, chosen=pair.target)
    chosen = unique_words(pair.words)[pair.target]
    picture(
        figure,
        key="influence",
        alt=describe_bar_rows(
            shares, list(found.norms), labels, what=f"Share of the influence on the state of {chosen}"
        ),
        table=lambda: _table(found, pair.words),
        on_click=_choose,
    )
    st.markdown(_told(pair, found))


@remembered()
def _influences(
    words: tuple[str, ...], target: int, config: ModelConfig, source: str, seed: int
) -> long_range.Influences:
    return long_range.influences(words, target, config, source=source, seed=seed)


def _told(pair: Pair, found: long_range.Influences) -> str:
    """From how far the influence comes on average, and how much of it from the word the path starts at."""
    source, target = (pair.scene.words[at] for at in (pair.source, pair.target))
    distances = zip(found.norms, found.mean_distances(pair.target), strict=True)
    means = ", ".join(f"{distance:.1f} in the {name}" for name, distance in distances)
    shares = zip(found.norms, found.shares()[:, pair.source], strict=True)
    parts = ", ".join(f"{per_cent(share)} in the {name}" for name, share in shares)
    return (
        f"The mean distance of the influence on the state of *{target}*, in words: {means}. The share of "
        f"*{source}*: {parts}. Influence is the norm of the gradient ∂state / ∂word vector, as a share "
        f"of the sum over all words. All three networks are causal and have {long_range.N_LAYERS} layers. "
        "Over longer texts, and before training: [Gradients](/gradients)."
    )


def _table(found: long_range.Influences, words: tuple[str, ...]) -> pd.DataFrame:
    """Norms and shares, a row for each word."""
    index = pd.Index(unique_words(words), name="word")
    norms = {f"{name}, norm": values for name, values in found.norms.items()}
    shares = {f"{name}, share": row for name, row in zip(found.norms, found.shares(), strict=True)}
    return pd.DataFrame(norms | shares, index=index)


def _choose(point: Point) -> None:
    """A click on a bar asks how much of the influence its word has."""
    _, word = point["data"]
    st.session_state["from"] = word + 1
