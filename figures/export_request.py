"""Requests for files: the picture of a link, the format, and the style in which it is drawn."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from figures.preset import PRESETS, SLIDE, Preset, preset_of
from viz.theme import THEMES, Theme

Kind = Literal["svg", "svg-outlines", "png", "pdf", "pptx", "csv", "html", "zip"]
KINDS: Mapping[Kind, str] = {
    "svg": "image/svg+xml",
    "svg-outlines": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "csv": "text/csv",
    "html": "text/html",
    "zip": "application/zip",
}
"""The media type of each kind of file."""

SCALES = (1, 2, 4)
"""Dots of a PNG for each pixel."""

USUAL_SCALE = 2

Name = TypeVar("Name", bound=str)

LONGEST_LINK = 24_000
"""Characters of a link: 1024 words fit, and most lectures. A server cuts off addresses of 32 KB."""

LONGEST_IN_CODE = 400
"""Longest address in a QR code: a longer one has squares under two pixels on a screen 1920 pixels wide."""

NO_SLIDE = "Slides are made for the presets slide, half and square. A figure for print has no slide."


class ExportRequestError(ValueError):
    """A request cannot be followed; the message says why, in a sentence."""


class UnknownNameError(ExportRequestError):
    """A request names a picture, a format, a preset, a theme, a scale or a width that does not exist."""


class NothingToSaveError(ExportRequestError):
    """A link shows no picture, or a picture shows no number, or only numbers of another picture."""


@dataclass(frozen=True, kw_only=True)
class Style:
    """Style of a picture: its preset, its theme, and whether its background is `transparent`.

    Without a `title` the caption is not drawn either; `qr` adds the link as a code.
    """

    preset: Preset = SLIDE
    theme: Theme = THEMES["light"]
    transparent: bool = False
    title: bool = True
    qr: bool = False

    @property
    def unusual(self) -> tuple[str, ...]:
        """Words for a file's name, one for each unusual choice of the style."""
        chosen = {
            self.preset.name: self.preset.name != SLIDE.name,
            self.theme.name: self.theme.name != Style.theme.name,
            "transparent": self.transparent,
            "untitled": not self.title,
            "qr": self.qr,
        }
        return tuple(name for name, is_unusual in chosen.items() if is_unusual)

    def coded(self, address: str) -> str:
        """Return the address for the QR code; empty if none is wanted or its squares would be too small."""
        return address if self.qr and len(address) <= LONGEST_IN_CODE else ""


@dataclass(frozen=True, kw_only=True)
class ExportRequest:
    """Request for a file: the picture with this `key` on the sheet of a link, or all pictures if it is empty.

    A `strict` request is refused if the link has a value that does not exist; otherwise the default takes its
    place. `seen` is the token of the results of one session, see pages/shell/draw.py. The
    `pictures` of the slides of a lecture are data URLs, for which its link has no room.
    """

    link: str
    key: str = ""
    kind: Kind = "svg"
    style: Style = Style()
    scale: int = USUAL_SCALE
    seen: str = ""
    strict: bool = False
    pictures: tuple[str, ...] = ()


def parse_export_request(said: Mapping[str, str]) -> ExportRequest:
    """Parse a query: `link`, `key`, `format`, `preset` or `width`, `theme`, `scale`, and switches.

    Switches are 0 or 1. Raises ExportRequestError for a value that does not exist.
    """
    link = said.get("link", "")
    if not link.startswith("/") or link.startswith("//"):
        raise ExportRequestError("A request names a link of this app, which begins with one slash.")
    if len(link) > LONGEST_LINK:
        raise ExportRequestError(
            f"This link has {len(link)} characters. A link for files has at most {LONGEST_LINK}."
        )
    kind = _named("format", said.get("format", "svg"), KINDS)
    preset = _preset(said)
    if kind == "pptx" and not preset.is_slide:
        raise ExportRequestError(NO_SLIDE)
    scale = _named("scale", said.get("scale", str(USUAL_SCALE)), map(str, SCALES))
    style = Style(
        preset=preset,
        theme=THEMES[_named("theme", said.get("theme", Style.theme.name), THEMES)],
        transparent=said.get("transparent") == "1",
        title=said.get("title") != "0",
        qr=said.get("qr") == "1",
    )
    key, seen = said.get("key", ""), said.get("seen", "")
    return ExportRequest(link=link, key=key, kind=kind, style=style, scale=int(scale), seen=seen)


def _preset(said: Mapping[str, str]) -> Preset:
    if not said.get("width"):
        return PRESETS[_named("preset", said.get("preset", SLIDE.name), PRESETS)]
    try:
        return preset_of(said["width"])
    except ValueError as error:
        raise UnknownNameError(str(error)) from error


def _named(what: str, name: str, all_names: Iterable[Name]) -> Name:
    """Return the name if it exists. Raises UnknownNameError, which does not repeat a wrong name."""
    names = list(all_names)
    for one in names:
        if one == name:
            return one
    raise UnknownNameError(f"There is no such {what}. There are {', '.join(names)}.")
