"""The pictures of the interaction-distance page: networks, how their costs grow, how far they reach."""

from collections.abc import Callable

from streamlit.delta_generator import DeltaGenerator

from pages.interaction_views.charts import measured_time, operations, price
from pages.interaction_views.influence import influence
from pages.interaction_views.networks import Pair
from pages.interaction_views.trained import agreement, recall

CHARTS: dict[str, Callable[[Pair, DeltaGenerator], None]] = {
    "operations": operations,
    "price": price,
    "measured time": measured_time,
    "recall": recall,
    "agreement": agreement,
    "influence": influence,
}
"""The charts by the name their switch and the link use; the second argument is the room beside it."""

OF_THE_MODEL = frozenset({"positions", "heads", "norm"})
"""Switches of the Transformer that says something of the sentence."""

SWITCHES = {"agreement": OF_THE_MODEL, "influence": OF_THE_MODEL}
"""The switches that charts have besides those of the networks that are counted."""
