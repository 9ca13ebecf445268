"""Who did what to whom: what trained models answer when the two change places."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.order import exchange
from core.config import FREEST_FIRST, POSITIONS, ModelConfig
from pages.controls.link import choice
from pages.controls.picture import Point, picture, theme
from pages.controls.prose import literal
from pages.controls.sentence import BREAD, OVEN
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.units import per_cent

BECAUSE = ("because", "the")

ALIKE, SURE = 0.05, 0.9
"""No further from guessing than this is guessing; so many right answers are knowing."""

Words = Sequence[str]


def who_did_it(first: Words, second: Words, config: ModelConfig, notes: DeltaGenerator) -> None:
    """How often every trained model is right, and what that of the switches expects of these two orders."""
    st.markdown("#### Who did what to whom?")
    question = choice(
        "question",
        "Question",
        list(exchange.QUESTIONS),
        next(iter(exchange.QUESTIONS)),
        notes=notes,
        hide_label=True,
    )
    table, look = _accuracies(config.n_heads, config.norm, question), theme()
    if table["accuracy"].isna().all():
        st.warning("None of these models has been trained yet: `python -m core.learning.collection` does it.")
        return
    shares = table["accuracy"].to_numpy().reshape(len(FREEST_FIRST), len(POSITIONS))
    figure = bar_rows(
        shares,
        dict.fromkeys(FREEST_FIRST, look.attention),
        POSITIONS,
        top=1,
        theme=look,
        chosen=POSITIONS.index(config.positions),
        level=(exchange.GUESSING, "guessing"),
    )
    alt = describe_bar_rows(shares, FREEST_FIRST, POSITIONS, what=f"Right answers to {question}")
    picture(figure, key="exchange", alt=alt, table=lambda: table, on_click=_choose)
    st.markdown(f"{_asked(question)} {_told(table)}")
    _example(first, second, config)


@st.cache_resource(max_entries=16, show_spinner="Asking ten models …")
def _accuracies(n_heads: int, norm: str, question: str) -> pd.DataFrame:
    config = ModelConfig(vocab_size=1, n_heads=n_heads, norm=norm)  # type: ignore[arg-type]
    return exchange.accuracies(config, question)


def _asked(question: str) -> str:
    one, other = exchange.pairs(question)[0]
    shown = [f"`{' '.join(each.words[: each.place])} …`" for each in (one, other)]
    return (
        f"Models trained on our small English answer {exchange.N_PAIRS} questions in both orders, such as "
        f"{shown[0]} and {shown[1]}. The words are the same: who knows nothing but them is right in half."
    )


def _told(table: pd.DataFrame) -> str:
    """What the models without positions can tell, and how many of all can, whatever the numbers are."""
    found = table.dropna()
    blind = found[found["positions"] == "none"]
    parts = [
        f"Without positions the **{mask}** model is right in {per_cent(accuracy)}: {_judged(accuracy)}."
        for mask, accuracy in zip(blind["mask"], blind["accuracy"], strict=True)
    ]
    able = int((found["accuracy"] >= SURE).sum())
    missing = f" {len(table) - len(found)} are not trained yet." if len(found) < len(table) else ""
    return (
        f"{' '.join(parts)} Of all {len(found)} models {able} can tell in nine of ten cases or more.{missing}"
    )


def _judged(accuracy: float) -> str:
    if accuracy >= SURE:
        return "it can tell who did what to whom"
    if abs(accuracy - exchange.GUESSING) <= ALIKE:
        return "it cannot tell"
    return "it can tell now and then" if accuracy > exchange.GUESSING else "it is wrong more often than right"


def _example(first: Words, second: Words, config: ModelConfig) -> None:
    """What the trained model of the switches expects after both orders, if just two words change places."""
    places = exchange.changed_places(first, second)
    if places is None:
        first, second = OVEN.split(), BREAD.split()
        places = exchange.changed_places(first, second)
    assert places is not None
    nouns = [first[place] for place in places]
    told = [[*order[: max(places) + 1], *BECAUSE] for order in (first, second)]
    try:
        expected = [exchange.expected(words, nouns, config) for words in told]
    except OSError:
        return
    lines = [
        f"After *{literal(' '.join(words), longest=200)}* it expects "
        + " and ".join(
            f"*{literal(noun)}* with {per_cent(share)}" for noun, share in zip(nouns, shares, strict=True)
        )
        for words, shares in zip(told, expected, strict=True)
    ]
    st.markdown(
        f"The trained model of the switches, in both orders: {lines[0]}; {lines[1][0].lower()}{lines[1][1:]}."
    )


def _choose(point: Point) -> None:
    """A click on a bar sets the switches to its model."""
    mask, positions = point["data"]
    st.session_state["mask"] = FREEST_FIRST[mask]
    st.session_state["positions"] = POSITIONS[positions]
