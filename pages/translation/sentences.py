"""What the views of Translation have in common: the sentence that opens them, and the examples."""

from typing import Any

from pages.translation.translator import TRANSLATOR

KEY = "the key that the gardeners sold is heavy ."
"""A sentence whose verb comes first in the translation, and whose adjective agrees with a distant noun."""

EXAMPLES = (
    KEY,
    "the chef gave the student a key .",
    "mina lost her lamp but zuko found it .",
    "near the river , the dog sleeps .",
    "So why are we not reducing our emissions?",
    "the chef who likes the teacher who lost the key is tired .",
)

SEVERAL: dict[str, Any] = {"sentence": KEY, "examples": EXAMPLES}
"""Settings of a view that shows several translators."""

ONE: dict[str, Any] = {**SEVERAL, "switches": frozenset({TRANSLATOR})}
"""Settings of a view whose numbers are those of one translator."""
