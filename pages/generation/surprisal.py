"""Surprisal: how likely each word of one text is to all three models, given the words before."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.measures.generation.writing import WRITERS, Continued, Surprisals, member_of, surprisals
from core.model.config import ModelConfig
from core.programs import Call, calling
from core.sources.trained import load_language_model, record_of_member
from pages.contract.ask import Ask
from pages.contract.memory import remembered
from pages.contract.parameters import options_of
from pages.contract.predict import mistakes
from pages.contract.program import Program
from pages.contract.prose import literal
from pages.contract.question import Estimate
from pages.contract.scene import Scene
from pages.contract.sheet import Changes, Controls, Fold, Formula, Link, Point, Sheet, Shown, Text
from pages.contract.view import view
from pages.generation.texts import STEP, WALK, ask_texts, ask_walk, labels, said_by_hand
from pages.generation.writer import OF_ONE, ROLES, WRITER, all_models, caption
from viz.bar_rows import BarRows
from viz.tables import unique_words
from words import counted, enumerated, one_decimal, per_cent, per_cents

SURPRISAL, PROBABILITY = options_of("measure")

DEFINED = Formula(
    r"s_t = -\ln p(w_t \mid w_{<t}), \qquad \text{perplexity} = \exp\Big(\frac{1}{n}\sum_t s_t\Big)",
    "CS 224N note, eq 18–20, for the probabilities; surprisal after Hale (2001), here in nats: divided by "
    "ln 2 = 0.69 it is in bits.",
)


@view(**OF_ONE, defaults={WRITER: "RNN"})  # what one model writes may surprise another
def surprisal(ask: Ask, scene: Scene) -> Sheet:
    """Show a row of bars for each model over the text of the one chosen, and the perplexities."""
    texts = ask_texts(ask, scene)
    text, config = texts.own, texts.config
    measure = ask.choice("measure", hide_label=True)
    step = ask_walk(ask, texts, len(text.written))
    read, at = _read_by_all(text.words, config), text.n_given + step
    what = (
        "Surprisal of each word, in nats" if measure == SURPRISAL else "Probability of each word, in per cent"
    )
    reached = dict(_test_perplexities(config))
    return Sheet(
        answer=headline(read, step, at, measure),
        caption=caption(config, f"text written by the {texts.writer}", *said_by_hand(texts)),
        unknown=tuple(text.unknown),
        parts=(
            Controls(WALK),
            Text(f"**{what}.** The text is written by the {texts.writer} and read by all three."),
            _picture(text, read, at, measure, what),
            DEFINED,
            Text(perplexities(read, at)),
            Fold("How good these perplexities are", (Text(f"{learned(reached)} {not_scored(read)}"),)),
        ),
        questions=lambda: (surprisal_of_a_product(), perplexity_of_equal_words()),
        program=lambda: Program(
            lambda: calling(
                "How surprising every word of a text is to several models, in nats.",
                surprisals,
                {name: Call(load_language_model, member_of(name, config)) for name in WRITERS},
                text.words,
                shows=(".nats", ".perplexities()"),
            ),
            prints="the surprisal of every word, in nats, and the perplexity",
        ),
    )


@remembered()
def _read_by_all(words: tuple[str, ...], config: ModelConfig) -> Surprisals:
    return surprisals(all_models(config), words)


@remembered()
def _test_perplexities(config: ModelConfig) -> tuple[tuple[str, float], ...]:
    losses = {name: record_of_member(member_of(name, config)).loss for name in WRITERS}
    return tuple((name, float(np.exp(loss))) for name, loss in losses.items())


def _picture(text: Continued, read: Surprisals, at: int, measure: str, what: str) -> Shown:
    in_nats = measure == SURPRISAL
    values = np.stack([read.nats[name] if in_nats else read.probabilities(name) for name in WRITERS])
    picture = BarRows(
        title=what,
        shares=values,
        rows=ROLES,
        columns=labels(text),
        top=float(np.nanmax(values, initial=1e-9)) if in_nats else 1.0,
        chosen=at,
        say=one_decimal if in_nats else per_cents,
        behind=lambda: _listed(read),
    )

    def choose_step(points: Sequence[Point], link: Link) -> Changes:
        return {STEP: max(0, points[-1]["data"][1] - text.n_given) + 1}

    return Shown("surprisals", picture, on_click=choose_step)


def _listed(read: Surprisals) -> pd.DataFrame:
    """Return surprisal and probability of every word to each model."""
    columns = {f"{name}, nats": read.nats[name] for name in WRITERS}
    columns |= {f"{name}, probability": read.probabilities(name) for name in WRITERS}
    return pd.DataFrame(columns, index=pd.Index(unique_words(read.words), name="word"))


def headline(read: Surprisals, step: int, at: int, measure: str) -> str:
    """Return the surprisal or the probability of the word at the step to all three, as the bars show it."""
    word = f"At step {step + 1}, *{literal(read.words[at])}*"
    known = [name for name in WRITERS if np.isfinite(read.nats[name][at])]
    if not known:
        return f"{word} is known to no model, so it has no {measure}."
    numbers = {name: f"{read.nats[name][at]:.2f}" for name in known}
    if measure == PROBABILITY:
        numbers = {name: per_cent(read.probabilities(name)[at]) for name in known}
    else:
        numbers[known[0]] += " nats"
    told = enumerated([f"{number} for the {name}" for name, number in numbers.items()])
    return f"{word} has a {measure} of {told}."


def perplexities(read: Surprisals, at: int) -> str:
    """Return how well the models expect the text as far as a word, and all of it."""
    so_far = _perplexity(read, at + 1, "as far as this word") if at + 1 < len(read.words) else ""
    return " ".join(filter(None, (so_far, _perplexity(read, None, "of the whole text"))))


def _perplexity(read: Surprisals, n_words: int | None, of: str) -> str:
    found = [f"{name} {value:.2f}" for name, value in read.perplexities(n_words).items()]
    return f"Perplexity {of}: **{', '.join(found)}**." if found else ""


def learned(reached: Mapping[str, float]) -> str:
    """Return what the models have reached in training, to compare with."""
    told = ", ".join(f"{name} {perplexity:.2f}" for name, perplexity in reached.items())
    return (
        f"Perplexity of test sentences, which no model has seen in training: {told}. A model with a "
        "perplexity of 5 is as uncertain, on average, as one that chooses among 5 equally likely words."
    )


def not_scored(read: Surprisals) -> str:
    """Return a sentence that names the words of the text without a surprisal."""
    first = "The first word is not scored, because nothing stands before it"
    n = len(set(read.unknown) - {0})
    if not n:
        return f"{first}."
    return f"{first}, and neither {'is' if n == 1 else 'are'} {counted(n, 'word')} that no model knows."


def surprisal_of_a_product() -> Estimate:
    """Ask for the surprisal of a squared probability."""
    nats = float(-np.log(1 / 4))
    return Estimate(
        text="A word of probability 1/4 has a surprisal of 1.39 nats. How large is it for probability 1/16?",
        right=2 * nats,
        bounds=(0, 10),
        unit="nats",
        decimals=2,
        near=nats / 10,
        mistaken=mistakes(
            2 * nats,
            (4 * nats, "The probability is 4 times as small, but the logarithm turns factors into sums."),
            (nats / 4, "A less likely word is more surprising."),
            near=nats / 10,
        ),
        because="1/16 is 1/4 · 1/4, and −ln of a product is the sum: 1.39 + 1.39 nats.",
    )


def perplexity_of_equal_words() -> Estimate:
    """Ask for the perplexity of a model that is undecided between some words."""
    return Estimate(
        text=(
            "At every step a model takes 8 words to be equally likely, and the next word is always one of "
            "them. How large is its perplexity?"
        ),
        right=8,
        bounds=(0, 100),
        near=0.5,
        mistaken=((float(np.log(8)), "That is the mean surprisal in nats: perplexity is exp of it."),),
        because="Each surprisal is ln 8, so is their mean, and exp(ln 8) is 8.",
    )
