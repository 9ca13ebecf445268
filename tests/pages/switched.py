"""The switches of a model: what a link can say of each, and the fields of ModelConfig that it then sets."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.model.config import NORMS, POSITIONS
from core.model.masks import MASKS
from tests.covering import covering

VALUES: dict[str, Sequence[Any]] = {
    "positions": POSITIONS,
    "mask": tuple(MASKS),
    "window": ("off", 1, 2, 4, 8),
    "heads": (1, 2, 4, 8),
    "layers": (1, 2, 3, 4, 5, 6),
    "norm": NORMS,
    "scale": (True, False),
    "residual": (True, False),
    "mlp": (True, False),
    "seed": (0, 1, 7, 9999),
}
"""All values of every switch, of the seed a few."""


def settings(*left_out: str, **instead: Sequence[Any]) -> list[dict[str, Any]]:
    """Return settings with every value of every switch, some of which are left out or have other values."""
    return covering({name: these for name, these in (VALUES | instead).items() if name not in left_out})


def fields_of(setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that a setting sets; a window is none of a model."""
    return {{"heads": "n_heads", "layers": "n_layers"}.get(name, name): setting[name] for name in setting}
