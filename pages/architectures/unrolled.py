"""A recurrent network unrolled over its words, and the inside of its cell at one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import fields

import pandas as pd

from core.measures.architectures.unrolled import LANGUAGE_MODELS, CellStep, Unrolled, cell_step
from core.sources.trained import load_rival
from pages.architectures.drawing import shape
from pages.contract.caching import cached_for_all
from pages.contract.parameters import options_of
from pages.contract.prose import Typed
from pages.contract.question_builders import unique_labels
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Controls, Part, PicturePart, Text, no_models
from pages.contract.words import marked
from viz import architectures as drawn
from viz.architectures.lstm_cell import LSTMCell
from viz.architectures.unrolled import UnrolledNetwork
from viz.text import quoted, unique_words
from words import per_cent

RNN, LSTM, FIXED, ATTENDS = options_of("network")

TITLES: Mapping[str, tuple[str, str]] = {
    "embed": ("word vectors", "words"),
    "hidden": ("states", "state"),
    "vector": ("fixed vector", "vector"),
    "context": ("contexts", "context"),
    "combined": ("combined vectors", "combined"),
    "logits": ("output layer", "output"),
}
"""The title of a row and its kind, by the end of its recorded name."""

DRAWN: Mapping[str, str] = {
    RNN: "RNN",
    LSTM: "LSTM",
    FIXED: "Recurrent encoder–decoder",
    ATTENDS: "Recurrent encoder–decoder with attention",
}
"""Names of the networks in titles."""

READ = "read"
"""Spot of the menu of the word at which the inside of an LSTM is drawn."""


@cached_for_all()
def _inside(words: tuple[str, ...], layer: int, position: int) -> CellStep:
    return cell_step(load_rival(LANGUAGE_MODELS["lstm"]), words, layer=layer, position=position)


def title_of(name: str) -> str:
    """Return the name of a row by its recorded name: `encoder: states`."""
    stack, _, path = name.partition(".")
    title = TITLES[name.rpartition(".")[2]][0]
    if stack not in ("encoder", "decoder"):
        layer = f", layer {int(name.split('.')[1]) + 1}" if name.startswith("layers.") else ""
        return title + layer
    return title if path.endswith("vector") else f"{stack}: {title}"


def _boxes(seen: Unrolled) -> list[drawn.Box]:
    boxes = []
    for name, row in seen.rows.items():
        title, kind = TITLES[name.rpartition(".")[2]]
        if name.startswith("layers."):
            title = f"layer {int(name.split('.')[1]) + 1}"
        stack = "encoder" if name.startswith("encoder.") or not seen.target else "decoder"
        boxes.append(drawn.Box(name, kind, title, shape(row.shape), (), stack=stack))
    return boxes


def cell_parts(scene: Scene, seen: Unrolled, at: int, layer: int) -> tuple[Part, ...]:
    """Return the menu of the word, the cell drawn at this word, and the means of its gates."""
    step = _inside(scene.words, layer, at)
    computed = {one.name: getattr(step, one.name) for one in fields(step)}
    label = marked(seen.source, seen.unknown)[at]
    title = f"Inside of the LSTM at {quoted(label)}, layer {layer + 1}"
    means = {name: float(computed[name].mean()) for name in ("forget", "write", "output")}
    return (
        Controls(READ),
        PicturePart(
            "lstm_cell", LSTMCell(title=title, step=computed, word=label, layer=layer, framed="forget")
        ),
        Text(gates(unique_labels(scene.words)[at], layer, **means)),
    )


def gates(word: Typed, layer: int, *, forget: float, write: float, output: float) -> str:
    """Return how open the gates are at a word, by their means over all units."""
    return (
        f"At *{word}* in layer {layer + 1}, the forget gate (framed) keeps {per_cent(forget)} of the cell's "
        "old value, on average over units. The candidate is new content, from the state before and the "
        f"vector below. The cell adds {per_cent(write)} of it. Then {per_cent(output)} of tanh of the cell "
        "becomes the state."
    )


def unrolled_picture(network: str, seen: Unrolled, chosen: str, step: int) -> PicturePart:
    """Draw the rows of the network over its words, one of them chosen; a click on a row opens it."""
    words: dict[str, Sequence[str]] = {"encoder": marked(seen.source, seen.unknown)}
    if seen.target:
        words["decoder"] = seen.target
    picture = UnrolledNetwork(
        title=f"{DRAWN[network]} unrolled over its words",
        name=DRAWN[network],
        rows=_boxes(seen),
        words=words,
        arrows=seen.arrows,
        alignment=seen.alignment,
        make_table=lambda: _table(seen),
        step=step,
        chosen=chosen,
    )
    # The drawing of a language model shows no result of it.
    caption = None if seen.target else Caption(models=no_models)
    return PicturePart(
        "unrolled",
        picture,
        on_click=lambda points, link: {"part": title_of(points[-1]["data"])},
        caption=caption,
    )


def _table(seen: Unrolled) -> pd.DataFrame:
    """Return a row for each word of the last sentence: the next word, and the weights if it attends."""
    words = seen.target or seen.source
    table = pd.DataFrame(
        {"most likely next word": seen.expected, "probability": seen.probabilities},
        index=pd.Index(unique_words(words), name="word"),
    )
    if seen.alignment is not None:
        for at, word in enumerate(unique_words(seen.source)):
            table[word] = seen.alignment[:, at]
    return table
