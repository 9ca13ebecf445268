"""One position: the feed-forward layer acts on each word alone, attention on all that attend to it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.measures.architectures.about import about
from core.measures.blocks.one_position import OutputChanges, elsewhere, output_changes
from core.programs.one_position import one_position_program
from pages.blocks.questions import reached
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Formula, Point, Sheet, Shown, Text
from pages.controls.examples import MARIA
from pages.controls.memory import remembered
from pages.controls.prose import Typed
from pages.controls.switches import WITHOUT_WINDOW, Architecture
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import loaded
from pages.shell.scene import at_place
from viz.bar_rows import bars
from viz.tables import named, unique_words
from viz.text import counted
from viz.units import per_cent

TOLD = (
    "The vector of **{}** is set to zero where it enters each part; a bar is the change of an output, in per "
    "cent of its norm. Only attention carries information between words."
)


@dataclass(frozen=True)
class Found:
    """How much the outputs of both parts change without the vector of a word."""

    scene: Scene
    word: int
    changes: OutputChanges

    @property
    def name(self) -> Typed:
        """The word, with its position where the sentence has it twice."""
        return Typed(unique_words(self.scene.plain)[self.word])


def ask(ask: Ask, scene: Scene) -> int:
    """The word: the first one at first."""
    return ask.word("word", scene.words, unchosen="first") or 0


def find(scene: Scene, word: int) -> Found:
    """The two parts computed with the vector and without it."""
    return Found(scene, word, _changes(scene.words, scene.switches, scene.layer, word))


@remembered()
def _changes(words: tuple[str, ...], switches: Architecture, layer: int, word: int) -> OutputChanges:
    return output_changes(loaded(words, switches), layer=layer, position=word)


def sheet(found: Found, look: Look) -> Sheet:
    """A bar for every word and part: how much its output changes without the vector of the chosen word."""
    name, told = found.name, about("feed-forward", found.scene.switches.config)
    return Sheet(
        answer=at_place(found.scene.layer_place, _answer(name, found.changes, found.word)),
        unknown=found.changes.unknown,
        parts=(
            Formula(told.formula, told.source),
            _bars(found, look),
            Text(TOLD.format(f"{name}")),
        ),
    )


def _bars(found: Found, look: Look) -> Shown:
    rows = {"feed-forward": look.theme.value, "attention": look.theme.attention}
    shares, plain = np.stack([found.changes.feed_forward, found.changes.attention]), found.scene.plain
    word = named(plain, found.word)
    picture = bars(
        shares,
        rows,
        found.scene.marked(found.changes.unknown),
        title=f"Change of every output without the vector of {word}, layer {found.scene.layer + 1}",
        theme=look.theme,
        narrow=look.is_narrow,
        top=float(shares.max()) or 1.0,
        chosen=found.word,
        table=lambda: pd.DataFrame(
            dict(zip(rows, shares, strict=True)), index=pd.Index(unique_words(plain), name="word")
        ),
    )
    return Shown("changes", picture, on_click=lambda points, link: _chosen(points))


def _chosen(points: Sequence[Point]) -> Changes:
    """The word whose bar was clicked: a bar names its row and its column."""
    return {"word": points[-1]["data"][1] + 1}


def _answer(name: str, found: OutputChanges, word: int) -> str:
    """A sentence on how many other words' outputs each part has changed, and by how much at most."""
    if len(found.attention) == 1:
        return f"*{name}* has no other word to reach: type a second one."
    feed_forward, attention = (
        _reached(*elsewhere(changes, word)) for changes in (found.feed_forward, found.attention)
    )
    return (
        f"Without the vector of *{name}* the output of the feed-forward layer changes at {feed_forward}, and "
        f"that of attention at {attention}."
    )


def _reached(n: int, largest: float) -> str:
    """How many of these words were reached."""
    return f"{counted(n, 'other word')} by up to {per_cent(largest)}" if n else "no other word"


def questions(found: Found) -> tuple[Question | None, ...]:
    """How many words the feed-forward layer reaches."""
    changes = found.changes
    if len(changes.attention) == 1:
        return ()
    n = [elsewhere(one, found.word)[0] for one in (changes.feed_forward, changes.attention)]
    return (reached(found.name, *n),)


def program(found: Found) -> Program:
    """The change at every word."""
    return Program(lambda: one_position_program(found.scene.subject, found.word))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    sentence=MARIA,
    switches=WITHOUT_WINDOW - {"mlp"},
    about="layer",
)
