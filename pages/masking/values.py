"""Mask values: what stands for "may not attend" in the scores, and what the softmax makes of it."""

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.masking.mask_values import CONSTANTS, ROWS, MaskValues, mask_values, step, stored, survive
from core.programs.masking import values_program
from pages.controls.cited import equation, footnote
from pages.controls.picture import picture, theme
from pages.controls.screen import columns, tallest
from pages.controls.word_menu import numbered, word_menu
from pages.masking.painting import Painting, painted_over
from pages.shell import Program, Scene
from viz.outcomes import describe_outcomes, outcome_grid
from viz.text import counted, plain
from viz.units import quantity

ADDED = r"\alpha_i = \mathrm{softmax}(s_i + m_i), \quad m_{ij} \in \{0, c\}"
ALL_MASKED = "the same scores, all masked"
ABOVE = 290
"""Pixels of page above the strips in a low window."""

LARGE, SMALL = "−10⁹", "−10⁵"


def values(scene: Scene) -> Program:
    """Strips of weights for every method and format, of a row of this sentence and with all of it masked."""
    under = painted_over(scene)
    query = _choose_query(under)
    seen, scores = under.allowed[query], under.stages.scores[query]
    found = _mask_values(scores.tobytes(), seen.tobytes())
    titles = (f"{plain(str(scene.names[query]))}: may attend to {int(seen.sum())} of {len(seen)}", ALL_MASKED)
    for column, row, key, title in zip(columns(2), ROWS, ("values", "values_masked"), titles, strict=True):
        with column:
            _strips(found, row, under.labels, key, title)
    st.markdown(_told(found.table(), under, query))
    equation(
        ADDED,
        "CS 224N note, section 2.4 with its footnote 4: a large negative number c is added to masked scores",
    )
    footnote("E5")
    return Program(lambda: values_program(scene.subject, under.mask, query))


def _strips(found: MaskValues, row: str, words: tuple[str, ...], key: str, title: str) -> None:
    at, table = ROWS.index(row), found.table()
    verdicts = table[table["row"] == row]
    picture(
        outcome_grid(
            found.weights[at],
            found.allowed[at],
            verdicts,
            words,
            title=title,
            theme=theme(),
            tallest=tallest(ABOVE),
        ),
        key=key,
        alt=describe_outcomes(verdicts, title=title),
        table=lambda: verdicts,
    )


def _choose_query(under: Painting) -> int:
    """The word whose row is masked: by default the middle one of those that see some words and not all."""
    scene = under.scene
    some = np.flatnonzero(under.allowed.any(axis=1) & ~under.allowed.all(axis=1))
    usual = int(some[len(some) // 2]) if len(some) else 0
    with scene.row:
        query = word_menu(
            "query", scene.names, label="Row of", notes=scene.notes, unchosen=numbered(scene.names, usual)
        )
    return usual if query is None else query


@st.cache_resource(max_entries=64, show_spinner=False)
def _mask_values(scores: bytes, allowed: bytes) -> MaskValues:
    return mask_values(np.frombuffer(scores, np.float32), np.frombuffer(allowed, bool))


def _told(table: pd.DataFrame, under: Painting, query: int) -> str:
    """What the constants do, as far as this machine has shown it."""
    verdicts = table.set_index(["row", "method", "format"])["verdict"]
    added = [f"score {name}" for name in CONSTANTS]
    exact = (verdicts[ROWS[0]][added] == "exact").all()
    seen, word = under.allowed[query], under.scene.names[query]
    if seen.all():
        ordinary = f"Nothing is masked for *{word}*, so there is nothing to get wrong."
    elif not seen.any():
        ordinary = f"*{word}* may attend to nothing: both rows are the same."
    elif exact:
        ordinary = "While a row sees something, every constant is exact: masked keys have weight 0."
    else:
        ordinary = "Not every constant gives masked keys a weight of exactly 0 here."
    return f"{ordinary} {_fully_masked(verdicts[ROWS[1]], under, query)}"


def _fully_masked(verdicts: pd.Series, under: Painting, query: int) -> str:
    """A row that sees nothing: where the constants give NaN, and where they attend to masked keys."""
    lost = [form for form in stored(CONSTANTS[SMALL]) if verdicts[f"score {SMALL}", form] == "NaN"]
    forms = " and ".join(lost)
    half = f" So does {SMALL} in {forms}, where it becomes −∞." if lost else ""
    return (
        f"A row that sees nothing: −∞ gives 0/0, which is **NaN**.{half} In float32, {SMALL} merely shifts "
        f"all scores, and numbers there are {step(CONSTANTS[SMALL], 'float32'):.1g} apart: the "
        f"{under.scene.unit} attends as if nothing were masked. {_around_large(under.stages.scores[query])} "
        "A score of 0 is no mask at all, and a weight set to 0 after the softmax leaves the row below 1. "
        "This app masks with −∞ and sets a row without keys to 0."
    )


def _around_large(scores: np.ndarray) -> str:
    """What the larger constant leaves of the scores, which depends on how large they are."""
    apart = quantity(step(CONSTANTS[LARGE], "float32"))
    survivors = int(survive(scores, CONSTANTS[LARGE], "float32").sum())
    left = (
        f"{counted(survivors, 'score')} of this row {'is' if survivors == 1 else 'are'} large enough to "
        "survive."
        if survivors
        else "every score of this row is rounded away, and all weights are equal."
    )
    return f"Around {LARGE} numbers are {apart} apart: {left}"
