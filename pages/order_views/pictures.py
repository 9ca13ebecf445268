"""One word in both orders, and which settings can tell the orders apart."""

import pandas as pd
import streamlit as st

from core.analysis.order.verdicts import OrderComparison
from pages.controls.cited import footnote
from pages.controls.picture import Point, picture, theme
from pages.controls.prose import literal
from viz.orders import describe_orders, orders, orders_table
from viz.units import distance
from viz.verdicts import describe_verdicts, verdict_grid


def chosen_word(comparison: OrderComparison, word: int, head: int, layer: int) -> None:
    """The weights, those of the last `layer`, and the output of the chosen word in both orders."""
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
    weights, output = comparison.weight_differences[word], comparison.output_differences[word]
    verdict = "the same, up to rounding" if comparison.same[word] else "different"
    st.markdown(
        f"For **{literal(comparison.words[word])}** the two orders come out **{verdict}**: its weights "
        f"in layer {layer} differ by at most {distance(weights)} in any head, its output by at most "
        f"{distance(output)} in any dimension."
    )
    footnote("E1")


def every_setting(table: pd.DataFrame, word: int, *, trained: bool) -> None:
    """The verdict on the chosen word of every mask, depth and position scheme."""
    ablation = " Of a trained model one layer is an **ablation**: its second layer was taken out."
    st.markdown("#### Which settings can tell?")
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
        f"{ablation * trained}"
    )


def _choose_word(point: Point) -> None:
    st.session_state["word"] = point["data"] + 1
