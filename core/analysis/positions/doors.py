"""Where each position scheme enters the model: read from the code, so that a picture cannot be wrong."""

from collections.abc import Mapping
from types import MappingProxyType

from core.config import Positions
from core.positions import SCHEMES, PositionScheme

DOORS: Mapping[str, str] = MappingProxyType(
    {"embed": "word vectors", "rotate": "queries and keys", "bias": "scores"}
)
"""The doors of a scheme in the order in which a sentence passes them, and what each of them changes."""


def door_of(positions: Positions) -> str | None:
    """The door that a scheme overrides, one of DOORS; None for the scheme that adds nothing."""
    scheme = SCHEMES[positions]
    return next((door for door in DOORS if getattr(scheme, door) is not getattr(PositionScheme, door)), None)
