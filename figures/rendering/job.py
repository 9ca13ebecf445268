"""Jobs of the process that draws, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Format = Literal["svg", "png", "pdf", "outlined"]
"""Formats of a sheet; `outlined` is an SVG with its letters as outlines."""


class Files(dict[str, bytes]):
    """Files by their format, and the characters that no font of this machine has."""

    undrawn: str = ""


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A Plotly figure as a dict, drawn `width` × `height` pixels large and magnified by `scale`.

    If a `paper` is named, cells are as transparent as they are pale: on that paper they look the same.
    """

    figure: Mapping[str, Any]
    width: int
    height: int
    scale: float = 1.0
    paper: str = ""


@dataclass(frozen=True, kw_only=True)
class Script:
    """A drawing of our own: a module whose default export draws an SVG from `data`, and its style.

    The SVG is scaled to fit into `width` × `height` pixels. If a `paper` is named, cells are transparent as
    those of a plot are.
    """

    script: str
    style: str
    data: Mapping[str, Any]
    width: float
    height: float
    paper: str = ""


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The sheet around a figure, in pixels: its size, and the lines of title and caption.

    If the `height` is 0, the sheet is as high as its content. If the sheet is `transparent`, no shape is
    filled in the colour of the `paper`. The QR code of a `link` stands at the lower right, and
    the `number` of a slide in the margin below it.
    """

    width: float
    height: float
    margin: float
    title: tuple[str, ...] = ()
    title_type: float = 0.0
    caption: tuple[str, ...] = ()
    caption_type: float = 0.0
    link: str = ""
    number: str = ""
    paper: str
    transparent: bool = False
    ink: str
    muted: str


@dataclass(frozen=True, kw_only=True)
class Job:
    """A figure, its frame, its provenance and the formats wanted; PNG has `scale` dots a pixel."""

    drawn: Plot | Script
    frame: Frame
    formats: tuple[Format, ...]
    scale: int = 2
    remembered: Mapping[str, str] = field(default_factory=dict)
