"""How a picture stands on its sheet: the lines above and below it, and the room that it fills."""

from figures.exhibits import Exhibit
from figures.order import Style
from figures.preset import Preset
from figures.rendering import fonts
from figures.rendering.frame import above, below
from figures.rendering.job import Format, Frame, Job, Plot
from viz.fitted import NARROWEST, Fitted, fitted
from viz.parts.figure import Figure
from viz.stretched import natural

CODED = 0.82
"""How wide the caption is beside a QR code, as a share of its room."""


def job(exhibit: Exhibit, style: Style, formats: tuple[Format, ...], scale: int = 2) -> Job:
    """What makes files of a picture."""
    preset, figure = style.preset, _without_title(exhibit.picture.figure)
    around = _frame(exhibit, style)
    drawn = _fitted(figure, preset, around)
    if preset.height is None:
        around = _with_height(around, above(around) + drawn.taken[1] + below(around))
    plot = Plot(figure=drawn.figure.to_dict(), width=drawn.width, height=drawn.height, scale=drawn.scale)
    return Job(
        drawn=plot, frame=around, formats=formats, scale=scale, remembered=dict(exhibit.provenance.said)
    )


def _frame(exhibit: Exhibit, style: Style) -> Frame:
    preset, theme = style.preset, style.theme
    room = preset.width - 2 * preset.margin
    title = fonts.broken(exhibit.title, room, preset.title_type, weight=fonts.BOLD) if style.title else ()
    beside = room * CODED if style.qr else room
    caption = fonts.broken(exhibit.caption, beside, preset.least_type) if style.title else ()
    return Frame(
        width=preset.width,
        height=preset.height or 0,
        margin=preset.margin,
        title=title,
        title_type=preset.title_type,
        caption=caption,
        caption_type=preset.least_type,
        link=exhibit.provenance.link if style.qr else "",
        paper="" if style.transparent else theme.paper,
        ink=theme.ink,
        muted=theme.muted,
    )


def _with_height(frame: Frame, height: float) -> Frame:
    return Frame(**{**vars(frame), "height": height})


def _fitted(figure: Figure, preset: Preset, frame: Frame) -> Fitted:
    """The figure as large as what the frame leaves; as high as it is, where the preset says no height."""
    width = preset.width - 2 * preset.margin
    if preset.height is None:
        found = natural(figure, least_type=preset.least_type)
        height = min(found.height * width / (found.width or NARROWEST), preset.highest)
    else:
        height = frame.height - above(frame) - below(frame)
    return fitted(figure, width, height, least_type=preset.least_type)


def _without_title(figure: Figure) -> Figure:
    """The figure without the title that it has on the page: the frame has one.

    On a transparent sheet it has no paper of its own either.
    """
    spec = figure.to_dict()
    layout = {name: value for name, value in spec["layout"].items() if name not in ("title", "meta")}
    clear = {"paper_bgcolor": "rgba(0,0,0,0)"}
    return Figure({**spec, "layout": {**layout, **clear}})
