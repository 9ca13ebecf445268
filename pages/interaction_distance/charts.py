"""How the two networks compare as sentences grow: operations, price, and time measured on this machine."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.device import choose_device, describe
from core.measures.distance import costs
from core.measures.distance.timing import LENGTHS, MOST_REPEATS, NETWORKS, WARM_UPS, Timing, forward_times
from core.priority import patiently
from pages.controls.chart import chart
from pages.controls.measuring import MEASURING
from pages.controls.picture import theme
from pages.shell import Scene
from viz.curves import Say
from viz.text import counted
from viz.units import memory, quantity, seconds

LINEAR: dict[float, str] = {at: str(at) for at in (0, 64, 128, 192, 256)}
DOUBLING: dict[float, str] = {at: str(at) for at in LENGTHS}
LENGTHS_PRICED = (64, 512, 2048)
MEASURED = "timings"
PARALLEL = (
    "Counted for n words, a recurrent layer takes n serial steps. Self-attention takes 1, but computes n² "
    "scores. Hardware with many parallel units, such as a GPU, computes these scores at once; a CPU computes "
    "them a few at a time."
)


def operations(scene: Scene) -> None:
    """Operations between the first and the last word of a sentence, against its length."""
    table = costs.interaction_table(range(1, int(max(LINEAR)) + 1))
    _chart("operations", table, y="operations", x_ticks=LINEAR, y_ticks=LINEAR, mark=len(scene.words))
    st.markdown(
        "In a recurrent network, the first word reaches the last after one operation for each word: O(n). In "
        "a layer of self-attention it takes a single operation: O(1)."
    )


def price(scene: Scene) -> None:
    """What attention pays for it: a score for every pair of words."""
    n_layers, n_words = scene.switches.config.n_layers, len(scene.words)
    table = costs.price_table(sorted({1, n_words, *LENGTHS}), n_layers=n_layers)
    top = costs.n_scores(max(LENGTHS), n_layers=n_layers)
    y_ticks: dict[float, str] = {10**power: quantity(10**power) for power in range(len(str(top)) + 1)}
    x_ticks: dict[float, str] = {1: "1", **DOUBLING}
    _chart(
        "computed",
        table,
        y="computed",
        what="scores or steps",
        x_ticks=x_ticks,
        y_ticks=y_ticks,
        mark=n_words,
        log=True,
    )
    lengths = sorted({n_words, *LENGTHS_PRICED})
    kept = "; ".join(
        f"{counted(n, 'word')}: {counted(costs.n_scores(n, n_layers=n_layers), 'score')}, "
        f"{memory(costs.score_bytes(n, n_layers=n_layers))}"
        for n in lengths
    )
    st.markdown(
        "Self-attention computes a score for every pair of words: n² in each head and layer. A recurrent "
        f"network takes n steps in each layer. Scores per head, in float32: {kept}."
    )


def measured_time(scene: Scene) -> None:
    """Seconds of one forward pass on this machine's device, measured when asked for, beside the counts."""
    device = choose_device()
    start = scene.row.button(f"Measure on {describe(device)}", icon=":material/timer:")
    progress = st.empty()
    place = st.empty()
    timings: list[Timing] = [] if start else st.session_state.get(MEASURED, [])
    if start:
        total = len(LENGTHS) * len(NETWORKS)
        with MEASURING:
            for timing in patiently(forward_times(device)):
                timings.append(timing)
                progress.progress(len(timings) / total, f"{timing.network}, {timing.words} words")
        progress.empty()
        st.session_state[MEASURED] = timings
    with place.container():
        _timings(timings, len(scene.words))


def _timings(timings: list[Timing], n_words: int) -> None:
    """What has been measured, or, where nothing has been, how it is asked for."""
    if timings:
        _draw_timings(timings, n_words)
        st.markdown(_timings_in_words(timings))
        return
    st.markdown(
        "Press the button to time recurrent networks and self-attention on sentences of "
        f"{LENGTHS[0]:,} to {LENGTHS[-1]:,} words; it takes a few seconds. {PARALLEL}"
    )


def _draw_timings(timings: list[Timing], n_words: int) -> None:
    columns = ["network", "words", "seconds", "fastest", "low", "high", "repeats"]
    table = pd.DataFrame([vars(timing) for timing in timings], columns=columns)
    y_ticks = {10.0**power: seconds(10.0**power) for power in range(-5, 0)}
    _chart(
        "seconds",
        table,
        y="seconds",
        x_ticks=DOUBLING,
        y_ticks=y_ticks,
        mark=n_words,
        log=True,
        say=seconds,
        spread=("low", "high"),
    )


def _timings_in_words(timings: list[Timing]) -> str:
    longest = max(timing.words for timing in timings)
    ends = ", ".join(f"{t.network} {seconds(t.seconds)}" for t in timings if t.words == longest)
    return (
        "A forward pass of one layer with 64 dimensions over one sentence. Points are medians of up to "
        f"{MOST_REPEATS} runs after {WARM_UPS} warm-up runs; bars span the middle half of the runs. "
        f"At {longest:,} words: {ends}. {PARALLEL}"
    )


def _chart(
    key: str,
    table: pd.DataFrame,
    *,
    y: str,
    what: str = "",
    x_ticks: Mapping[float, str],
    y_ticks: Mapping[float, str],
    mark: int,
    log: bool = False,
    say: Say = quantity,
    spread: tuple[str, str] | None = None,
) -> None:
    chart(
        table,
        key=f"{key}_chart",
        what=(what or y).capitalize(),
        x="words",
        y=y,
        by="network",
        say=say,
        behind=lambda: table,
        colours=_colours(),
        x_title="words in the sentence",
        y_title=what or y,
        x_ticks=x_ticks,
        y_ticks=y_ticks,
        mark=mark,
        log=log,
        spread=spread,
    )


def _colours() -> dict[str, str]:
    """The networks by the names that tables have for them, with their colours."""
    look = theme()
    recurrent = {"recurrent": look.recurrence, "RNN": look.recurrence, "LSTM": look.value}
    return {**recurrent, "self-attention": look.attention}
