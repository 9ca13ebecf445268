"""Long vectors: random queries and keys, and the effect of √d on scores, weights and gradient."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log2
from typing import Any

import pandas as pd

from core.measures.scaling import BY_ROOT_D, N_KEYS, N_ROWS, PLAIN, WIDTHS, growth_table, word_rows
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.examples import TEA
from pages.contract.parameters import options_of
from pages.contract.prose import Typed
from pages.contract.question import Choose, Estimate, Option, Question
from pages.contract.question_builders import choose, choose_largest, mistakes
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Fold, Formula, PicturePart, Program, Sheet, Text, no_models
from pages.contract.view import view
from viz.bar_rows import BarRows
from viz.curves import Curves
from viz.picture import Picture
from viz.tables import word_label
from viz.theme import Role
from words import per_cent, two_decimals

SPREAD, ENTROPY, GRADIENT = options_of("curve")
COLUMNS = {SPREAD: "spread", ENTROPY: "entropy", GRADIENT: "gradient"}
"""The column of a table of growth that each curve draws."""

Y_TITLES = {SPREAD: "standard deviation", ENTROPY: "entropy in bits", GRADIENT: "gradient norm"}
OF_WHAT = {SPREAD: "scores", ENTROPY: "attention weights", GRADIENT: "the softmax"}
ROOT = "√d"

EQUATION = Formula(
    r"\alpha_j = \frac{\exp(s_j)}{\sum_{j'} \exp(s_{j'})}, \qquad s_j = \frac{q \cdot k_j}{\sqrt{d}}",
    "For one query. Here q and every k are random; without the division s is q · k",
)
DERIVATIVE = Formula(
    r"\left\lVert \frac{\partial \alpha}{\partial s} \right\rVert = "
    r"\left\lVert \operatorname{diag}(\alpha) - \alpha \alpha^\top \right\rVert_F",
    "The derivative of a softmax",
)
LONE = "A single word attends to itself alone: type a second one."
VECTORS = Caption(models=no_models, notes=("random queries and keys",))

HOW = (
    f"At each d there are {N_ROWS} random queries with {N_KEYS} random keys each. Entropy and gradient are "
    "means over these rows. The gradient norm is the root of the summed squares of the "
    "derivatives of all weights of a row with respect to all its scores."
)
GROWS = (
    "A dot product adds up d independent products, each with mean 0 and variance 1. Their variances add up "
    "to d, so the standard deviation is √d: at d = {d} it is {plain} here. "
    "Divided by √d, it stays close to 1: here it is {divided}."
)
ENDS = (
    f"The entropy is {log2(N_KEYS):.0f} bits if all {N_KEYS} keys have the same weight, and 0 if one key has "
    "all of it."
)
OVER_ROWS = f"Averaged over random rows of {N_KEYS} keys,"
TAKEN = "If one key has nearly all the weight, a small change of a score changes next to nothing."
NOT_YET = "At this d the gradient without the division is the larger one."

ROLES: Mapping[str, Role] = {PLAIN: "key", BY_ROOT_D: "query"}

Row = Mapping[str, float]
"""A row of the table of growth: `spread`, and the means `entropy`, `gradient` and `largest` weight."""


_weights = cached_for_all()(word_rows)
_growth = cached_for_all(saying="Drawing random vectors …")(growth_table)


@view(sentence=TEA, switches=frozenset({"seed"}))
def long_vectors(ask: Ask, scene: Scene) -> Sheet:
    """Show a row of weights of random vectors, and beside it a measure of scores or weights against d."""
    ask.name("dimensions d")
    d = int(ask.slide("d"))
    curve = ask.choice("curve", hide_label=True)
    word = ask.word("word", scene.words, unchosen="last")
    query, seed = len(scene.words) - 1 if word is None else word, scene.switches.seed
    rows = _weights(scene.words, query, d, seed=seed)
    table = _growth(seed)
    plain, divided = at_width(table, d, PLAIN), at_width(table, d, BY_ROOT_D)
    names = scene.unique_names
    most, largest = int(rows[0].argmax()), [float(row.max()) for row in rows]
    return Sheet(
        caption=VECTORS,
        headline=headline(curve, d, names[query], plain, divided, largest, names[most]),
        parts=(
            Columns(
                (
                    (
                        Text(f"## What *{scene.unique_names[query]}* attends to, with random vectors"),
                        PicturePart("row", _bars(rows, scene.plain, query, d)),
                        *([Text(LONE)] if len(scene.words) == 1 else []),
                    ),
                    (
                        Text(f"## {curve.capitalize()} of {OF_WHAT[curve]} at each d"),
                        PicturePart(
                            "growth",
                            _against_d(table, curve, d),
                            caption=replace(VECTORS, chosen=False, seed=seed),
                        ),
                    ),
                )
            ),
            Text(explanation(curve, d, plain, divided)),
            DERIVATIVE if curve == GRADIENT else EQUATION,
            Fold("How this was measured", (Text(HOW),)),
        ),
        questions=lambda: questions(curve, d, plain, divided),
        program=lambda: (
            Program.calling(
                f"Weights from random scores of {d} dimensions, as they are and divided by √d.",
                word_rows,
                scene.plain,
                query,
                d,
                seed=seed,
                prints="the weights of the word chosen",
            )
            if curve == SPREAD
            else Program.calling(
                "Spread, entropy and gradient of random scores as their vectors get longer.",
                growth_table,
                seed,
            )
        ),
    )


def at_width(table: pd.DataFrame, d: int, scores: str) -> Row:
    """Return the row of a table of growth for one length and one kind of scores."""
    return dict(table[(table["dimensions"] == d) & (table["scores"] == scores)].iloc[0])


def headline(
    curve: str,
    d: int,
    word: Typed,
    plain: Row,
    divided: Row,
    largest: Sequence[float] = (1.0, 1.0),
    key: object = "",
) -> str:
    """Compare the `largest` weight of a word, on a `key`, or means of rows, undivided and divided.

    A single word has no other weight, so its sentence is about the scores.
    """
    column, digits = COLUMNS[curve], 3 if curve == GRADIENT else 2
    without, by_root = (f"{row[column]:.{digits}f}" for row in (plain, divided))
    if curve == GRADIENT:
        has = f"the gradient of the softmax has a norm of {without}"
        return f"{OVER_ROWS} at d = {d}, {has} without the division and {by_root} with it."
    if curve == ENTROPY:
        has = f"the weights have an entropy of {without} bits"
        return f"{OVER_ROWS} at d = {d}, {has} without the division and {by_root} bits with it."
    if min(largest) == 1:
        has = f"the scores have a standard deviation of {without}"
        return f"At d = {d}, {has}; divided by √{d} = {d**0.5:.2f}, they have {by_root}."
    shares = [per_cent(one) for one in largest]
    other = "itself" if key == word else f"*{key}*"
    return (
        f"At d = {d}, *{word}* gives {other} {shares[0]} of its attention. With scores divided by "
        f"√{d} = {d**0.5:.2f}, it gives {other} {shares[1]}."
    )


def explanation(curve: str, d: int, plain: Row, divided: Row) -> str:
    """Say what causes the curve that is drawn."""
    if curve == SPREAD:
        return GROWS.format(d=d, plain=two_decimals(plain["spread"]), divided=two_decimals(divided["spread"]))
    if curve == ENTROPY:
        return ENDS
    if plain["gradient"] >= divided["gradient"]:
        return NOT_YET
    return TAKEN


def _bars(rows: Any, words: Sequence[str], query: int, d: int) -> Picture:
    """Return the weights of one query for all words, with and without the division."""
    return BarRows(
        title=f"Attention weights of {word_label(words, query)}, random vectors of {d} dimensions",
        shares=rows,
        rows=ROLES,
        columns=words,
        chosen=query,
    )


def _against_d(table: pd.DataFrame, curve: str, d: int) -> Picture:
    """Return a column of a table of growth against d on a logarithmic axis; √d beside the spread."""
    y, level = COLUMNS[curve], None
    drawn, colours = table[["dimensions", "scores", y]], ROLES
    if curve == SPREAD:
        root = {"dimensions": list(WIDTHS), "scores": ROOT, y: [width**0.5 for width in WIDTHS]}
        drawn, colours = pd.concat([drawn, pd.DataFrame(root)]), {ROOT: "muted", **colours}
    if curve == ENTROPY:
        level = (log2(N_KEYS), "equal weights")
    return Curves(
        rows=drawn,
        title=f"{curve.capitalize()} of {OF_WHAT[curve]} against number of dimensions",
        x="dimensions",
        y=y,
        by="scores",
        say=two_decimals,
        x_title="dimensions d of query and key",
        y_title=Y_TITLES[curve],
        mark=None if curve == SPREAD else d,
        mark_name=f"d = {d}",
        points=[(float(d), d**0.5, f"d = {d}: √d = {d**0.5:.3g}")] if curve == SPREAD else (),
        colours=colours,
        log=True if curve == SPREAD else "x",
        level=level,
    )


def questions(curve: str, d: int, plain: Row, divided: Row) -> tuple[Question | None, ...]:
    """Ask about the curve that is drawn."""
    if curve == SPREAD:
        return spread_of_dot_products(d, plain["spread"]), why_divide(d, plain["spread"], divided["spread"])
    if curve == ENTROPY:
        return (equal_scores(N_KEYS),)
    return (larger_gradient(d, plain["gradient"], divided["gradient"]),)


def spread_of_dot_products(d: int, spread: float) -> Estimate:
    """Ask for the standard deviation of dot products of random vectors, √d; the drawn ones have `spread`."""
    right = d**0.5
    near = 0.15 * right
    variance = f"Their *variance* is near {d}: the variances of {d} products add. The deviation is its root."
    one = f"One product has 1; a dot product adds up {d} of them."
    return Estimate(
        text=(
            f"Two vectors have {d} numbers each, random with mean 0 and standard deviation 1. What is the "
            "standard deviation of their dot product?"
        ),
        right=right,
        bounds=(0, 2 * d),
        decimals=2,
        near=near,
        mistaken=mistakes(right, (float(d), variance), (1.0, one), near=near),
        because=(
            f"Each of the {d} products has the variance 1, and variances add: it is √{d}. The dot products "
            f"drawn here have {spread:.2f}."
        ),
    )


def why_divide(d: int, plain: float, divided: float) -> Choose | None:
    """Ask why scores are divided by √d."""
    return choose(
        "Why does attention divide its scores by √d?",
        Option("to keep their standard deviation the same at every d", True),
        Option("to make the weights of a row sum to 1", False, "The softmax does that for any scores."),
        Option(
            "to keep the scores of long sentences from growing",
            False,
            "d counts the dimensions of queries and keys, and not words.",
        ),
        Option(
            "to put every score between 0 and 1",
            False,
            "Scores stay negative or positive; the softmax makes numbers between 0 and 1 of them.",
        ),
        because=(
            f"At d = {d} it is {plain:.2f} before and {divided:.2f} after. Large scores would leave nearly "
            "all weight to one key."
        ),
    )


def equal_scores(n_keys: int) -> Estimate:
    """Ask for the weights of equal scores; many readers answer 0."""
    share = 100 / n_keys
    return Estimate(
        text=f"All {n_keys} scores of a row are 0. What weight does the softmax give to each key?",
        right=share,
        bounds=(0, 100),
        unit="%",
        decimals=2,
        near=share / 5,
        mistaken=(
            (0, "exp(0) = 1: equal scores get equal weights, which sum to 100 %."),
            (100, "The weights of a row sum to 100 %, so not every key can have it."),
        ),
        because=f"100 % / {n_keys}, for any score that they share.",
    )


def larger_gradient(d: int, plain: float, divided: float) -> Choose | None:
    """Ask if the division makes the gradient of the softmax larger at this d."""
    return choose_largest(
        f"At d = {d}, with which scores is the gradient of the softmax larger?",
        {"q·k": plain, "q·k / √d": divided},
        why_not={"q·k": "A gradient through the softmax is small if one key has nearly all the weight."},
        because=f"Its norm is {plain:.3f} with q·k and {divided:.3f} with q·k / √d.",
    )
