"""The mechanism pages show, describe and print one thing: the layer, head, query and key that were chosen.

All of these differ from each other, and from the first, so that none can stand for another.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.learning.collection.translators import recurrent_pair
from core.measures.translation.vector import fixed_vector
from core.sources.translators import load_translator
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import numbers
from tests.programs import printed
from viz.bar_rows import FULL

WORDS = ("Zuko", "made", "his", "uncle", "tea", "so")
LAYER, HEAD, QUERY, KEY = 2, 3, 5, 4
"""As a visitor counts them."""

KEY_SENTENCE, CHEF = "the key that the gardeners sold is heavy .", "the chef who ran"

CHOSEN = {"layer": LAYER, "head": HEAD}
Numbers = np.ndarray


def panel(picture: str, at: int = 0) -> Callable[[Asked], Numbers]:
    """A matrix of a picture, with 0 where it has gaps."""
    return lambda session: np.nan_to_num(session.matrix(picture, panel=at))


def bars(picture: str) -> Callable[[Asked], Numbers]:
    """Rows of bars, as columns, each as tall as its share of the tallest."""

    def shown(session: Asked) -> Numbers:
        return np.array([numbers(row["y"]) for row in session.figure(picture)["data"]]).T / FULL

    return shown


def columns(picture: str) -> Callable[[Asked], Numbers]:
    """A matrix that stands on its side."""
    return lambda session: panel(picture)(session).T


def table(picture: str, *names: str) -> Callable[[Asked], Numbers]:
    """The numbers behind a picture; with names of columns these alone."""

    def shown(session: Asked) -> Numbers:
        found = session.table(picture)
        return np.asarray(found[list(names)] if names else found, dtype=float)

    return shown


def turned(shown: Callable[[Asked], Numbers]) -> Callable[[Asked], Numbers]:
    """The same with its columns as rows."""
    return lambda session: shown(session).T


def verdicts(session: Asked) -> Numbers:
    """What every way to mask gives masked keys, and the sum of its row: as it is, all masked, lowered."""
    session.set(case="every key masked")
    masked = session.table("values_beside")
    session.set(case="all scores lowered")
    thirds = (session.table("values"), masked, session.table("values_beside"))
    return np.concatenate([third[["on masked keys", "row sum"]].to_numpy(dtype=float) for third in thirds])


def both_networks(session: Asked) -> Numbers:
    """Each count, and 0 where nothing is reached."""
    return np.nan_to_num([table(name)(session) for name in ("recurrent", "attention")])


def product_and_factors(session: Asked) -> Numbers:
    factors = table("factors_chart", "largest", "mean")(session)
    return np.hstack([table("product_chart", "words back", "product")(session)[1:], factors])


def gates_and_what_they_leave(session: Asked) -> Numbers:
    left = table("left_chart", "words back", "all paths", "best unit", "mean over units")
    return np.concatenate([session.table("gates_map").iloc[:, 1:].to_numpy().ravel(), left(session).ravel()])


def both_trainings(session: Asked) -> Numbers:
    """Each step before clipping and after it; in the first one also what the nearest words add."""
    parts = table("parts_chart", "before clipping", "clipped")(session)[-2:].T
    clipped = table("steps_chart", "before clipping", "clipped")(session)
    never = table("steps_chart", "never clipped", "never clipped")(session)
    return np.concatenate([clipped[:1], parts[1:], clipped[1:], never[:1], parts[:1], never[1:]])


def costs_of_this_text(session: Asked) -> Numbers:
    """Of its eight words: one after the other in training and in writing, of recurrence and attention."""
    uses = [session.table(f"serial_{use}").loc[8] for use in ("training", "writing")]
    return np.array(uses, dtype=float).T


def chosen_words(session: Asked) -> Numbers:
    """How likely each word was that a writer chose, step by step."""

    def of(writer: str, step: int) -> float:
        session.set(step=step)
        choices = session.table(f"choices_{writer}")
        return float(choices.loc[choices["chosen"], "the model"].item())

    return np.array([of(writer, step) for writer in ("rnn", "lstm", "transformer") for step in range(1, 5)])


def surprisals_and_perplexities(session: Asked) -> Numbers:
    nats = table("surprisals", "RNN, nats", "LSTM, nats", "Transformer, nats")(session)[1:].T
    return np.column_stack([nats, np.exp(nats.mean(axis=1))])


def vector_and_what_is_told(session: Asked) -> Numbers:
    """The state as it is drawn, the cell, and the probability of each word."""
    cell = fixed_vector(load_translator(recurrent_pair("lstm", "none"), session.scene.plain)).cell
    return np.concatenate(
        [session.matrix("contexts_none")[0], cell, table("told", "LSTM alone")(session).ravel()]
    )


def changes_without_each_word(session: Asked) -> Numbers:
    """Of all words but that which predicts."""
    found = table("hiding", "change if hidden")(session)
    return found[~np.isnan(found)]


def costs_of_kinds(session: Asked) -> Numbers:
    """Parameters and operations of the heads of the switches, a row for each kind."""
    costs = session.table("query_matrices")
    own = costs[costs["heads"] == session.value("heads")]
    return own[["parameters", "operations"]].to_numpy(dtype=float)


def likeliest(session: Asked) -> Numbers:
    """Logit and probability of the seven words with the largest logits."""
    (key,) = session.pictures
    return table(key, "logit", "probability")(session)[:7]


LIKELIEST: dict[str, Any] = {"n_columns": 2, "first": 7, "after": 1}
"""The program prints one word more."""


@dataclass(frozen=True)
class Case:
    """A view, what it was asked for, how to read its numbers, and which picture tells them.

    Its program prints them at the ends of its lines: in all columns of numbers there or the last
    `n_columns`, of these the `first`, after `before` other lines and before `after` more. What spans powers
    of ten is compared by `rtol`.
    """

    page: str
    view: str
    asked: dict[str, Any]
    shown: Callable[[Asked], Numbers]
    told_by: str = ""
    n_columns: int = 0
    first: int | None = None
    before: int = 0
    after: int = 0
    atol: float = 2e-3
    rtol: float = 0


ONE_HEAD = {"head": 4, "positions": "rotary", "mask": "bidirectional"}
A_PAIR = {**CHOSEN, "query": QUERY, "key": KEY}
A_WINDOW = {**CHOSEN, "preset": "window"}
A_ROW = {**A_WINDOW, "query": QUERY, "case": "all scores lowered"}
OTHER_SWITCHES = {"positions": "alibi", "mask": "bidirectional", "heads": 8, "norm": "post"}
SEEDED = {"model": "random", "seed": 5, "layers": 3, "window": 2}
RANDOM_LSTM = {"gate": "output", "layer": 1, "lstm": "random", "seed": 3}
ORTHOGONAL = {
    "follow": "Jacobians",
    "recurrence": "orthogonal",
    "scale_of_weights": "1.5",
    "seed": 4,
    "layer": LAYER,
    "reach": 50,
}
DRAWN = {"translator": "LSTM", "attention": "none", "way": "sampled", "temperature": "2", "seed": 4}
FOUR_MORE = {"text": CHEF, "most": 4, "stops": False}
REVIEW = {"text": "the acting was good but the telepathy was boring ."}
BEFORE_THE_FIRST = {"norm": "post", "norm_at": "layer 1, after attention", "positions": "rotary"}

CASES = [
    Case("positions", "all schemes", ONE_HEAD, table("schemes", "rotary"), n_columns=1),
    Case("positions", "alibi", {"mask": "bidirectional", "heads": 2}, table("scheme_added"),
         n_columns=2),
    Case("positions", "rotary", A_PAIR, table("pairs"), n_columns=5),
    Case("positions", "sinusoidal", {"positions_shown": 32}, columns("scheme_added"), n_columns=48),
    Case("positions", "learned", {"positions_shown": 64}, columns("scheme_added"), n_columns=48),
    Case("masking", "paint", {**A_WINDOW, "head": 2}, panel("painted", 1), "painted", after=1),
    Case("masking", "mask values", A_ROW, verdicts, n_columns=2, before=1),
    Case("masking", "paint", {"beside": "gradient", "preset": "padding", "residual": False, "positions":
         "rotary"}, panel("gradient", 1), "gradient", before=1),
    Case("heads", "reshape", {"layer": LAYER, "vectors": "k"}, table("reshape")),
    Case("scaling", "heads", {**CHOSEN, "word": QUERY}, bars("head_row")),
    Case("scaling", "long vectors", {"word": QUERY, "d": 16}, bars("row")),
    Case("scaling", "long vectors", {"seed": 3, "curve": "entropy"}, table("growth"), n_columns=2,
         first=1),
    Case("scaling", "long vectors", {"seed": 3, "curve": "gradient"}, table("growth"), n_columns=1),
    Case("explorer", "heads", CHOSEN | OTHER_SWITCHES, panel("matrix"), "matrix"),
    Case("explorer", "heads", CHOSEN | SEEDED, panel("matrix"), "matrix"),
    Case("explorer", "hiding", {"norm": "post", "place": QUERY}, changes_without_each_word),
    Case("explorer", "hiding", {"mask": "bidirectional", "place": KEY, "layers": 1},
         changes_without_each_word),
    Case("explorer", "probabilities", {"norm": "post", "place": QUERY}, likeliest, **LIKELIEST),
    Case("explorer", "probabilities", {"mask": "bidirectional", "place": KEY}, likeliest, **LIKELIEST),
    Case("explorer", "compare", CHOSEN | {"positions": "learned"}, panel("comparison", 0)),
    Case("interaction-distance", "networks", {"from": 5, "to": 2, "layers": 2}, both_networks,
         n_columns=6),
    Case("interaction-distance", "networks", {"count": "serial operations", "layers": 3, "mask":
         "prefix"}, both_networks, n_columns=6),
    Case("order-invariance", "two orders", {**CHOSEN, **OTHER_SWITCHES, "word": KEY, "other":
         "so made his uncle tea Zuko"}, turned(table("orders", "first order", "second order"))),
    Case("heads", "how many", {"heads": 2, "d_model": 512, "n": 128}, costs_of_kinds),
    Case("gradients", "distance", ORTHOGONAL, product_and_factors, rtol=0.0001),
    Case("gradients", "gates", RANDOM_LSTM, gates_and_what_they_leave),
    Case("gradients", "clipping", {"scale_of_weights": "1.5", "seed": 2}, both_trainings, n_columns=2,
         rtol=0.0001),
    Case("translation", "translate", DRAWN, table("certainty", "probability")),
    Case("translation", "cross-attention", {"layer": 1, "head": 3, "kind": "decoder"},
         panel("alignment"), atol=0.006),
    Case("translation", "cross-attention", {**CHOSEN, "kind": "encoder"}, panel("alignment"),
         atol=0.006),
    Case("translation", "cross-attention", CHOSEN, panel("alignment"), atol=0.006),
    Case("translation", "bottleneck", {"translator": "LSTM"}, vector_and_what_is_told),
    Case("generation", "side by side", FOUR_MORE | {"by_hand": "R2=key;T1=the"}, chosen_words),
    Case("generation", "surprisal", FOUR_MORE | {"writer": "LSTM"}, surprisals_and_perplexities),
    Case("generation", "memory", FOUR_MORE | {"cost": "serial operations"}, costs_of_this_text),
    Case("generation", "memory", FOUR_MORE, lambda one: one.table("memory").loc[8].iloc[:3]),
    Case("masking", "paint", CHOSEN | {"preset": "prefix", "cells": "1", "model": "random"},
         panel("painted", 1), after=1),
    Case("masking", "paint", {"beside": "gradient", "preset": "window", "norm": "post"},
         panel("gradient", 1), before=1),
    Case("translation", "cross-attention", {"translator": "LSTM"}, panel("alignment"), atol=0.006),
    Case("gradients", "distance", {"follow": "Jacobians", "scale_of_weights": "1.2", "layer": 1, "reach":
         50}, product_and_factors, rtol=0.0001),
    Case("gradients", "gates", {"gate": "input", "layer": LAYER}, gates_and_what_they_leave),
    Case("step-by-step", "soft lookup", CHOSEN | {"size": "full", "mask": "bidirectional", "word":
         QUERY}, table("store", "weight"), after=1),
    Case("step-by-step", "why three matrices", {"positions": "none"}, table("compared")),
    Case("step-by-step", "why three matrices", {"matrices": "Q = K"}, table("compared")),
    Case("step-by-step", "why three matrices", {"matrices": "three", "layer": LAYER}, table("compared")),
    Case("blocks", "pre and post", {"seed": 3, "heads": 2, "with_none": True}, turned(table("last_block",
         "pre", "post", "none")), rtol=0.002),
    Case("blocks", "layer norm", BEFORE_THE_FIRST, lambda one: one.table("tokens").to_numpy()[:, :4]),
    Case("blocks", "feed-forward", {"layer": LAYER, "word": 3}, table("changes", "attention")),
    Case("blocks", "feed-forward", {"shows": "two layers without it", "head": HEAD, "norm": "post",
         "mask": "bidirectional"}, table("two_layers"), after=3),
    Case("classification", "one review", REVIEW, table("contributions", "ablation", "gradient × input",
         "attention weight")),
    Case("classification", "flips", REVIEW, lambda one: one.table("flips").iloc[:,
         3:].to_numpy(dtype=float).T),
]  # fmt: skip

OF_OUR_MODULES = {"classification", "generation", "translation", "clipping"}
"""Pages and views of whose programs some load our own modules; those of the others need libraries alone."""


def named(case: Case) -> str:
    which = [str(case.asked[name]) for name in ("of", "count", "kind", "writer") if name in case.asked]
    return " ".join([case.page, case.view, *which[:1]])


def opened(case: Case) -> Asked:
    usual = KEY_SENTENCE if case.page == "translation" else " ".join(WORDS)
    return Asked(case.page, view=case.view, **{"text": usual} | case.asked)


def numbers_at_the_end(line: str) -> list[float]:
    found = re.search(r"(?:(?:^|\s+)-?(?:inf|nan|\d[\d.]*(?:e[+-]\d+)?))*\s*$", line)
    return [float(number) for number in found[0].split()] if found else []


def rows(case: Case, program: str) -> Numbers:
    """The numbers that a program prints for the picture; what is masked is 0, as in `panel`."""
    told = printed(program, alone=OF_OUR_MODULES.isdisjoint((case.page, case.view)))
    lines = told.replace("|", "").splitlines()
    kept = [numbers_at_the_end(line) for line in lines[case.before : len(lines) - case.after]]
    found = np.concatenate([line[-case.n_columns :][: case.first] for line in kept])
    return np.where(np.isinf(found), 0, found)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_program_prints_what_the_picture_shows(case: Case) -> None:
    session = opened(case)
    assert session.warnings == []
    shown, found = np.ravel(case.shown(session)), rows(case, session.code)
    if (case.page, case.view) == ("scaling", "heads"):  # these bars are as tall as their share of the tallest
        shown = shown * np.nanmax(found)
    assert_allclose(shown, found, atol=0 if case.rtol else case.atol, rtol=case.rtol)
    heading = session.code.partition('"""')[2].partition('"""')[0]
    for what, number in re.findall(r"\b(layer|head) (\d+)", heading):
        assert number == str(case.asked.get(what, number)), heading
    assert np.nanmax(found) - np.nanmin(found) > 0.01, "numbers that are all alike compare nothing"


@each("case", [case for case in CASES if case.told_by])
def test_the_alternative_text_names_the_extreme_cell_of_the_picture(case: Case) -> None:
    session = opened(case)
    shown = case.shown(session)
    told = re.findall(r"(\w+) → (\w+) (−?\d+\.?\d*)", session.alt(case.told_by))
    query, key, value = told[0]
    cell = WORDS.index(query), WORDS.index(key)
    assert shown[cell] == pytest.approx(float(value.replace("−", "-")), abs=0.006)
    choices = shown[(shown != 0).sum(axis=1) > 1]
    assert abs(shown[cell]) == pytest.approx(abs(choices).max())
    assert cell[0] != cell[1], "a cell that is its own mirror image"
