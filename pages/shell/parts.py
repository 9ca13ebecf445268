"""A sheet on its way to the page: each kind of part as Streamlit draws it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, singledispatchmethod
from pathlib import Path
from typing import Any

import streamlit as st

from pages.contract.ask import Ask
from pages.contract.cited import ALL_SLIPS, told_footnote
from pages.contract.items import Item
from pages.contract.prose import unbroken
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
from pages.controls.listed import listed
from pages.controls.notes import HERE
from pages.controls.page_answers import PageAnswers, bind_switch
from pages.controls.page_rerun import change_link
from pages.controls.picture import menu, numbers, shown
from pages.controls.saving import BARE, DRAWN, UNSAVED
from pages.controls.screen import columns
from pages.controls.strip import show_strip
from pages.controls.tiles import tiles
from pages.controls.widgets import draw


def draw_controls(ask: Ask, spot: str) -> None:
    """Draw the controls asked for at a spot."""
    draw_items(ask.items[spot], ask)


def draw_items(items: Sequence[Item], ask: Ask) -> None:
    """Draw some of the controls asked for."""
    assert isinstance(ask.answers, PageAnswers), "on a page the visitor answers"
    for item in items:
        draw(item, ask.answers)


def draw_notice(notice: Notice) -> None:
    """Say why there is nothing to show, or that something went wrong."""
    (st.warning if notice.kind == "warning" else st.info)(unbroken(notice.markdown))


@dataclass(frozen=True)
class Parts:
    """A sheet on its way to the page, with the controls that stand on it."""

    ask: Ask
    answer: str

    @singledispatchmethod
    def draw(self, part: Part) -> None:
        """Put one part below those before it."""
        raise AssertionError(f"nothing puts a {type(part).__name__} on the page")

    @draw.register
    def _(self, part: Answer) -> None:
        st.markdown(unbroken(f"**{self.answer}**"))

    @draw.register
    def _(self, part: Text) -> None:
        st.markdown(unbroken(part.markdown))

    @draw.register
    def _(self, part: Remark) -> None:
        st.caption(unbroken(part.markdown))

    @draw.register
    def _(self, part: Notice) -> None:
        draw_notice(part)

    @draw.register
    def _(self, part: Formula) -> None:
        st.latex(part.latex)
        st.caption(part.source)

    @draw.register
    def _(self, part: Footnote) -> None:
        with st.expander(f"Where a source slips: {part.slip}", type="compact"):
            st.caption(f"{told_footnote(part.slip)} [All slips]({ALL_SLIPS})")

    @draw.register
    def _(self, part: Shown) -> None:
        shown(part)

    @draw.register
    def _(self, part: Numbers) -> None:
        numbers(part.key, part.table, title=part.title, note=part.note)

    @draw.register
    def _(self, part: Controls) -> None:
        if part.arranged == "below each other":
            draw_controls(self.ask, part.spot)
            return
        rows: dict[str, Any] = {"key": f"inline_{part.spot}", "vertical_alignment": "center"}
        if part.arranged == "labels above":
            rows = {"key": part.spot, "gap": "xsmall"}
        with st.container(horizontal=True, **rows):
            draw_controls(self.ask, part.spot)

    @draw.register
    def _(self, part: Columns) -> None:
        weights = part.weights or (1.0,) * len(part.columns)
        for column, parts in zip(columns(weights), part.columns, strict=True):
            with column:
                for one in parts:
                    self.draw(one)

    @draw.register
    def _(self, part: Code) -> None:
        bind = bind_switch(part.key, HERE)
        expander = st.expander(part.title, key=part.key, on_change="rerun", bind=bind, type="compact")
        if expander.open:
            expander.code(part.write(), language=part.language)

    @draw.register
    def _(self, part: Strip) -> None:
        with st.container(key=f"strip_{DRAWN}"):
            show_strip(part)

    @draw.register
    def _(self, part: Fold) -> None:
        key = f"{part.key}_table" if part.key else None
        link: dict[str, Any] = {"on_change": "rerun", "bind": bind_switch(key, HERE)} if key else {}
        expander = st.expander(part.title, key=key, type="compact", expanded=part.is_open, **link)
        if key and not expander.open:
            return
        with expander:
            for one in part.parts:
                self.draw(one)

    @draw.register
    def _(self, part: Drawing) -> None:
        asks = {} if part.answer is None else {"on_ask_change": lambda: _hear(part)}
        if part.on_click is not None:
            asks["on_click_change"] = lambda: _follow(part)
        said = st.session_state.pop(_answer_to(part), None)
        data = {**part.data} if said is None else {**part.data, "answer": said}
        component = _component(part.script, *part.on)
        with st.container(key=f"{part.key}_{DRAWN if part.is_saved else UNSAVED}"):
            component(key=part.key, data=data, **asks)

    @draw.register
    def _(self, part: Pick) -> None:
        menu(part)

    @draw.register
    def _(self, part: TextTable) -> None:
        with st.container(key=_around_table(part)):
            st.markdown(unbroken(part.markdown))

    @draw.register
    def _(self, part: Counts) -> None:
        # A table that is only looked at has no name in the page: its container has.
        with st.container(key=f"counts_{BARE}_scrolled"):
            counts = {name: st.column_config.NumberColumn(format="localized") for name in part.table}
            st.dataframe(part.table, column_config=counts, height="content")

    @draw.register
    def _(self, part: Excerpt) -> None:
        st.code(part.python, language="python", wrap_lines=True)

    @draw.register
    def _(self, part: Steps) -> None:
        with st.container(key=f"{part.key}_steps"):
            st.latex(part.latex)

    @draw.register
    def _(self, part: Listed) -> None:
        with st.container(key=_around_table(part)):
            listed(part)

    @draw.register
    def _(self, part: Tiles) -> None:
        st.html(tiles(part))


def _around_table(part: TextTable | Listed) -> str:
    """Return the key of the container of a table, which has no row of numbers below it."""
    return f"{part.key}_{BARE if part.is_saved else UNSAVED}_scrolled"


def _answer_to(part: Drawing) -> str:
    """The key under which a session has the answer to a script until the page is drawn."""
    return f"answer to {part.key}"


def _hear(part: Drawing) -> None:
    """Answer what the script of a drawing has asked."""
    asked = st.session_state[part.key].get("ask")
    if part.answer is not None and asked:
        st.session_state[_answer_to(part)] = part.answer(asked)


def _follow(part: Drawing) -> None:
    """Change the link as the click in a drawing says."""
    clicked = st.session_state[part.key].get("click")
    if part.on_click is not None and clicked:
        change_link(part.on_click(clicked))


@cache
def _component(script: Path, *on: Path) -> Any:
    """The component of a script, of those it is built on, and of the CSS beside it."""
    js = "\n".join(path.read_text("utf-8") for path in (*on, script))
    css = script.with_suffix(".css").read_text("utf-8")
    return st.components.v2.component(f"{script.parent.name}_{script.stem}", js=js, css=css)
