"""Heads of a pretrained model that have a name, found by what they attend to over many sentences."""

from collections.abc import Iterator, Mapping

import pandas as pd

from core.measures.heads.sample import ROWS, SAMPLE_IN_PIECES
from core.measures.heads.scores import INDUCTION, SPECIAL, kinds_of_heads
from core.sources import UnavailableError
from pages.contract.real import REAL
from pages.contract.scene import Scene
from pages.contract.sheet import Part, Text
from pages.contract.weights import why_unavailable
from pages.data.links import Link
from pages.explorer.head_scores import LOOKED_AT, cached_head_scores
from pages.explorer.linking import CALLED
from words import enumerated, per_cent

GIVEN_TO: Mapping[str, str] = {
    **LOOKED_AT,
    "first word": "the first word",
    SPECIAL: "special tokens",
    INDUCTION: "the token after an earlier copy of the query token",
}
"""Target of the attention of a named head, by its score."""

TITLE = "Heads that have a name"

MEASURED = (
    f":small[Each share is a mean over {SAMPLE_IN_PIECES} sentences of a small artificial English, in which "
    "the tokens of a word count as one word. {}Each share of more than half "
    "gives a head a name. In this sentence it may attend elsewhere.]"
)

OTHER_TEXTS = (
    f"For induction the texts are others: {ROWS} rows of repeated random tokens. So two shares of one head "
    "may sum to more than 100 %. "
)


def named_heads(scene: Scene) -> tuple[Part, ...]:
    """Return the name of the shown head, if it has one, and the clearest head of each name."""
    try:
        table = cached_head_scores(scene.switches)
    except UnavailableError as error:
        return (Text(why_unavailable(error), "info"),)
    measured = MEASURED.format(OTHER_TEXTS * (INDUCTION in set(table["score"])))
    listed = "\n".join(f"- {line}" for line in clearest(table, scene))
    if not listed:
        return (Text(f"No head of this model has a name. {measured}"),)
    return Text(shown_kind(table, scene.layer + 1, scene.head + 1)), Text(listed), Text(measured)


def shown_kind(table: pd.DataFrame, layer: int, head: int) -> str:
    """Return the names of a head, counted from 1, or that it has none."""
    kinds = kinds_of_heads(table).get((layer, head), ())
    if not kinds:
        return f"The head shown, layer {layer}, head {head}, has no name."
    names = enumerated([f"**{CALLED[kind]}**" for kind in kinds])
    return f"The head shown, layer {layer}, head {head}, is called {names}."


def clearest(table: pd.DataFrame, scene: Scene) -> Iterator[str]:
    """Yield, for each name that a head has, the head with the largest share, and how many have the name."""
    names = kinds_of_heads(table)
    kinds = [kind for of_head in names.values() for kind in of_head]
    for kind, called in CALLED.items():
        if kind not in kinds:
            continue
        of_kind = table[table["score"] == kind]
        best = of_kind.loc[of_kind["value"].idxmax()]
        layer, head = int(best["layer"]), int(best["head"])
        place = f"[layer {layer}, head {head}]({_opens(scene, layer, head)})"
        n = kinds.count(kind)
        named = f"**{called}**" if n == 1 else f"**{called}**, the clearest of {n}"
        others = [f"a {CALLED[one]}" for one in names[layer, head] if one != kind]
        also = f", also {enumerated(others)}," if others else ""
        yield (
            f"{named}: {place}{also} gives "
            f"{per_cent(best['value'])} of its attention to {GIVEN_TO[kind]}; equal "
            f"weights would give {per_cent(best['baseline'])}."
        )


def _opens(scene: Scene, layer: int, head: int) -> str:
    """Return the link to a head of this model on this sentence."""
    one = scene.switches.weights.pretrained
    real = {} if one is None else {"model": REAL, "real": one.title}
    named: dict[str, str | int] = {"view": "heads", "text": scene.text, **real, "layer": layer, "head": head}
    return Link("", "explorer", named).path
