"""Mask values: what stands for "may not attend" in the scores, and what the softmax makes of it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool

from core.measures.masking.mask_values import CONSTANTS, ROWS, MaskValues, mask_values, step, stored, survive
from core.measures.masking.painting import PaintedMask
from core.programs.masking import values_program
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Footnote, Remark, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.masking.mask import ask_mask
from pages.masking.painting import Painting, painted_over
from pages.masking.questions import masked_row_in_half, why_infinity
from pages.masking.switches import PAINTED
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.scene import at_place
from viz.outcomes import outcome_grid
from viz.text import counted, quoted
from viz.units import quantity

ADDED = r"\alpha_i = \mathrm{softmax}(s_i + M_i), \quad M_{ij} \in \{0, c\}"
ADDED_BY = (
    "CS 224N note, section 2.4 with its footnote 4: a large negative number c is added to masked scores"
)
ABOVE = 330
"""Pixels of page above the strips in a low window."""

LARGE, SMALL = "−10⁹", "−10⁵"


@dataclass(frozen=True)
class Choices:
    """The mask, and the word whose row is masked."""

    mask: PaintedMask
    query: int


@dataclass(frozen=True)
class Found:
    """A row of the sentence with its own mask and with all of it masked, by every method in every format."""

    under: Painting
    query: int
    values: MaskValues

    @property
    def allowed(self) -> Bool[np.ndarray, "key"]:
        """What the word may attend to."""
        return self.under.allowed[self.query]


def ask(ask: Ask, scene: Scene) -> Choices:
    """The mask and a word: by default the middle one of those that may attend to some words and not all."""
    mask = ask_mask(ask, len(scene.words), unit=scene.unit)
    allowed = mask.allowed(len(scene.words)).numpy()
    some = np.flatnonzero(allowed.any(axis=1) & ~allowed.all(axis=1))
    usual = int(some[len(some) // 2]) if len(some) else 0
    query = ask.word("query", scene.names, label="Row of", usual=usual)
    assert query is not None, "one is usual"
    return Choices(mask, query)


def find(scene: Scene, choices: Choices) -> Found:
    """The weights of the row under every method."""
    under, query = painted_over(scene, choices.mask), choices.query
    scores = under.stages.scores[query]
    return Found(under, query, _mask_values(scores.tobytes(), under.allowed[query].tobytes()))


def sheet(found: Found, look: Look) -> Sheet:
    """Strips of weights for every method and format, of a row of this sentence and with all of it masked."""
    seen, word = found.allowed, found.under.scene.names[found.query]
    row, n_seen = quoted(str(word)), int(seen.sum())
    titles = (f"{row}, {n_seen} of {counted(len(seen), 'key')} allowed", f"{row}, every key masked")
    looks, weights = look.columns((1, 1)), (1.0, 1.0)
    strips = (
        (_strips(found, row, key, title, inside),)
        for row, key, title, inside in zip(ROWS, ("values", "values_masked"), titles, looks, strict=True)
    )
    table = found.values.table()
    verdicts = table.set_index(["row", "method", "format"])["verdict"]
    return Sheet(
        answer=at_place(f"{found.under.scene.place}, row of *{word}*", _answer(verdicts, found)),
        notes=found.under.notes,
        unknown=tuple(found.under.reading.unknown),
        parts=(
            Columns(tuple(strips), weights),
            Remark(f"${ADDED}$ · {ADDED_BY}"),
            Text(_fully_masked(verdicts[ROWS[1]], found)),
            Footnote("E5"),
        ),
    )


def _strips(found: Found, row: str, key: str, title: str, look: Look) -> Shown:
    at, table = ROWS.index(row), found.values.table()
    picture = outcome_grid(
        found.values.weights[at],
        found.values.allowed[at],
        table[table["row"] == row],
        found.under.labels,
        title=f"Ways to mask, row of {title}",
        short=title,
        theme=look.theme,
        tallest=look.tallest(ABOVE),
    )
    return Shown(key, picture)


@remembered()
def _mask_values(scores: bytes, allowed: bytes) -> MaskValues:
    return mask_values(np.frombuffer(scores, np.float32), np.frombuffer(allowed, bool))


def _answer(verdicts: pd.Series, found: Found) -> str:
    """What the constants do to a row of the sentence, as far as this machine has shown it."""
    exact = (verdicts[ROWS[0]][[f"score {name}" for name in CONSTANTS]] == "exact").all()
    seen, word = found.allowed, found.under.scene.names[found.query]
    if seen.all():
        return f"Nothing is masked for *{word}*, so there is nothing to get wrong."
    if not seen.any():
        return f"*{word}* may attend to nothing: both rows are the same."
    if exact:
        return "each of the large constants gives masked keys the weight 0."
    return "Not every constant gives masked keys a weight of exactly 0 here."


def _fully_masked(verdicts: pd.Series, found: Found) -> str:
    """A row that sees nothing: where the constants give NaN, and where they attend to masked keys."""
    lost = [ask for ask in stored(CONSTANTS[SMALL]) if verdicts[f"score {SMALL}", ask] == "NaN"]
    forms = " and ".join(lost)
    half = f" So does {SMALL} in {forms}, where it becomes −∞." if lost else ""
    return (
        f"A row that sees nothing: −∞ gives 0/0, which is **NaN**.{half} In float32, {SMALL} merely shifts "
        f"all scores, and numbers there are {step(CONSTANTS[SMALL], 'float32'):.1g} apart: the "
        f"{found.under.scene.unit} attends as if nothing were masked. "
        f"{_around_large(found.under.stages.scores[found.query])} "
        "A score of 0 is no mask at all, and a weight set to 0 after the softmax leaves the row below 1. "
        "This app masks with −∞ and sets a row without keys to 0."
    )


def _around_large(scores: np.ndarray) -> str:
    """What the larger constant leaves of the scores, which depends on how large they are."""
    apart = quantity(step(CONSTANTS[LARGE], "float32"))
    survivors = int(survive(scores, CONSTANTS[LARGE], "float32").sum())
    left = (
        f"{counted(survivors, 'score')} of this row {'is' if survivors == 1 else 'are'} large enough to "
        "survive."
        if survivors
        else "every score of this row is rounded away, and all weights are equal."
    )
    return f"Around {LARGE} numbers are {apart} apart: {left}"


def questions(found: Found) -> tuple[Question | None, ...]:
    """Why a mask is −∞, and a row that sees nothing in float16."""
    table = found.values.table().set_index(["row", "method", "format"])
    verdict = str(table.loc[(ROWS[1], f"score {SMALL}", "float16"), "verdict"])
    return why_infinity(), masked_row_in_half(verdict)


def program(found: Found) -> Program:
    """A program for the strips."""
    return Program(lambda: values_program(found.under.scene.subject, found.under.mask, found.query))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    about="head",
    pieces=MAX_WORDS,
    **PAINTED,
)
