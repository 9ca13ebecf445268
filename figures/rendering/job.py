"""What the process that draws is given: plain data, as it passes through a pipe."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Format = Literal["svg", "png", "pdf", "outlined"]
"""What a sheet is made into; `outlined` is an SVG whose letters are outlines."""


class Files(dict[str, bytes]):
    """Files by their format, and the characters in them that no font of this machine has."""

    undrawn: str = ""


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A figure of Plotly's as a dict, drawn `width` × `height` pixels large and magnified by `scale`.

    If a `paper` is named, cells let what is below show through: on that paper they look as they are.
    """

    figure: Mapping[str, Any]
    width: int
    height: int
    scale: float = 1.0
    paper: str = ""


@dataclass(frozen=True, kw_only=True)
class Script:
    """A drawing of our own: a module's text whose default export draws an SVG from `data`, and its style.

    However large it draws it, it is brought to this width, or less where that makes it higher than `height`.
    """

    script: str
    style: str
    data: Mapping[str, Any]
    width: float
    height: float


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What stands around a figure, in pixels: lines that are broken already, and where the figure begins.

    `height` is that of the whole, 0 where it is as high as what it has in it. Nothing in the colour of the
    `paper` is filled if the sheet is `transparent`. The QR code of a `link` stands at the lower right, and
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
    """A figure, its frame, what its file remembers, and the formats wanted; PNG has `scale` dots a pixel."""

    drawn: Plot | Script
    frame: Frame
    formats: tuple[Format, ...]
    scale: int = 2
    remembered: Mapping[str, str] = field(default_factory=dict)
