"""Cost: operations in a row, seconds and bytes, to learn from the text and to write it."""

from math import ceil

import pandas as pd
import streamlit as st

from core.device import choose_device, describe
from core.measures.distance.long_range import N_LAYERS, TRANSFORMER
from core.measures.distance.timing import WARM_UPS
from core.measures.generation.costs import USES, memory_table, serial_table
from core.measures.generation.timing import ANEW, KEPT, LENGTHS
from core.measures.generation.writing import WRITERS, Continued, Manner, continue_text, shapes
from core.model.config import ModelConfig
from core.programs.generation import kept_program, serial_costs_program, word_times_program
from core.text.tokenizer import MAX_WORDS
from pages.controls.chart import chart
from pages.controls.link import choice
from pages.controls.memory import remembered
from pages.controls.parameters import options_of
from pages.controls.picture import theme
from pages.controls.screen import columns
from pages.generation.measured import measure, measured_words, this_text
from pages.generation.texts import Texts, texts
from pages.generation.writer import colours
from pages.shell import Program, Scene
from viz.text import counted
from viz.units import memory, seconds

SERIAL, TIME, MEMORY = options_of("cost")
DOUBLING: dict[float, str] = {at: str(at) for at in (2, 4, 8, 16, 32, 64, 128, 256)}
SHORTEST_AXIS = 64
"""So many words at least are on the axis of serial operations; of a long text there are twice its words."""


def cost(scene: Scene) -> Program:
    """A curve over the length of the text, and a table of this one."""
    found = texts(scene)
    text = found.of(found.writer)
    with scene.row:
        shown = choice("cost", notes=scene.notes, hide_label=True)
        asked = st.button(
            f"Measure on {describe(choose_device())}", key="measure_now", icon=":material/timer:"
        )
    if asked:
        measure(found, text)
    {SERIAL: _serial, TIME: _time, MEMORY: _memory}[shown](found, text)
    st.markdown(this_text(found, text))
    return _program(found, text, shown)


def _program(found: Texts, text: Continued, shown: str) -> Program:
    """The program behind the chart."""
    words, config = text.words, found.config
    if shown == TIME:
        return Program(lambda: word_times_program(config), prints="what this machine takes, in seconds")
    if shown == MEMORY:
        return Program(lambda: kept_program(words, config, WRITERS), prints="the bytes kept of this text")
    return Program(
        lambda: serial_costs_program(words, text.n_given, n_layers=N_LAYERS),
        prints="operations in a row, of training and of writing",
    )


def _serial(found: Texts, text: Continued) -> None:
    look, last = theme(), _end_of_axis(len(text.words))
    table = serial_table(range(2, last + 1), n_given=text.n_given, n_layers=N_LAYERS)
    given = "1 of them given" if text.n_given == 1 else f"the first {text.n_given} given"
    for side, use in zip(columns(len(USES)), USES, strict=True):
        with side:
            st.markdown(f"**{use.capitalize()}**")
            chart(
                table[table["use"] == use],
                key=f"serial_{use}",
                what=f"Serial operations of {use}",
                x="words",
                y="operations",
                by="network",
                colours={"recurrent": look.recurrence, TRANSFORMER: look.attention},
                x_title=f"words in the text, {given}" if use == USES[-1] else "words in the text",
                y_title="serial operations",
                x_ticks={at: str(at) for at in range(0, last + 1, last // 4)},
                y_ticks={at: str(at) for at in range(0, 2 * last + 1, last // 2)},
                mark=len(text.words),
                mark_name="this text",
            )
    st.markdown(
        "In training all words are known, so the Transformer reads them at once: as many operations in a row "
        "as layers, and as many again on the way back. The words given are read at once too, without a way "
        "back. While it writes, every word has to wait for the one before, as in a recurrent network. "
        "Operations of one pass are counted as in the CS 224N note, Figure 1; training counts the states of "
        "one pass there and their gradients of one pass back. One layer of each over long sentences is timed "
        "on the page [Interaction distance](/interaction-distance?view=measured+time)."
    )


def _end_of_axis(n: int) -> int:
    """A multiple of four."""
    return max(SHORTEST_AXIS, 4 * ceil(n / 2))


def _time(found: Texts, text: Continued) -> None:
    times = measured_words(found)
    if not times:
        st.markdown(
            f"Press the button to measure how long each model takes for one more word after {LENGTHS[0]} to "
            f"{LENGTHS[-1]} words; it takes a few seconds."
        )
        return
    shown = ["network", "words", "seconds", "low", "high", "repeats"]
    table = pd.DataFrame([vars(timing) for timing in times], columns=shown)
    of_writers = colours(theme())
    chart(
        table,
        key="word_seconds",
        what="Seconds for one more word",
        x="words",
        y="seconds",
        by="network",
        say=seconds,
        behind=lambda: table,
        colours=of_writers | {ANEW: of_writers[TRANSFORMER]},
        dashed=[ANEW],
        x_title="words before it",
        y_title="time for one more word",
        x_ticks={at: str(at) for at in LENGTHS},
        y_ticks={10.0**power: seconds(10.0**power) for power in (-5, -4, -3, -2)},
        log=True,
        spread=("low", "high"),
        mark=len(text.words),
        mark_name="this text",
    )
    st.markdown(f"{_told_of_time(table)} {_told_of_words(found)}")


def _told_of_time(table: pd.DataFrame) -> str:
    """What keeping keys and values saves at the shortest and at the longest text."""
    wide = table.pivot(index="words", columns="network", values="seconds")
    ratios = [
        f"{wide[ANEW][n] / wide[KEPT][n]:.1f} times as long after {n} words"
        for n in (LENGTHS[0], LENGTHS[-1])
    ]
    return (
        f"Medians after {WARM_UPS} warm-up runs; bars span the middle half of the runs. The Transformer "
        "keeps the keys and values of the words before. With *no cache* it computes them anew for every "
        f"word, which takes {' and '.join(ratios)}."
    )


def _told_of_words(found: Texts) -> str:
    """Whether the words are the same without the cache, as they have to be."""
    kept = found.of(TRANSFORMER)
    anew = _anew(found.config, found.scene.plain, found.manners[TRANSFORMER])
    n = counted(len(kept.written), "word")
    if kept.words != anew.words:
        return f"Rounding has made another text of the {n} that it writes here."
    return f"The {n} that it writes here {'is' if len(kept.written) == 1 else 'are'} the same both ways."


@remembered(64)
def _anew(config: ModelConfig, given: tuple[str, ...], manner: Manner) -> Continued:
    return continue_text(TRANSFORMER, config, given, manner, cached=False)


def _memory(found: Texts, text: Continued) -> None:
    of_writers = shapes(found.config)
    table = memory_table(of_writers, sorted({*map(int, DOUBLING), len(text.words)}))
    chart(
        table,
        key="memory",
        what="Bytes kept",
        x="words",
        y="bytes",
        by="network",
        say=memory,
        colours=colours(theme()),
        x_title="words so far",
        y_title="kept for the next word",
        x_ticks=DOUBLING,
        y_ticks={10.0**power: memory(10.0**power) for power in (2, 3, 4, 5, 6)},
        log=True,
        mark=len(text.words),
        mark_name="this text",
    )
    here, longest = (
        memory(float(table.query("words == @n and network == @TRANSFORMER")["bytes"].item()))
        for n in (len(text.words), MAX_WORDS)
    )
    st.markdown(
        "Counted from the shapes, in single precision: the Transformer keeps a key and a value of every word "
        f"in every layer and head, {here} for this text and {longest} for {MAX_WORDS} words. A recurrent "
        "network keeps its states, which have one size for every text."
    )
