"""What somebody asks for: which picture of which link, in which format, and how it is drawn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from figures.preset import PRESETS, SLIDE, Preset
from viz.theme import THEMES, Theme

Kind = Literal["svg", "svg-outlines", "png", "pdf", "pptx", "csv", "html", "zip"]
KINDS: tuple[Kind, ...] = get_args(Kind)

SCALES = (1, 2, 4)
"""Dots of a PNG for each pixel."""

LONGEST_LINK = 24_000
"""Characters; a text of 1024 words fits, and most lectures. A server cuts off addresses of 32 KB."""


LONGEST_IN_CODE = 400
"""Characters of an address in a QR code: with more, a square is not two pixels of 1920 wide."""


class OrderError(ValueError):
    """Why an order cannot be followed, in a sentence."""


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
        """Words for a file's name: preset, theme and missing background, if they are unusual."""
        chosen = {self.preset.name: SLIDE.name, self.theme.name: Style.theme.name}
        names = tuple(name for name, usual in chosen.items() if name != usual)
        return (*names, "transparent") if self.transparent else names

    def coded(self, address: str) -> str:
        """What a QR code of an address leads to; empty where none is wanted, or it would be too fine."""
        return address if self.qr and len(address) <= LONGEST_IN_CODE else ""


@dataclass(frozen=True, kw_only=True)
class Order:
    """One file of one picture: that of this `key` on the sheet of a link; all of them if it is empty.

    A `strict` one is refused where the link asks for what there is not; else the picture shows what is usual.
    `seen` is the token of what a session alone has measured or trained, see pages/shell/seen.py.
    """

    link: str
    key: str = ""
    kind: Kind = "svg"
    style: Style = Style()
    scale: int = 2
    seen: str = ""
    strict: bool = False


def order_of(said: Mapping[str, str]) -> Order:
    """The order that a query makes: `link`, `key`, `format`, `preset`, `theme`, `scale`, switches as 0 or 1.

    Raises OrderError for what there is not.
    """
    link = said.get("link", "")
    if not link.startswith("/") or link.startswith("//"):
        raise OrderError("An order names a link of this app, which begins with one slash.")
    if len(link) > LONGEST_LINK:
        raise OrderError(f"This link has {len(link)} characters. Files are made of {LONGEST_LINK} at most.")
    kind = next((one for one in KINDS if one == said.get("format", "svg")), None)
    if kind is None:
        raise OrderError(f"There is no such format. There are {', '.join(KINDS)}.")
    preset = PRESETS.get(said.get("preset", SLIDE.name))
    if preset is None:
        raise OrderError(f"There is no such preset. There are {', '.join(PRESETS)}.")
    theme = next((one for one in THEMES.values() if one.name == said.get("theme", "light")), None)
    if theme is None:
        raise OrderError(f"There is no such theme. There are {', '.join(THEMES)}.")
    scale = next((one for one in SCALES if str(one) == said.get("scale", "2")), None)
    if scale is None:
        raise OrderError(f"There is no such scale. There are {', '.join(map(str, SCALES))}.")
    style = Style(
        preset=preset,
        theme=theme,
        transparent=said.get("transparent") == "1",
        title=said.get("title") != "0",
        qr=said.get("qr") == "1",
    )
    key, seen = said.get("key", ""), said.get("seen", "")
    return Order(link=link, key=key, kind=kind, style=style, scale=scale, seen=seen)
