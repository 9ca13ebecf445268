"""Heads: the scores of a model on the sentence typed, divided in three ways, for every number of heads."""

from collections.abc import Mapping

import pandas as pd

from core.learning.collection.members import HEADS
from core.measures.heads.several import with_each
from core.measures.reading import read
from core.measures.scaling import BY_ROOT_D, BY_ROOT_D_HEAD, PLAIN, head_rows, heads_table
from core.programs import Call, calling
from pages.contract.ask import Ask
from pages.contract.caption import Caption
from pages.contract.cited import footnote
from pages.contract.examples import TEA
from pages.contract.loading import loaded_with_each
from pages.contract.memory import remembered
from pages.contract.predict import arrange, choose
from pages.contract.program import Program
from pages.contract.prose import Typed
from pages.contract.question import Arrange, Choose, Option
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Fold, Sheet, Shown, Text
from pages.contract.switches import Architecture
from pages.contract.view import view
from pages.contract.weights import absent_of
from viz.bar_rows import BarRows
from viz.curves import Curves
from viz.picture import Picture
from viz.tables import named
from viz.theme import Role
from words import counted, enumerated, two_decimals

WITHIN_ROWS = "standard deviation within rows"

WITHIN_ROWS_IS = (
    "The standard deviation *within rows* is the root mean square distance of a score from the mean of the "
    "allowed scores of its row, over all heads and all rows with at least two allowed keys. Softmax depends "
    "on these distances alone."
)
"""The name of what `spread_within_rows` computes, and its definition."""

LONE = "A single word attends to itself alone: type a second one."


ROLES: Mapping[str, Role] = {PLAIN: "key", BY_ROOT_D: "value", BY_ROOT_D_HEAD: "query"}


@view(
    sentence=TEA,
    switches=frozenset({"model", "seed", "positions", "mask", "heads", "norm"}),
    about="head",
)
def heads(ask: Ask, scene: Scene) -> Sheet:
    """Show one word's weights with three divisions, and how far scores lie apart with 1, 2, 4 and 8 heads."""
    word = ask.word("word", scene.words, unchosen="last")
    query = len(scene.words) - 1 if word is None else word
    switches, config = scene.switches, scene.reading.config
    missing = absent_of(switches.source, with_each(switches.config).values())
    table = _table(scene.words, switches, scene.layer, missing)
    spreads = spreads_of(table, config.n_heads)
    of_each = Caption(
        models=lambda: (switches.described("n_heads"),),
        notes=(f"a model each with {enumerated(HEADS)} heads",),
    )
    beside = (
        Shown("head_spread", _curves(table, config.n_heads, scene.layer), caption=of_each)
        if spreads
        else Text(LONE)
    )
    return Sheet(
        answer=headline(spreads, scene.words[query], layer=scene.layer + 1, head=scene.head + 1),
        notes=(Text(missing, "warning"),) if missing else (),
        unknown=tuple(scene.reading.unknown),
        parts=(
            Columns(
                (
                    (
                        Text(f"## What **{scene.words[query]}** attends to"),
                        Shown("head_row", _bars(scene, query)),
                    ),
                    (Text(f"## {WITHIN_ROWS.capitalize()}"), beside),
                )
            ),
            *([Text(why(table, config.n_heads))] if spreads else []),
            *([Fold("How this was measured", (Text(WITHIN_ROWS_IS),))] if spreads else []),
            Fold("Where a source slips", (footnote("E10"),)),
        ),
        questions=lambda: (root_of_a_head(config.n_heads, config.d_model), spreads_in_order(spreads)),
        program=lambda: Program(
            lambda: calling(
                "The weights of one word with q·k as it is, divided by √d and divided by √(d/k).",
                head_rows,
                Call(read, scene.subject.call, window=scene.switches.window),
                scene.layer,
                scene.head,
                query,
            )
        ),
    )


@remembered()
def _table(words: tuple[str, ...], switches: Architecture, layer: int, missing: str) -> pd.DataFrame:
    """Measure the models that are there; `missing` names the others, which may be there the next time."""
    models = loaded_with_each(words, switches, with_each(switches.config))
    return heads_table(models.values(), layer=layer)


def spreads_of(table: pd.DataFrame, n_heads: int) -> dict[str, float]:
    """The standard deviations of the model with so many heads, by division; none if every row has one key."""
    own = table[table["heads"] == n_heads].dropna()
    return dict(zip(own["scores"], own["spread"], strict=True))


def headline(spreads: Mapping[str, float], word: Typed, *, layer: int, head: int) -> str:
    """Say how far the scores lie apart with each root, and which row is shown."""
    row = f"The bars show the row of *{word}* in head {head}"
    if not spreads:
        return f"{row} of layer {layer}."
    roots = " and ".join(f"{spreads[name]:.2f} for {name}" for name in (BY_ROOT_D, BY_ROOT_D_HEAD))
    return f"The scores of layer {layer} have a {WITHIN_ROWS} of {roots}. {row}."


def why(table: pd.DataFrame, n_heads: int) -> str:
    """Say what the root of the whole width does to the scores of one head."""
    if n_heads == 1:
        return "With one head both roots are the same, because d/k is d."
    return (
        f"Each head sums only d/k products, so **√d divides by √{n_heads} = {n_heads**0.5:.2f} times too "
        f"much**.{_trend(table)} The standard deviation need not be 1: queries and keys of a model are not "
        "random numbers with a standard deviation of 1."
    )


def _trend(table: pd.DataFrame) -> str:
    """Say how both roots go from the fewest heads to the most, if there are several models."""
    counts = table["heads"].dropna()
    fewest, most = int(counts.min()), int(counts.max())
    if fewest == most:
        return ""
    ends = {
        name: [
            float(table[(table["heads"] == k) & (table["scores"] == name)]["spread"].iloc[0])
            for k in (fewest, most)
        ]
        for name in (BY_ROOT_D, BY_ROOT_D_HEAD)
    }
    said = ", and ".join(
        f"{name} goes from {first:.2f} to {last:.2f}" for name, (first, last) in ends.items()
    )
    return f" From {counted(fewest, 'head')} to {most}, {said}."


def _bars(scene: Scene, query: int) -> Picture:
    """The weights of one word with the three divisions."""
    rows = head_rows(scene.reading, scene.layer, scene.head, query)
    plain = scene.plain
    return BarRows(
        shares=rows,
        rows=ROLES,
        columns=plain,
        title=f"Attention weights of {named(plain, query)} with three divisions, {scene.place}",
        top=float(rows.max()),
        chosen=query,
        of="key",
    )


def _curves(table: pd.DataFrame, n_heads: int, layer: int) -> Picture:
    return Curves(
        rows=table,
        title=f"{WITHIN_ROWS.capitalize()} of the scores against number of heads, layer {layer + 1}",
        x="heads",
        y="spread",
        by="scores",
        say=two_decimals,
        colours=ROLES,
        x_title="number of heads k",
        y_title=WITHIN_ROWS,
        log="x",
        mark=n_heads,
        mark_name=f"k = {n_heads}",
    )


def root_of_a_head(n_heads: int, d_model: int) -> Choose | None:
    """Ask by which root the scores of one of several heads are divided; None of one head."""
    width = d_model // n_heads
    if n_heads == 1:
        return None

    def option(n: int, why_not: str = "") -> Option:
        return Option(f"√{n} = {n**0.5:.2f}", n == width, why_not)

    return choose(
        f"Vectors have {d_model} dimensions and {n_heads} heads share them. By what does each head divide?",
        option(width),
        option(d_model, f"A dot product of one head adds up {width} products, and not {d_model}."),
        option(n_heads, "Heads are not added up; dimensions are."),
        because=f"A head has d/k = {d_model} / {n_heads} = {width} dimensions.",
    )


def spreads_in_order(spreads: Mapping[str, float]) -> Arrange | None:
    """The divisions by the spread that they leave, the largest first."""
    ranked = sorted(spreads, key=lambda name: -spreads[name])
    told = ", ".join(f"{spreads[name]:.2f} ({name})" for name in ranked)
    return arrange(
        f"Put these scores in the order of their {WITHIN_ROWS}, the largest first.",
        spreads,
        because=f"{told}.",
    )
