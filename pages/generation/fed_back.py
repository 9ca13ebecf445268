"""Fed back: the network unrolled over the text, every output the next input."""

from dataclasses import dataclass

import pandas as pd

from core.measures.distance.long_range import N_LAYERS, TRANSFORMER
from core.measures.generation.writing import Continued
from core.programs.generation import continuing_program
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Controls, Formula, Sheet, Shown, Text
from pages.controls.prose import literal
from pages.generation.questions_of_cost import has_of_words_before, next_input
from pages.generation.switches import OF_ONE
from pages.generation.texts import STEP, WALK, AtStep, Texts, ask_own, chance, labels
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.fed_back import unrolled_text
from viz.units import p_equals

SOURCE = (
    "CS 224N note, eq 18–20; Seq2seq slides, generation with RNN language models. W is the output layer and "
    "h the state of the upper layer after word t."
)
BOUNDED = " Only the words that top-k and top-p leave can come; their probabilities are divided by their sum."
SAMPLED = r"w_{t+1} \sim \text{softmax}(h_t\,W_\text{out}%s)"
GREEDY = r"w_{t+1} = \operatorname*{arg\,max}_w \; \text{softmax}(h_t\,W_\text{out})_w"


@dataclass(frozen=True)
class Found:
    """The text of one writer, and a step of it."""

    texts: Texts
    step: int
    text: Continued


def find(scene: Scene, choices: AtStep) -> Found:
    """The text. Raises UnavailableError where the model is not there."""
    return Found(choices.texts, choices.step, choices.texts.own)


def sheet(found: Found, look: Look) -> Sheet:
    """The figure as far as the step, and what is fed back."""
    return Sheet(
        answer=answer(found.text, found.step),
        unknown=tuple(found.text.unknown),
        parts=(_rule(found), Controls(WALK), _picture(found, look), Text(told(found))),
    )


def _rule(found: Found) -> Formula:
    """How the next word is chosen."""
    manner = found.texts.manner
    if manner.way == "greedy":
        return Formula(GREEDY, SOURCE)
    sampling = manner.sampling
    temperature = "" if sampling.temperature == 1 else rf"\,/\,{sampling.temperature:g}"
    is_bounded = sampling.top_k is not None or sampling.top_p < 1
    return Formula(SAMPLED % temperature, SOURCE + BOUNDED * is_bounded)


def _picture(found: Found, look: Look) -> Shown:
    text, writer = found.text, found.texts.writer
    picture = unrolled_text(
        labels(text),
        text.n_given,
        name=writer,
        step=found.step,
        theme=look.theme,
        width=look.room(),
        n_layers=N_LAYERS,
        attends=writer == TRANSFORMER,
        table=lambda: _listed(text),
    )
    return Shown("fed_back", picture, on_click=lambda points, link: {STEP: int(points[-1]["data"])})


def _listed(text: Continued) -> pd.DataFrame:
    """What is read and what is written at every step."""
    read = text.words[text.n_given - 1 :]
    rows = [
        (step + 1, read[step], word, chance(text, step), step in text.forced)
        for step, word in enumerate(text.written)
    ]
    return pd.DataFrame(rows, columns=["step", "read", "written", "probability", "by hand"])


def answer(text: Continued, step: int) -> str:
    """The word that is written at the step, how likely it was, and what was read for it."""
    how = "is put there by hand" if step in text.forced else "is chosen"
    word, before = (literal(text.words[text.n_given + step - back]) for back in (0, 1))
    return f"Step {step + 1}: after *{before}*, *{word}* {how}, {p_equals(chance(text, step))}."


def told(found: Found) -> str:
    """A sentence on the origin of the step's input, and on what the model has of the words before."""
    at = found.text.n_given + found.step
    before = (
        "The words given are read first; what the model expects after them is not used before the last."
        if found.step == 0
        else f"Its input is *{literal(found.text.words[at - 1])}*, the output of the step before."
    )
    inside = (
        "Each state attends to the states of all words so far, in every layer."
        if found.texts.writer == TRANSFORMER
        else "Of the words so far the network has the state that the step before hands on."
    )
    return f"{before} {inside} A model that reads its own output is autoregressive."


def questions(found: Found) -> tuple[Question | None, ...]:
    """What the writer reads after a word that it wrote, and what it has of those before."""
    writer = found.texts.writer
    return next_input(writer), has_of_words_before(writer, attends=writer == TRANSFORMER)


def program(found: Found) -> Program:
    """The text."""
    texts, writer = found.texts, found.texts.writer
    return Program(
        lambda: continuing_program(texts.plain, texts.config, {writer: texts.manners[writer]}),
        prints="every word with the probability that the model gave it",
    )


VIEW = View(sheet=five(ask=ask_own, find=find, sheet=sheet, questions=questions, program=program), **OF_ONE)
