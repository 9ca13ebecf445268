"""Every setting: for each mask, depth and position scheme, which words come out the same in both orders."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from core.learning.collection import shipped_instead, take
from core.measures.order import exchange
from core.measures.order.exchange import Replies
from core.measures.order.verdicts import DEPTHS, verdicts
from core.model.config import ModelConfig
from core.model.masks import freest_first
from core.sources import LoadedModel, UntrainedError, load
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Point, Remark, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.switches import WITHOUT_WINDOW
from pages.order_invariance import orders
from pages.order_invariance.exchange import blind
from pages.order_invariance.exchange_said import judged
from pages.order_invariance.one_word import in_one_order
from pages.order_invariance.orders import (
    IN_TWO_ORDERS,
    Orders,
    Plain,
    ask_word,
    compared,
    schemes_in_brief,
    two_orders,
)
from pages.order_invariance.questions import agreeing_after_two_layers
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.text import counted
from viz.units import per_cent
from viz.verdicts import verdict_grid

SIDE_BY_SIDE = 540
"""Pixels of width from which on the names of all schemes have room beside each other, see frame.css."""

MOST_NAMED = 6
"""Greatest number of words that a sentence names."""

BAG = (
    "Without positions and without a mask, every word gets the same output in both orders: attention is a "
    "weighted sum over a bag of words. **A causal mask reveals the order**, because each word attends to the "
    "words up to itself alone."
)
ABLATION = " One layer of a trained model is an **ablation**: the second layer is knocked out."


@dataclass(frozen=True)
class Found:
    """The verdict on every word in every setting, a row each; None where the two orders have other words.

    Masks that are `left_out` have no models for these switches. `replies` are those of the trained causal
    model without positions, asked who did what to whom; None if there is no such model or weights are random.
    """

    orders: Orders
    word: int
    table: pd.DataFrame | None
    left_out: tuple[str, ...]
    replies: Replies | None


def ask(ask: Ask, scene: Scene) -> int:
    """The word."""
    return ask_word(ask, scene)


def find(scene: Scene, word: int) -> Found:
    """All verdicts."""
    both = compared(scene)
    if both.comparison is None:
        return Found(both, word, None, (), None)
    switches, config = scene.switches, scene.switches.config
    # In the table these are all there: whoever switches one of them waits for nothing.
    others = replace(config, mask="causal", positions="none", n_layers=1)
    table, left_out = _verdicts(scene.words, scene.other, switches.source, others, switches.seed)
    trained = switches.weights.trained
    return Found(both, word, table, left_out, _replies(blind(config)) if trained else None)


@remembered()
def _verdicts(
    first: Plain, second: Plain, source: str, config: ModelConfig, seed: int
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The verdicts, and the masks that are left out: their models do not come with the app."""

    def of_model(variant: ModelConfig, words: Sequence[str]) -> LoadedModel:
        return load(source, variant, words, seed)

    tables, left_out = [], []
    for mask in freest_first():
        masked = replace(config, mask=mask)
        try:
            tables.append(verdicts(first, second, masked, of_model))
        except UntrainedError:
            if shipped_instead(masked) == masked:
                raise
            left_out.append(mask)
    return pd.concat(tables, ignore_index=True), tuple(left_out)


@remembered()
def _replies(config: ModelConfig) -> Replies | None:
    return exchange.replies_of(config, next(iter(exchange.QUESTIONS)), take)


def sheet(found: Found, look: Look) -> Sheet:
    """The verdicts, and what is behind them."""
    both, table = found.orders, found.table
    if table is None:
        return Sheet(notes=both.notes)
    ablation = ABLATION if both.scene.switches.weights.trained else ""
    names, word = both.scene.names, found.word
    return Sheet(
        answer=in_one_order(names[word]) if both.is_one_order else answer(table, names[word], word),
        notes=both.notes,
        unknown=both.unknown,
        parts=(
            _picture(table, word, look),
            Text(f"{BAG} {agreeing(table, names)}{ablation}{is_order_used(found.replies)}"),
            *(Remark(without(mask, both.scene.switches.config)) for mask in found.left_out),
            Remark(schemes_in_brief()),
        ),
    )


def _picture(table: pd.DataFrame, word: int, look: Look) -> Shown:
    picture = verdict_grid(table, chosen=word, theme=look.theme, narrow=look.width < SIDE_BY_SIDE)
    return Shown("verdicts", picture, on_click=lambda points, link: choose(points))


def choose(points: Sequence[Point]) -> Changes:
    """The change to the word whose tile was clicked."""
    return {"word": points[-1]["data"] + 1}


def answer(table: pd.DataFrame, name: str, word: int) -> str:
    """A sentence on the number of settings in which the chosen word cannot tell the orders apart."""
    of_word = table[table["place"] == word]
    same = of_word[of_word["same"]]
    n, of_all = len(same), counted(len(of_word), "setting")
    if not n:
        return f"*{name}* gets another output in the second order in all {of_all}."
    which = f"{'each' if n > 1 else 'which is'} without positions"
    without = f", {which}" if (same["positions"] == "none").all() else ""
    return f"*{name}* gets the same output in both orders in {n} of {of_all}{without}."


def without(mask: str, config: ModelConfig) -> str:
    """A sentence on a mask that is left out, and the models with it that come with the app."""
    shipped = shipped_instead(replace(config, mask=mask))
    return (
        f"The {mask} mask is not among the settings: of the models with it, those with {shipped.n_heads} "
        f"heads in {shipped.norm}-norm come with the app."
    )


def agreeing(table: pd.DataFrame, names: Sequence[str]) -> str:
    """A sentence on the words that agree behind one and two causal layers without positions."""
    one, two = (_named(alike(table, layers), names) for layers in DEPTHS)
    return (
        "After one causal layer without positions a word agrees if the same words stand before it in both "
        f"orders: here {one}. After two layers those words must also stand in the same order: here {two}."
    )


def alike(table: pd.DataFrame, layers: int) -> list[int]:
    """The positions of the words that agree behind so many causal layers without positions."""
    of_mask = table[(table["mask"] == "causal") & (table["positions"] == "none") & table["same"]]
    return list(map(int, of_mask[of_mask["layers"] == layers]["place"]))


def _named(positions: Sequence[int], names: Sequence[str]) -> str:
    """A list of these words with their positions in the first order."""
    named = [f"*{names[at]}* ({at + 1})" for at in positions]
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return f"{', '.join(named[:MOST_NAMED])}{more}" if named else "no word"


def is_order_used(replies: Replies | None) -> str:
    """What the trained causal model without positions makes of the order that its mask reveals."""
    if replies is None:
        return ""
    return (
        " Asked *who did what to whom*, the trained causal model without positions is right in "
        f"{per_cent(replies.accuracy)}, and chance is {per_cent(exchange.GUESSING)}: {judged(replies)}."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What two causal layers make of the orders."""
    if found.table is None:
        return ()
    one, two = (frozenset(alike(found.table, layers)) for layers in DEPTHS)
    return (agreeing_after_two_layers(two_orders(found.orders.scene), one, two),)


def program(found: Found) -> Program | None:
    """The weights in both orders, where they have the same words."""
    return None if found.table is None else orders.program(found.orders.scene, found.word)


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    switches=WITHOUT_WINDOW,
    **IN_TWO_ORDERS,
)
