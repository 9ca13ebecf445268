"""Jobs of the process that draws, as plain data, and their transport.

A message is JSON. If it names files, a message of bytes follows for each.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import orjson

from figures.rendering.channel import Channel

Format = Literal["svg", "svg-outlines", "png", "pdf", "set-html"]
FORMATS: tuple[Format, ...] = get_args(Format)
"""Formats of a sheet; `svg-outlines` is an SVG with its letters as outlines.

`set-html` is a page of HTML with its formulas set.
"""


class Files(dict[str, bytes]):
    """Files by their format, and the characters that no font of this machine has."""

    undrawn: str = ""


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A Plotly figure as a dict, drawn `width` × `height` pixels large and magnified by `scale`.

    With a `paper`, pale cells become transparent so that they look the same on a paper of that colour.
    """

    figure: Mapping[str, Any]
    width: int
    height: int
    scale: float = 1.0
    paper: str = ""


@dataclass(frozen=True, kw_only=True)
class Script:
    """A drawing by a script: a module whose default export draws an SVG from `data`, and its style.

    The SVG is scaled to fit into `width` × `height` pixels. A `paper` makes cells transparent as in a `Plot`.
    """

    script: str
    style: str
    data: Mapping[str, Any]
    width: float
    height: float
    paper: str = ""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A page of HTML for a printer, with its style; its `formula` is LaTeX and replaces `FORMULA`.

    The formulas `in_text` replace the `IN_TEXT` in their order, each with whether it has a separate line.
    Content without room on the sheet is cut off.
    """

    html: str
    style: str
    formula: str = ""
    in_text: tuple[tuple[str, bool], ...] = ()


FORMULA = "<math></math>"
"""The place of the formula in a page."""

IN_TEXT = "<math in-text></math>"
"""The place of a formula in the text of a page."""


@dataclass(frozen=True, kw_only=True)
class SheetFrame:
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
    """A figure, its frame, its provenance and the formats wanted; PNG has `scale` dots a pixel.

    A page of HTML becomes a PDF or a PNG as large as its frame, or stays HTML.
    """

    drawn: Plot | Script | Paper
    frame: SheetFrame
    formats: tuple[Format, ...]
    scale: int = 2
    provenance: Mapping[str, str] = field(default_factory=dict)


def send_job(target: Channel, job: Job) -> None:
    """Send a job. Raises OSError if the other process has ended."""
    target.send_bytes(orjson.dumps(job, option=orjson.OPT_SERIALIZE_NUMPY))


def receive_job(source: Channel) -> Job:
    """Return the next job. Raises EOFError if no more will come."""
    said = orjson.loads(source.recv_bytes())
    drawn, frame = said["drawn"], said["frame"]
    frame |= {name: tuple(frame[name]) for name in ("title", "caption")}
    kind = Plot if "figure" in drawn else Paper if "html" in drawn else Script
    said["drawn"] = kind(**drawn)
    return Job(**said | {"frame": SheetFrame(**frame), "formats": tuple(said["formats"])})


def send_files(target: Channel, files: Files) -> None:
    """Send files back; there are none if the job cannot be drawn."""
    target.send_bytes(orjson.dumps({"formats": list(files), "undrawn": files.undrawn}))
    for content in files.values():
        target.send_bytes(content)


def receive_files(source: Channel) -> Files:
    """Return the files that came back. Raises EOFError or OSError if the other process has ended."""
    said = orjson.loads(source.recv_bytes())
    files = Files({name: source.recv_bytes() for name in said["formats"]})
    files.undrawn = said["undrawn"]
    return files
