"""One visual language: a colour per role, two colour maps and one type, in light and in dark."""

from dataclasses import dataclass
from typing import Literal

FONT = "'Source Sans', 'Source Sans Pro', Arial, sans-serif"

ColourScale = tuple[tuple[float, str], ...]


@dataclass(frozen=True, kw_only=True)
class Theme:
    """The colours of one theme, each named by the role it plays.

    Query and attention share a colour, and so do key and recurrence.
    """

    name: Literal["light", "dark"]
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

    @property
    def attention(self) -> str:
        """Attention is drawn in the colour of the query everywhere."""
        return self.query

    @property
    def recurrence(self) -> str:
        """The recurrent network is drawn in the colour of the key everywhere."""
        return self.key

    @property
    def selection(self) -> str:
        """What the reader has chosen wears the colour of the output."""
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

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
