"""Orders for files: the picture of a link, the format, and the style in which it is drawn."""

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
"""Characters; a text of 1024 words fits, and most lectures. A server cuts off addresses of 32 KB."""

LONGEST_IN_CODE = 400
"""Characters of an address in a QR code: with more, a square is not two pixels of 1920 wide."""

NO_SLIDE = "Slides are made for the presets slide, half and square. A figure for print has no slide."


class OrderError(ValueError):
    """Why an order cannot be followed, in a sentence."""


class UnknownNameError(OrderError):
    """An order names a picture, a format, a preset, a theme, a scale or a width that does not exist."""


class NothingToSaveError(OrderError):
    """A link shows no picture, or a picture shows no number, or has none of its own."""


@dataclass(frozen=True, kw_only=True)
class Style:
    """How a picture is drawn: for which preset, in which theme, on no paper if `transparent`.

    Without a `title` neither that nor the line below is drawn; `qr` puts the link there as a code.
    """

    preset: Preset = SLIDE
    theme: Theme = THEMES["light"]
    transparent: bool = False
    title: bool = True
    qr: bool = False

    @property
    def unusual(self) -> tuple[str, ...]:
        """Words for a file's name: each choice of the style that is unusual."""
        chosen = {
            self.preset.name: self.preset.name != SLIDE.name,
            self.theme.name: self.theme.name != Style.theme.name,
            "transparent": self.transparent,
            "untitled": not self.title,
            "qr": self.qr,
        }
        return tuple(name for name, is_unusual in chosen.items() if is_unusual)

    def coded(self, address: str) -> str:
        """What a QR code of an address leads to; empty where none is wanted, or it would be too fine."""
        return address if self.qr and len(address) <= LONGEST_IN_CODE else ""


@dataclass(frozen=True, kw_only=True)
class Order:
    """One file of one picture: that of this `key` on the sheet of a link; all of them if it is empty.

    A `strict` one is refused where the link asks for what there is not; else the picture shows what is usual.
    `seen` is the token of what a session alone has measured or trained, see pages/shell/seen.py. The
    link of a lecture has no room for the `pictures` of its slides, which are data URLs.
    """

    link: str
    key: str = ""
    kind: Kind = "svg"
    style: Style = Style()
    scale: int = USUAL_SCALE
    seen: str = ""
    strict: bool = False
    pictures: tuple[str, ...] = ()


def order_of(said: Mapping[str, str]) -> Order:
    """Return the order of a query: `link`, `key`, `format`, `preset` or `width`, `theme`, `scale`, switches.

    Switches are 0 or 1. Raises OrderError for what there is not.
    """
    link = said.get("link", "")
    if not link.startswith("/") or link.startswith("//"):
        raise OrderError("An order names a link of this app, which begins with one slash.")
    if len(link) > LONGEST_LINK:
        raise OrderError(f"This link has {len(link)} characters. Files are made of {LONGEST_LINK} at most.")
    kind = _named("format", said.get("format", "svg"), KINDS)
    preset = _preset(said)
    if kind == "pptx" and not preset.is_slide:
        raise OrderError(NO_SLIDE)
    scale = _named("scale", said.get("scale", str(USUAL_SCALE)), map(str, SCALES))
    style = Style(
        preset=preset,
        theme=THEMES[_named("theme", said.get("theme", Style.theme.name), THEMES)],
        transparent=said.get("transparent") == "1",
        title=said.get("title") != "0",
        qr=said.get("qr") == "1",
    )
    key, seen = said.get("key", ""), said.get("seen", "")
    return Order(link=link, key=key, kind=kind, style=style, scale=int(scale), seen=seen)


def _preset(said: Mapping[str, str]) -> Preset:
    if not said.get("width"):
        return PRESETS[_named("preset", said.get("preset", SLIDE.name), PRESETS)]
    try:
        return preset_of(said["width"])
    except ValueError as error:
        raise UnknownNameError(str(error)) from error


def _named(what: str, name: str, all_names: Iterable[Name]) -> Name:
    """Return the name among those there are. Raises UnknownNameError, which does not repeat a wrong one."""
    names = list(all_names)
    for one in names:
        if one == name:
            return one
    raise UnknownNameError(f"There is no such {what}. There are {', '.join(names)}.")
