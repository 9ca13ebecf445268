"""Recurrent: the language models and encoder–decoders that attention was added to, in the same drawing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from core.measures.architectures.inside_lstm import CellStep
from core.measures.architectures.recurrent_formulas import formula_of
from core.measures.architectures.unrolled import (
    LANGUAGE_MODELS,
    Row,
    Unrolled,
    pair_config,
    unrolled_language_model,
    unrolled_pair,
)
from core.model.recurrent_pair import RecurrentEncoderDecoder
from core.programs.architectures import recurrent_program, translator_program
from core.sources.rivals import load_rival
from core.sources.translators import load_translator
from pages.architectures import cell
from pages.architectures import questions as expected
from pages.architectures import recurrent_said as says
from pages.architectures.complaint import no_translation
from pages.architectures.drawing import shape
from pages.architectures.part import place_of
from pages.architectures.recurrent_said import ATTENDS, FIXED, LSTM, RNN
from pages.contract.ask import Ask, numbered
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Controls, Formula, Part, Remark, Sheet, Shown, Text
from pages.contract.words import marked
from pages.controls.examples import MARIA
from pages.controls.memory import remembered
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.architectures.layout import Box
from viz.architectures.unrolled import MOST, unrolled
from viz.architectures.values import vectors
from viz.tables import unique_words

FIGURE, AT_LEAST = 580, 330
PRINTS = "the name, the shape and the mean norm of everything recorded, in the order in which it is computed"

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

PART = "part"
"""The spot of the menu of rows."""


@dataclass(frozen=True)
class Choices:
    """The network, the selected row, and the step of the decoder whose weights are drawn, None at first.

    Of an LSTM also the word that it has `read`, and whether somebody has chosen it.
    """

    network: str
    row: str
    step: int | None
    read: int | None = None
    is_inside_asked: bool = False


@dataclass(frozen=True)
class Found:
    """The chosen network unrolled over the sentence, and what is selected of it.

    Of an LSTM also the step at which it has `read` a word, in the `layer` that is selected. Where the word
    was chosen, a lecture shows the inside of that step and the network below it.
    """

    scene: Scene
    network: str
    seen: Unrolled
    row: Row
    step: int
    read: int = 0
    layer: int = 0
    inside: CellStep | None = None
    is_inside_asked: bool = False


def ask(ask: Ask, scene: Scene) -> Choices:
    """The network; with attention a step of the decoder; and beside the drawing a row."""
    network = ask.choice("network", hide_label=True)
    seen, step = _seen(scene.words, network), None
    if network == ATTENDS:
        shown = seen.target[:MOST]
        step = ask.word("decoder_step", shown, unchosen=numbered(shown, surest(seen)))
    titles = {title_of(name): name for name in seen.rows}
    first = next(title for title in titles if title.endswith("hidden states") or "layer 1" in title)
    with ask.at(PART):
        row = titles[ask.menu("part", options=list(titles), default=first, width=300)]
    read, is_inside_asked = None, bool(ask.answers.spellings(cell.CELL_WORD))
    if network == LSTM:
        with ask.at(cell.READ):
            read = ask.word(cell.CELL_WORD, scene.words, usual=len(scene.words) // 2)
    return Choices(network, row, step, read, is_inside_asked)


def find(scene: Scene, choices: Choices) -> Found:
    """The network at work, at the step chosen: at first that with the largest weight."""
    seen, step = _seen(scene.words, choices.network), choices.step
    if step is None:
        step = surest(seen) if choices.network == ATTENDS else 0
    found = Found(scene, choices.network, seen, seen.rows[choices.row], step)
    if choices.read is None:
        return found
    layer = cell.layer_of(choices.row)
    inside = cell.inside(scene.words, layer, choices.read)
    return replace(
        found, read=choices.read, layer=layer, inside=inside, is_inside_asked=choices.is_inside_asked
    )


@remembered()
def _seen(words: tuple[str, ...], network: str) -> Unrolled:
    if network in (RNN, LSTM):
        name = LANGUAGE_MODELS["rnn" if network == RNN else "lstm"]
        return unrolled_language_model(load_rival(name), words)
    model = load_translator(pair_config(attends=network == ATTENDS), words).model
    assert isinstance(model, RecurrentEncoderDecoder), "the configuration says so"
    return unrolled_pair(model, words)


def surest(seen: Unrolled) -> int:
    """The step of those drawn that has the largest weight."""
    assert seen.alignment is not None, "asked of a network with attention alone"
    return int(seen.alignment[: len(seen.target[:MOST])].max(axis=1).argmax())


def sheet(found: Found, look: Look) -> Sheet:
    """The network unrolled, and what one of its rows computed."""
    seen, network = found.seen, found.network
    left, right = look.columns((3, 2), alone=True)
    n, m = len(seen.source), len(seen.target)
    told = says.told(network, n, m)
    whole = (_drawing(found, left), *((Text(told),) if told else ()))
    opened = _cell(found, left)
    drawn = (*opened, *whole) if look.fills and found.is_inside_asked else (*whole, *opened)
    return Sheet(
        answer=says.answer(network, n, m, seen.config.d_model),
        notes=no_translation(seen.complaint),
        unknown=tuple(seen.unknown),
        parts=(
            Columns(
                (
                    (
                        *drawn,
                        Remark(says.weights(network, seen.config.n_layers)),
                    ),
                    _row(found, right),
                ),
                (3, 2),
                alone=True,
            ),
        ),
    )


def title_of(name: str) -> str:
    """What a row is called, by its recorded name: `encoder: hidden states`."""
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


def _cell(found: Found, look: Look) -> tuple[Part, ...]:
    """The inside of an LSTM at the word that it reads."""
    if found.inside is None:
        return ()
    words, labels = found.scene.words, marked(found.seen.source, found.seen.unknown)
    width = look.room(FIGURE, at_least=AT_LEAST)
    return cell.parts(
        found.inside, words, labels, at=found.read, layer=found.layer, theme=look.theme, width=width
    )


def _drawing(found: Found, look: Look) -> Shown:
    """The rows of the network over its words."""
    seen = found.seen
    words: dict[str, Sequence[str]] = {"encoder": marked(seen.source, seen.unknown)}
    if seen.target:
        words["decoder"] = seen.target
    picture = unrolled(
        _boxes(seen),
        words,
        seen.arrows,
        title=DRAWN[found.network],
        theme=look.theme,
        alignment=seen.alignment,
        behind=lambda: _table(seen),
        width=look.room(FIGURE, at_least=AT_LEAST),
        step=found.step,
        chosen=found.row.name,
    )
    return Shown("unrolled", picture, on_click=lambda points, link: {"part": title_of(points[-1]["data"])})


def _table(seen: Unrolled) -> pd.DataFrame:
    """A row for each word of the last sentence: what is expected after it, and its weights if it attends."""
    words = seen.target or seen.source
    table = pd.DataFrame(
        {"most likely next word": seen.expected, "probability": seen.probabilities},
        index=pd.Index(unique_words(words), name="word"),
    )
    if seen.alignment is not None:
        for at, word in enumerate(unique_words(seen.source)):
            table[word] = seen.alignment[:, at]
    return table


def _row(found: Found, look: Look) -> tuple[Part, ...]:
    """The row's formula, its vectors and its place in the program."""
    seen, row = found.seen, found.row
    end = row.name.rpartition(".")[2]
    of_encoder = row.name.startswith("encoder.") or not seen.target
    words = marked(seen.source, seen.unknown) if of_encoder else seen.target
    if end == "vector":
        words = ("fixed vector",)
    formula = formula_of(end, seen.config)
    heading = f"{DRAWN[found.network]}, {title_of(row.name).replace(': ', ', ')}"
    return (
        Controls(PART),
        *((Formula(*formula),) if formula is not None else ()),
        Shown("computed", vectors(row.value, words, title=heading, theme=look.theme)),
        *place_of(shape(row.shape), row.place),
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """How a sentence is read, or how it gets into the decoder."""
    seen, network = found.seen, found.network
    n, m = len(seen.source), len(seen.target)
    if network == ATTENDS:
        return (expected.weights_of_alignment(n, m),)
    if network == FIXED:
        handed = sum(row.value.size for name, row in seen.rows.items() if name.endswith(".vector"))
        return (expected.numbers_handed_over(n, seen.config.d_model, handed),)
    return (expected.steps_of_recurrence(network, n),)


def program(found: Found) -> Program:
    """Everything that the network records."""
    return Program(lambda: _program(found.scene, found.seen, found.network), prints=PRINTS)


def _program(scene: Scene, seen: Unrolled, network: str) -> str:
    if network in (RNN, LSTM):
        return recurrent_program(scene.plain, LANGUAGE_MODELS["rnn" if network == RNN else "lstm"])
    return translator_program(scene.plain, seen.target, pair_config(attends=network == ATTENDS))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    question="How did recurrent networks read, and translate, before the Transformer?",
    sentence=MARIA,
)
