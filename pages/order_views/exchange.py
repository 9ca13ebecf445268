"""Who did what to whom: what trained models answer when the two change places."""

import pandas as pd
import streamlit as st

from core.analysis.order import exchange
from core.config import FREEST_FIRST, POSITIONS, ModelConfig
from core.learning.weights import UnavailableError
from pages.controls.link import choice
from pages.controls.picture import Point, picture, theme
from pages.controls.prose import Typed
from pages.controls.sentence import BREAD, OVEN
from pages.shell import Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.units import per_cent

BECAUSE = ("because", "the")

ALIKE, SURE = 0.05, 0.9
"""No further from guessing than this is guessing; so many right answers are knowing."""


def who_did_it(scene: Scene) -> None:
    """How often every trained model is right, and what that of the switches expects of these two orders."""
    config, asked = scene.switches.config, list(exchange.QUESTIONS)
    with scene.row:
        question = choice("question", "Question", asked, asked[0], notes=scene.notes, hide_label=True)
    table, look = _accuracies(config.n_heads, config.norm, question), theme()
    if table["accuracy"].isna().all():
        raise UnavailableError(
            "None of these models has been trained yet: `python -m core.learning.collection` does it."
        )
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
    _example(scene)


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


def _example(scene: Scene) -> None:
    """What the trained model of the switches expects after both orders, if just two words change places."""
    config, first, second = scene.switches.config, scene.words, scene.other
    same = sorted(first) == sorted(second)
    places = exchange.changed_places(first, second) if same else None
    if places is None:
        first, second = (tuple(map(Typed, text.split())) for text in (OVEN, BREAD))
        places = exchange.changed_places(first, second)
    assert places is not None
    nouns = [first[place] for place in places]
    told = [[*order[: max(places) + 1], *BECAUSE] for order in (first, second)]
    try:
        expected = [exchange.expected(list(map(str, words)), list(map(str, nouns)), config) for words in told]
    except OSError:
        return
    lines = [
        f"After *{Typed(' '.join(words)):200}* it expects "
        + " and ".join(f"*{noun}* with {per_cent(share)}" for noun, share in zip(nouns, shares, strict=True))
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
