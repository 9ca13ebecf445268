"""Two orders in every setting: a verdict for each mask, depth and position scheme."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import pandas as pd

from core.learning.collection import shipped_instead
from core.measures.order.verdicts import DEPTHS, OrderComparison, verdicts
from core.model.config import ModelConfig
from core.model.masks import freest_first
from core.model.positions import SCHEMES
from core.sources import LoadedModel, UntrainedError, load
from pages.contract.caching import cached_for_all
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Changes, PicturePart, Point, Text
from pages.contract.switches import Architecture
from pages.order_invariance.compared import Plain
from viz.verdicts import Verdicts
from words import counted

MOST_NAMED = 5
"""Greatest number of words that a sentence or an option names."""

BAG = (
    "Without positions and without a mask, every word gets the same output in both orders: attention is a "
    "weighted sum over a bag of words."
)

ABLATION = "With 1 layer chosen, a trained model runs without its second layer: an **ablation**."


@cached_for_all()
def every_setting(
    first: Plain, second: Plain, source: str, config: ModelConfig, seed: int
) -> tuple[pd.DataFrame, tuple[ModelConfig, ...]]:
    """Return the verdicts, and a setting of each mask without models for these switches."""

    def of_model(variant: ModelConfig, words: Sequence[str]) -> LoadedModel:
        return load(source, variant, words, seed)

    tables, left_out = [], []
    for mask in freest_first():
        masked = replace(config, mask=mask)
        try:
            tables.append(verdicts(first, second, masked, of_model))
        except UntrainedError:
            if shipped_instead(masked) == masked:
                raise
            left_out.append(masked)
    return pd.concat(tables, ignore_index=True), tuple(left_out)


def grid_of(table: pd.DataFrame, word: int, switches: Architecture) -> PicturePart:
    """Return the verdicts as a grid; a click on a tile opens its setting."""
    config = switches.config
    names = {positions: scheme.about.name for positions, scheme in SCHEMES.items()}
    setting = (config.mask, names[config.positions], config.n_layers)
    picture = Verdicts.of(table.replace({"positions": names}), word, setting)
    caption = Caption(
        models=lambda: (switches.described("mask", "positions", "n_layers"),),
        notes=("a model for each mask and position scheme, with one layer and with two",),
    )
    return PicturePart(
        "verdicts", picture, on_click=lambda points, link: open_setting(table, points), caption=caption
    )


def open_setting(table: pd.DataFrame, points: Sequence[Point]) -> Changes:
    """Return the change of the switches to the setting of the tile that was clicked, and to its word."""
    row = table.iloc[points[-1]["data"]]
    setting = {"mask": row["mask"], "positions": row["positions"], "layers": int(row["layers"])}
    return {**setting, "word": int(row["place"]) + 1}


def describe_omitted_mask(config: ModelConfig) -> Text:
    """Say which mask is no row of the grid, and which models with it come with the app."""
    shipped = shipped_instead(config)
    return Text(
        f"The {config.mask} mask is not among the settings: with this mask, only models with "
        f"{shipped.n_heads} heads and {shipped.norm}-norm come with the app.",
        "remark",
    )


def in_settings(table: pd.DataFrame, name: str, word: int) -> str:
    """Return in how many settings the output of a word is the same in both orders."""
    of_word = table[table["place"] == word]
    same = of_word[of_word["same"]]
    n, of_all = len(same), counted(len(of_word), "setting")
    if not n:
        return f"*{name}* gets another output in the second order in all {of_all}."
    which = f"{'each' if n > 1 else 'which is'} without positions"
    without = f", {which}" if (same["positions"] == "none").all() else ""
    return f"*{name}* gets the same output in both orders in {n} of {of_all}{without}."


def agreeing(table: pd.DataFrame, names: Sequence[str]) -> str:
    """Return which words agree after one and after two causal layers without positions."""
    one, two = (word_list(alike(table, layers), names) for layers in DEPTHS)
    return (
        "**A causal mask reveals the order**, because each word attends only to the words up to itself. "
        "After one causal layer without positions a word has the same output if the same words stand before "
        f"it in both orders: here {one}. The second layer attends to outputs of the first, so those words "
        f"must also stand in the same order: here {two}."
    )


def alike(table: pd.DataFrame, layers: int) -> list[int]:
    """Return the positions of the words that agree after this many causal layers without positions."""
    of_mask = table[(table["mask"] == "causal") & (table["positions"] == "none") & table["same"]]
    return list(map(int, of_mask[of_mask["layers"] == layers]["place"]))


def word_list(positions: Collection[int], names: Sequence[str]) -> str:
    """Return a list of these words with their positions in the first order."""
    listed = [f"*{names[at]}* ({at + 1})" for at in sorted(positions)]
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return f"{', '.join(listed[:MOST_NAMED])}{more}" if listed else "no word"


def about_settings(table: pd.DataFrame, found: OrderComparison, scene: Scene, word: int) -> str:
    """Return in how many settings a word gets the same output, and what decides it."""
    told = [in_settings(table, scene.unique_names[word], word), BAG]
    if are_told_apart(found):
        told.append(agreeing(table, scene.names))
    return " ".join([*told, *([ABLATION] if scene.switches.weights.trained else [])])


def are_told_apart(found: OrderComparison) -> bool:
    """Return whether different words are different vectors: the model has one for all unknown words."""
    return len({found.words[at] for at in found.unknown}) < 2
