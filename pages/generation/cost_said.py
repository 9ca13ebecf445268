"""Sentences on what a text costs: operations in a row, seconds and bytes."""

import pandas as pd

from core.measures.distance.long_range import TRANSFORMER
from core.measures.distance.timing import WARM_UPS
from core.measures.generation.costs import USES
from core.measures.generation.timing import ANEW, KEPT, LENGTHS
from core.measures.generation.writing import RECURRENT, Continued
from core.text.tokenizer import MAX_WORDS
from pages.generation.measured import operations
from viz.text import counted
from viz.units import memory, seconds

SERIAL_WHY = (
    "In training all words are known, so the Transformer reads them at once: as many operations in a row as "
    "layers, and as many again on the way back. The words given are read at once too, without a way back. "
    "While it writes, every word has to wait for the one before, as in a recurrent network. Operations of "
    "one pass are counted as in the CS 224N note, Figure 1; training counts the states of one pass there and "
    "their gradients of one pass back. One layer of each over long sentences is timed on the page "
    "[Interaction distance](/interaction-distance?view=cost&costs=measured)."
)
PRESS = (
    "Press the button to measure how long each model takes for one more word after "
    f"{LENGTHS[0]} to {LENGTHS[-1]} words; it takes a few seconds."
)
TIME_HOW = f"Medians after {WARM_UPS} warm-up runs; bars span the middle half of the runs."
KEPT_BYTES = (
    "Counted from the shapes, in single precision: the Transformer keeps a key and a value of every word in "
    "every layer and head. A recurrent network keeps its states, which have one size for every text."
)


def serial_answer(text: Continued) -> str:
    """Operations in a row to learn from this text and to write it."""
    network = next(iter(RECURRENT))
    learning, writing = ([operations(text, writer, use) for writer in (TRANSFORMER, network)] for use in USES)
    return (
        f"To learn from this text takes {counted(learning[0], 'serial operation')} in the {TRANSFORMER}, "
        f"{learning[1]} in a recurrent network; to write it, {writing[0]} and {writing[1]}."
    )


def time_answer(table: pd.DataFrame) -> str:
    """What one more word takes of each model after the longest text."""
    wide, longest = _wide(table), LENGTHS[-1]
    told = ", ".join(
        f"{seconds(wide[name][longest])} in the {name}"
        for name in dict.fromkeys(table["network"])
        if name != ANEW
    )
    return f"One more word after {longest} takes {told}."


def time_told(table: pd.DataFrame, kept: Continued, anew: Continued) -> str:
    """What a cache saves at the shortest and at the longest text, and whether the words stay the same."""
    wide = _wide(table)
    ratios = [
        f"{wide[ANEW][n] / wide[KEPT][n]:.1f} times as long after {n} words"
        for n in (LENGTHS[0], LENGTHS[-1])
    ]
    return (
        "The Transformer keeps the keys and values of the words before. With *no cache* it computes them "
        f"anew for every word, which takes {' and '.join(ratios)}. {_words_told(kept, anew)}"
    )


def _words_told(kept: Continued, anew: Continued) -> str:
    """Whether the words are the same without the cache, as they have to be."""
    n = counted(len(kept.written), "word")
    if kept.words != anew.words:
        return f"Rounding has made another text of the {n} that it writes here."
    return f"The {n} that it writes here {'is' if len(kept.written) == 1 else 'are'} the same both ways."


def memory_answer(table: pd.DataFrame, n: int) -> str:
    """Bytes that each model keeps of this text, of `n` words."""
    here = table[table["words"] == n].set_index("network")["bytes"]
    others = " and ".join(f"the {name} {memory(float(here[name]))}" for name in RECURRENT)
    return (
        f"To write on after {counted(n, 'word')} the {TRANSFORMER} keeps "
        f"{memory(float(here[TRANSFORMER]))}, {others}."
    )


def memory_told(table: pd.DataFrame) -> str:
    """Bytes that the Transformer keeps of the longest text."""
    longest = table[(table["words"] == MAX_WORDS) & (table["network"] == TRANSFORMER)]["bytes"].item()
    return f"Of {MAX_WORDS} words the {TRANSFORMER} keeps {memory(float(longest))}."


def _wide(table: pd.DataFrame) -> pd.DataFrame:
    return table.pivot(index="words", columns="network", values="seconds")
