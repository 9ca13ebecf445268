"""One word: its weights of the last layer and its output in both orders."""

from dataclasses import dataclass, replace

import numpy as np

from core.measures.order.verdicts import OrderComparison, same_bags
from core.model.masks import MASKS
from core.text.tokenizer import MAX_WORDS, words_of
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Footnote, Sheet, Shown, Text
from pages.controls.examples import BREAD, OVEN
from pages.controls.switches import WITHOUT_WINDOW
from pages.order_invariance import orders
from pages.order_invariance.orders import IN_TWO_ORDERS, Orders, ask_word, compared, two_orders
from pages.order_invariance.questions import (
    Setting,
    agreeing_after_one_layer,
    words_that_change,
)
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz import orders as drawn
from viz.units import distance


@dataclass(frozen=True)
class Choices:
    """The word and the head, counted from 0."""

    word: int
    head: int


@dataclass(frozen=True)
class Found:
    """Two orders, and the word and head of them that are shown."""

    orders: Orders
    choices: Choices


def ask(ask: Ask, scene: Scene) -> Choices:
    """The word and the head."""
    word = ask_word(ask, scene)
    head = ask.menu("head", options=range(1, scene.switches.config.n_heads + 1))
    return Choices(word, head - 1)


def find(scene: Scene, choices: Choices) -> Found:
    """The two orders."""
    return Found(compared(scene), choices)


def sheet(found: Found, look: Look) -> Sheet:
    """The weights and the output of the chosen word, one order above the other."""
    both, word = found.orders, found.choices.word
    if both.comparison is None:
        return Sheet(notes=both.notes)
    scene = both.scene
    if both.is_one_order:
        return Sheet(
            answer=f"{in_one_order(scene.names[word])} {_drawn(found.choices.head)}",
            notes=both.notes,
            unknown=both.unknown,
            parts=(_picture(both.comparison, found, look),),
        )
    slip = (Footnote("E1"),) if scene.words in map(words_of, (OVEN, BREAD)) else ()  # about this sentence
    told_of = told(both.comparison, scene.names[word], word, scene.switches.config.n_layers, scene.unit)
    return Sheet(
        answer=f"{answer(both.comparison, scene.names[word], word)} {_drawn(found.choices.head)}",
        notes=both.notes,
        unknown=both.unknown,
        parts=(_picture(both.comparison, found, look), Text(told_of), *slip),
    )


def _picture(comparison: OrderComparison, found: Found, look: Look) -> Shown:
    word, head = found.choices.word, found.choices.head
    picture = drawn.orders(
        (comparison.first_weights[head, word], comparison.second_weights[head, word]),
        (comparison.first_output[word], comparison.second_output[word]),
        words=tuple(map(str, found.orders.scene.names)),
        chosen=word,
        theme=look.theme,
    )
    return Shown("orders", picture)


def _drawn(head: int) -> str:
    return f"Drawn are its weights in head {head + 1}."


def answer(comparison: OrderComparison, name: str, word: int) -> str:
    """Whether the output of the word tells the orders apart, and by how much it differs."""
    difference = float(comparison.output_differences[word])
    if not difference:
        return f"*{name}* gets exactly the same output in both orders."
    verdict = "the same output in both orders, up to rounding" if comparison.same[word] else "another output"
    return f"*{name}* gets {verdict}: it differs by at most {distance(difference)} in any dimension."


def in_one_order(name: str) -> str:
    """What is known without a model."""
    return f"Both orders are the same, so *{name}* gets the same output."


def told(comparison: OrderComparison, name: str, word: int, n_layers: int, unit: str) -> str:
    """How much its weights differ, and what it means that all words, or pieces, agree."""
    differs = distance(float(comparison.weight_differences[word]))
    weights = (
        f"The attention weights of *{name}* in layer {n_layers} differ by at most {differs} in any head."
    )
    if not comparison.same.all():
        return weights
    bag = f"the model sees a bag of {unit}s, without their order."
    return f"{weights} Every other {unit} gets the same output too: {bag}"


def questions(found: Found) -> tuple[Question | None, ...]:
    """Which words change, and what a causal layer makes of the orders."""
    scene, comparison = found.orders.scene, found.orders.comparison
    if comparison is None:
        return ()
    both, config = two_orders(scene), scene.switches.config
    changed = frozenset(map(int, np.flatnonzero(~comparison.same)))
    setting = Setting(config.n_layers, config.positions, config.mask, not MASKS[config.mask].hides)
    agreeing = np.flatnonzero(same_bags(scene.plain, tuple(map(str, scene.other))))
    return (
        words_that_change(both, setting, changed, float(comparison.output_differences.max())),
        agreeing_after_one_layer(both, tuple(map(int, agreeing))),
    )


def program(found: Found) -> Program | None:
    """The weights in both orders, where they have the same words."""
    if found.orders.comparison is None:
        return None
    scene, choices = found.orders.scene, found.choices
    layer = scene.switches.config.n_layers - 1
    return orders.program(replace(scene, layer=layer, head=choices.head), choices.word)


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    switches=WITHOUT_WINDOW,
    pieces=MAX_WORDS,
    **IN_TWO_ORDERS,
)
