"""A translation as text, the words marked in which it differs from another."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from pages.controls.prose import literal


def marked(words: Sequence[str], other: Sequence[str]) -> str:
    """`words`, those in red and bold that are not in `other` in the same order."""
    blocks = SequenceMatcher(None, other, words, autojunk=False).get_matching_blocks()
    same = {block.b + i for block in blocks for i in range(block.size)}
    return " ".join(
        literal(word) if at in same else f":red[**{literal(word)}**]" for at, word in enumerate(words)
    )
