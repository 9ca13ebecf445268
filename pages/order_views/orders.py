"""Two orders of the same words, compared."""

import random

import streamlit as st

from core.analysis.order.verdicts import OrderComparison, compare_orders
from core.positions import INJECTION_POINTS, SCHEMES
from core.programs import orders_program
from core.text.tokenizer import words_of
from pages.controls.memory import remembered
from pages.controls.prose import Typed
from pages.controls.switches import Architecture
from pages.controls.whole import change
from pages.controls.word_menu import word_menu
from pages.shell import Program, Scene

Plain = tuple[str, ...]


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
    with scene.row:
        word = word_menu("word", "Word", scene.words, notes=scene.notes, unchosen="last")
        st.button("Shuffle the words", on_click=change, args=(_shuffle,), icon=":material/shuffle:")
    return scene.last if word is None else word


def are_comparable(scene: Scene) -> bool:
    """Whether both boxes hold the same words; a note says what to do where not, and where nothing differs."""
    try:
        comparison = compared(scene)
    except ValueError as error:
        problem = f"{Typed(error):400}"
        scene.notes.warning(
            f"{problem[:1].upper()}{problem[1:]}\\. Use the same words in both boxes, or press Shuffle."
        )
        return False
    if scene.words == scene.other:
        scene.notes.info(
            "Both boxes hold the same order, so nothing differs. Change the order in one of them."
        )
    scene.name_unknown(comparison.unknown)
    return True


def compared(scene: Scene) -> OrderComparison:
    """Both orders read by the model of the switches. Raises ValueError where the words differ."""
    return _compared(scene.words, scene.other, scene.switches)


def program(scene: Scene, word: int) -> Program:
    """Prints the weights of a word in both orders."""
    return Program(
        lambda: orders_program(scene.subject, tuple(map(str, scene.other)), word),
        prints="the weights of the chosen word in both orders",
    )


@remembered()
def _compared(first: Plain, second: Plain, switches: Architecture) -> OrderComparison:
    return compare_orders(first, second, switches.config, source=switches.source, seed=switches.seed)


def _shuffle() -> None:
    """Put the words of the first box into the second in an order that differs, if there is one."""
    words = words_of(st.session_state["text"])
    shuffled = words
    while shuffled == words and len(set(words)) > 1:
        shuffled = tuple(random.sample(words, len(words)))
    st.session_state["other"] = " ".join(shuffled)
