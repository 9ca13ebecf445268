"""One word in both orders, and which settings can tell the orders apart."""

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.measures.order.verdicts import DEPTHS, OrderComparison, verdicts
from core.text.tokenizer import words_of
from pages.controls.cited import footnote
from pages.controls.link import menu
from pages.controls.memory import remembered
from pages.controls.picture import Point, picture, theme
from pages.controls.sentence import BREAD, OVEN
from pages.controls.switches import Architecture
from pages.order_invariance.exchange import is_order_used
from pages.order_invariance.orders import (
    Plain,
    are_comparable,
    chosen_place,
    compared,
    program,
    schemes_in_brief,
)
from pages.shell import Program, Scene
from viz.orders import describe_orders, orders, orders_table
from viz.units import distance
from viz.verdicts import describe_verdicts, verdict_grid

MOST_NAMED = 6
"""So many words are named in a sentence."""


def chosen_word(scene: Scene) -> Program | None:
    """The weights, those of the last layer, and the output of the chosen word in both orders."""
    word = chosen_place(scene)
    if not are_comparable(scene):
        return None
    comparison, config = compared(scene), scene.switches.config
    with scene.row:
        head = menu("head", options=range(1, config.n_heads + 1), notes=scene.notes) - 1
    _both_orders(scene, comparison, word, head)
    weights, output = comparison.weight_differences[word], comparison.output_differences[word]
    verdict = "the same output in both orders, up to rounding" if comparison.same[word] else "another output"
    layer = f"layer {config.n_layers}"
    st.markdown(
        f"**{scene.names[word]}** gets **{verdict}**. Its attention weights in {layer} differ "
        f"by at most {distance(weights)} in any head, its output by at most {distance(output)} in any "
        f"dimension.{_bag(comparison, scene.unit)}"
    )
    if scene.words in map(words_of, (OVEN, BREAD)):
        footnote("E1")  # it is about this sentence
    return program(replace(scene, layer=config.n_layers - 1, head=head), word)


def _bag(comparison: OrderComparison, unit: str) -> str:
    """What it means that all words, or pieces, agree."""
    if not comparison.same.all():
        return ""
    return f" So does every other {unit}: the model sees a bag of {unit}s, without their order."


def _both_orders(scene: Scene, comparison: OrderComparison, word: int, head: int) -> None:
    words = tuple(map(str, scene.names))
    rows = {
        "weights": (comparison.first_weights[head, word], comparison.second_weights[head, word]),
        "output": (comparison.first_output[word], comparison.second_output[word]),
    }
    picture(
        orders(**rows, words=words, chosen=word, theme=theme()),
        key="orders",
        alt=describe_orders(**rows, words=words, chosen=word),
        table=lambda: orders_table(rows["weights"], words=words),
    )


def every_setting(scene: Scene) -> Program | None:
    """The verdict on the chosen word of every mask, depth and position scheme."""
    word = chosen_place(scene)
    if not are_comparable(scene):
        return None
    table = _verdicts(scene.words, scene.other, scene.switches)
    used = is_order_used(scene.switches.config)
    ablation = " One layer of a trained model is an **ablation**: the second layer is knocked out."
    picture(
        verdict_grid(table, chosen=word, theme=theme()),
        key="verdicts",
        alt=describe_verdicts(table, chosen=word),
        table=lambda: table,
        on_click=_choose_word,
    )
    st.markdown(
        "Without positions and without a mask, every word gets the same output in both orders: attention "
        "is a weighted sum over a bag of words. **A causal mask reveals the order**, because each word "
        "attends to the words up to itself alone. "
        f"{_causal(scene, table)}{(ablation + used) * scene.switches.weights.trained}"
    )
    st.caption(schemes_in_brief())
    return program(scene, word)


def _causal(scene: Scene, table: pd.DataFrame) -> str:
    """Which words agree behind a causal mask without positions, after one layer and after two."""
    blind = table[(table["mask"] == "causal") & (table["positions"] == "none") & table["same"]]
    one, two = (_named(scene, blind[blind["layers"] == layers]["place"]) for layers in DEPTHS)
    return (
        "After one causal layer without positions a word agrees if the same words stand before it in both "
        f"orders: here {one}. After two layers those words must also stand in the same order: here {two}."
    )


def _named(scene: Scene, places: Iterable[int]) -> str:
    """These words with where they stand in the first order."""
    named = [f"*{scene.names[at]}* ({at + 1})" for at in places]
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return f"{', '.join(named[:MOST_NAMED])}{more}" if named else "no word"


@remembered()
def _verdicts(first: Plain, second: Plain, switches: Architecture) -> pd.DataFrame:
    return verdicts(first, second, switches.config, source=switches.source, seed=switches.seed)


def _choose_word(point: Point) -> None:
    st.session_state["word"] = point["data"] + 1
