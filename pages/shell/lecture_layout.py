"""A sheet in a lecture: the answer, the picture that fills the window, and below it all else."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.browser.lecture import BETWEEN, HEADING, LEAST_TYPE, put_style, type_of_answer
from pages.browser.picture import draw_figure, draw_table
from pages.browser.screen import look
from pages.contract.lecture import Drawn, Panels, arranged
from pages.contract.look import Look
from pages.contract.prose import unbroken
from pages.contract.sheet import Controls, Part, Sheet, Shown, Strip
from pages.shell.base import based
from pages.shell.parts import Parts
from viz.room import Room
from viz.theme import Theme

MAGNIFIED = 1.25
"""How many times as large as on a page the letters of a picture are in units of the stage."""

OF_STRIP = 0.92
"""How far a strip of stages is magnified: three matrices of it stand side by side."""


class Frame(NamedTuple):
    """What a panel has of the stage, in units."""

    width: float
    height: float


def draw_lecture(
    sheet: Sheet,
    parts: Parts,
    folded: DeltaGenerator | None,
    cover: Callable[[str], AbstractContextManager[Any]],
) -> None:
    """The sheet as a hall sees it; what one presses is `folded` away, or stands below the picture.

    What is folded away is not in the container of the rest: it gets a `cover` of its own.
    """
    seen = arranged(sheet.parts)
    if folded is not None:
        with folded, cover("controls"):
            _draw_controls(seen.controls, parts)
    if parts.answer:
        with st.container(key="lecture_answer"):
            st.markdown(based(unbroken(parts.answer)))
            put_style("answer", f".st-key-lecture_answer {{ --answer: {type_of_answer(parts.answer)}; }}")
    stage = look()
    if seen.picture is not None:
        _draw_panels(seen.picture, parts, stage)
    with st.container(key="lecture_below"):
        if folded is None:
            _draw_controls(seen.controls, parts)
        if seen.picture is not None:
            _draw_numbers(seen.picture)
        for part in seen.below:
            _draw_below(part, parts, stage)


def _draw_controls(controls: tuple[Controls, ...], parts: Parts) -> None:
    for control in controls:
        parts.draw(control)


def _draw_below(part: Panels | Part, parts: Parts, stage: Look) -> None:
    if isinstance(part, Panels):
        _draw_panels(part, parts, stage)
        _draw_numbers(part)
    else:
        parts.draw(part)


def _draw_panels(group: Panels, parts: Parts, stage: Look) -> None:
    has_headings = any(panel.heading for panel in group.panels)
    rules = []
    first = group.panels[0].drawn.key
    with st.container(key=f"lecture_panels_{first}", horizontal=True):
        for panel, frame in zip(group.panels, frames(group.weights, stage, has_headings), strict=True):
            with st.container(key=f"{panel.drawn.key}_panel"):
                if panel.heading:
                    st.markdown(based(unbroken(panel.heading)))
                rules.append(_draw_panel(panel.drawn, parts, frame, stage.theme))
        put_style(first, " ".join(rules))


def frames(weights: tuple[float, ...], stage: Look, has_headings: bool) -> list[Frame]:
    """What panels of these weights have of the stage, under headings if there are any."""
    assert stage.height is not None, "a stage is as high as the window"
    height = stage.height - HEADING * has_headings
    width = stage.width - BETWEEN * (len(weights) - 1)
    return [Frame(width * weight / sum(weights), height) for weight in weights]


def _draw_panel(drawn: Drawn, parts: Parts, frame: Frame, theme: Theme) -> str:
    """Put a picture into its frame; returns the rule by which the browser magnifies it."""
    if not isinstance(drawn, Shown):
        parts.draw(drawn)
        zoom = OF_STRIP if isinstance(drawn, Strip) else 1.0
        size = f"zoom: calc({zoom} * var(--magnified)); width: {frame.width / zoom:.1f}px"
        return f".st-key-{drawn.key} {{ {size}; --least-type: {LEAST_TYPE / zoom:.1f}px; }}"
    width, height, least = (length / MAGNIFIED for length in (*frame, LEAST_TYPE))
    room = Room(theme=theme, width=width, height=height, fills=True, smallest_type=least)
    figure = drawn.picture.figure(room)
    draw_figure(drawn, figure)
    width, height = (length * MAGNIFIED for length in figure.size)
    size = f"width: calc({width:.1f} * var(--unit)); height: calc({height:.1f} * var(--unit)); margin: 0 auto"
    scaled = f"transform-origin: 0 0; transform: scale(calc({MAGNIFIED} * var(--magnified)))"
    return f".st-key-{drawn.key}_scrolled {{ {size}; }} .st-key-{drawn.key} .js-plotly-plot {{ {scaled}; }}"


def _draw_numbers(group: Panels) -> None:
    for panel in group.panels:
        if isinstance(panel.drawn, Shown):
            draw_table(panel.drawn)
