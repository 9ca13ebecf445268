"""Two orders of the same words: compared by one model, or refused with a reason; and a shuffle."""

import random
from collections import Counter
from typing import Any

from core.measures.order.verdicts import OrderComparison, alignment, compare_orders
from core.sources.spelling import BEGINS_WORD
from core.text.tokenizer import words_of
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.examples import BREAD, OVEN
from pages.contract.loading import loaded
from pages.contract.prose import Typed
from pages.contract.scene import Scene
from pages.contract.sheet import Changes, Text
from pages.contract.switches import Architecture

Plain = tuple[str, ...]

SAME_WORDS = "Use the same words in both boxes, or press Shuffle."
BLANKS_BELONG = (
    "The words are the same, but for this model the space before a word is part of its token. The first word "
    "of a sentence has no space before it, and neither has a punctuation mark. Begin both sentences with the "
    "same word and keep each mark after the same word, or press Shuffle."
)
SAME_ORDER = "Both boxes hold the same order, so nothing differs. Change the order in one of them."
ONLY_ONE = "The words typed have only one order, so nothing differs. Type other words too."

IN_TWO_ORDERS: dict[str, Any] = {
    "sentence": OVEN,
    "other": BREAD,
    "defaults": {"positions": "none", "mask": "bidirectional"},
    "both_ways": True,
}
"""Settings that the views of the page share."""


@cached_for_all()
def compare_typed_orders(first: Plain, second: Plain, switches: Architecture) -> OrderComparison:
    """Compare both orders with the model of the switches. Raises UnavailableError if there is none."""
    return compare_orders(loaded(first, switches), loaded(second, switches))


def other_words(scene: Scene) -> str:
    """Return why the two sentences are no orders of the same words, and what to do; empty if they are."""
    try:
        alignment(*as_named(scene), unit=scene.unit)
        alignment(scene.words, scene.other, unit=scene.unit)
    except ValueError as error:
        problem = f"{Typed(error):400}"
        advice = BLANKS_BELONG if _differ_in_blanks(scene) else SAME_WORDS
        return f"{problem[:1].upper()}{problem[1:]}\\. {advice}"
    return ""


def one_order(scene: Scene) -> Text | None:
    """Return a notice if both sentences are the same, so that there is nothing to compare."""
    if scene.words != scene.other:
        return None
    return Text(SAME_ORDER if len(set(scene.words)) > 1 else ONLY_ONE, "info")


def as_named(scene: Scene) -> tuple[Plain, Plain]:
    """Return the two orders as a reader understands them."""
    orders = (scene.plain, tuple(map(str, scene.other)))
    if scene.pieces is None:
        return orders
    first, second = (tuple(map(scene.pieces.readable, order)) for order in orders)
    return first, second


def ask_shuffle(ask: Ask, scene: Scene) -> None:
    """Ask for a button that puts the words of the first sentence into the second in another order."""
    text, has_blanks = ask.parameters.spelling("text") or OVEN, _has_blanks(scene)
    ask.button(
        "Shuffle the words", lambda link: shuffle(text, behind_blanks=has_blanks), icon=":material/shuffle:"
    )


def shuffle(text: str, *, behind_blanks: bool) -> Changes:
    """Return the change of the second sentence to the words of `text` in another order, if there is one.

    For a model whose pieces include blanks only words `behind_blanks` change places, so that the pieces are
    the same.
    """
    if not behind_blanks:
        return {"other": " ".join(shuffled(words_of(text)))}
    first, *others = text.split()
    return {"other": " ".join((first, *shuffled(tuple(others))))}


def shuffled(words: Plain) -> Plain:
    """Return the words in another order drawn at random, or unchanged if there is none."""
    found = words
    while found == words and len(set(words)) > 1:
        found = tuple(random.sample(words, len(words)))
    return found


def _has_blanks(scene: Scene) -> bool:
    """Return whether pieces of the sentence begin with the blank before them."""
    return scene.pieces is not None and any(piece.startswith(BEGINS_WORD) for piece in scene.plain)


def _differ_in_blanks(scene: Scene) -> bool:
    """Return whether the typed words are the same, and only blanks within pieces differ."""
    first, second = (_unsplit(pieces) for pieces in (scene.words, scene.other))
    return _has_blanks(scene) and Counter(first) == Counter(second)


def _unsplit(pieces: Plain) -> Plain:
    """Return the words of pieces that begin with the blank before them."""
    text = "".join(map(str, pieces))
    for blank in BEGINS_WORD:
        text = text.replace(blank, " ")
    return words_of(text)
