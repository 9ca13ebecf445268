"""Who did what to whom: what trained models answer when the two nouns change places."""

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.order import exchange
from core.measures.order.verdicts import TOLERANCE
from core.model.config import FREEST_FIRST, POSITIONS, ModelConfig
from core.sources import UnavailableError
from pages.controls.link import choice
from pages.controls.picture import Point, picture, theme
from pages.controls.prose import Typed
from pages.controls.sentence import BREAD, OVEN
from pages.controls.weights import absent_of, note_absent
from pages.order_invariance.orders import schemes_in_brief
from pages.shell import Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.units import distance, per_cent

BECAUSE = ("because", "the")

ALIKE, SURE = 0.05, 0.9
"""No further from chance than this is chance; with so many right answers a model tells the orders apart."""


def who_did_it(scene: Scene) -> None:
    """How often every trained model is right, and what that of the switches expects of these two orders."""
    config, asked = scene.switches.config, list(exchange.QUESTIONS)
    with scene.row:
        question = choice("question", options=asked, notes=scene.notes, hide_label=True)
    missing = absent_of("trained", exchange.asked_of(config))
    table, look = _accuracies(config.n_heads, config.norm, question, missing), theme()
    if table["accuracy"].isna().all():
        raise UnavailableError(missing)
    note_absent(scene.notes, missing)
    shares = table["accuracy"].to_numpy().reshape(len(FREEST_FIRST), len(POSITIONS))
    figure = bar_rows(
        shares,
        dict.fromkeys(FREEST_FIRST, look.attention),
        POSITIONS,
        top=1,
        theme=look,
        chosen=POSITIONS.index(config.positions),
        level=(exchange.GUESSING, "chance"),
    )
    alt = describe_bar_rows(shares, FREEST_FIRST, POSITIONS, what=f"Accuracy on the question {question}")
    picture(figure, key="exchange", alt=alt, table=lambda: table, on_click=_choose)
    st.markdown(f"{_asked(question)} {_told(table)}{_revealed(table, config, question)}")
    st.caption(schemes_in_brief())
    _example(scene)


@st.cache_resource(max_entries=16, show_spinner="Asking all trained models …")
def _accuracies(n_heads: int, norm: str, question: str, missing: str) -> pd.DataFrame:
    config = ModelConfig(vocab_size=1, n_heads=n_heads, norm=norm)  # type: ignore[arg-type]
    return exchange.accuracies(config, question)


def _asked(question: str) -> str:
    one, other = exchange.pairs(question)[0]
    shown = [f"`{' '.join(each.words[: each.place])} …`" for each in (one, other)]
    return (
        f"Trained models complete {exchange.N_PAIRS} sentences in both orders, such as {shown[0]} and "
        f"{shown[1]}. Both orders have the same words, so a model that ignores order is right in 50 %."
        f" {held_out(exchange.n_unseen(question), 2 * exchange.N_PAIRS, exchange.met_together(question))}"
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
    return f"{' '.join(parts)} Of all {len(found)} models, {able} are right in 90 % or more.{_misled(found)}"


def is_order_used(config: ModelConfig) -> str:
    """What the trained causal model without positions makes of the order that its mask reveals."""
    question = next(iter(exchange.QUESTIONS))
    accuracy = _blind_accuracy(config.n_heads, config.norm, question)
    if np.isnan(accuracy):
        return ""
    return (
        " To reveal the order is one thing, to have learned to use it another: asked *who did what to whom*, "
        f"the trained causal model without positions is right in {per_cent(accuracy)}, and chance is "
        f"{per_cent(exchange.GUESSING)}: {_judged(accuracy)} by its answers."
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _blind_accuracy(n_heads: int, norm: str, question: str) -> float:
    return exchange.accuracy_of(_blind(n_heads, norm), question)


def _blind(n_heads: int, norm: str) -> ModelConfig:
    """The causal model without positions."""
    return ModelConfig(vocab_size=1, n_heads=n_heads, norm=norm, positions="none", mask="causal")  # type: ignore[arg-type]


def _revealed(table: pd.DataFrame, config: ModelConfig, question: str) -> str:
    """That the mask reveals the order also to the causal model without positions that answers by chance."""
    blind = table[(table["mask"] == "causal") & (table["positions"] == "none")]
    if not abs(blind["accuracy"].item() - exchange.GUESSING) <= ALIKE:
        return ""
    change = _answer_changes(config.n_heads, config.norm, question)
    if change < TOLERANCE:
        return ""
    return (
        " The mask of the causal model without positions does reveal the order (*every setting*): between "
        f"these two sentences the output from which it answers changes by up to {distance(change)} in a "
        "dimension. The model has not learned to use that."
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _answer_changes(n_heads: int, norm: str, question: str) -> float:
    return exchange.answer_changes(_blind(n_heads, norm), question)


def _judged(accuracy: float) -> str:
    if accuracy >= SURE:
        return "it tells the two orders apart"
    if abs(accuracy - exchange.GUESSING) <= ALIKE:
        return "it does not tell the two orders apart"
    if accuracy > exchange.GUESSING:
        return "it sometimes tells the two orders apart"
    return "it is wrong more often than right"


def _misled(found: pd.DataFrame) -> str:
    """What a share below chance means: a model that ignores order has exactly half of its answers right."""
    below = found[found["accuracy"] < exchange.GUESSING - ALIKE]
    if below.empty:
        return ""
    named = ", ".join(f"{row.mask} {row.positions}" for row in below.itertuples())
    return f" Below chance ({named}), a model notices the order but draws the wrong conclusion from it."


def held_out(n_unseen: int, n: int, together: exchange.MetTogether | None) -> str:
    """What training did not have of what is asked about, and what it may have had."""
    elsewhere = (
        f" Sentences of other kinds do have {together.met} of the {together.n} pairs together."
        if together is not None
        else " Sentences of other kinds may have both."
    )
    return (
        f"Held out: in **{n_unseen} of these {n} sentences** the two nouns are a pair about which training "
        "had no sentence of this kind, with *because the* or *so the*, in either order. A right answer there "
        f"is not remembered from one.{elsewhere}"
    )


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
        f"after *{Typed(' '.join(words)):200}* "
        + " and ".join(f"{per_cent(share)} for *{noun}*" for noun, share in zip(nouns, shares, strict=True))
        for words, shares in zip(told, expected, strict=True)
    ]
    st.markdown(f"The next word, predicted by the model of the switches: {lines[0]}; {lines[1]}.")


def _choose(point: Point) -> None:
    """A click on a bar sets the switches to its model."""
    mask, positions = point["data"]
    st.session_state["mask"] = FREEST_FIRST[mask]
    st.session_state["positions"] = POSITIONS[positions]
