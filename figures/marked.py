"""Pictures with the mark of words that a model does not know, and what a file says of the mark."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from figures.drawn import Drawn
from figures.tables.tabled import Tabled
from pages.contract.words import NO_PIECE, NOT_LEARNED, UNKNOWN_MARK
from viz.picture import Picture
from viz.room import Room

MARKED = re.compile(rf"[^\s>]{UNKNOWN_MARK}")
"""A mark behind a word: alone it is a word that was typed."""

UNSEEN = frozenset({"hovertext", "hovertemplate", "customdata", "meta", "alt"})
"""Keys of what is not written in a file."""

LEFT_OUT = "labelalias"
"""The key of words without room beside their cells, which may get some on a sheet."""

UNKNOWN_WORD, UNKNOWN_PIECE = f"{UNKNOWN_MARK} {NOT_LEARNED}", f"{UNKNOWN_MARK} {NO_PIECE}"
"""What the mark means, of a word and of a piece of one."""


def has_mark(picture: Picture | Drawn | Tabled, room: Room) -> bool:
    """Whether a word of a picture has the mark; of a figure, one that is written in a room."""
    match picture:
        case Picture():
            written: Any = _without_left_out(picture.figure(room).to_dict())
        case Drawn(data=data):
            written = data
        case Tabled(heads=heads, rows=rows):
            written = [heads, rows]
    return any(MARKED.search(text) for text in _texts(written))


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
