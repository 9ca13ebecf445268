"""The pages, in the order and the groups of the navigation.

A new page is a new file in this folder and a line here.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    """A page's place in the navigation: its title, its address, and its file in this folder."""

    title: str
    address: str
    file: str


GROUPS: dict[str, list[Entry]] = {
    "Explore": [
        Entry("Explorer", "", "explorer.py"),
        Entry("Training", "training", "training.py"),
        Entry("Models", "models", "models.py"),
    ],
    "From the lecture": [
        Entry("Interaction distance", "interaction-distance", "interaction_distance.py"),
        Entry("Order invariance", "order-invariance", "order_invariance.py"),
        Entry("Translation", "translation", "translation.py"),
        Entry("Sources", "sources", "sources.py"),
    ],
    "Mechanism": [
        Entry("Step by step", "step-by-step", "step_by_step.py"),
        Entry("Positions", "positions", "positions.py"),
        Entry("Masking", "masking", "masking.py"),
        Entry("Heads", "heads", "heads.py"),
        Entry("Scaling", "scaling", "scaling.py"),
        Entry("Blocks", "blocks", "blocks.py"),
        Entry("Architectures", "architectures", "architectures.py"),
    ],
    "Lab": [
        Entry("Generation", "generation", "generation.py"),
        Entry("Classification", "classification", "classification.py"),
        Entry("Gradients", "gradients", "gradients.py"),
    ],
}
"""A group is a menu of the navigation, so it has at least two pages."""


def group_of(address: str) -> str:
    """The group that the page at `address` is in. Raises StopIteration where there is no such page."""
    return next(group for group, entries in GROUPS.items() if address in (entry.address for entry in entries))
