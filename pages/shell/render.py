"""Asks for a view that is data, finds, and puts its sheet on the page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, singledispatchmethod
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.text.tokenizer import words_of
from pages.contract.form import ROW, Form
from pages.contract.items import Asked
from pages.contract.sheet import (
    Answer,
    Code,
    Columns,
    Controls,
    Counts,
    Drawing,
    Excerpt,
    Fold,
    Footnote,
    Formula,
    Listed,
    Notice,
    Numbers,
    Part,
    Pick,
    Remark,
    Shown,
    Steps,
    Strip,
    Text,
    TextTable,
    Tiles,
)
from pages.controls.cited import equation, footnote
from pages.controls.listed import listed
from pages.controls.notes import HERE
from pages.controls.page_answers import PageAnswers, bind_switch
from pages.controls.picture import menu, numbers, shown
from pages.controls.prose import unbroken
from pages.controls.screen import columns, look
from pages.controls.strip import show_strip
from pages.controls.tiles import tiles
from pages.controls.widgets import draw
from pages.shell.measuring import measured
from pages.shell.program import Program
from pages.shell.scene import Scene
from pages.shell.view import View
from pages.terms.underlined import underlined


@dataclass(frozen=True)
class Desk:
    """Where a page writes what does not stand below what was written last: notes, and unknown words."""

    notes: DeltaGenerator
    unknown: DeltaGenerator

    def draw(self, form: Form, spot: str) -> None:
        """Draw the controls asked for at a spot."""
        assert isinstance(form.answers, PageAnswers), "on a page the visitor answers"
        for item in form.items[spot]:
            draw(item, form.answers)

    def say(self, notes: Sequence[Text | Notice]) -> None:
        """Say something above the page."""
        with self.notes:
            for note in notes:
                _notice(note) if isinstance(note, Notice) else st.markdown(unbroken(note.markdown))

    def say_below_sentence(self, said: Sequence[Text | Remark]) -> None:
        """Say something of the sentence below its box."""
        with self.unknown:
            for part in said:
                (st.caption if isinstance(part, Remark) else st.markdown)(unbroken(part.markdown))

    def name_unknown(self, scene: Scene, positions: Sequence[int]) -> None:
        """Name words that the model does not know."""
        replace(scene, unknown=self.unknown).name_unknown(positions)


def say(view: View, scene: Scene, form: Form, desk: Desk) -> Program | None:
    """Ask, find and say; returns the program behind what is said. Raises UnavailableError as `find` does."""
    said = len(form.notes)
    choices = view.ask(form, scene)
    row = HERE
    if form.items[ROW] or view.draw is not None:
        row = st.container(horizontal=True, vertical_alignment="center", key="inline_row")
        with row:
            desk.draw(form, ROW)
    desk.say(form.notes[said:])
    if view.reads:
        desk.name_unknown(scene, scene.reading.unknown)
    if view.draw is not None:
        return view.draw(replace(scene, notes=desk.notes, row=row, unknown=desk.unknown))
    assert view.sheet is not None, "a view has a sheet, or else draws itself"
    if view.measurement is not None:
        scene = replace(scene, measured=measured(view.measurement, scene, choices, row))
    found = view.find(scene, choices)
    sheet = underlined(view.sheet(found, look()), _typed(scene, form))
    desk.say(sheet.notes)
    if sheet.unknown:
        desk.name_unknown(scene, sheet.unknown)
    desk.say_below_sentence(sheet.below_sentence)
    printed = _Printed(form, desk, sheet.answer)
    if sheet.answer and not any(isinstance(part, Columns) and part.has_answer for part in sheet.parts):
        printed.put(Answer())
    for part in sheet.parts:
        printed.put(part)
    return None if view.program is None else view.program(found)


def _typed(scene: Scene, form: Form) -> set[str]:
    """The words in the boxes, which are no terms whatever they say."""
    asked = (item for items in form.items.values() for item in items if isinstance(item, Asked))
    lines = [str(one.value) for one in asked if one.control.kind == "text"]
    return {*map(str, (*scene.words, *scene.other)), *words_of(" ".join(lines))}


def _notice(notice: Notice) -> None:
    (st.warning if notice.kind == "warning" else st.info)(unbroken(notice.markdown))


@dataclass(frozen=True)
class _Printed:
    """A sheet on its way to the page, with the controls that stand on it."""

    form: Form
    desk: Desk
    answer: str

    @singledispatchmethod
    def put(self, part: Part) -> None:
        """Put one part below those before it."""
        raise AssertionError(f"nothing puts a {type(part).__name__} on the page")

    @put.register
    def _(self, part: Answer) -> None:
        st.markdown(unbroken(f"**{self.answer}**"))

    @put.register
    def _(self, part: Text) -> None:
        st.markdown(unbroken(part.markdown))

    @put.register
    def _(self, part: Remark) -> None:
        st.caption(unbroken(part.markdown))

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
        if part.arranged == "below each other":
            self.desk.draw(self.form, part.spot)
            return
        rows: dict[str, Any] = {"key": f"inline_{part.spot}", "vertical_alignment": "center"}
        if part.arranged == "labels above":
            rows = {"key": part.spot, "gap": "xsmall"}
        with st.container(horizontal=True, **rows):
            self.desk.draw(self.form, part.spot)

    @put.register
    def _(self, part: Columns) -> None:
        weights = part.weights or (1.0,) * len(part.columns)
        for column, parts in zip(columns(weights), part.columns, strict=True):
            with column:
                for one in parts:
                    self.put(one)

    @put.register
    def _(self, part: Code) -> None:
        bind = bind_switch(part.key, HERE)
        expander = st.expander(part.title, key=part.key, on_change="rerun", bind=bind, type="compact")
        if expander.open:
            expander.code(part.write(), language=part.language)

    @put.register
    def _(self, part: Strip) -> None:
        show_strip(part)

    @put.register
    def _(self, part: Fold) -> None:
        key = f"{part.key}_table" if part.key else None
        link: dict[str, Any] = {"on_change": "rerun", "bind": bind_switch(key, HERE)} if key else {}
        expander = st.expander(part.title, key=key, type="compact", expanded=part.is_open, **link)
        if key and not expander.open:
            return
        with expander:
            for one in part.parts:
                self.put(one)

    @put.register
    def _(self, part: Drawing) -> None:
        _component(part.script)(key=part.key, data=dict(part.data))

    @put.register
    def _(self, part: Pick) -> None:
        menu(part)

    @put.register
    def _(self, part: TextTable) -> None:
        with st.container(key=f"{part.key}_scrolled"):
            st.markdown(unbroken(part.markdown))

    @put.register
    def _(self, part: Counts) -> None:
        st.dataframe(part.table.style.format("{:,}"), height="content")

    @put.register
    def _(self, part: Excerpt) -> None:
        st.code(part.python, language="python", wrap_lines=True)

    @put.register
    def _(self, part: Steps) -> None:
        with st.container(key=f"{part.key}_steps"):
            st.latex(part.latex)

    @put.register
    def _(self, part: Listed) -> None:
        listed(part)

    @put.register
    def _(self, part: Tiles) -> None:
        st.html(tiles(part))


@cache
def _component(script: Path) -> Any:
    """The component of a script and of the CSS beside it."""
    js, css = (script.with_suffix(kind).read_text("utf-8") for kind in (".js", ".css"))
    return st.components.v2.component(f"{script.parent.name}_{script.stem}", js=js, css=css)
