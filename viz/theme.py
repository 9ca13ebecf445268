"""One visual language: a colour per role, two colour maps and one type, in light, dark and grey."""

from dataclasses import dataclass
from typing import Literal

FONT = "'Source Sans', 'Source Sans Pro', Arial, sans-serif"

ColourScale = tuple[tuple[float, str], ...]


Role = Literal[
    "query", "key", "value", "output", "attention", "recurrence", "primary", "ink", "muted", "line"
]
"""Meaning of a colour."""


@dataclass(frozen=True, kw_only=True)
class Theme:
    """The colours of one theme, each named by its role.

    Query and attention share a colour, and so do key and recurrence.
    """

    name: Literal["light", "dark", "grey"]
    query: str
    key: str
    value: str
    output: str
    paper: str
    ink: str
    muted: str
    line: str
    primary: str
    sequential: ColourScale
    diverging: ColourScale

    def colour(self, role: Role) -> str:
        """Return the colour of a role."""
        colour: str = getattr(self, role)
        return colour

    @property
    def has_hues(self) -> bool:
        """Whether hues distinguish roles; otherwise dashes, signs and patterns have to."""
        return self.name != "grey"

    @property
    def signs(self) -> tuple[str, str]:
        """Colours of bars below and above zero: the ends of the diverging map, which are equal in grey."""
        return (self.diverging[0][1], self.diverging[-1][1]) if self.has_hues else (self.key, self.query)

    @property
    def attention(self) -> str:
        """Colour of attention, everywhere the colour of the query."""
        return self.query

    @property
    def recurrence(self) -> str:
        """Colour of a recurrent network, everywhere the colour of the key."""
        return self.key

    @property
    def selection(self) -> str:
        """Colour of the reader's selection, which is the colour of the output."""
        return self.output


def _scale(stops: tuple[float, ...], colours: str) -> ColourScale:
    return tuple(zip(stops, colours.split(), strict=True))


SEQUENTIAL_STOPS = (0.0, 0.15, 0.4, 0.7, 1.0)
DIVERGING_STOPS = (0.0, 0.25, 0.5, 0.75, 1.0)

LIGHT = Theme(
    name="light",
    query="#0072B2",
    key="#C4500A",
    value="#00805F",
    output="#9A3F84",
    paper="#FFFFFF",
    ink="#16202A",
    muted="#5B6875",
    line="#D8DEE4",
    primary="#0B5FA5",
    sequential=_scale(SEQUENTIAL_STOPS, "#FFFFFF #DCEAF6 #86BCE3 #2F7EBF #08305F"),
    diverging=_scale(DIVERGING_STOPS, "#A63A00 #EBA57B #FFFFFF #86BCE3 #08407A"),
)

DARK = Theme(
    name="dark",
    query="#56B4E9",
    key="#F28E4C",
    value="#35C49A",
    output="#D88BC4",
    paper="#0F1419",
    ink="#E6EDF3",
    muted="#93A1AF",
    line="#2C3742",
    primary="#6CB6F5",
    sequential=_scale(SEQUENTIAL_STOPS, "#0F1419 #15334D #1F659C #5FB0EA #F0F8FF"),
    diverging=_scale(DIVERGING_STOPS, "#FF9D66 #8F4A23 #0F1419 #1F659C #8CCBFF"),
)

GREY = Theme(
    name="grey",
    query="#1F1F1F",
    key="#6E6E6E",
    value="#474747",
    output="#000000",
    paper="#FFFFFF",
    ink="#141414",
    muted="#5C5C5C",
    line="#D2D2D2",
    primary="#333333",
    sequential=_scale(SEQUENTIAL_STOPS, "#FFFFFF #E2E2E2 #ABABAB #666666 #161616"),
    diverging=_scale(DIVERGING_STOPS, "#161616 #8C8C8C #FFFFFF #8C8C8C #161616"),
)
"""Theme for a printer without colour: for saved figures, never for the screen.

The diverging map is dark at both ends and white at zero: a minus or a hatch shows the sign.
"""

THEMES = {theme.name: theme for theme in (LIGHT, DARK, GREY)}
"""All themes by name. A page is light or dark."""
