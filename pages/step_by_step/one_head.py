"""One head: its stages, one of them open, with back, next and play, and entries that can be changed."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core.measures.stages import LARGEST_VALUE, Stage, calculation, one_word
from core.programs.steps import stage_program
from pages.controls.arrival import put
from pages.controls.cited import equation, footnote
from pages.controls.history import is_walking_back
from pages.controls.link import choice, menu
from pages.controls.notes import HERE
from pages.controls.page_answers import bind_switch
from pages.controls.parameters import options_of
from pages.controls.picture import numbers, theme
from pages.controls.screen import columns
from pages.shell import Program, Scene
from pages.step_by_step.changes import add, forget_all
from pages.step_by_step.sheet import describe, sheet
from pages.step_by_step.told import told_of
from pages.step_by_step.walking import Walked, chosen_word, walked
from viz.tables import unique_words
from viz.text import counted

ALL, ONE = options_of("form")

HEARD = "last question of the strip"
"""Where the visitor's session keeps the number of the last stage that the browser asked for."""

_FOLDER = Path(__file__).with_name("strip")
_SCRIPTS = ("numbers.js", "rules.js", "matrix.js", "entries.js", "strip.js")
_strip = st.components.v2.component(
    "steps",
    js="\n".join((_FOLDER / script).read_text("utf-8") for script in _SCRIPTS),
    css=(_FOLDER / "strip.css").read_text("utf-8"),
)


def one_head(scene: Scene) -> Program:
    """Draw the stages; what is returned writes the program of the open one."""
    seen = walked(scene)
    stages = seen.walk.stages
    names = [stage.name for stage in stages]
    with scene.row:
        name = menu("stage", options=names, notes=scene.notes, width=240)
        form = choice("form", notes=scene.notes, hide_label=True)
        word = chosen_word(scene) if form == ONE else None
    opened = stages[names.index(name)]
    _draw(seen, opened, word)
    _say(opened, scene.unit)
    shown = opened if word is None else one_word(opened, word)
    numbers("steps", lambda: _table(shown))
    _latex(shown)
    return Program(lambda: stage_program(scene.subject, opened.name, seen.changes))


def _draw(seen: Walked, opened: Stage, word: int | None) -> None:
    stages = seen.walk.stages
    shown = stages if word is None else [one_word(stage, word) for stage in stages]
    key = "strip"

    def answer(event: str, act: Callable[[Any], object]) -> Callable[[], None]:
        def heard() -> None:
            said = st.session_state[key].get(event)
            if said:
                act(said)

        return heard

    _strip(
        key=key,
        data={
            "stages": [sheet(stage, seen.scene.unit) for stage in shown],
            "stage": opened.name,
            "heard": st.session_state.get(HEARD, 0),
            "restored": is_walking_back(),
            "row": word or 0,
            "changes": counted(len(seen.changes), "change") if seen.changes else "",
            "largest": LARGEST_VALUE,
            "alt": describe(opened, stages.index(opened) + 1, len(stages)),
            "colours": {name: value for name, value in asdict(theme()).items() if name != "name"},
        },
        on_stage_change=answer("stage", _open),
        on_change_change=answer("change", add),
        on_reset_change=answer("reset", lambda said: forget_all()),
    )


def _open(asked: Any) -> None:
    """Open the stage that the browser asks for, and remember which of its questions that was."""
    st.session_state[HEARD] = int(asked["question"])
    put("stage", str(asked["name"]))


def _say(stage: Stage, unit: str) -> None:
    """The formula in both forms, and where a source slips."""
    told = told_of(stage, unit)
    with st.container(key="both_forms"):
        left, right = columns(2)
        with left:
            equation(told.matrix, f"All {unit}s at once · {told.source}")
        with right:
            equation(told.word, f"The same for one {unit}, i")
    if stage.positions is not None:
        equation(stage.positions.formula, f"The positions · {stage.positions.source}")
    for slip in told.slips:
        footnote(slip)


def _table(stage: Stage) -> pd.DataFrame:
    grid = stage.result
    index = pd.Index(unique_words(grid.rows), name=stage.symbol)
    return pd.DataFrame(grid.matrix, index=index, columns=unique_words(grid.columns))


def _latex(stage: Stage) -> None:
    """The calculation of the open stage to be copied, written only when the reader opens it."""
    bind = bind_switch("latex", HERE)
    expander = st.expander("LaTeX", key="latex", on_change="rerun", bind=bind, type="compact")
    if expander.open:
        expander.code(calculation(stage), language="latex")
