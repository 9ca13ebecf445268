"""The pages, in the order and the groups of the navigation.

A new page is a new folder here, with its PAGE, and a line in GROUPS.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    """A page's place in the navigation: its title, its address, and its folder in this one."""

    title: str
    address: str
    folder: str


HOME = Entry("Home", "", "home")
EXPLORER = Entry("Explorer", "explorer", "explorer")

GROUPS: dict[str, list[Entry]] = {
    "": [HOME],
    "Explore": [
        EXPLORER,
        Entry("Training", "training", "training"),
        Entry("Models", "models", "models"),
        Entry("Glossary", "glossary", "glossary"),
    ],
    "From the lecture": [
        Entry("Interaction distance", "interaction-distance", "interaction_distance"),
        Entry("Order invariance", "order-invariance", "order_invariance"),
        Entry("Translation", "translation", "translation"),
        Entry("Sources", "sources", "sources"),
    ],
    "Mechanism": [
        Entry("Step by step", "step-by-step", "step_by_step"),
        Entry("Positions", "positions", "positions"),
        Entry("Masking", "masking", "masking"),
        Entry("Heads", "heads", "heads"),
        Entry("Scaling", "scaling", "scaling"),
        Entry("Blocks", "blocks", "blocks"),
        Entry("Architectures", "architectures", "architectures"),
    ],
    "Lab": [
        Entry("Generation", "generation", "generation"),
        Entry("Classification", "classification", "classification"),
        Entry("Gradients", "gradients", "gradients"),
    ],
}
"""A group is a menu of the navigation, so it has at least two pages; without one a page stands in the bar."""


def entry_at(address: str) -> Entry | None:
    """The page at an address; None where there is none."""
    entries = (entry for group in GROUPS.values() for entry in group)
    return next((entry for entry in entries if entry.address == address), None)


def group_of(address: str) -> str:
    """The group that the page at `address` is in. Raises StopIteration where there is no such page."""
    return next(group for group, entries in GROUPS.items() if address in (entry.address for entry in entries))
