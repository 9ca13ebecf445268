"""Heads: a model's scores on the typed sentence, divided in three ways, for every number of heads.

A real model has one number of heads: its scores are shown for every layer.
"""

from collections.abc import Mapping

import pandas as pd

from core.measures.heads.several import configs_by_n_heads
from core.measures.reading import read
from core.measures.scaling import BY_ROOT_D, BY_ROOT_D_HEAD, PLAIN, head_rows, heads_table, layers_table
from core.model.config import ModelConfig
from core.programs import Call
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.examples import TEA
from pages.contract.loading import loaded_with_each
from pages.contract.prose import Typed
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose
from pages.contract.scene import Scene, reading
from pages.contract.sheet import Columns, Fold, Part, PicturePart, Program, Sheet, Text
from pages.contract.switches import Architecture
from pages.contract.view import view
from pages.contract.weights import absent_of, missing_notes
from pages.heads.how_many import with_each
from viz.bar_rows import BarRows
from viz.curves import Curves
from viz.picture import Picture
from viz.tables import word_label
from viz.theme import Role
from words import counted, two_decimals

WITHIN_ROWS = "standard deviation within rows"

WITHIN_ROWS_IS = (
    "The standard deviation *within rows* says how far a score is from the mean of its row. Only allowed "
    "keys count, in all heads and in all rows with at least two allowed keys. A bias of the positions, which "
    "some schemes add before the softmax, does not count."
)
"""Definition of `spread_within_rows`, by its name on the page."""

MOST_PIECES = 128
"""Pieces of the longest sentence for a real model, because the scores of all its heads are kept."""

LONE = "A single word attends to itself alone: type a second one."


ROLES: Mapping[str, Role] = {PLAIN: "key", BY_ROOT_D: "value", BY_ROOT_D_HEAD: "query"}


@view(
    question="Which d is it, if a model has several heads?",
    sentence=TEA,
    switches=frozenset({"model", "seed", "positions", "mask", "heads", "norm"}),
    about="head",
    pieces=MOST_PIECES,
)
def heads(ask: Ask, scene: Scene) -> Sheet:
    """Show one word's weights with three divisions, and the spread of scores with 1, 2, 4 and 8 heads."""
    word = ask.word("word", scene.names, label=scene.unit.capitalize(), unchosen="last")
    query = scene.last if word is None else word
    switches, config, missing = scene.switches, scene.reading.config, ""
    if scene.pieces is None:
        missing = absent_of(switches.source, configs_by_n_heads(switches.config).values())
        table = _table(scene.words, switches, scene.layer, missing)
        spreads, said = spreads_in(table[table["heads"] == config.n_heads]), why(table, config.n_heads)
        curves = PicturePart(
            "head_spread",
            _curves(table, config.n_heads, scene.layer),
            caption=with_each(switches, sorted(map(int, table["heads"].dropna().unique()))),
        )
    else:
        table = _of_layers(scene.words, switches)
        spreads, said = spreads_in(table[table["layer"] == scene.layer + 1]), why_of_one(config)
        curves = PicturePart("head_spread", _over_layers(table, scene.layer))
    beside: Part = curves if spreads else Text(LONE)
    return Sheet(
        headline=headline(config, scene.unique_names[query], layer=scene.layer + 1, head=scene.head + 1),
        notes=missing_notes(missing),
        unknown=tuple(scene.reading.unknown),
        parts=(
            Columns(
                (
                    (
                        Text(f"## What *{scene.unique_names[query]}* attends to"),
                        PicturePart("head_row", _bars(scene, query)),
                    ),
                    (Text(f"## {WITHIN_ROWS.capitalize()}"), beside),
                )
            ),
            *([Text(f"{describe_spreads(spreads, scene.layer + 1)} {said}")] if spreads else []),
            *([Fold("How this was measured", (Text(WITHIN_ROWS_IS),))] if spreads else []),
        ),
        questions=lambda: (
            divisor_question(config.n_heads, config.d_model)
            if has_equal_parts(config) and config.scale
            else None,
        ),
        program=lambda: Program.calling(
            "The weights of one word with q·k as it is, divided by √d and divided by √d_head.",
            head_rows,
            Call(read, scene.subject.call, window=scene.switches.window),
            scene.layer,
            scene.head,
            query,
            prints="the weights of this word with each division",
        ),
    )


@cached_for_all()
def _table(words: tuple[str, ...], switches: Architecture, layer: int, missing: str) -> pd.DataFrame:
    """Measure the available models; `missing` names the others, so that later ones are noticed."""
    models = loaded_with_each(words, switches, configs_by_n_heads(switches.config))
    return heads_table(models.values(), layer=layer)


@cached_for_all()
def _of_layers(words: tuple[str, ...], switches: Architecture) -> pd.DataFrame:
    return layers_table(reading(words, switches))


def has_equal_parts(config: ModelConfig) -> bool:
    """Return whether the widths of the heads add up to the width of the model, as in most models."""
    return config.d_head * config.n_heads == config.d_model


def spreads_in(rows: pd.DataFrame) -> dict[str, float]:
    """Return the standard deviations in some rows of a table, by division; none if every row has one key."""
    own = rows.dropna()
    return dict(zip(own["scores"], own["spread"], strict=True))


def headline(config: ModelConfig, word: Typed, *, layer: int, head: int) -> str:
    """Say how many products a score of the head sums, and the root of their number."""
    width = config.d_head
    if not config.scale:
        return (
            "This model does not divide its scores: its weights were trained without a divisor. Each score "
            f"of *{word}* adds up {width} products."
        )
    root = f"√{width} = {width**0.5:.2f}"
    other = "" if width == config.d_model else f", and not √{config.d_model}"
    return (
        f"In head {head} of layer {layer}, each score of *{word}* adds up {width} products, so the divisor "
        f"that fits is {root}{other}."
    )


def describe_spreads(spreads: Mapping[str, float], layer: int) -> str:
    """Say how the scores of a layer spread with each root."""
    divided, by_head = (f"{spreads[name]:.2f}" for name in (BY_ROOT_D, BY_ROOT_D_HEAD))
    return (
        f"In layer {layer} the {WITHIN_ROWS} is {divided} for {BY_ROOT_D}. It is {by_head} for "
        f"{BY_ROOT_D_HEAD}."
    )


def why(table: pd.DataFrame, n_heads: int) -> str:
    """Say how the root of the whole width affects the scores of one head."""
    if n_heads == 1:
        return (
            "Here d is d_model, the width of the model. "
            "With one head both roots are the same, because d_head is d."
        )
    return (
        "Here d is d_model, the width of the model. A score of a head adds up only d_head products, and "
        f"d_head is d divided by the number of heads. So **√d is √{n_heads} = "
        f"{n_heads**0.5:.2f} times too large a divisor**.{_trend(table)} The standard deviation need not be "
        "exactly 1: queries and keys of a model are not independent random numbers."
    )


def why_of_one(config: ModelConfig) -> str:
    """Say how the root of the whole width affects the scores of a model with one number of heads."""
    if not config.scale:
        return ""
    if not has_equal_parts(config):
        width = config.d_head
        return (
            f"A head of this model sums d_head = {width} products; d divided by the heads is another number."
        )
    return why(pd.DataFrame({"heads": [config.n_heads]}), config.n_heads)


def _trend(table: pd.DataFrame) -> str:
    """Say how both roots change from the fewest heads to the most, if there are several models."""
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
    (by_d, by_head) = (f"{first:.2f} to {last:.2f}" for first, last in ends.values())
    return (
        f" From {counted(fewest, 'head')} to {most}, the standard deviation goes from {by_d} for "
        f"{BY_ROOT_D}. For {BY_ROOT_D_HEAD} it goes from {by_head}."
    )


def _bars(scene: Scene, query: int) -> Picture:
    """Return the weights of one word with the three divisions."""
    rows = head_rows(scene.reading, scene.layer, scene.head, query)
    names = tuple(map(str, scene.names))
    return BarRows(
        shares=rows,
        rows=ROLES,
        columns=names,
        title=f"Attention weights of {word_label(names, query)} with three divisions, {scene.place}",
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


def _over_layers(table: pd.DataFrame, layer: int) -> Picture:
    return Curves(
        rows=table,
        title=f"{WITHIN_ROWS.capitalize()} of the scores against layers",
        x="layer",
        y="spread",
        by="scores",
        say=two_decimals,
        colours=ROLES,
        x_title="layer",
        y_title=WITHIN_ROWS,
        reach=(0.0,),
        mark=layer + 1,
        mark_name=f"layer {layer + 1}",
    )


def divisor_question(n_heads: int, d_model: int) -> Choose | None:
    """Ask by which root the scores of one of several heads are divided; None for one head."""
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
        because=f"A head has d_head = {d_model} / {n_heads} = {width} dimensions.",
    )
