"""Parts of a sheet as Streamlit draws them, kind by kind; tiles are HTML with all text escaped."""

from contextlib import nullcontext
from dataclasses import dataclass, field
from html import escape
from typing import Any, assert_never

import streamlit as st

from pages.browser.component import component, on_event
from pages.browser.picture import draw_numbers, draw_picture, has_no_names, linked_expander
from pages.browser.saving import BARE, DRAWN, UNSAVED
from pages.browser.screen import columns, look
from pages.browser.strip import draw_strip
from pages.contract.ask import Ask
from pages.contract.parameters import TABLE
from pages.contract.prose import unbroken
from pages.contract.sheet import (
    Code,
    Column,
    Columns,
    Controls,
    Drawing,
    Fold,
    Formula,
    Part,
    PicturePart,
    Strip,
    Table,
    Text,
    Tile,
    Tiles,
)
from pages.shell.base import add_base_path
from pages.shell.first_screen import FirstScreen
from pages.shell.items import draw_items
from pages.shell.text_links import linked
from pages.state.link import change_link


def draw_text(part: Text) -> None:
    """Draw a text in the style of its kind."""
    markdown = linked(unbroken(part.markdown))
    match part.kind:
        case "text":
            st.markdown(markdown)
        case "remark":
            st.caption(markdown)
        case "info":
            st.info(markdown)
        case "warning":
            st.warning(markdown)


@dataclass(frozen=True)
class Parts:
    """The parts of a sheet on the page, with all controls or those of a first screen."""

    ask: Ask
    headline: str
    first: FirstScreen = field(default_factory=FirstScreen)

    def draw_headline(self) -> None:
        """Draw the headline in bold."""
        st.markdown(linked(unbroken(f"**{self.headline}**")))

    def draw(self, part: Part) -> None:
        """Draw a part below the ones before it."""
        match part:
            case Text():
                draw_text(part)
            case Formula(latex, source):
                with st.container(key=f"{part.key}_steps") if part.key else nullcontext():
                    st.latex(latex)
                if source:
                    st.caption(linked(source))
            case PicturePart():
                draw_picture(part)
            case Table():
                _draw_table(part)
            case Controls():
                self._draw_controls(part)
            case Columns():
                self._draw_columns(part)
            case Fold():
                self._draw_fold(part)
            case Code():
                _draw_code(part)
            case Drawing():
                _draw_drawing(part)
            case Strip():
                with st.container(key=f"{part.key}_{DRAWN}"):
                    draw_strip(part)
            case Tiles():
                st.html(add_base_path(tiles(part)))
            case _:
                assert_never(part)

    def _draw_controls(self, part: Controls) -> None:
        items = self.first.keep(self.ask.items[part.spot])
        if not items:
            return
        if part.arranged == "below each other":
            draw_items(items)
            return
        rows: dict[str, Any] = {"key": f"inline_{part.spot}", "vertical_alignment": "center"}
        if part.arranged == "labels above":
            rows = {"key": part.spot, "gap": "xsmall"}
        with st.container(horizontal=True, **rows):
            draw_items(items)

    def _draw_columns(self, part: Columns) -> None:
        weights = part.weights or (1.0,) * len(part.columns)
        for i, (column, parts) in enumerate(zip(columns(weights), part.columns, strict=True)):
            with column:
                if i == part.headline_in:
                    self.draw_headline()
                for one in parts:
                    self.draw(one)

    def _draw_fold(self, part: Fold) -> None:
        if not part.key:
            expander = st.expander(part.title, type="compact", expanded=part.is_open)
        else:
            expander = linked_expander(part.title, f"{part.key}{TABLE}", is_open=part.is_open)
            if not expander.open:
                return
        with expander:
            for one in part.parts:
                self.draw(one)


def _draw_table(part: Table) -> None:
    if callable(part.data):
        draw_numbers(part.key, part.data, title=part.title, note=part.note)
        return
    # A table in sight has no row of numbers below it beside which its button could stand.
    with st.container(key=f"{part.key}_{BARE if part.is_saved else UNSAVED}_scrolled"):
        if isinstance(part.data, str):
            st.markdown(linked(unbroken(part.data)))
        else:
            columns = {name: _configured(column) for name, column in part.columns.items()}
            rows: Any = {"hide_index": has_no_names(part.data.index), "column_config": columns}
            st.dataframe(part.data, key=part.key, width=part.width, **rows)


def _draw_code(part: Code) -> None:
    if isinstance(part.text, str):
        st.code(part.text, language=part.language, wrap_lines=True)
        return
    expander = linked_expander(part.title, f"{part.key}{TABLE}")
    if expander.open:
        expander.code(part.text(), language=part.language)


def _draw_drawing(part: Drawing) -> None:
    reply, asks = f"reply to {part.key}", {}
    if (answer := part.answer) is not None:
        asks["on_ask_change"] = on_event(
            part.key, "ask", lambda asked: st.session_state.update({reply: answer(asked)})
        )
    if (on_click := part.on_click) is not None:
        asks["on_click_change"] = on_event(part.key, "click", lambda clicked: change_link(on_click(clicked)))
    said = st.session_state.pop(reply, None)
    data = {**part.data} if said is None else {**part.data, "answer": said}
    name = f"{part.script.parent.name}_{part.script.stem}"
    draw = component(name, *part.on, part.script, part.script.with_suffix(".css"))
    with st.container(key=f"{part.key}_{DRAWN if part.is_saved else UNSAVED}"):
        draw(key=part.key, data=data, **asks)


def _configured(column: Column) -> Any:
    named: dict[str, Any] = {"label": column.title or None, "width": column.width}
    if column.is_bar:
        named |= {"min_value": 0, "max_value": 1, "color": look().theme.attention}
        return st.column_config.ProgressColumn(format=column.format, **named)
    if column.format is None:
        return st.column_config.Column(**named)
    return st.column_config.NumberColumn(format=column.format, **named)


def tiles(part: Tiles) -> str:
    """Return links as a list, numbered if its order counts, below its title; see frame.css."""
    kind = "ul" if part.arranged == "cards" else "ol"
    title = f"<h3>{escape(part.title)}</h3>" if part.title else ""
    listed = "".join(_item(tile) for tile in part.tiles)
    # A landmark has a name that distinguishes it.
    name = f'aria-label="{escape(part.title)}"' if part.title else ""
    look = f"{part.arranged} files" if any(tile.slides for tile in part.tiles) else part.arranged
    tag = f"nav {name}" if name else "div"
    files = "".join(file_link(address, text) for text, address in part.files.items())
    return f'<{tag} class="tiles {look}">{title}<{kind}>{listed}</{kind}>{files}</{tag.split()[0]}>'


def _item(tile: Tile) -> str:
    return (
        f'<li class="with_slides">{_link(tile)}{_slides(tile)}</li>'
        if tile.slides
        else f"<li>{_link(tile)}</li>"
    )


def _link(tile: Tile) -> str:
    note = f"<small>{escape(tile.note)}</small>" if tile.note else ""
    act = f"<b>{escape(tile.act)}</b>" if tile.act else ""
    # The title says what the picture shows: a screen reader would read it twice.
    picture = f'<img src="{escape(tile.picture)}" alt="" loading="lazy">' if tile.picture else ""
    words = f"{picture}<strong>{escape(tile.title)}</strong><span>{escape(tile.text)}</span>{note}{act}"
    return f'<a href="{escape(tile.path)}">{words}</a>'


def _slides(tile: Tile) -> str:
    named = {kind: f"{'Hand-out' if kind == 'html' else 'Slides'} ({kind.upper()})" for kind in tile.slides}
    return "".join(
        file_link(address, named[kind], f"{named[kind]} of {tile.title}")
        for kind, address in tile.slides.items()
    )


def file_link(address: str, text: str, name: str = "") -> str:
    """Return the link to a file; `saving/files.js` fetches it and shows the progress."""
    label = f' aria-label="{escape(name)}"' if name else ""
    return f'<a class="slides" href="{escape(address)}" download{label}>{escape(text)}</a>'
