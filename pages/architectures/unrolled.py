"""A recurrent network unrolled over its words, and the inside of its cell at one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import fields

import pandas as pd

from core.measures.architectures.unrolled import LANGUAGE_MODELS, CellStep, Row, Unrolled, cell_step
from core.sources.trained import load_rival
from core.words import per_cent
from pages.architectures.drawing import shape
from pages.contract.look import Look
from pages.contract.memory import remembered
from pages.contract.parameters import options_of
from pages.contract.predict import told_apart
from pages.contract.prose import Typed
from pages.contract.scene import Scene
from pages.contract.sheet import Controls, Part, Shown, Text
from pages.contract.words import marked
from viz.architectures.layout import Box
from viz.architectures.lstm_cell import lstm_cell
from viz.architectures.unrolled import unrolled
from viz.tables import unique_words

RNN, LSTM, FIXED, ATTENDS = options_of("network")

TITLES: Mapping[str, tuple[str, str]] = {
    "embed": ("word vectors", "words"),
    "hidden": ("hidden states", "state"),
    "vector": ("fixed vector", "vector"),
    "context": ("contexts", "context"),
    "combined": ("combined", "combined"),
    "logits": ("output", "output"),
}
"""The title of a row and its kind, by the end of its recorded name."""

DRAWN: Mapping[str, str] = {
    RNN: "RNN",
    LSTM: "LSTM",
    FIXED: "Recurrent encoder–decoder",
    ATTENDS: "Recurrent encoder–decoder with attention",
}
"""What a title calls the network."""

READ = "read"
"""The spot of the menu of the word at which the inside of an LSTM is drawn."""


FIGURE, AT_LEAST = 580, 330


@remembered()
def _inside(words: tuple[str, ...], layer: int, position: int) -> CellStep:
    return cell_step(load_rival(LANGUAGE_MODELS["lstm"]), words, layer=layer, position=position)


def title_of(name: str) -> str:
    """Return the name of a row by its recorded name: `encoder: hidden states`."""
    stack, _, path = name.partition(".")
    title = TITLES[name.rpartition(".")[2]][0]
    if stack not in ("encoder", "decoder"):
        layer = f", layer {int(name.split('.')[1]) + 1}" if name.startswith("layers.") else ""
        return title + layer
    return title if path.endswith("vector") else f"{stack}: {title}"


def _boxes(seen: Unrolled) -> list[Box]:
    boxes = []
    for name, row in seen.rows.items():
        title, kind = TITLES[name.rpartition(".")[2]]
        if name.startswith("layers."):
            title = f"layer {int(name.split('.')[1]) + 1}"
        stack = "encoder" if name.startswith("encoder.") or not seen.target else "decoder"
        boxes.append(Box(name, kind, title, shape(row.shape), (), stack=stack))
    return boxes


def cell_parts(scene: Scene, seen: Unrolled, at: int, layer: int, look: Look) -> tuple[Part, ...]:
    """Return the menu of the word, the cell drawn at this word, and the means of its gates."""
    step = _inside(scene.words, layer, at)
    computed = {one.name: getattr(step, one.name) for one in fields(step)}
    label = marked(seen.source, seen.unknown)[at]
    width = look.room(FIGURE, at_least=AT_LEAST)
    means = {name: float(computed[name].mean()) for name in ("forget", "write", "output")}
    return (
        Controls(READ),
        Shown("lstm_cell", lstm_cell(computed, word=label, layer=layer, theme=look.theme, width=width)),
        Text(gates(told_apart(scene.words)[at], layer, **means)),
    )


def gates(word: Typed, layer: int, *, forget: float, write: float, output: float) -> str:
    """Return what the gates do at a word, by their means over all units."""
    return (
        f"At *{word}* in layer {layer + 1}, on average over the units, the cell keeps {per_cent(forget)} of "
        f"what it was, {per_cent(write)} of the candidate is added, and {per_cent(output)} of tanh of the "
        "cell becomes the state."
    )


def unrolled_picture(network: str, seen: Unrolled, row: Row, step: int, look: Look) -> Shown:
    """Draw the rows of the network over its words; a click on a row opens it."""
    words: dict[str, Sequence[str]] = {"encoder": marked(seen.source, seen.unknown)}
    if seen.target:
        words["decoder"] = seen.target
    picture = unrolled(
        _boxes(seen),
        words,
        seen.arrows,
        title=DRAWN[network],
        theme=look.theme,
        alignment=seen.alignment,
        behind=lambda: _table(seen),
        width=look.room(FIGURE, at_least=AT_LEAST),
        step=step,
        chosen=row.name,
    )
    return Shown("unrolled", picture, on_click=lambda points, link: {"part": title_of(points[-1]["data"])})


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
