"""What views of interaction distance have in common: their switches, and the colours of the networks."""

from typing import Any

from pages.controls.examples import TEA
from viz.theme import Theme

OF_NETWORKS: dict[str, Any] = {
    "sentence": TEA,
    "switches": frozenset({"mask", "layers"}),
    "defaults": {"layers": 1, "mask": "bidirectional"},
}
"""The view of the two networks whose operations are counted."""

OF_PRICE: dict[str, Any] = {**OF_NETWORKS, "switches": frozenset({"layers"})}

OF_THE_MODEL = frozenset({"positions", "heads", "norm"})
"""Switches of the Transformer that is measured; it is causal, for so are the others."""


def of_counted(theme: Theme) -> dict[str, str]:
    """The networks that are counted or timed, by the names that tables have for them, with their colours."""
    recurrent = {"recurrent": theme.recurrence, "RNN": theme.recurrence, "LSTM": theme.value}
    return {**recurrent, "self-attention": theme.attention}
