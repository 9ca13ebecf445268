"""A sheet in the large view: the headline, the picture that fills the window, and the rest below."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from html import escape
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.browser.large import (
    BETWEEN,
    FREE_BELOW,
    HEADING,
    HEIGHTS,
    LEAST_TYPE,
    headline_placement,
    headline_type,
    put_style,
)
from pages.browser.picture import draw_figure, draw_table
from pages.browser.screen import look
from pages.contract.arrangement import Panels, Visual, arranged
from pages.contract.badge import badge, legend_of_mark
from pages.contract.look import Look
from pages.contract.prose import unbroken
from pages.contract.scene import Scene
from pages.contract.sheet import Controls, PicturePart, Sheet, Strip
from pages.shell.parts import Parts
from pages.shell.text_links import linked
from viz.room import Room
from viz.theme import Theme

MAGNIFIED = 1.25
"""Ratio of a picture's type size, in units of the stage, to that on a page."""

SMALLEST = 0.8
"""Smallest scale of a picture that is too high for the window."""

OF_STRIP = 0.92
"""Magnification of a strip of stages: three of its matrices stand side by side."""


def draw_large(
    sheet: Sheet,
    parts: Parts,
    folded: DeltaGenerator | None,
    cover: Callable[[str], AbstractContextManager[Any]],
    scene: Scene,
) -> None:
    """Draw the sheet for the lecture hall; controls are `folded` away, or stand below the picture."""
    seen = arranged(sheet.parts, parts.ask.look.panel)
    if folded is not None:
        with folded, cover("controls"):
            _draw_controls(seen.controls, parts)
    if parts.headline:
        with st.container(key="large_headline"):
            st.markdown(linked(unbroken(parts.headline)))
            put_style("headline", f".st-key-large_headline {{ {_headline_style(parts.headline)}; }}")
    stage = look()
    if seen.picture is not None:
        drawn = _draw_panels(seen.picture, parts, stage, is_alone=folded is not None)
        model, legend = badge(sheet, scene, parts.ask), legend_of_mark(scene, drawn)
        if model or legend:
            with st.container(key="large_badge"):
                st.html(f"<span>{escape(legend)}</span><span>{escape(model)}</span>")
    with st.container(key="large_below"):
        if folded is None:
            _draw_controls(seen.controls, parts)
        if seen.picture is not None:
            _draw_numbers(seen.picture)
        for part in seen.below:
            if isinstance(part, Panels):
                _draw_panels(part, parts, stage)
                _draw_numbers(part)
            else:
                parts.draw(part)


def _headline_style(headline: str) -> str:
    """Return the style of the headline; a step with its own sentence hides it until something is changed."""
    placement = headline_placement()
    if placement == "not":
        return "display: none"
    return f"--headline: {headline_type(headline, placement)}; --high: {HEIGHTS[placement]}"


def _draw_controls(controls: tuple[Controls, ...], parts: Parts) -> None:
    for control in controls:
        parts.draw(control)


def _draw_panels(group: Panels, parts: Parts, stage: Look, *, is_alone: bool = False) -> list[object]:
    """Draw pictures side by side, and return their contents; parts below an `is_alone` group begin lower."""
    has_headings = any(panel.heading for panel in group.panels)
    rules, written = [], []
    first = group.panels[0].drawn.key
    with st.container(key=f"large_panels_{first}", horizontal=True):
        for panel, frame in zip(group.panels, frames(group.weights, stage, has_headings), strict=True):
            with st.container(key=f"{panel.drawn.key}_panel"):
                if panel.heading:
                    st.markdown(linked(unbroken(panel.heading)))
                rule, seen = _draw_panel(panel.drawn, parts, frame, stage.theme)
                rules.append(rule)
                written.append(seen)
        if is_alone:
            least = f"min-height: calc(100vh - {HEIGHTS[headline_placement()] + FREE_BELOW} * var(--unit))"
            rules.append(f".st-key-large_panels_{first} {{ {least}; }}")
        put_style(first, " ".join(rules))
    return written


def frames(weights: tuple[float, ...], stage: Look, has_headings: bool) -> list[tuple[float, float]]:
    """Return the widths and heights of panels with these weights, under headings if there are any."""
    assert stage.height is not None, "a stage is as high as the window"
    height = stage.height - HEADING * has_headings
    width = stage.width - BETWEEN * (len(weights) - 1)
    return [(width * weight / sum(weights), height) for weight in weights]


def _draw_panel(drawn: Visual, parts: Parts, frame: tuple[float, float], theme: Theme) -> tuple[str, object]:
    """Draw a picture in its frame; return the rule by which the browser magnifies it, and its content."""
    if not isinstance(drawn, PicturePart):
        parts.draw(drawn)
        zoom = OF_STRIP if isinstance(drawn, Strip) else 1.0
        size = f"zoom: calc({zoom} * var(--magnified)); width: {frame[0] / zoom:.1f}px"
        if headline_placement() == "not":  # a step of a lecture is about the open stage
            size += "; --stage-strip: none"
        rule = f".st-key-{drawn.key} {{ {size}; --least-type: {LEAST_TYPE / zoom:.1f}px; }}"
        return rule, drawn.stages if isinstance(drawn, Strip) else drawn.data
    width, height, least = (length / MAGNIFIED for length in (*frame, LEAST_TYPE))
    room = Room(theme=theme, width=width, height=height, fills=True, smallest_type=least)
    figure = drawn.picture.figure(room)
    draw_figure(drawn, figure)
    # A drawing of many rows has a minimum height: then it is drawn smaller.
    magnified = MAGNIFIED * min(1.0, max(SMALLEST, height / figure.size[1]))
    width, height = (length * magnified for length in figure.size)
    size = f"width: calc({width:.1f} * var(--unit)); height: calc({height:.1f} * var(--unit)); margin: 0 auto"
    scaled = f"transform-origin: 0 0; transform: scale(calc({magnified:.4f} * var(--magnified)))"
    rule = f".st-key-{drawn.key}_scrolled {{ {size}; }} .st-key-{drawn.key} .js-plotly-plot {{ {scaled}; }}"
    return rule, figure.to_dict()


def _draw_numbers(group: Panels) -> None:
    for panel in group.panels:
        if isinstance(panel.drawn, PicturePart):
            draw_table(panel.drawn)
