"""Two orders of the same words, compared."""

import random
from collections import Counter

import streamlit as st

from core.measures.order.verdicts import OrderComparison, alignment, compare_orders
from core.model.positions import INJECTION_POINTS, SCHEMES
from core.programs import orders_program
from core.sources import UnavailableError
from core.sources.spelling import BEGINS_WORD
from core.text.tokenizer import words_of
from pages.controls.link import word_menu
from pages.controls.memory import remembered_within
from pages.controls.prose import Typed
from pages.controls.sentence import typed
from pages.controls.switches import Architecture
from pages.controls.whole import change
from pages.shell import Program, Scene

Plain = tuple[str, ...]

SAME_WORDS = "Use the same words in both boxes, or press Shuffle."
BLANKS_BELONG = (
    "The words are the same, but for this model the blank before a word is part of its piece: the first word "
    "of a sentence has none, nor has a sign that follows a word directly. Begin both sentences with the same "
    "word and leave signs behind the same words, or press Shuffle."
)

ROOM = 64 * 2**20
"""Bytes of what is kept for all visitors together."""


def schemes_in_brief() -> str:
    """What every position scheme changes, and where more is said about it."""
    by_point = {
        what: [f"*{name}*" for name, scheme in SCHEMES.items() if scheme.injection_point() == point]
        for point, what in INJECTION_POINTS.items()
    }
    told = "; ".join(f"the {what}: {', '.join(names)}" for what, names in by_point.items() if names)
    return f"What position schemes change: {told}. [Positions](/positions) shows how."


def chosen_place(scene: Scene) -> int:
    """The word that is looked at, the last one unless chosen, counted from 0; beside it the shuffle."""
    shuffle = _shuffle_behind_blanks if _has_blanks(scene) else _shuffle
    with scene.row:
        word = word_menu(
            "word", scene.names, label=scene.unit.capitalize(), notes=scene.notes, unchosen="last"
        )
        st.button("Shuffle the words", on_click=change, args=(shuffle,), icon=":material/shuffle:")
    return scene.last if word is None else word


def are_comparable(scene: Scene) -> bool:
    """Whether both boxes hold the same words; a note says what to do where not, and where nothing differs."""
    try:
        alignment(*_as_named(scene), unit=scene.unit)
        comparison = compared(scene)
    except UnavailableError:
        raise  # the page says why; of the words nothing is wrong
    except ValueError as error:
        problem = f"{Typed(error):400}"
        advice = BLANKS_BELONG if _differ_in_blanks(scene) else SAME_WORDS
        scene.notes.warning(f"{problem[:1].upper()}{problem[1:]}\\. {advice}")
        return False
    if scene.words == scene.other:
        scene.notes.info(
            "Both boxes hold the same order, so nothing differs. Change the order in one of them."
        )
    scene.name_unknown(comparison.unknown)
    return True


def _as_named(scene: Scene) -> tuple[Plain, Plain]:
    """Both orders as a reader understands them."""
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
    first, second = (words_of(typed(name)) for name in ("text", "other"))
    return _has_blanks(scene) and Counter(first) == Counter(second)


def compared(scene: Scene) -> OrderComparison:
    """Both orders read by the model of the switches. Raises ValueError where the words differ."""
    return _compared(scene.words, scene.other, scene.switches)


def program(scene: Scene, word: int) -> Program:
    """Prints the weights of a word in both orders."""
    return Program(
        lambda: orders_program(scene.subject, tuple(map(str, scene.other)), word),
        prints="the weights of the chosen word in both orders",
    )


@remembered_within(ROOM)
def _compared(first: Plain, second: Plain, switches: Architecture) -> OrderComparison:
    return compare_orders(first, second, switches.config, source=switches.source, seed=switches.seed)


def _shuffle() -> None:
    """Put the words of the first box into the second in an order that differs, if there is one."""
    st.session_state["other"] = " ".join(_shuffled(words_of(typed("text"))))


def _shuffle_behind_blanks() -> None:
    """The same with what stands between blanks, of which the first stays: then the pieces are the same."""
    first, *others = st.session_state["text"].split()
    st.session_state["other"] = " ".join((first, *_shuffled(tuple(others))))


def _shuffled(words: Plain) -> Plain:
    shuffled = words
    while shuffled == words and len(set(words)) > 1:
        shuffled = tuple(random.sample(words, len(words)))
    return shuffled
