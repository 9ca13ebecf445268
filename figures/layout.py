"""How a picture stands on its sheet: the lines above and below it, and the room that it fills."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from figures.drawn import Drawn
from figures.exhibits import Exhibit
from figures.order import Style
from figures.preset import Preset, magnified, room_of
from figures.rendering import fonts
from figures.rendering.frame import above, below
from figures.rendering.job import Format, Frame, Job, Plot, Script
from figures.tables.setting import set_table
from figures.tables.tabled import Tabled
from viz.layout.figure import Figure
from viz.picture import Picture

NODES = Path(__file__).with_name("nodes.js")
"""The script that draws what is nothing but shapes and lines of text."""

DRAWN_TYPE = 14
"""Pixels of the smallest letters in drawings of our own."""

CODED = 0.82
"""How wide the caption is beside a QR code, as a share of its room."""


def job(exhibit: Exhibit, style: Style, formats: tuple[Format, ...], scale: int = 2) -> Job:
    """What makes files of a picture."""
    around = _frame(exhibit, style)
    drawn: Plot | Script
    match exhibit.picture:
        case Picture() as picture:
            drawn = _drawn(picture, style, around)
            if style.preset.height is None:
                around = replace(around, height=above(around) + drawn.height * drawn.scale + below(around))
        case Drawn(script=script, style=look, data=data):
            width, height = _room(style.preset, around)
            inside = _in_room(data, style.preset, height)
            paper = style.theme.paper if style.transparent else ""
            drawn = Script(script=script, style=look, data=inside, width=width, height=height, paper=paper)
        case Tabled() as tabled:
            drawn = _table(tabled, style, around)
    return Job(
        drawn=drawn, frame=around, formats=formats, scale=scale, remembered=dict(exhibit.provenance.said)
    )


def _room(preset: Preset, frame: Frame) -> tuple[float, float]:
    """Width and height that a picture has: in a column as much height as there is on the paper."""
    height = (frame.height or preset.highest) - above(frame) - below(frame)
    return preset.width - 2 * preset.margin, height


def _drawn(picture: Picture, style: Style, frame: Frame) -> Plot:
    """A picture drawn for what the frame leaves, in the letters of a page, and magnified."""
    preset = style.preset
    width, highest = _room(preset, frame)
    height = highest if preset.is_slide else preset.tallest - above(frame) - below(frame)
    figure = _clear(picture.figure(room_of(preset, style.theme, height)))
    wide, high = figure.size
    scale = min(magnified(preset), width / wide, highest / high)
    paper = style.theme.paper if style.transparent else ""
    return Plot(figure=figure.to_dict(), width=wide, height=high, scale=scale, paper=paper)


def _table(tabled: Tabled, style: Style, frame: Frame) -> Script:
    width, height = _room(style.preset, frame)
    preset, theme = style.preset, style.theme
    fills = preset.is_slide
    data = set_table(tabled, width, height, least_type=preset.least_type, theme=theme, fills=fills)
    return Script(script=NODES.read_text("utf-8"), style="", data=data, width=width, height=height)


def _in_room(data: Mapping[str, Any], preset: Preset, height: float) -> Mapping[str, Any]:
    """The data of a script that fills a room, as high as wide in a column; nothing of it is scrolled.

    The room is what a frame leaves: were it higher, the drawing would be made smaller, its letters too.
    """
    if "room" not in data:
        return data
    times = preset.body_type / DRAWN_TYPE
    width = (preset.width - 2 * preset.margin) / times
    room = [width, height / times if preset.is_slide else min(width, height / times)]
    return {**data, "room": room, "whole": True}


def _frame(exhibit: Exhibit, style: Style) -> Frame:
    preset, theme = style.preset, style.theme
    room = preset.width - 2 * preset.margin
    title = fonts.balanced(exhibit.title, room, preset.title_type, weight=fonts.BOLD) if style.title else ()
    beside = room * CODED if style.qr else room
    caption = fonts.broken_items(exhibit.caption, beside, preset.body_type) if style.title else ()
    return Frame(
        width=preset.width,
        height=preset.height or 0,
        margin=preset.margin,
        title=title,
        title_type=preset.title_type,
        caption=caption,
        caption_type=preset.body_type,
        link=style.coded(exhibit.provenance.link),
        paper=theme.paper,
        transparent=style.transparent,
        ink=theme.ink,
        muted=theme.muted,
    )


def _clear(figure: Figure) -> Figure:
    """Return the figure without paper behind it or its axes: the sheet has one, or is transparent."""
    spec = figure.to_dict()
    clear = dict.fromkeys(("paper_bgcolor", "plot_bgcolor"), "rgba(0,0,0,0)")
    return Figure({**spec, "layout": {**spec["layout"], **clear}})
