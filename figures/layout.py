"""Layout of a picture on its sheet: the lines above and below it, and the room that it fills."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from figures.export_pictures import ExportPicture, ScriptDrawing
from figures.export_request import Style
from figures.preset import Preset, magnified, room_of
from figures.rendering import fonts
from figures.rendering.frame import above, below
from figures.rendering.job import Format, Job, Plot, Script, SheetFrame
from figures.tables import TextTable, set_table
from viz.picture import Picture
from viz.theme import Theme

NODES = Path(__file__).with_name("nodes.js")
"""The script that draws shapes and lines of text."""

DRAWN_TYPE = 14
"""Pixels of the smallest letters in drawings by a script."""

CODED = 0.82
"""Width of the caption beside a QR code, as a share of its room."""

CLEAR = dict.fromkeys(("paper_bgcolor", "plot_bgcolor"), "rgba(0,0,0,0)")
"""Layout of a figure without paper behind it or its axes: the sheet has one, or is transparent."""


def job(export_picture: ExportPicture, style: Style, formats: tuple[Format, ...], scale: int = 2) -> Job:
    """Return the job that makes files of a picture."""
    preset, theme, around = style.preset, style.theme, _frame(export_picture, style)
    paper = theme.paper if style.transparent else ""
    high_above, high_below, width = above(around), below(around), preset.width - 2 * preset.margin
    height = (around.height or preset.max_height) - high_above - high_below  # in print the whole paper
    drawn: Plot | Script
    match export_picture.picture:
        case Picture() as picture:
            picture_height = height if preset.is_slide else preset.usual_height - high_above - high_below
            figure = picture.figure(room_of(preset, theme, picture_height))
            wide, high = figure.size
            times = min(magnified(preset), width / wide, height / high)
            spec = figure.to_dict()
            clear = {**spec, "layout": {**spec["layout"], **CLEAR}}
            drawn = Plot(figure=clear, width=wide, height=high, scale=times, paper=paper)
            if not preset.is_slide:
                around = replace(around, height=high_above + high * times + high_below)
        case ScriptDrawing(script=script, style=look, data=data):
            data = _in_room(data, preset, height)
            drawn = Script(script=script, style=look, data=data, width=width, height=height, paper=paper)
        case TextTable() as tabled:
            fills, least = preset.is_slide, preset.least_type
            data = set_table(tabled, width, height, least_type=least, theme=theme, fills=fills)
            drawn = of_nodes(data, width, height)
    provenance = export_picture.provenance
    return Job(drawn=drawn, frame=around, formats=formats, scale=scale, provenance=provenance)


def of_nodes(data: Mapping[str, Any], width: float, height: float) -> Script:
    """Return the drawing of the nodes of `data`, as large as the room allows."""
    return Script(script=NODES.read_text("utf-8"), style="", data=data, width=width, height=height)


def _in_room(data: Mapping[str, Any], preset: Preset, height: float) -> Mapping[str, Any]:
    """Return the data of a script that fills a room, in print as high as wide; nothing is scrolled.

    The room is what the frame leaves. In a higher room the drawing and its letters would be scaled down.
    """
    if "room" not in data:
        return data
    times = preset.body_type / DRAWN_TYPE
    width = (preset.width - 2 * preset.margin) / times
    room = [width, height / times if preset.is_slide else min(width, height / times)]
    return {**data, "room": room, "whole": True}


def bare_sheet(theme: Theme, width: float, height: float) -> SheetFrame:
    """Return a sheet without lines and margins, of a size in pixels."""
    return SheetFrame(
        width=width, height=height, margin=0, paper=theme.paper, ink=theme.ink, muted=theme.muted
    )


def sheet(style: Style, address: str, **lines: Any) -> SheetFrame:
    """Return the frame of a style with its lines, and the QR code of an address if the style has one."""
    preset, theme = style.preset, style.theme
    return SheetFrame(
        width=preset.width,
        height=preset.height or 0,
        margin=preset.margin,
        link=style.coded(address),
        paper=theme.paper,
        transparent=style.transparent,
        ink=theme.ink,
        muted=theme.muted,
        **lines,
    )


def _frame(export_picture: ExportPicture, style: Style) -> SheetFrame:
    preset = style.preset
    title_type, caption_type, lines = preset.title_type, preset.body_type, {}
    if style.title:
        room = preset.width - 2 * preset.margin
        beside = room * CODED if style.qr else room
        lines["title"] = fonts.balanced(export_picture.title, room, title_type)
        lines["caption"] = fonts.broken_items(export_picture.caption, beside, caption_type)
    link = export_picture.link
    return sheet(style, link, title_type=title_type, caption_type=caption_type, **lines)
