"""Teacher forcing: what the decoder is fed, and what one wrong word does to the words after it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.learning.collection.translators import TranslatorConfig
from core.measures.translation.forcing import continued, expected, likeliest
from core.measures.translation.writing import Strategy
from core.programs.translation import forcing_program
from core.sources.translators import load_translator
from core.text.language import START
from core.text.translation import END
from pages.contract.ask import Ask, numbered
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Formula, Link, Point, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.prose import literal
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.translation import questions as asks
from pages.translation.marked import marked
from pages.translation.sentences import ONE
from pages.translation.source_sentence import SourceSentence, said
from pages.translation.translate import written
from viz.bar_rows import bars
from viz.text import counted
from viz.units import probability

OFFERED = 6
"""How many of the likeliest words are offered in place of the right one."""

RIGHT, OWN, WRONG = "right words", "its own words", "one wrong"

LOSS = r"\mathcal{L} = -\frac{1}{m} \sum_{t=1}^{m} \ln p_\theta(y_t \mid y_{<t}, x)"
SOURCE = (
    "Teacher forcing: in training every word is asked for after the right ones, whatever the model would "
    "have written. In use it is fed its own words."
)


@dataclass(frozen=True)
class Choices:
    """The position of the wrong word, and the word that is fed there."""

    at: int
    instead: str


@dataclass(frozen=True)
class Found:
    """The right words, what is fed with one wrong word, and what both make of each word.

    The rows of `shares` are the probabilities of the right words and then the end: after the right words, and
    after those fed. `free` is what the model writes by itself after the wrong word.
    """

    here: SourceSentence
    choices: Choices
    right: tuple[str, ...]
    shares: Float[np.ndarray, "2 word"]
    free: tuple[str, ...]

    @property
    def asked(self) -> tuple[str, ...]:
        """The words whose probabilities these are."""
        return (*self.right, END)

    @property
    def fed(self) -> tuple[str, ...]:
        """What the decoder reads after the start."""
        return with_wrong(self.right, self.choices)


def with_wrong(right: tuple[str, ...], choices: Choices) -> tuple[str, ...]:
    """The right words with one wrong word among them."""
    return (*right[: choices.at], choices.instead, *right[choices.at + 1 :])


def ask(ask: Ask, scene: Scene) -> Choices:
    """The position of the wrong word, at first the second one: articles say a gender; and the word."""
    here = said(scene)
    right = _right(here)
    usual = min(1, len(right) - 1)
    chosen = ask.word("wrong", right, unchosen=numbered(right, usual), width=240)
    at = usual if chosen is None else chosen
    found = _likeliest(here.translator.pair, here.plain, tuple(right[:at]))
    others = [word for word, _ in found if word not in (right[at], END)][:OFFERED]
    return Choices(at, ask.menu("instead", options=others, width=190))


def _right(here: SourceSentence) -> tuple[str, ...]:
    """The right words; where the rules have none those that the model writes."""
    exact = here.reference.translation
    return written(here.translator.pair, here.plain, Strategy()).sentence if exact is None else exact.words


@remembered()
def _likeliest(
    pair: TranslatorConfig, words: tuple[str, ...], fed: tuple[str, ...]
) -> tuple[tuple[str, float], ...]:
    return likeliest(load_translator(pair, words), fed, OFFERED + 2)


def find(scene: Scene, choices: Choices) -> Found:
    """The probability of each word with right words before it and with one wrong word."""
    here = said(scene)
    pair, right = here.translator.pair, _right(here)
    each = (right, with_wrong(right, choices))
    shares = np.stack([_expected(pair, here.plain, fed, (*right, END)) for fed in each])
    free = _continued(pair, here.plain, (*right[: choices.at], choices.instead))
    return Found(here, choices, right, shares, free)


@remembered()
def _expected(
    pair: TranslatorConfig, words: tuple[str, ...], fed: tuple[str, ...], asked: tuple[str, ...]
) -> np.ndarray:
    return expected(load_translator(pair, words), fed, asked)


@remembered()
def _continued(pair: TranslatorConfig, words: tuple[str, ...], prefix: tuple[str, ...]) -> tuple[str, ...]:
    return continued(load_translator(pair, words), prefix)


def sheet(found: Found, look: Look) -> Sheet:
    """What the wrong word costs, the probabilities, and what the model writes when left to itself."""
    return Sheet(
        answer=answer(found),
        below_sentence=found.here.below,
        parts=(
            Formula(LOSS, SOURCE),
            Text(
                "**Probability of each word**, in per cent. Fed, one word before each: "
                f"{_marked_wrong(found.fed, found.choices.at)}"
            ),
            _picture(found, look),
            *map(Text, filter(None, [told(found)])),
            Text(f"Left to itself after the wrong word the model writes: {marked(found.free, found.right)}"),
        ),
    )


def _picture(found: Found, look: Look) -> Shown:
    first = OWN if found.here.reference.translation is None else RIGHT
    rows, last = {first: look.theme.attention, WRONG: look.theme.selection}, len(found.right)
    picture = bars(
        found.shares,
        rows,
        found.asked,
        title="Probability of each word, fed the right words and one wrong word",
        theme=look.theme,
        narrow=look.is_narrow,
        table=lambda: pd.DataFrame({"word": found.asked, **dict(zip(rows, found.shares, strict=True))}),
        top=1.0,
        chosen=found.choices.at,
    )

    def put_there(points: Sequence[Point], link: Link) -> Changes:
        return {"wrong": min(points[-1]["data"][1] + 1, last)}

    return Shown("forced", picture, on_click=put_there)


def _marked_wrong(fed: Sequence[str], at: int) -> str:
    """What the decoder reads, the wrong word marked."""
    shown = [literal(word) if i != at else f":red[**{literal(word)}**]" for i, word in enumerate(fed)]
    return " ".join([literal(START), *shown])


def no_longer_likely(found: Found) -> list[int]:
    """The later words that had one half or more before the wrong word, and have less after it."""
    before, after = found.shares
    later = range(found.choices.at + 1, len(found.asked))
    return [i for i in later if before[i] >= 0.5 > after[i]]


def answer(found: Found) -> str:
    """How many later words the wrong one makes unlikely, and how far away the last of them is."""
    at, lost = found.choices.at, no_longer_likely(found)
    exchanged = f"With *{literal(found.choices.instead)}* in place of *{literal(found.right[at])}*,"
    if not lost:
        return f"{exchanged} every later word that was likely stays likely."
    n, far = counted(len(lost), "later word"), counted(lost[-1] - at, "word")
    if len(lost) == 1:
        return f"{exchanged} {n} is no longer likely: it is {far} on."
    return f"{exchanged} {n} are no longer likely, and the last of them is {far} on."


def told(found: Found) -> str:
    """The words that the wrong one makes unlikely, and why; nothing where there are none."""
    (before, after), asked = found.shares, found.asked
    unused = "Training never shows the model a wrong word of its own."
    changed = [
        f"*{literal(asked[i])}* ({probability(before[i])} → {probability(after[i])})"
        for i in no_longer_likely(found)
    ]
    return f"No longer likely: {', '.join(changed)}. {unused}" if changed else ""


def questions(found: Found) -> tuple[Question | None, ...]:
    """What is fed after a mistake."""
    return (asks.fed_after_a_mistake(),)


def program(found: Found) -> Program:
    """The probabilities of the same words after the same ones."""
    pair, words = found.here.translator.pair, found.here.plain
    return Program(lambda: forcing_program(pair, words, found.fed, found.asked))


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program), **ONE)
