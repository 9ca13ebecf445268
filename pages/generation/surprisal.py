"""Surprisal: how likely each word of one text is to all three models, given the words before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.measures.generation.surprisal import Surprisals, surprisals
from core.measures.generation.writing import WRITERS, Continued, member_of
from core.model.config import ModelConfig
from core.programs.generation import surprisal_program
from core.sources.trained import record_of_member
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.predict import told_apart
from pages.contract.question import Question
from pages.contract.sheet import Changes, Controls, Formula, Link, Point, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.parameters import options_of
from pages.controls.prose import literal
from pages.generation.models import all_models
from pages.generation.questions import largest_surprisal
from pages.generation.switches import OF_ONE_BESIDE_ALL
from pages.generation.texts import STEP, WALK, Texts, ask_texts, ask_walk, labels
from pages.generation.writer import WRITER, colours
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.scene import at_place
from viz.bar_rows import bars
from viz.tables import unique_words
from viz.text import counted
from viz.units import one_decimal, per_cent, per_cents

SURPRISAL, PROBABILITY = options_of("measure")

DEFINED = Formula(
    r"s_t = -\ln p(w_t \mid w_{<t}), \qquad \text{perplexity} = \exp\Big(\frac{1}{n}\sum_t s_t\Big)",
    "CS 224N note, eq 18–20, for the probabilities; surprisal after Hale (2001), here in nats: divided by "
    "ln 2 = 0.69 it is in bits.",
)


@dataclass(frozen=True)
class Choices:
    """The texts, the selected step, counted from 0, and what is drawn of every word."""

    texts: Texts
    step: int
    measure: str


@dataclass(frozen=True)
class Found:
    """The text of one writer as all three read it, and the perplexities that they reached in training."""

    writer: str
    config: ModelConfig
    text: Continued
    step: int
    measure: str
    read: Surprisals
    reached: Mapping[str, float]

    @property
    def at(self) -> int:
        """The position of the word at the step."""
        return self.text.n_given + self.step


def ask(ask: Ask, scene: Scene) -> Choices:
    """How the writer writes, what is drawn, and a step."""
    texts = ask_texts(ask, scene)
    measure = ask.choice("measure", hide_label=True)
    return Choices(texts, ask_walk(ask, texts, len(texts.own.written)).step, measure)


def find(scene: Scene, choices: Choices) -> Found:
    """The surprisals. Raises UnavailableError where a model is not there."""
    texts, text = choices.texts, choices.texts.own
    read, reached = _read_by_all(text.words, texts.config), dict(_test_perplexities(texts.config))
    return Found(texts.writer, texts.config, text, choices.step, choices.measure, read, reached)


@remembered()
def _read_by_all(words: tuple[str, ...], config: ModelConfig) -> Surprisals:
    return surprisals(all_models(config), words)


@remembered()
def _test_perplexities(config: ModelConfig) -> tuple[tuple[str, float], ...]:
    losses = {name: record_of_member(member_of(name, config)).loss for name in WRITERS}
    return tuple((name, float(np.exp(loss))) for name, loss in losses.items())


def sheet(found: Found, look: Look) -> Sheet:
    """A row of bars for each model over the text of the one chosen, and the perplexities."""
    what = _what(found.measure)
    return Sheet(
        answer=at_place(f"step {found.step + 1}", answer(found)),
        unknown=tuple(found.text.unknown),
        parts=(
            Controls(WALK),
            Text(f"**{what}.** The text is written by the {found.writer} and read by all three."),
            _picture(found, what, look),
            DEFINED,
            Text(perplexities(found)),
            Text(f"{learned(found.reached)} {not_scored(found.read)}"),
        ),
    )


def _what(measure: str) -> str:
    return (
        "Surprisal of each word, in nats" if measure == SURPRISAL else "Probability of each word, in per cent"
    )


def _picture(found: Found, what: str, look: Look) -> Shown:
    in_nats, read, n_given = found.measure == SURPRISAL, found.read, found.text.n_given
    values = np.stack([read.nats[name] if in_nats else read.probabilities(name) for name in WRITERS])
    picture = bars(
        values,
        colours(look.theme),
        labels(found.text),
        title=what,
        theme=look.theme,
        narrow=look.is_narrow,
        top=float(np.nanmax(values, initial=1e-9)) if in_nats else 1.0,
        chosen=found.at,
        say=one_decimal if in_nats else per_cents,
        table=lambda: _listed(read),
    )

    def choose(points: Sequence[Point], link: Link) -> Changes:
        return {STEP: max(0, points[-1]["data"][1] - n_given) + 1}

    return Shown("surprisals", picture, on_click=choose)


def _listed(read: Surprisals) -> pd.DataFrame:
    """Surprisal and probability of every word to each model."""
    columns = {f"{name}, nats": read.nats[name] for name in WRITERS}
    columns |= {f"{name}, probability": read.probabilities(name) for name in WRITERS}
    return pd.DataFrame(columns, index=pd.Index(unique_words(read.words), name="word"))


def answer(found: Found) -> str:
    """The surprisal or the probability of the word at the step to all three, as the bars show it."""
    at, read = found.at, found.read
    word = f"word {at + 1}, *{literal(read.words[at])}*"
    known = [name for name in WRITERS if np.isfinite(read.nats[name][at])]
    if not known:
        return f"{word.capitalize()}, is known to no model, so it has no {found.measure}."
    if found.measure == SURPRISAL:
        nats = (f"{name} {read.nats[name][at]:.2f}" for name in known)
        return f"Surprisal of {word}, in nats: {', '.join(nats)}."
    shares = (f"{name} {per_cent(read.probabilities(name)[at])}" for name in known)
    return f"Probability of {word}: {', '.join(shares)}."


def perplexities(found: Found) -> str:
    """How well the models expect the text as far as the word at the step, and all of it."""
    n = found.at + 1
    so_far = _perplexity(found.read, n, "as far as this word") if n < len(found.read.words) else ""
    return " ".join(filter(None, (so_far, _perplexity(found.read, None, "of the whole text"))))


def _perplexity(read: Surprisals, n_words: int | None, of: str) -> str:
    found = [f"{name} {value:.2f}" for name, value in read.perplexities(n_words).items()]
    return f"Perplexity {of}: **{', '.join(found)}**." if found else ""


def learned(reached: Mapping[str, float]) -> str:
    """What the models have reached in training, to compare with."""
    told = ", ".join(f"{name} {perplexity:.2f}" for name, perplexity in reached.items())
    return (
        f"Perplexity of test sentences, which no model has seen in training: {told}. A model with a "
        "perplexity of 5 is as uncertain, on average, as one that chooses among 5 equally likely words."
    )


def not_scored(read: Surprisals) -> str:
    """A sentence that names the words of the text without a surprisal."""
    first = "The first word is not scored, for nothing stands before it"
    n = len(set(read.unknown) - {0})
    if not n:
        return f"{first}."
    return f"{first}, and neither {'is' if n == 1 else 'are'} {counted(n, 'word')} that no model knows."


def questions(found: Found) -> tuple[Question | None, ...]:
    """The word that surprises the writer most."""
    nats, names = found.read.nats[found.writer], told_apart(found.read.words)
    scored = np.flatnonzero(np.isfinite(nats)).tolist()
    most = largest_surprisal(
        found.writer,
        found.read.words,
        [names[at] for at in scored],
        [float(nats[at]) for at in scored],
    )
    return (most,)


def program(found: Found) -> Program:
    """The surprisals."""
    return Program(
        lambda: surprisal_program(found.text.words, found.config, WRITERS),
        prints="the surprisal of every word, in nats, and the perplexity",
    )


# What one model writes may surprise another: at first the text of the one that errs most.
VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    defaults={WRITER: "RNN"},
    **OF_ONE_BESIDE_ALL,
)
