"""Side by side: RNN, LSTM and Transformer go on with the same words, a distribution at every step."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.measures.generation.writing import WRITERS, Continued, GenerationSettings
from core.programs.generation import continuing_program
from pages.contract.ask import Ask
from pages.contract.look import STACKED, Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Controls, Part, Pick, Sheet, Shown, Text
from pages.controls.prose import literal
from pages.controls.sampling import CHOSEN, listed
from pages.generation.by_hand import choose_by_hand
from pages.generation.questions import (
    greedy_text,
    same_seed,
)
from pages.generation.switches import OF_ALL
from pages.generation.texts import BEYOND, WALK, AtStep, Texts, ask_texts, ask_walk, chance, so_far
from pages.generation.writer import colours
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.predictions import SHOWN, SIZE, prediction
from viz.text import counted, quoted
from viz.units import p_equals

BY_HAND = "← by hand"
BEFORE = 2
"""Number of words before the step that are named above the bars."""

ANOTHER = "Choose another word here"

GREEDY = (
    "At every step each model gives every word a probability, takes the likeliest (*greedy*), reads it as "
    "its next input and goes on."
)
SAMPLED = (
    "At every step each model gives every word a probability, draws one by chance (*sampled*), reads it as "
    "its next input and goes on; the same seed draws the same words."
)
HAND = "A click on a bar puts that word in place of the chosen one, and the model goes on from there."


@dataclass(frozen=True)
class Found:
    """The texts of all three models, a step of the longest, and whether words `ahead` of it are shown."""

    texts: Texts
    step: int
    written: Mapping[str, Continued]
    ahead: bool = True


def ask(ask: Ask, scene: Scene) -> AtStep:
    """How the models write, and a step."""
    texts = ask_texts(ask, scene)
    return ask_walk(ask, texts, max(len(texts.of(writer).written) for writer in WRITERS))


def find(scene: Scene, choices: AtStep) -> Found:
    """The texts. Raises UnavailableError where a model is not there."""
    written = {writer: choices.texts.of(writer) for writer in WRITERS}
    return Found(choices.texts, choices.step, written, choices.ahead)


def sheet(found: Found, look: Look) -> Sheet:
    """Three columns: the text so far, and what the model chooses from at the step.

    Bars begin at one height, however many lines the texts take: a row of columns for each, while the page is
    wide enough for columns.
    """
    written = found.written
    looks = look.columns((1,) * len(written))
    texts = [_text(found, writer) for writer in written]
    choices = [_choices(found, writer, one) for writer, one in zip(written, looks, strict=True)]
    columns = [Columns(tuple(texts)), Columns(tuple(choices))]
    if look.page < STACKED:
        columns = [Columns(tuple((*text, *of) for text, of in zip(texts, choices, strict=True)))]
    told = (how(found.texts.manner), HAND, by_hand(written), ends(found.texts.manner, written), BEYOND)
    return Sheet(
        answer=answer(found),
        unknown=tuple(written[found.texts.writer].unknown),
        parts=(Controls(WALK), *columns, Text(" ".join(filter(None, told)))),
    )


def _last(found: Found, writer: str) -> int:
    """The step of one writer, whose text may be shorter than the longest."""
    return min(found.step, len(found.written[writer].written) - 1)


def _text(found: Found, writer: str) -> tuple[Part, ...]:
    """One writer and its text."""
    return Text(f"**{writer}**"), Text(so_far(found.written[writer], _last(found, writer), ahead=found.ahead))


def _choices(found: Found, writer: str, look: Look) -> tuple[Part, ...]:
    """The bars of one writer, and a menu that does what a click on a bar does."""
    text, key, step = found.written[writer], writer.lower(), _last(found, writer)
    words = tuple(text.choices(step)["word"][:SHOWN])
    return (
        _bars(found, writer, step, look),
        Pick(
            f"another_{key}",
            f"{writer}: {ANOTHER.lower()}",
            ANOTHER,
            words,
            lambda word, link: choose_by_hand(writer, step, word, link),
        ),
    )


def _bars(found: Found, writer: str, step: int, look: Look) -> Shown:
    text, drawn = found.written[writer], found.texts.manner.way == "sampled"
    at, table = text.n_given + step, text.choices(step)
    word = f"word {step + 1} after {quoted(' '.join(text.words[max(0, at - BEFORE) : at]))}"
    picture = prediction(
        table,
        title=f"Probabilities of {word}, {writer}",
        short=word[0].upper() + word[1:],
        before="the model",
        after="drawn from" if drawn else "",
        answer=BY_HAND if step in text.forced else CHOSEN,
        colour=colours(look.theme)[writer],
        answers=True,
        theme=look.theme,
        size=look.room(SIZE),
        behind=lambda: listed(table, drawn=drawn),
    )
    return Shown(
        f"choices_{writer.lower()}",
        picture,
        on_click=lambda points, link: choose_by_hand(writer, step, points[-1]["data"], link),
    )


def answer(found: Found) -> str:
    """What each model writes at the step, and how likely it took that word."""
    told = "; ".join(_writes(writer, text, found.step) for writer, text in found.written.items())
    return f"Word {found.step + 1} of each text: {told}."


def _writes(writer: str, text: Continued, step: int) -> str:
    n = len(text.written)
    if step >= n:
        return f"{writer} none, its last was word {n}"
    hand = ", by hand" if step in text.forced else ""
    return f"{writer} *{literal(text.written[step])}*{hand} ({p_equals(chance(text, step))})"


def how(manner: GenerationSettings) -> str:
    """How words are chosen."""
    return GREEDY if manner.way == "greedy" else SAMPLED


def by_hand(written: Mapping[str, Continued]) -> str:
    """A sentence that names the words chosen by hand."""
    named = [
        f"{writer} word {step + 1} **{literal(text.written[step])}**"
        for writer, text in written.items()
        for step in sorted(text.forced)
    ]
    return f"Chosen by hand: {', '.join(named)}." if named else ""


def ends(manner: GenerationSettings, written: Mapping[str, Continued]) -> str:
    """A sentence that names the texts cut off before the end of a sentence."""
    open_ones = [writer for writer, text in written.items() if not text.ended]
    if not manner.stops or not open_ones:
        return ""
    return f"Without an end after {counted(manner.most, 'word')}: {' and '.join(open_ones)}."


def questions(found: Found) -> tuple[Question | None, ...]:
    """What the way of choosing words makes of a text."""
    return (same_seed() if found.texts.manner.way == "sampled" else greedy_text(),)


def program(found: Found) -> Program:
    """The three texts."""
    texts = found.texts
    return Program(
        lambda: continuing_program(texts.plain, texts.config, texts.manners),
        prints="every word with the probability that the model gave it",
    )


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program), **OF_ALL)
