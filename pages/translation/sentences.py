"""What the views of Translation have in common: the sentence that opens them, and the examples."""

from typing import Any

from pages.translation.translator import TRANSLATOR

KEY = "the key that the gardeners sold is heavy ."
"""Its verb comes first in the translation, and its adjective agrees with a noun eight words before."""

EXAMPLES = (
    KEY,
    "the chef gave the student a key .",
    "mina lost her lamp but zuko found it .",
    "near the river , the dog sleeps .",
    "So why are we not reducing our emissions?",
    "the chef who likes the teacher who lost the key is tired .",
)

SEVERAL: dict[str, Any] = {"sentence": KEY, "examples": EXAMPLES}
"""Of a view that shows several translators."""

ONE: dict[str, Any] = {**SEVERAL, "switches": frozenset({TRANSLATOR})}
"""Of a view whose numbers are those of one translator."""
