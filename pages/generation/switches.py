"""What the views of generation have in common: the words given, and the switches of the models."""

from typing import Any

from pages.controls.examples import CHEF
from pages.generation.writer import OF_THE_MODEL, WRITER

STORES = CHEF.removesuffix(" is")
"""The verb that comes next, sooner or later, agrees with the second word, not with the last one."""

EXAMPLES = (
    STORES,
    "the",
    "near the",
    "mina lost her lamp but",
    "the key that the gardeners",
    "zuko praised maria and maria praised",
)

OF_ALL: dict[str, Any] = {
    "sentence": STORES,
    "examples": EXAMPLES,
    "switches": OF_THE_MODEL,
    "one_model": False,
}
"""A view of all three models."""

OF_ONE_BESIDE_ALL: dict[str, Any] = {**OF_ALL, "switches": OF_THE_MODEL | {WRITER}}
"""A view of the text by one, and of all three models."""

OF_ONE: dict[str, Any] = {**OF_ALL, "switches": frozenset({WRITER})}
