"""Reshape: one matrix of queries, keys or values whose blocks move apart until every head has its own."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float

from core.programs.heads import reshape_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Drawing, Footnote, Numbers, Remark, Sheet, Text
from pages.controls.examples import MARIA
from pages.heads.questions import products_for_all_heads, what_a_head_sees
from pages.heads.switches import OF_MATRICES
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.scene import at_place
from viz.reshape import FORMS, MOST_WORDS, WIDTH, Blocks, drawing, shape_of, vectors_table
from viz.text import counted

PARTS = {"q": "queries", "k": "keys", "v": "values"}

WHY = {
    FORMS[0]: "The columns of all heads stand side by side.",
    FORMS[1]: "Nothing is computed, and nothing moves yet.",
    FORMS[2]: (
        "The heads come first now, like k sentences of n words. The softmax of each head is computed on its "
        "own, all in one operation."
    ),
}

SOURCE = "The two steps: CS 224N note, §3.1, sequence-tensor form."


@dataclass(frozen=True)
class Choices:
    """The form of the matrix, and whether it has queries, keys or values."""

    form: str
    part: str


@dataclass(frozen=True)
class Found:
    """The queries, keys or values of all heads of a layer."""

    scene: Scene
    choices: Choices
    vectors: Float[np.ndarray, "head word d_head"]


def ask(ask: Ask, scene: Scene) -> Choices:
    """The three forms, and the three matrices."""
    return Choices(
        ask.choice("shape", hide_label=True), ask.choice("vectors", options=list(PARTS), hide_label=True)
    )


def find(scene: Scene, choices: Choices) -> Found:
    """The vectors as the model computed them."""
    return Found(scene, choices, scene.reading.vectors(scene.layer, choices.part))


def sheet(found: Found, look: Look) -> Sheet:
    """The blocks in the chosen form, and what it means."""
    form, part, words = found.choices.form, found.choices.part, found.scene.plain
    return Sheet(
        answer=at_place(found.scene.layer_place, _answer(shape_of(found.vectors), form, part)),
        parts=(
            _blocks(found, look),
            *((Remark(_cut(len(words))),) if len(words) > MOST_WORDS else ()),
            Text(WHY[form]),
            Numbers("reshape", lambda: vectors_table(found.vectors, words)),
            Footnote("E6"),
            Remark(SOURCE),
        ),
    )


def _blocks(found: Found, look: Look) -> Drawing:
    """The blocks; which of them are where is all that a form changes."""
    theme, part = look.theme, found.choices.part
    data = drawing(
        found.vectors,
        found.scene.plain,
        found.choices.form,
        name=PARTS[part].capitalize(),
        colour={"q": theme.query, "k": theme.key, "v": theme.value}[part],
        theme=theme,
        width=look.room(WIDTH),
    )
    title = f"{PARTS[part].capitalize()} of all heads in the shape {found.choices.form}"
    return Drawing("reshape", Path(__file__).with_suffix(".js"), data, title=title)


def _answer(blocks: Blocks, form: str, part: str) -> str:
    """What the form is, with its axes as numbers."""
    d, words = blocks.d_head, counted(blocks.n_words, "word")
    meaning = {
        FORMS[0]: f"One product of {words} with one matrix gives the {PARTS[part]} of all heads at once",
        FORMS[1]: f"Every row is cut into {counted(blocks.n_heads, 'piece')} of d/k = {d} dimensions",
        FORMS[2]: f"Every head sees every word, but only its own {counted(d, 'dimension')} of it",
    }[form]
    return f"{meaning}: {form} = {' × '.join(map(str, blocks.shape(form)))}."


def _cut(n_words: int) -> str:
    return f"The first {MOST_WORDS} of {n_words} words are drawn; the numbers are those of all."


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a head sees, and how many products it takes."""
    n_heads, n_words, d_head = found.vectors.shape
    return (
        what_a_head_sees(n_words, n_heads, d_head),
        products_for_all_heads(PARTS[found.choices.part], n_heads),
    )


def program(found: Found) -> Program:
    """The reshape of the same matrix."""
    return Program(lambda: reshape_program(found.scene.subject, found.choices.part))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program, reads=True),
    sentence=MARIA,
    switches=OF_MATRICES,
    about="layer",
)
