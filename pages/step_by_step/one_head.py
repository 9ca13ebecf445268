"""One head: its stages, one of them open, with back, next and play, and entries that can be changed."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.measures.stages import LARGEST_VALUE, Change, Stage, calculation, one_word
from core.measures.stages.latex import of_all_words, of_one_word
from core.programs.steps import stage_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Code, Columns, Footnote, Formula, Numbers, Part, Sheet, Strip, Text
from pages.controls.parameters import options_of
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.step_by_step.changes import FORGET, add, ask_changes
from pages.step_by_step.questions import mixed, scores
from pages.step_by_step.said_by_hand import THREE, TRY, is_by_hand, said_of_head
from pages.step_by_step.stages_drawn import describe, drawn
from pages.step_by_step.switches import OF_HEAD
from pages.step_by_step.told import told_of
from pages.step_by_step.walking import Walked, ask_word, walked
from viz.tables import unique_words
from viz.text import counted

ALL, ONE = options_of("form")

OF_ALL_WORDS = ("k", "v")
"""Stages that have all rows in the form for one word, whose query meets every key and mixes every value."""


@dataclass(frozen=True)
class Choices:
    """The stage that is open, the word whose row alone is shown, and the entries changed."""

    stage: str
    word: int | None
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Found:
    """The walk, and which of its stages is open for which word; None for all words."""

    seen: Walked
    number: int
    word: int | None

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages as they are shown."""
        if self.word is None:
            return self.seen.walk.stages
        whole, word = self.seen.walk.stages, self.word
        return tuple(stage if stage.name in OF_ALL_WORDS else one_word(stage, word) for stage in whole)

    @property
    def opened(self) -> Stage:
        """The open one, of all words."""
        return self.seen.walk.stages[self.number]


def ask(ask: Ask, scene: Scene) -> Choices:
    """The stage, of all words or of one, and the entries that the link changes."""
    changes = ask_changes(ask, scene)
    names = [stage.name for stage in walked(scene).walk.stages]
    name = ask.menu("stage", options=names, width=240)
    is_one = ask.choice("form", hide_label=True) == ONE
    return Choices(name, ask_word(ask, scene) if is_one else None, changes)


def find(scene: Scene, choices: Choices) -> Found:
    """The walk with the entries changed."""
    seen = walked(scene, choices.changes)
    number = [stage.name for stage in seen.walk.stages].index(choices.stage)
    return Found(seen, number, choices.word)


def sheet(found: Found, look: Look) -> Sheet:
    """The strip, the formula of the open stage, its numbers and its calculation."""
    shown = found.stages[found.number]
    by_hand = is_by_hand(found.seen) and not found.seen.changes
    return Sheet(
        answer=answer(found),
        unknown=found.seen.unknown,
        parts=(
            *map(Text, said_of_head(found.seen)),
            _strip(found),
            *_formulas(found.opened, found.seen.scene.unit),
            Text(f"{THREE} {TRY}" if by_hand else THREE),
            Numbers("steps", lambda: _table(shown)),
            Code("latex", "LaTeX", "latex", lambda: calculation(shown)),
        ),
    )


def answer(found: Found) -> str:
    """A sentence on the open stage, of how many, and what it makes of what."""
    stage, n, scene = found.stages[found.number], len(found.stages), found.seen.scene
    made = " and ".join(operand.name for operand in stage.operands)
    rows, columns = stage.result.matrix.shape
    of = f" from {made}" if made else ""
    alone = "" if found.word is None else f" for *{scene.names[found.word]}*"
    return (
        f"Stage {found.number + 1} of {n} in {scene.place}{alone}: {stage.symbol}{of}, "
        f"{rows} × {counted(columns, 'number')}."
    )


def _strip(found: Found) -> Strip:
    unit, changes = found.seen.scene.unit, found.seen.changes
    return Strip(
        stages=tuple(drawn(stage, unit, found.word) for stage in found.stages),
        opened=found.opened.name,
        changed=counted(len(changes), "change") if changes else "",
        largest=LARGEST_VALUE,
        alt=describe(found.stages[found.number], found.number + 1, len(found.stages)),
        title=f"Stage {found.number + 1} of {len(found.stages)}: {told_of(found.opened).title}"
        + _set_by_hand(found),
        on_change=add,
        reset=FORGET,
    )


def _set_by_hand(found: Found) -> str:
    computed = found.opened.result.computed
    if computed is None:
        return ""
    n = int(np.isfinite(computed).sum())
    return f", {n} {'entry' if n == 1 else 'entries'} set by hand"


def _formulas(stage: Stage, unit: str) -> tuple[Part, ...]:
    """The formula in both forms, and where a source slips."""
    told = told_of(stage, unit)
    both = Columns(
        (
            (Formula(of_all_words(stage), f"All {unit}s at once, a row for each · {told.source}"),),
            (Formula(of_one_word(stage), f"The same for one {unit}, i"),),
        )
    )
    scheme = stage.positions
    positions = [] if scheme is None else [Formula(scheme.formula, f"The positions · {scheme.source}")]
    return (both, *positions, *map(Footnote, told.slips))


def _table(stage: Stage) -> pd.DataFrame:
    grid = stage.result
    index = pd.Index(unique_words(grid.rows), name=stage.symbol)
    return pd.DataFrame(grid.matrix, index=index, columns=unique_words(grid.columns))


def questions(found: Found) -> tuple[Question | None, ...]:
    """How many scores there are, and what is mixed."""
    scene = found.seen.scene
    return scores(len(scene.names), scene.unit), mixed()


def program(found: Found) -> Program:
    """The open stage."""
    subject, name, changes = found.seen.scene.subject, found.opened.name, found.seen.changes
    return Program(lambda: stage_program(subject, name, changes))


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program), **OF_HEAD)
