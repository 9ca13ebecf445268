"""Short training: three models that differ in where layer norm stands, trained here and now.

This view draws itself: it counts the steps on the screen while it trains.
"""

from collections.abc import Mapping
from itertools import starmap
from math import isnan
from threading import Lock

import pandas as pd
import streamlit as st

from core.learning.tasks import NEXT_WORD, chance
from core.measures.blocks.short_training import (
    D_MODEL,
    LAST,
    RECIPE,
    Loss,
    last_losses,
    short_training,
)
from core.model.config import ModelConfig, Norm
from core.priority import yield_to_requests
from core.programs.norms import norms_program
from pages.blocks.norms import colours, equations
from pages.contract.sheet import Shown
from pages.controls.cited import equation
from pages.controls.link import choice, switch
from pages.controls.picture import shown, theme
from pages.controls.screen import columns
from pages.shell import Program, Scene
from viz.curves import chart
from viz.units import magnitude, magnitude_ticks

KEPT = 32
COLUMNS = ["layer norm", "step", "loss"]
HEIGHT = 340

Key = tuple[ModelConfig, int, int]

# Two trainings at once would make everybody wait, those who only look at other pages too.
_training = Lock()


def train_shortly(scene: Scene) -> Program | None:
    """Loss by step of all three, once somebody has asked for it."""
    config, seed = scene.switches.config, scene.switches.seed
    with scene.row:
        st.markdown("Blocks", width="content")
        n_layers = choice("train_depth", notes=scene.notes, hide_label=True)
        every = switch("with_none", notes=scene.notes)
        start = st.button("Train three models", icon=":material/play_arrow:", key="train")
    place, key = st.empty(), (config, n_layers, seed)
    if start and key not in _kept():
        _train(key, scene)
    table = _kept().get(key, pd.DataFrame(columns=COLUMNS))
    last = last_losses(starmap(Loss, table[COLUMNS].itertuples(index=False)))
    with place.container():
        if last:
            st.markdown(f"**{_answer(last)}**")
        _equations(config)
        if last:
            _draw(table if every else table[table["layer norm"] != "none"])
        st.markdown(_explanation(n_layers, is_done=bool(last)))
    return Program(
        lambda: norms_program(config, n_layers=n_layers, seed=seed), prints="the loss of every step"
    )


def _equations(config: ModelConfig) -> None:
    for column, one in zip(columns(2), equations(config), strict=True):
        with column:
            equation(one.latex, one.source)


@st.cache_resource(show_spinner=False)
def _kept() -> dict[Key, pd.DataFrame]:
    """Trainings that somebody has waited for, for all visitors: their losses, the latest ones."""
    return {}


def _train(key: Key, scene: Scene) -> None:
    """Train, with the steps counted on the screen, unless somebody else does so now."""
    if not _training.acquire(blocking=False):
        scene.notes.info(
            "Another visitor is training here at the moment: press the button again in a minute."
        )
        return
    config, n_layers, seed = key
    try:
        progress = st.progress(0.0, "Training three models, one after the other …")
        rows = []
        for one in yield_to_requests(short_training(config, n_layers=n_layers, seed=seed)):
            rows.append((one.norm, one.step, one.loss))
            progress.progress(len(rows) / (3 * RECIPE.steps), f"Layer norm {one.norm}: step {one.step}")
        progress.empty()
    finally:
        _training.release()
    kept = _kept()
    kept[key] = pd.DataFrame(rows, columns=COLUMNS)
    while len(kept) > KEPT:
        kept.pop(next(iter(kept)))


def _draw(table: pd.DataFrame) -> None:
    numbers = table[table["loss"].astype(float).between(0, float("inf"), inclusive="neither")]
    picture = chart(
        numbers,
        what="Loss",
        x="step",
        y="loss",
        by="layer norm",
        say=magnitude,
        theme=theme(),
        colours=colours(theme()),
        x_title="step",
        y_title="loss in nats",
        x_ticks={at: str(at) for at in range(0, RECIPE.steps + 1, 10)},
        y_ticks=magnitude_ticks([3.0, 7.0, *numbers["loss"]]),
        log="y",
        level=(chance(NEXT_WORD).loss, "word frequencies alone"),
        height=HEIGHT,
    )
    shown(Shown("short_training", picture))


def _answer(last: Mapping[Norm, float]) -> str:
    """The mean loss of the last steps, and whose is the lowest."""
    told = ", ".join(
        f"{norm} {'no longer a number' if isnan(loss) else magnitude(loss)}" for norm, loss in last.items()
    )
    learned = {norm: loss for norm, loss in last.items() if not isnan(loss)}
    ahead = f"; {min(learned, key=learned.__getitem__)} has the lowest" if learned else ""
    return f"Over the last {LAST} steps the loss in nats is {told}{ahead}."


def _explanation(n_layers: int, *, is_done: bool) -> str:
    """How the models are trained, and how to begin."""
    setting = (
        f"Three models {n_layers} blocks deep and {D_MODEL} wide learn next-token prediction in a small "
        f"artificial English, from the same {RECIPE.steps} batches of {RECIPE.batch_size}. The learning rate "
        f"begins at {RECIPE.learning_rate_at(0):g}, without warm-up, and falls to "
        f"{RECIPE.learning_rate_at(RECIPE.steps):g}."
    )
    if is_done:
        return setting
    return (
        f"{setting} Press *Train three models* to see which of them learns fastest: training takes about "
        "ten seconds."
    )
