"""Two orders of the same words, compared."""

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

from core.measures.order.verdicts import OrderComparison, alignment, compare_orders
from core.model.positions import INJECTION_POINTS, SCHEMES
from core.programs import orders_program
from core.sources import UnavailableError
from core.sources.spelling import BEGINS_WORD
from core.text.tokenizer import words_of
from pages.contract.ask import Ask
from pages.contract.predict import told_apart
from pages.contract.sheet import Changes, Notice
from pages.controls.examples import BREAD, OVEN
from pages.controls.memory import remembered
from pages.controls.prose import Typed
from pages.controls.switches import Architecture
from pages.order_invariance.questions import TwoOrders
from pages.shell import Program, Scene
from pages.shell.loading import loaded

Plain = tuple[str, ...]

SAME_WORDS = "Use the same words in both boxes, or press Shuffle."
BLANKS_BELONG = (
    "The words are the same, but for this model the blank before a word is part of its piece: the first word "
    "of a sentence has none, nor has a sign that follows a word directly. Begin both sentences with the same "
    "word and leave signs behind the same words, or press Shuffle."
)
SAME_ORDER = "Both boxes hold the same order, so nothing differs. Change the order in one of them."
ONLY_ONE = "What is typed has only one order, so nothing differs. Type other words too."

IN_TWO_ORDERS: dict[str, Any] = {
    "sentence": OVEN,
    "other": BREAD,
    "defaults": {"positions": "none", "mask": "bidirectional"},
}
"""What the views have in common."""


@dataclass(frozen=True)
class Orders:
    """Two orders read by the model of the switches, or the `problem` for which they cannot be compared."""

    scene: Scene
    comparison: OrderComparison | None
    problem: str = ""

    @property
    def notes(self) -> tuple[Notice, ...]:
        """Notes above the picture on what to do where the words differ, and where nothing does."""
        if self.problem:
            return (Notice(self.problem, "warning"),)
        if not self.is_one_order:
            return ()
        return (Notice(SAME_ORDER if len(set(self.scene.words)) > 1 else ONLY_ONE),)

    @property
    def is_one_order(self) -> bool:
        """Whether there are no two orders to compare: whatever the model, nothing differs."""
        return self.scene.words == self.scene.other

    @property
    def unknown(self) -> tuple[int, ...]:
        """The positions of words that the model does not know."""
        return () if self.comparison is None else self.comparison.unknown


def schemes_in_brief() -> str:
    """What every position scheme changes, and where more is said about it."""
    by_point = {
        what: [f"*{name}*" for name, scheme in SCHEMES.items() if scheme.injection_point() == point]
        for point, what in INJECTION_POINTS.items()
    }
    told = "; ".join(f"the {what}: {', '.join(names)}" for what, names in by_point.items() if names)
    return f"What position schemes change: {told}. [Positions](/positions) shows how."


def ask_word(ask: Ask, scene: Scene) -> int:
    """The word that is compared, the last one unless chosen, counted from 0; beside it the shuffle."""
    word = ask.word("word", scene.names, label=scene.unit.capitalize(), unchosen="last")
    text, behind_blanks = ask.answers.spelling("text") or OVEN, _has_blanks(scene)
    ask.button(
        "Shuffle the words",
        lambda link: shuffle(text, behind_blanks=behind_blanks),
        icon=":material/shuffle:",
    )
    return scene.last if word is None else word


def compared(scene: Scene) -> Orders:
    """The two orders, lined up by word. Raises UnavailableError where there is no model."""
    try:
        alignment(*_as_named(scene), unit=scene.unit)
        return Orders(scene, _compared(scene.words, scene.other, scene.switches))
    except UnavailableError:
        raise  # the page says why; of the words nothing is wrong
    except ValueError as error:
        problem = f"{Typed(error):400}"
        advice = BLANKS_BELONG if _differ_in_blanks(scene) else SAME_WORDS
        return Orders(scene, None, f"{problem[:1].upper()}{problem[1:]}\\. {advice}")


@remembered()
def _compared(first: Plain, second: Plain, switches: Architecture) -> OrderComparison:
    return compare_orders(loaded(first, switches), loaded(second, switches))


def two_orders(scene: Scene) -> TwoOrders:
    """What questions say of the two orders, which have the same words."""
    first, second = _as_named(scene)
    moved = frozenset(at for at, now in enumerate(alignment(first, second)) if at != now)
    return TwoOrders(
        Typed(" ".join(first)), Typed(" ".join(second)), told_apart(scene.names), moved, scene.unit
    )


def _as_named(scene: Scene) -> tuple[Plain, Plain]:
    """The two orders as a reader understands them."""
    orders = (scene.plain, tuple(map(str, scene.other)))
    if scene.pieces is None:
        return orders
    first, second = (tuple(map(scene.pieces.readable, order)) for order in orders)
    return first, second


def _has_blanks(scene: Scene) -> bool:
    """Whether pieces of the sentence begin with the blank before them."""
    return scene.pieces is not None and any(piece.startswith(BEGINS_WORD) for piece in scene.plain)


def _differ_in_blanks(scene: Scene) -> bool:
    """Whether the words typed are the same, and the pieces are those of a model to which blanks belong."""
    first, second = (_unsplit(pieces) for pieces in (scene.words, scene.other))
    return _has_blanks(scene) and Counter(first) == Counter(second)


def _unsplit(pieces: Plain) -> Plain:
    """The words that pieces are of, each of which begins with the blank before it."""
    text = "".join(map(str, pieces))
    for blank in BEGINS_WORD:
        text = text.replace(blank, " ")
    return words_of(text)


def shuffle(text: str, *, behind_blanks: bool) -> Changes:
    """The change of the second sentence to the words of `text` in another order, if there is one.

    Where blanks belong to pieces it is what stands `behind_blanks` that changes places, and the first stays:
    then the pieces are the same.
    """
    if not behind_blanks:
        return {"other": " ".join(shuffled(words_of(text)))}
    first, *others = text.split()
    return {"other": " ".join((first, *shuffled(tuple(others))))}


def shuffled(words: Plain) -> Plain:
    """The words in an order drawn at random, another one than theirs if there is one."""
    found = words
    while found == words and len(set(words)) > 1:
        found = tuple(random.sample(words, len(words)))
    return found


def program(scene: Scene, word: int) -> Program:
    """Prints the weights of a word in both orders."""
    return Program(
        lambda: orders_program(scene.subject, tuple(map(str, scene.other)), word),
        prints="the weights of the chosen word in both orders",
    )
