"""The pages, in the order and the groups of the navigation.

A new page is a new folder here, with its PAGE, and a line in GROUPS.
"""

from itertools import chain
from typing import NamedTuple


class Entry(NamedTuple):
    """A page in the navigation: its title, its address, and its folder in this one."""

    title: str
    address: str
    folder: str


HOME = Entry("Home", "", "home")
LECTURE = Entry("Lecture", "lecture", "lecture")
STEP_BY_STEP = Entry("Step by step", "step-by-step", "step_by_step")
EXPLORER = Entry("Explorer", "explorer", "explorer")
EXAM = Entry("Exam", "exam", "exam")

GROUPS: dict[str, list[Entry]] = {
    "": [HOME, EXAM, LECTURE],
    "Mechanism": [
        STEP_BY_STEP,
        Entry("Interaction distance", "interaction-distance", "interaction_distance"),
        Entry("Order invariance", "order-invariance", "order_invariance"),
        Entry("Positions", "positions", "positions"),
        Entry("Masking", "masking", "masking"),
        Entry("Heads", "heads", "heads"),
        Entry("Scaling", "scaling", "scaling"),
        Entry("Blocks", "blocks", "blocks"),
    ],
    "Architectures": [
        Entry("Architectures", "architectures", "architectures"),
        Entry("Translation", "translation", "translation"),
    ],
    "Lab": [
        Entry("Generation", "generation", "generation"),
        Entry("Classification", "classification", "classification"),
        Entry("Gradients", "gradients", "gradients"),
        Entry("Training", "training", "training"),
    ],
    "Explore": [
        EXPLORER,
        Entry("Models", "models", "models"),
        Entry("Glossary", "glossary", "glossary"),
        Entry("Sources", "sources", "sources"),
    ],
}
"""The groups follow the path of the home. A group is a menu of the navigation, so it has at least two pages.
Pages without a menu, in the group "", stand in the bar itself."""

ENTRIES = tuple(chain.from_iterable(GROUPS.values()))
"""All pages in the order of the navigation."""


def entry_at(address: str) -> Entry | None:
    """Return the page at an address; None if there is none."""
    return next((entry for entry in ENTRIES if entry.address == address), None)


def group_of(address: str) -> str:
    """Return the group of the page at `address`. Raises StopIteration if there is no such page."""
    return next(group for group, entries in GROUPS.items() if address in (entry.address for entry in entries))
