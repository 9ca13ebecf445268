"""Asks for a view that is data, finds, and puts its sheet on the page."""

from dataclasses import dataclass
from functools import singledispatchmethod

import streamlit as st

from pages.contract.form import ROW, Form
from pages.contract.sheet import (
    Columns,
    Controls,
    Fold,
    Footnote,
    Formula,
    Notice,
    Numbers,
    Part,
    Remark,
    Sheet,
    Shown,
    Text,
)
from pages.controls.cited import equation, footnote
from pages.controls.page_answers import PageAnswers
from pages.controls.picture import numbers, shown
from pages.controls.screen import columns, look
from pages.controls.widgets import draw
from pages.shell.program import Program
from pages.shell.scene import Scene
from pages.shell.view import View


def say(view: View, scene: Scene) -> Program | None:
    """Ask, find and say; returns the program behind what is said. Raises UnavailableError as `find` does."""
    assert view.sheet is not None, "a view has a sheet, or else draws itself"
    answers = PageAnswers(scene.notes)
    form = Form(answers)
    choices = view.ask(form, scene)
    with scene.row:
        for item in form.items[ROW]:
            draw(item, answers)
    found = view.find(scene, choices)
    sheet = view.sheet(found, look())
    _say_above(sheet, scene)
    printed = _Printed(form, answers)
    if sheet.answer:
        st.markdown(f"**{sheet.answer}**")
    for part in sheet.parts:
        printed.put(part)
    return None if view.program is None else view.program(found)


def _say_above(sheet: Sheet, scene: Scene) -> None:
    """The notes of a sheet, and the words that its model does not know."""
    with scene.notes:
        for note in sheet.notes:
            _notice(note) if isinstance(note, Notice) else st.markdown(note.markdown)
    if sheet.unknown:
        scene.name_unknown(sheet.unknown)


def _notice(notice: Notice) -> None:
    (st.warning if notice.kind == "warning" else st.info)(notice.markdown)


@dataclass(frozen=True)
class _Printed:
    """A sheet on its way to the page, with the controls that stand on it."""

    form: Form
    answers: PageAnswers

    @singledispatchmethod
    def put(self, part: Part) -> None:
        """Put one part below those before it."""
        raise AssertionError(f"nothing puts a {type(part).__name__} on the page")

    @put.register
    def _(self, part: Text) -> None:
        st.markdown(part.markdown)

    @put.register
    def _(self, part: Remark) -> None:
        st.caption(part.markdown)

    @put.register
    def _(self, part: Notice) -> None:
        _notice(part)

    @put.register
    def _(self, part: Formula) -> None:
        equation(part.latex, part.source)

    @put.register
    def _(self, part: Footnote) -> None:
        with st.expander(f"Where a source slips: {part.slip}", type="compact"):
            footnote(part.slip)

    @put.register
    def _(self, part: Shown) -> None:
        shown(part)

    @put.register
    def _(self, part: Numbers) -> None:
        numbers(part.key, part.table, title=part.title, note=part.note)

    @put.register
    def _(self, part: Controls) -> None:
        items = self.form.items[part.spot]
        with st.container(horizontal=True, vertical_alignment="center", key=f"inline_{part.spot}"):
            for item in items:
                draw(item, self.answers)

    @put.register
    def _(self, part: Columns) -> None:
        weights = part.weights or (1.0,) * len(part.columns)
        for column, parts in zip(columns(weights), part.columns, strict=True):
            with column:
                for one in parts:
                    self.put(one)

    @put.register
    def _(self, part: Fold) -> None:
        with st.expander(part.title, type="compact"):
            for one in part.parts:
                self.put(one)
