"""The recurrent translators that the bottleneck compares, and what pictures call them."""

from core.learning.collection.translators import recurrent_pair
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentPairConfig
from pages.translation.translator import NETWORKS
from viz.theme import Theme

ALONE, WITH = "alone", "attention"
ATTENTIONS = {ALONE: FIXED_VECTOR, WITH: "dot"}
"""A network alone has the fixed vector and nothing else of the source."""


def name_of(network: str, kind: str) -> str:
    """A recurrent translator as pictures name it: `LSTM alone`, `LSTM, attention`."""
    return f"{network} {kind}" if kind == ALONE else f"{network}, {kind}"


def recurrent_pairs() -> dict[str, RecurrentPairConfig]:
    """The four recurrent translators by their names in pictures."""
    return {
        name_of(network, name): recurrent_pair(NETWORKS[network], kind)
        for network in NETWORKS
        for name, kind in ATTENTIONS.items()
    }


def colours_of(theme: Theme) -> dict[str, str]:
    """Recurrence has the colour of the key, attention that of the query."""
    of_kind = {FIXED_VECTOR: theme.recurrence}
    return {name: of_kind.get(pair.attention, theme.attention) for name, pair in recurrent_pairs().items()}
