"""Memory: what a Transformer attends to at every step, and what a recurrent network has instead."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.distance.long_range import TRANSFORMER
from core.measures.generation.costs import kept_bytes
from core.measures.generation.memory import QUANTITIES, attended, remembered_states
from core.measures.generation.writing import Continued, shapes
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.model.recurrent import RecurrentLanguageModel
from core.programs import attention_program
from core.programs.generation import states_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Controls, Gesture, Link, Part, Point, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.generation.memory_said import (
    answer_of_attention,
    answer_of_states,
    readable,
    told_of_attention,
    told_of_states,
)
from pages.generation.models import model_of
from pages.generation.questions import text_twice_as_long
from pages.generation.switches import OF_ONE
from pages.generation.texts import STEP, WALK, Texts, ask_texts, ask_walk, labels
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.scene import at_place, subject
from viz.matrices import one_head
from viz.number_map import colour_map
from viz.tables import unique_words

SIZE = 520
"""The greatest width of the matrix in pixels: so that it fits the height of a window."""

ROW, LEAST, MOST = 22, 260, 560
"""Pixels of a word's row in a map of states, and between what the height of the map is."""


@dataclass(frozen=True)
class Choices:
    """The texts, the selected step, counted from 0, and what is shown of a recurrent network's states."""

    texts: Texts
    step: int
    quantity: str = ""


@dataclass(frozen=True)
class Found:
    """What a model has of the words of its text, and the bytes that it keeps of those so far.

    `values` are the weights of a head (query, key), or a `quantity` of a recurrent layer (word, unit).
    """

    texts: Texts
    step: int
    text: Continued
    layer: int
    head: int
    values: Float[np.ndarray, "word column"]
    n_bytes: int
    quantity: str = ""

    @property
    def read(self) -> tuple[str, ...]:
        """The words that the model reads: the last one that it writes it does not."""
        return self.text.words[:-1]

    @property
    def at(self) -> int:
        """The position of the word after which the word of the step is chosen."""
        return self.text.n_given + self.step - 1

    @property
    def seen(self) -> np.ndarray:
        """Whether a word has been read at the step."""
        return np.arange(len(self.read)) <= self.at


def ask(ask: Ask, scene: Scene) -> Choices:
    """How the model writes, what is shown of its states if it has several, and a step."""
    texts = ask_texts(ask, scene)
    quantity = ""
    if texts.writer != TRANSFORMER:
        names = {readable(name): name for name in QUANTITIES[texts.writer]}
        shown = next(iter(names))
        if len(names) > 1:
            shown = ask.menu("quantity", options=list(names), default=shown, width=220)
        quantity = names[shown]
    return Choices(texts, ask_walk(ask, texts, len(texts.own.written)).step, quantity)


def find(scene: Scene, choices: Choices) -> Found:
    """The weights, or the states. Raises UnavailableError where the model is not there."""
    texts, text, name = choices.texts, choices.texts.own, choices.quantity
    words, config = text.words[:-1], texts.config
    values = _states(words, texts.writer, config)[name] if name else _attended(words, config)
    own = values[scene.layer] if name else values[scene.layer, scene.head]
    n_bytes = kept_bytes(shapes(config)[texts.writer], text.n_given + choices.step)
    return Found(texts, choices.step, text, scene.layer, scene.head, own, n_bytes, name)


@remembered()
def _attended(words: tuple[str, ...], config: ModelConfig) -> Float[np.ndarray, "layer head query key"]:
    model = model_of(TRANSFORMER, config)
    assert isinstance(model, Transformer), "its name says so"
    return attended(model, words)


@remembered()
def _states(
    words: tuple[str, ...], writer: str, config: ModelConfig
) -> dict[str, Float[np.ndarray, "layer word unit"]]:
    model = model_of(writer, config)
    assert isinstance(model, RecurrentLanguageModel), "a Transformer has no state"
    return remembered_states(model, words)


def sheet(found: Found, look: Look) -> Sheet:
    """The matrix of the writer as far as the step: it grows by a row with every word that is read."""
    parts = _of_states(found, look) if found.quantity else _of_attention(found, look)
    words, at, weights = found.text.words, found.at, found.values[found.at]
    answer = (
        answer_of_states(found.texts.writer, found.n_bytes)
        if found.quantity
        else answer_of_attention(words, at, weights, found.n_bytes)
    )
    head = "" if found.quantity else f", head {found.head + 1}"
    answer = at_place(f"step {found.step + 1}, layer {found.layer + 1}{head}", answer)
    return Sheet(answer=answer, unknown=tuple(found.text.unknown), parts=(Controls(WALK), *parts))


def _of_attention(found: Found, look: Look) -> tuple[Part, ...]:
    at, pattern = found.at, found.values
    head = f"layer {found.layer + 1}, head {found.head + 1}"
    picture = one_head(
        pattern,
        labels(found.text)[:-1],
        title=f"Attention weights, {head}, to choose word {found.step + 1}",
        short=f"{head[0].upper()}{head[1:]}, to choose word {found.step + 1}",
        allowed=np.tri(len(pattern), dtype=bool) & found.seen[:, None],
        theme=look.theme,
        selected=(at, int(pattern[at].argmax())),
        size=look.room(SIZE),
    )
    told = told_of_attention(found.text.words, at, pattern[at])
    return Shown("attended", picture, on_click=_gesture(found)), Text(told)


def _of_states(found: Found, look: Look) -> tuple[Part, ...]:
    name, values = found.quantity, np.where(found.seen[:, None], found.values, np.nan)
    what = f"{found.texts.writer}, layer {found.layer + 1}, {readable(name)}"
    picture = colour_map(
        values,
        title=f"{what}, after each word",
        x_title="unit of the state",
        y_title="word read",
        rows=labels(found.text)[:-1],
        word=readable(name),
        theme=look.theme,
        height=min(max(ROW * len(values) + 80, LEAST), MOST),
        limit=float(np.abs(found.values).max()) if name == "cell" else 1.0,
        of_shares=name.endswith("gate"),
        table=lambda: _by_word(values, found.read),
    )
    return (
        Text(f"**{what}** after each word, to choose word {found.step + 1}"),
        Shown("states", picture, on_click=_gesture(found)),
        Text(told_of_states(found.text.words[found.at], name, values[found.at])),
    )


def _by_word(values: np.ndarray, words: tuple[str, ...]) -> pd.DataFrame:
    """A row for each word; those that the model has not read yet are bare."""
    columns = [f"unit {unit}" for unit in range(values.shape[1])]
    return pd.DataFrame(values, index=pd.Index(unique_words(words), name="word"), columns=columns)


def _gesture(found: Found) -> Gesture:
    """A click on a row asks for the step at which the model has read so far."""
    n_given, n = found.text.n_given, len(found.text.written)

    def choose(points: Sequence[Point], link: Link) -> Changes:
        return {STEP: min(max(0, points[-1]["y"] - n_given + 1) + 1, n)}

    return choose


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a longer text costs in bytes."""
    texts, n = found.texts, found.at + 1
    doubled = kept_bytes(shapes(texts.config)[texts.writer], 2 * n)
    return (text_twice_as_long(texts.writer, doubled / found.n_bytes),)


def program(found: Found) -> Program:
    """The weights, or the states."""
    words, texts, name, layer = found.read, found.texts, found.quantity, found.layer
    if not name:
        own = subject(words, texts.switches, layer=layer, head=found.head)
        return Program(lambda: attention_program(own))
    return Program(
        lambda: states_program(words, texts.config, texts.writer, name=name, layer=layer),
        prints="the numbers of every word, unit by unit",
    )


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    question="What does a model have of the words before?",
    about="head",
    **OF_ONE,
)
