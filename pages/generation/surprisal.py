"""Surprisal: the probability of each word of one text under all three models, given the words before."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.measures.distance.long_range import TRANSFORMER
from core.measures.generation.writing import (
    WRITERS,
    Surprisals,
    member_of,
    surprisals,
    text_surprisals,
)
from core.model.config import ModelConfig
from core.programs import Call
from core.sources import Pieces
from core.sources.trained import load_language_model, record_of_member
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.attention import rows_of
from pages.contract.caching import cached_for_all
from pages.contract.loading import loaded, measured
from pages.contract.parameters import options_of
from pages.contract.prose import literal
from pages.contract.question import Question
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Changes,
    Controls,
    Fold,
    Formula,
    LinkValues,
    PicturePart,
    Point,
    Program,
    Sheet,
    Text,
)
from pages.contract.static_questions import static_question
from pages.contract.view import view
from pages.contract.words import marked
from pages.generation.texts import STEP, WALK, ask_step, ask_texts, ask_walk, labels, manual_choices_note
from pages.generation.writer import OF_ONE, ROLES, WRITER, all_models, caption, why_not_written
from viz.bar_rows import BarRows
from viz.text import unique_words
from viz.theme import Role
from words import counted, enumerated, one_decimal, per_cent, per_cents

SURPRISAL, PROBABILITY = options_of("measure")

DEFINED = Formula(
    r"s_t = -\ln p(w_t \mid w_{<t}), \qquad \text{perplexity} = \exp\Big(\frac{1}{n}\sum_t s_t\Big)",
    "Surprisal after Hale (2001), here in nats: divided by ln 2 = 0.69 it is in bits.",
)


UNSURPRISED = "This model does not predict the next word, so nothing has a surprisal."
NOTHING_BEFORE = "Nothing comes before the first {}, so it has no surprisal."
ADDED = "The surprisals of its tokens add up to the surprisal of a word; their probabilities multiply."


@view(
    **OF_ONE | {"switches": OF_ONE["switches"] | {"model"}},
    sources=("trained",),
    defaults={WRITER: "RNN"},  # one model's text may surprise another
    pieces=MAX_WORDS,
)
def surprisal(ask: Ask, scene: Scene) -> Sheet:
    """Show a row of bars for each model over the text of the chosen one, and the perplexities.

    A real model reads the typed text, and is shown alone.
    """
    if scene.pieces is not None:
        return _alone(ask, scene, scene.pieces)
    texts = ask_texts(ask, scene)
    text, config = texts.own, texts.config
    measure = ask.choice("measure", hide_label=True)
    step = ask_walk(ask, texts, len(text.written))
    read, at = _read_by_all(text.words, config), text.n_given + step
    what = _what(measure, "word")
    reached = dict(_test_perplexities(config))
    # A lecture hall sees the reader whose surprise is the point.
    rows = {TRANSFORMER: ROLES[TRANSFORMER]} if ask.look.fills else ROLES
    readers = f"the {TRANSFORMER}" if ask.look.fills else "all three"
    return Sheet(
        headline=headline(read, at, measure, step),
        caption=caption(config, f"text written by the {texts.writer}", *manual_choices_note(text)),
        unknown=tuple(text.unknown),
        parts=(
            Controls(WALK),
            Text(f"**{what}.** The text is written by the {texts.writer} and read by {readers}."),
            _picture(read, labels(text), at, measure, what, rows, range(text.n_given, len(text.words))),
            DEFINED,
            Text(perplexities(read, at)),
            Fold("How good these perplexities are", (Text(f"{learned(reached)} {not_scored(read)}"),)),
        ),
        questions=_questions,
        program=lambda: Program.calling(
            "How surprising every word of a text is to several models, in nats.",
            surprisals,
            {name: Call(load_language_model, member_of(name, config)) for name in WRITERS},
            text.words,
            shows=(".nats", ".perplexities()"),
            prints="the surprisal of every word, in nats, and the perplexity",
        ),
    )


@cached_for_all()
def _read_by_all(words: tuple[str, ...], config: ModelConfig) -> Surprisals:
    return surprisals(all_models(config), words)


@cached_for_all()
def _test_perplexities(config: ModelConfig) -> tuple[tuple[str, float], ...]:
    losses = {name: record_of_member(member_of(name, config)).loss for name in WRITERS}
    return tuple((name, float(np.exp(loss))) for name, loss in losses.items())


def _what(measure: str, unit: str) -> str:
    return (
        f"Surprisal of each {unit}, in nats"
        if measure == SURPRISAL
        else f"Probability of each {unit}, in per cent"
    )


def _alone(ask: Ask, scene: Scene, pieces: Pieces) -> Sheet:
    """Return the surprisal of each piece or word of the typed text under a real model."""
    measure = ask.choice("measure", hide_label=True)
    kind = ask.choice("tokens", hide_label=True)
    rows, one = rows_of(pieces, kind, special=False), scene.switches.weights.pretrained
    assert one is not None, "it has tokens"
    if why_not := why_not_written(loaded(scene.plain, scene.switches), UNSURPRISED, unit=scene.unit):
        return Sheet(notes=(Text(why_not, "info"),))
    names = tuple(map(str, rows.names))
    read = measured(text_surprisals, loaded, scene.plain, scene.switches, rows.groups, names, model=one.title)
    scored = np.flatnonzero(np.isfinite(read.nats[one.title]))
    if not len(scored):
        return Sheet(notes=(Text(NOTHING_BEFORE.format(rows.unit), "info"),), unknown=read.unknown)
    at = int(scored[ask_step(ask, len(scored), rows.unit)])
    what = _what(measure, rows.unit)
    said = [f"**{what}.** The text is the one typed.", *[ADDED] * (rows.unit == "word")]
    if scored[0]:
        said.append(NOTHING_BEFORE.format(rows.unit))
    return Sheet(
        headline=headline(read, at, measure),
        unknown=read.unknown,
        parts=(
            Controls(WALK),
            Text(" ".join(said)),
            _picture(
                read,
                marked(rows.names, read.unknown),
                at,
                measure,
                what,
                {one.title: "attention"},
                tuple(map(int, scored)),
            ),
            DEFINED,
            Text(perplexities(read, at, rows.unit)),
        ),
        questions=_questions,
        program=lambda: Program.calling(
            "How surprising each part of a text is to a model, in nats.",
            text_surprisals,
            scene.subject.call,
            rows.groups,
            names,
            model=one.title,
            shows=(".nats", ".perplexities()"),
            prints=f"the surprisal of every {rows.unit}, in nats, and the perplexity",
        ),
    )


def _questions() -> tuple[Question, ...]:
    return static_question("surprisal_of_a_product"), static_question("perplexity_of_equal_words")


def _picture(
    read: Surprisals,
    columns: Sequence[str],
    at: int,
    measure: str,
    what: str,
    rows: Mapping[str, Role],
    scored: Sequence[int],
) -> PicturePart:
    """Return a row of bars for each model; a click goes to the last word of `scored` up to there."""
    in_nats = measure == SURPRISAL
    values = np.stack([read.nats[name] if in_nats else read.probabilities(name) for name in rows])
    picture = BarRows(
        title=what,
        shares=values,
        rows=rows,
        columns=columns,
        top=float(np.nanmax(values, initial=1e-9)) if in_nats else 1.0,
        chosen=at,
        say=one_decimal if in_nats else per_cents,
        make_table=lambda: _listed(read),
    )

    def choose_step(points: Sequence[Point], link: LinkValues) -> Changes:
        return {STEP: max(1, sum(one <= points[-1]["data"][1] for one in scored))}

    return PicturePart("surprisals", picture, on_click=choose_step)


def _listed(read: Surprisals) -> pd.DataFrame:
    """Return surprisal and probability of every word to each model."""
    columns = {f"{name}, nats": read.nats[name] for name in read.nats}
    columns |= {f"{name}, probability": read.probabilities(name) for name in read.nats}
    return pd.DataFrame(columns, index=pd.Index(unique_words(read.words), name="word"))


def headline(read: Surprisals, at: int, measure: str, step: int | None = None) -> str:
    """Return the surprisal or the probability of the word at a step to all models, as the bars show it."""
    said = "" if step is None else f"At step {step + 1}, "
    word = f"{said}*{literal(unique_words(read.words)[at] if step is None else read.words[at])}*"
    known = [name for name in read.nats if np.isfinite(read.nats[name][at])]
    if not known:
        return f"{word} is known to no model, so it has no {measure}."
    numbers = {name: f"{read.nats[name][at]:.2f}" for name in known}
    if measure == PROBABILITY:
        numbers = {name: per_cent(read.probabilities(name)[at]) for name in known}
    else:
        numbers[known[0]] += " nats"
    told = enumerated(
        [f"{number} for {'the ' * (name in WRITERS)}{literal(name)}" for name, number in numbers.items()]
    )
    return f"{word} has a {measure} of {told}."


def perplexities(read: Surprisals, at: int, unit: str = "word") -> str:
    """Return the perplexities of the text up to a word, and of the whole text."""
    so_far = _perplexity(read, at + 1, f"up to this {unit}") if at + 1 < len(read.words) else ""
    whole = _perplexity(read, None, f"of the whole text{', by tokens' * (unit == 'token')}")
    return " ".join(filter(None, (so_far, whole)))


def _perplexity(read: Surprisals, n_words: int | None, of: str) -> str:
    found = [f"{literal(name)} {value:,.2f}" for name, value in read.perplexities(n_words).items()]
    return f"Perplexity {of}: **{', '.join(found)}**." if found else ""


def learned(reached: Mapping[str, float]) -> str:
    """Return the models' perplexities on the test sentences, for comparison."""
    told = ", ".join(f"{name} {perplexity:.2f}" for name, perplexity in reached.items())
    return (
        f"Perplexity of test sentences, which no model has seen in training: {told}. A model with a "
        "perplexity of 5 is as uncertain, on average, as a choice among 5 equally likely words."
    )


def not_scored(read: Surprisals) -> str:
    """Return a sentence that names the words of the text without a surprisal."""
    first = "The first word is not scored, because nothing stands before it"
    n = len(set(read.unknown) - {0})
    if not n:
        return f"{first}."
    return f"{first}, and neither {'is' if n == 1 else 'are'} {counted(n, 'word')} that no model knows."
