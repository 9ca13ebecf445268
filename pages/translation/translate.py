"""Translate: the sentence word by word, and what each word was chosen from."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from core.learning.collection.translators import TranslatorConfig
from core.measures.translation.lengths import by_source_length
from core.measures.translation.writing import Strategy, Written, write
from core.programs.translation import writing_program
from core.sources.translators import load_translator, record_of_translator
from core.text.tokenizer import words_of
from core.text.translation import NAME
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Controls, Gesture, Notice, Numbers, Part, Point, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.prose import Typed
from pages.controls.sampling import CHOSEN, ask_sampling, listed
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.translation import questions as expected
from pages.translation import translate_said as says
from pages.translation.rules import rules
from pages.translation.sentences import ONE
from pages.translation.source_sentence import SourceSentence, said
from viz.bar_rows import bars
from viz.beam import beam_tree
from viz.predictions import SIZE, prediction
from viz.text import quoted

STEP = "step"
PREFIX = 4
"""How many of the words before are named at most."""

TRANSLATION, WALK = "translation", "walk"
"""The spots of the row of words, and of the buttons that walk through it."""


@dataclass(frozen=True)
class Choices:
    """How words are chosen, the words typed for the translation to begin with, and the selected step."""

    strategy: Strategy
    begins: tuple[Typed, ...]
    step: int


@dataclass(frozen=True)
class Found:
    """A translation with what each word was chosen from, and the greedy one with the same beginning."""

    here: SourceSentence
    choices: Choices
    text: Written
    greedy: Written

    @property
    def right(self) -> tuple[str, ...] | None:
        """The translation by the rules, if they have one."""
        translation = self.here.reference.translation
        return None if translation is None else translation.words


def ask(ask: Ask, scene: Scene) -> Choices:
    """How words are chosen; below the answer the words of the translation they give."""
    here, strategy = said(scene), _strategy(ask)
    begins = tuple(map(Typed, words_of(ask.entry("begins", placeholder="words of your own"))))
    strategy = replace(strategy, prefix=says.given(begins))
    text = written(here.translator.pair, here.plain, strategy)
    with ask.at(TRANSLATION):
        step = ask.word_row(STEP, text.words, label=f"Translation into {NAME}")
    with ask.at(WALK):
        ask.walk(STEP, len(text.words))
    return Choices(strategy, begins, step)


def _strategy(ask: Ask) -> Strategy:
    """How words are chosen, and what goes with it."""
    way = ask.choice("way", hide_label=True)
    if way == "beam":
        return Strategy(way=way, width=ask.menu("beam", width=150))
    if way == "greedy":
        return Strategy(way=way)
    sampling, seed = ask_sampling(ask)
    return Strategy(way=way, sampling=sampling, seed=seed)


def find(scene: Scene, choices: Choices) -> Found:
    """The translation, and the greedy one to compare it with."""
    here, strategy = said(scene), choices.strategy
    pair, words = here.translator.pair, here.plain
    greedy = written(pair, words, Strategy(prefix=strategy.prefix))
    return Found(here, choices, written(pair, words, strategy), greedy)


@remembered()
def written(pair: TranslatorConfig, words: tuple[str, ...], strategy: Strategy) -> Written:
    """What a translator writes, computed once for all visitors."""
    return write(load_translator(pair, words), strategy)


def sheet(found: Found, look: Look) -> Sheet:
    """The translation as a row of words, the distribution at the chosen one, and how it came about."""
    text, strategy = found.text, found.choices.strategy
    told = (says.how(strategy), says.ending(text), says.worth(text, found.greedy, strategy.way))
    pair = found.here.translator.pair
    return Sheet(
        answer=f"{says.answer(text)} {says.at_step(text, found.choices.step, len(strategy.prefix))}",
        notes=tuple(map(Notice, says.not_given(found.choices.begins))),
        below_sentence=found.here.below,
        parts=(
            Controls(TRANSLATION),
            Columns(((Controls(WALK),), (Text(says.compared(text, found.right)),)), (1, 2)),
            *_pictures(found, look),
            Text(" ".join(told)),
            rules(),
            Numbers("learned", lambda: learned(pair), title="What the model has learned"),
        ),
    )


def _pictures(found: Found, look: Look) -> tuple[Part, ...]:
    """The tree of a beam with the distribution below it, or else this beside the certainty of every word."""
    if found.choices.strategy.way == "beam":
        return _tree(found, look), _distribution(found, look)
    left, right = look.columns((4, 5), alone=True)
    return (Columns(((_distribution(found, left),), (_certainty(found, right),)), (4, 5), alone=True),)


def _distribution(found: Found, look: Look) -> Shown:
    """The likeliest words at the chosen step."""
    text, step, drawn = found.text, found.choices.step, found.choices.strategy.way == "sampled"
    table, word = text.choices(step), named(text.words, step)
    picture = prediction(
        table,
        title=f"Probabilities of {word}",
        short=word[0].upper() + word[1:],
        theme=look.theme,
        before="the model",
        after="drawn from" if drawn else "",
        behind=lambda: listed(table, drawn=drawn),
        answer=CHOSEN,
        size=look.room(SIZE),
    )
    return Shown("choices", picture)


def named(words: tuple[str, ...], step: int) -> str:
    """A step within a title: its word, and the last of those before it."""
    before = f"{'… ' if step > PREFIX else ''}{' '.join(words[max(0, step - PREFIX) : step])}"
    return f"word {step + 1} after {quoted(before) if step else 'the start'}"


def _certainty(found: Found, look: Look) -> Shown:
    """How likely each word was when it was chosen: where the model was in doubt."""
    shares, words = np.exp(found.text.chosen), found.text.words
    picture = bars(
        shares[None],
        {"probability": look.theme.attention},
        words,
        title="Probability of each word when it was chosen",
        theme=look.theme,
        narrow=look.is_narrow,
        table=lambda: pd.DataFrame({"word": words, "probability": shares}),
        top=1.0,
        chosen=found.choices.step,
    )
    return Shown("certainty", picture, on_click=_to(lambda point: point["data"][1] + 1))


def _tree(found: Found, look: Look) -> Shown:
    """The hypotheses of a beam."""
    table = pd.DataFrame([asdict(one) for one in found.text.tree])
    picture = beam_tree(table, theme=look.theme, step=found.choices.step + 1, size=look.room())
    return Shown("beam_tree", picture, on_click=_to(lambda point: point["data"]))


def _to(step: Callable[[Point], Any]) -> Gesture:
    """A click that leads to the step of the point clicked."""
    return lambda points, link: {STEP: step(points[-1])}


def learned(pair: TranslatorConfig) -> pd.DataFrame:
    """The share of test sentences right for each group of source lengths."""
    shares = by_source_length(record_of_translator(pair))
    rows = {f"{first}–{last}": share for (first, last), share in shares.items()}
    return pd.DataFrame(
        {
            "sentences right": [share.value for share in rows.values()],
            "standard error": [share.error for share in rows.values()],
            "sentences": [share.n for share in rows.values()],
        },
        index=pd.Index(list(rows), name="words in the source"),
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """The steps of a translation that ends."""
    text = found.text
    return (expected.steps_of_writing(len(text.sentence), len(text.words)) if text.ended else None,)


def program(found: Found) -> Program:
    """The translation in the same way."""
    pair, words, strategy = found.here.translator.pair, found.here.plain, found.choices.strategy
    return Program(lambda: writing_program(pair, words, strategy))


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program), **ONE)
