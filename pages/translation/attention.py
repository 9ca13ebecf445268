"""Cross-attention: where each word of the translation looks, and how that compares with the rules."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.learning.collection.translators import TranslatorConfig
from core.learning.evaluation.translation import SENTENCES
from core.measures.translation.aligned import n_right, rates_of_sentence, rates_of_test_set, targets_of
from core.measures.translation.attending import Attending, attending
from core.measures.translation.scoring import Judged, judged_by_place
from core.measures.translation.writing import Strategy
from core.programs.translation import pair_attention_program
from core.text.translation import Translation
from pages.controls.arrival import put
from pages.controls.link import choice
from pages.controls.memory import remembered, remembered_within
from pages.controls.parameters import options_of
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import columns, room
from pages.shell import Program, Scene
from pages.translation.in_pieces import attention_in_pieces
from pages.translation.kinds import CROSS, DECODER, ENCODER, ROWS, choose_kind, roles_of
from pages.translation.real_pair import RealPair
from pages.translation.said import Said, attends, said
from pages.translation.translate import written
from viz.alignment import alignment, describe_alignment
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.head_effects import name_of
from viz.tables import matrix_table
from viz.text import counted
from viz.units import per_cent

N_TESTED = 2 * SENTENCES
"""How many sentences error rates are measured on, as in the records of translators."""

OWN, REFERENCE = options_of("target")
WIDTH = 560

ROOM = 64 * 2**20
"""Bytes of what is kept for all visitors together."""


def cross_attention(scene: Scene) -> Program | None:
    """One head's weights on the left, how well every head aligns on the right."""
    if isinstance(scene.switches, RealPair):
        return attention_in_pieces(scene)
    here = said(scene)
    if not attends(here):
        return None
    with scene.row:
        kind = _kind(here)
        target = _target(here)
    found = _attending(here.translator.pair, here.plain, target)
    left, right = columns([5, 4])
    with left:
        _weights(here, found, kind)
    with right:
        if kind != CROSS:
            st.markdown(ROWS[kind])
        else:
            if here.translator.is_transformer:
                _heads(here, found)
            st.markdown(f"{ROWS[kind]} {_told(here, found)}")
    pair, plain = here.translator.pair, here.plain
    return Program(
        lambda: pair_attention_program(pair, plain, target, kind=kind, layer=scene.layer, head=scene.head)
    )


def _kind(here: Said) -> str:
    """Which attention is looked at: a recurrent network has none within a sentence."""
    if not here.translator.is_transformer:
        return CROSS
    return choose_kind(here.scene.notes)


def _target(here: Said) -> tuple[str, ...]:
    """The translation that is written while we look: the model's own, or that of the rules."""
    own = written(here.translator.pair, here.plain, Strategy()).sentence
    exact = here.reference.translation
    if exact is None or exact.words == own:
        return own
    chosen = choice("target", notes=here.scene.notes)
    return own if chosen == OWN else exact.words


@remembered_within(ROOM)
def _attending(pair: TranslatorConfig, words: tuple[str, ...], target: tuple[str, ...]) -> Attending:
    return attending(pair, words, target)


def _exact(here: Said, found: Attending) -> Translation | None:
    """The reference, where it is what was written."""
    exact = here.reference.translation
    return exact if exact is not None and exact.words == found.written[:-1] else None


def _weights(here: Said, found: Attending, kind: str) -> None:
    """The weights of the chosen head; of cross-attention with the links of the rules."""
    layers = {CROSS: found.cross, ENCODER: found.encoder, DECODER: found.decoder}[kind]
    rows = {CROSS: found.written, ENCODER: here.labels, DECODER: found.fed}[kind]
    keys = found.fed if kind == DECODER else here.labels
    exact = _exact(here, found)
    links = [(t, s) for s, t in exact.alignment] if exact is not None and kind == CROSS else []
    pattern = layers[here.scene.layer, here.scene.head]
    told: dict[str, Any] = {"title": _title(here, kind), "exact": links}
    look: dict[str, Any] = {"signed": here.translator.signed, "theme": theme(), "size": room(WIDTH)}
    look["roles"] = roles_of(kind)
    picture(
        alignment(pattern, rows, keys, **told, **look),
        key="alignment",
        alt=describe_alignment(pattern, rows, keys, **told),
        table=lambda: matrix_table(pattern, rows, keys=keys),
    )


def _title(here: Said, kind: str) -> str:
    name = kind.capitalize()
    return f"{name} · {here.scene.title}" if here.translator.is_transformer else name


def _heads(here: Said, found: Attending) -> None:
    """The alignment error rate of every head, on the test set and on this sentence."""
    table = _rates(here.translator.pair)
    names = [name_of(*head) for head in zip(table["layer"], table["head"], strict=True)]
    look = theme()
    rows = {"all words": look.attention, "content words": look.value}
    shares = [table["all words"], table["content words"]]
    exact = _exact(here, found)
    if exact is not None:
        rows["this sentence"] = look.selection
        shares.append(rates_of_sentence(found.cross, exact).flatten())
    values = np.array(shares)
    st.markdown(
        f"**Alignment error rate of every head** (layer.head), in per cent, of {N_TESTED} test sentences"
    )
    at = here.scene.layer * here.translator.config.n_heads + here.scene.head
    picture(
        bar_rows(values, rows, names, top=1.0, theme=look, chosen=at),
        key="error_rates",
        alt=describe_bar_rows(values, list(rows), names, what="Alignment error rates"),
        table=lambda: pd.DataFrame(values.T, index=pd.Index(names, name="head"), columns=list(rows)),
        on_click=lambda point: _choose(point, here),
    )


def _choose(point: Point, here: Said) -> None:
    layer, head = divmod(point["data"][1], here.translator.config.n_heads)
    put("layer", layer + 1)
    put("head", head + 1)


@remembered(32, saying="Aligning test sentences …")
def _rates(pair: TranslatorConfig) -> pd.DataFrame:
    return rates_of_test_set(pair)


def _told(here: Said, found: Attending) -> str:
    """How many words look where the rules say, with the head looked at, and which head aligns best."""
    table = _rates(here.translator.pair)
    best = table[table["best"]].iloc[0]
    head = _named(here, best["layer"], best["head"])
    if len(table) > 1:
        head = f"{head}, the best on {SENTENCES} other sentences,"
    told = [said_of_rates(head, best["content words"], best["all words"]), said_of_place(judged_by_place())]
    exact = _exact(here, found)
    if exact is not None:
        weights = found.cross[here.scene.layer, here.scene.head]
        n, found_right = len(targets_of(exact, content=True)), n_right(weights, exact, content=True)
        shown = _named(here, here.scene.layer + 1, here.scene.head + 1)
        head = f"the head shown, {shown}," if here.translator.is_transformer else shown
        told.append(
            f"In this sentence {head} attends most to a word that is translated there for "
            f"**{found_right} of {counted(n, 'content word')}**."
        )
    return " ".join(told)


def said_of_rates(head: str, content: float, every: float) -> str:
    """How well a head aligns the words of the test sentences."""
    return (
        f"Nobody has told the model which words belong together. On {N_TESTED} test sentences {head} aligns "
        f"content words with an error rate of **{per_cent(content)}**, and all words with {per_cent(every)}: "
        "among these are articles and auxiliaries, which the grammar asks for in any case."
    )


def said_of_place(placed: Judged) -> str:
    """How well words are aligned without reading any."""
    return (
        "The source word at the same relative place, a baseline without reading, has "
        f"{per_cent(placed.content_error)} and {per_cent(placed.error)}."
    )


def _named(here: Said, layer: float, head: float) -> str:
    """A head in words; a recurrent decoder has one."""
    return f"layer {layer:.0f}, head {head:.0f}" if here.translator.is_transformer else "the decoder"
