"""Curves of what a text costs, against its length."""

from collections.abc import Mapping, Sequence
from math import ceil

import pandas as pd

from core.measures.distance.long_range import N_LAYERS, TRANSFORMER
from core.measures.distance.timing import Timing
from core.measures.generation.costs import USES, Use, memory_table, serial_table
from core.measures.generation.timing import ANEW, LENGTHS
from core.measures.generation.writing import Continued
from core.model.config import ModelConfig
from core.model.recurrent import RecurrentConfig
from pages.contract.look import Look
from pages.contract.sheet import Columns, Part, Shown, Text
from pages.generation.writer import colours
from viz.curves import chart
from viz.units import memory, seconds

DOUBLING: dict[float, str] = {at: str(at) for at in (2, 4, 8, 16, 32, 64, 128, 256)}
SHORTEST_AXIS = 64
"""Least number of words on the axis of serial operations; of a long text there are twice its words."""

THIS = "this text"


def serial_charts(text: Continued, look: Look) -> Columns:
    """Serial operations of training and of writing, side by side."""
    last = _end_of_axis(len(text.words))
    table = serial_table(range(2, last + 1), n_given=text.n_given, n_layers=N_LAYERS)
    columns = (
        _serial_chart(table, text, use, last, one)
        for use, one in zip(USES, look.columns((1, 1)), strict=True)
    )
    return Columns(tuple(columns))


def _serial_chart(table: pd.DataFrame, text: Continued, use: Use, last: int, look: Look) -> tuple[Part, ...]:
    given = "1 of them given" if text.n_given == 1 else f"the first {text.n_given} given"
    picture = chart(
        table[table["use"] == use],
        title=f"Serial operations of {use} against text length",
        x="words",
        y="operations",
        by="network",
        theme=look.theme,
        within=look.width,
        colours={"recurrent": look.theme.recurrence, TRANSFORMER: look.theme.attention},
        x_title=f"words in the text, {given}" if use == USES[-1] else "words in the text",
        y_title="serial operations",
        x_ticks={at: str(at) for at in range(0, last + 1, last // 4)},
        y_ticks={at: str(at) for at in range(0, 2 * last + 1, last // 2)},
        mark=len(text.words),
        mark_name=THIS,
    )
    return Text(f"**{use.capitalize()}**"), Shown(f"serial_{use}", picture)


def _end_of_axis(n: int) -> int:
    """A multiple of four."""
    return max(SHORTEST_AXIS, 4 * ceil(n / 2))


def table_of(timings: Sequence[Timing]) -> pd.DataFrame:
    """A row for each timing."""
    shown = ["network", "words", "seconds", "low", "high", "repeats"]
    return pd.DataFrame([vars(timing) for timing in timings], columns=shown)


def time_chart(table: pd.DataFrame, n_words: int, look: Look) -> Shown:
    """Seconds for one more word, of a `table_of` timings."""
    of_writers = colours(look.theme)
    picture = chart(
        table,
        title="Time for one more word against text length",
        x="words",
        y="seconds",
        by="network",
        say=seconds,
        theme=look.theme,
        within=look.width,
        behind=lambda: table,
        colours=of_writers | {ANEW: of_writers[TRANSFORMER]},
        dashed=[ANEW],
        x_title="words before the next one",
        y_title="time for one more word",
        x_ticks={at: str(at) for at in LENGTHS},
        y_ticks={10.0**power: seconds(10.0**power) for power in (-5, -4, -3, -2)},
        log=True,
        spread=("low", "high"),
        mark=n_words,
        mark_name=THIS,
    )
    return Shown("word_seconds", picture)


def bytes_of(models: Mapping[str, ModelConfig | RecurrentConfig], n_words: int) -> pd.DataFrame:
    """Bytes that each model keeps, at doubling lengths and that of this text."""
    return memory_table(models, sorted({*map(int, DOUBLING), n_words}))


def bytes_chart(table: pd.DataFrame, n_words: int, look: Look) -> Shown:
    """Bytes kept for the next word."""
    picture = chart(
        table,
        title="Memory kept for the next word against text length",
        x="words",
        y="bytes",
        by="network",
        say=memory,
        theme=look.theme,
        within=look.width,
        colours=colours(look.theme),
        x_title="words in the text so far",
        y_title="memory kept",
        x_ticks=DOUBLING,
        y_ticks={10.0**power: memory(10.0**power) for power in (2, 3, 4, 5, 6)},
        log=True,
        mark=n_words,
        mark_name=THIS,
    )
    return Shown("memory", picture)
