"""Pictures with the mark of words that a model does not know, and what a file says of the mark."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from figures.drawn import Drawn
from figures.preset import USUAL_TYPE
from figures.tables.tabled import Tabled
from pages.contract.look import Look
from pages.contract.words import NO_PIECE, NOT_LEARNED, UNKNOWN_MARK
from viz.fitted import fitted, overflow
from viz.parts.figure import Figure
from viz.picture import Finished, Picture
from viz.room import Room

MARKED = re.compile(rf"[^\s>]{UNKNOWN_MARK}")
"""A mark behind a word: alone it is a word that was typed."""

UNSEEN = frozenset({"hovertext", "hovertemplate", "customdata", "meta", "alt"})
"""Keys of what is not written in a file."""

LEFT_OUT = "labelalias"
"""The key of words without room beside their cells, which may get some on a sheet."""

UNKNOWN_WORD, UNKNOWN_PIECE = f"{UNKNOWN_MARK} {NOT_LEARNED}", f"{UNKNOWN_MARK} {NO_PIECE}"
"""What the mark means, of a word and of a piece of one."""


def has_mark(picture: Picture | Drawn | Tabled, look: Look | None = None) -> bool:
    """Whether a word of a picture has the mark; of a figure, one that is written on a sheet of this look."""
    match picture:
        case Finished(drawn=Figure() as figure) if look is not None:
            if not _is_marked(figure.to_dict()):
                return False
            written: Any = _without_left_out(_on_sheet(figure, look))
        case Picture():
            room = Room() if look is None else look.for_picture
            written = _without_left_out(picture.figure(room).to_dict())
        case Drawn(data=data):
            written = data
        case Tabled(heads=heads, rows=rows):
            written = [heads, rows]
    return _is_marked(written)


def _is_marked(written: Any) -> bool:
    return any(MARKED.search(text) for text in _texts(written))


def _on_sheet(figure: Figure, look: Look) -> dict[str, Any]:
    """The figure with the words for which a sheet has room."""
    layout = figure.to_dict()["layout"]
    width = look.width
    height = look.height or layout["height"] * width / (layout.get("width") or width)
    thins = overflow(figure, width, height, least_type=USUAL_TYPE) > 1
    return fitted(figure, width, height, least_type=USUAL_TYPE, thins=thins).figure.to_dict()


def _without_left_out(spec: dict[str, Any]) -> dict[str, Any]:
    layout = {
        name: {key: value for key, value in part.items() if key != LEFT_OUT} if "axis" in name else part
        for name, part in spec["layout"].items()
    }
    return {**spec, "layout": layout}


def _texts(part: Any) -> Iterator[str]:
    """The texts of a part of a figure, without those that only a hover says."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for key, value in part.items():
            if key not in UNSEEN:
                yield from _texts(value)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _texts(one)
