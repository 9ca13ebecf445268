"""One word in both orders, and which settings can tell the orders apart."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.analysis.order.verdicts import OrderComparison, verdicts
from pages.controls.cited import footnote
from pages.controls.link import menu
from pages.controls.memory import remembered
from pages.controls.picture import Point, picture, theme
from pages.controls.switches import Architecture
from pages.order_views.orders import Plain, are_comparable, chosen_place, compared, program
from pages.shell import Program, Scene
from viz.orders import describe_orders, orders, orders_table
from viz.units import distance
from viz.verdicts import describe_verdicts, verdict_grid


def chosen_word(scene: Scene) -> Program | None:
    """The weights, those of the last layer, and the output of the chosen word in both orders."""
    word = chosen_place(scene)
    if not are_comparable(scene):
        return None
    comparison, config = compared(scene), scene.switches.config
    with scene.row:
        head = menu("head", "Head", range(1, config.n_heads + 1), 1, notes=scene.notes) - 1
    _both_orders(comparison, word, head)
    weights, output = comparison.weight_differences[word], comparison.output_differences[word]
    verdict = "the same, up to rounding" if comparison.same[word] else "different"
    st.markdown(
        f"For **{scene.words[word]}** the two orders come out **{verdict}**: its weights in layer "
        f"{config.n_layers} differ by at most {distance(weights)} in any head, its output by at most "
        f"{distance(output)} in any dimension."
    )
    footnote("E1")
    return program(replace(scene, layer=config.n_layers - 1, head=head), word)


def _both_orders(comparison: OrderComparison, word: int, head: int) -> None:
    rows = {
        "weights": (comparison.first_weights[head, word], comparison.second_weights[head, word]),
        "output": (comparison.first_output[word], comparison.second_output[word]),
    }
    picture(
        orders(**rows, words=comparison.words, chosen=word, theme=theme()),
        key="orders",
        alt=describe_orders(**rows, words=comparison.words, chosen=word),
        table=lambda: orders_table(rows["weights"], words=comparison.words),
    )


def every_setting(scene: Scene) -> Program | None:
    """The verdict on the chosen word of every mask, depth and position scheme."""
    word = chosen_place(scene)
    if not are_comparable(scene):
        return None
    table = _verdicts(scene.words, scene.other, scene.switches)
    ablation = " Of a trained model one layer is an **ablation**: its second layer was taken out."
    picture(
        verdict_grid(table, chosen=word, theme=theme()),
        key="verdicts",
        alt=describe_verdicts(table, chosen=word),
        table=lambda: table,
        on_click=_choose_word,
    )
    st.markdown(
        "Without positions and without a mask every word comes out the same: attention sums over a bag of "
        "words. **A causal mask is itself a hint of order**, for it gives each word a bag of its own. After "
        "one layer a word that stayed last still agrees, because it sees the same bag; words inside see "
        "others. With two layers it sums over those and differs as well: only an unchanged beginning, such "
        "as a first word that stayed in place and sees nothing but itself, still agrees."
        f"{ablation * scene.switches.weights.trained}"
    )
    return program(scene, word)


@remembered()
def _verdicts(first: Plain, second: Plain, switches: Architecture) -> pd.DataFrame:
    return verdicts(first, second, switches.config, source=switches.source, seed=switches.seed)


def _choose_word(point: Point) -> None:
    st.session_state["word"] = point["data"] + 1
