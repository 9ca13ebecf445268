"""Paint: the mask, a click on a cell flips it, and the weights under it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.measures.masking.painting import MOST_PAINTED, Cell, PaintedMask, most_masked, share_kept
from core.programs.masking import pattern_program
from core.text.limits import too_long
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Controls, Footnote, Formula, Link, Point, Remark, Sheet, Shown, Text
from pages.masking.mask import ask_mask, fitting, flip, flipped_in
from pages.masking.painting import Painting, painted_over
from pages.masking.questions import zero_score
from pages.masking.switches import PAINTED
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.scene import at_place
from viz.masking import painted
from viz.text import counted
from viz.units import per_cent

DRAWN = r"""\alpha_i = \mathrm{softmax}(s_i + M_i), \quad M_{ij} = \begin{cases} 0 & %s \\ -\infty &
\text{otherwise} \end{cases}"""
EQUATION_21 = r"""\alpha_{ij,\text{masked}} = \begin{cases} \alpha_{ij} & %s \\ 0 & \text{otherwise}
\end{cases}"""

EXPONENTIALS = (
    "Before the softmax, the mask adds 0 to the score of an allowed key and −∞ to that of a masked one. "
    "exp(−∞) = 0, so a masked key gets the weight 0 and the other weights still sum to 1. exp(0) = 1, so a "
    "score of 0 masks nothing."
)

ABOVE = 365
"""Pixels of page above the mask in a low window."""

INVITATION = "Click a cell, or drag over several, to mask or unmask them."
CELL = "cell"
"""The spot of the controls for who does not click."""

NAMED = 5
"""Greatest number of words named that may attend to nothing."""


@dataclass(frozen=True)
class Found:
    """A sentence under a mask, and what every row would keep if weights were masked after the softmax."""

    under: Painting
    shares: Float[np.ndarray, "query"]
    query: int | None = None
    key: int | None = None


@dataclass(frozen=True)
class Choices:
    """The mask, and the words of the cell that is chosen without a click."""

    mask: PaintedMask
    query: int | None = None
    key: int | None = None


def ask(ask: Ask, scene: Scene) -> Choices:
    """The mask, and below the picture a cell by its words."""
    n = len(scene.words)
    mask = ask_mask(ask, n, unit=scene.unit)
    if n > MOST_PAINTED:
        ask.caption(f"{too_long('Cells can be painted in', MOST_PAINTED, n, scene.unit)} Choose a preset.")
        return Choices(mask)
    with ask.at(CELL):
        query, key = ask.word("query", scene.names), ask.word("key", scene.names)
        cell = frozenset({(query, key)}) if query is not None and key is not None else frozenset()
        ask.button("Flip this cell", lambda link: flip(cell, link), is_off=not cell)
    return Choices(mask, query, key)


def find(scene: Scene, choices: Choices) -> Found:
    """The reading under the mask."""
    under = painted_over(scene, choices.mask)
    shares = share_kept(under.stages.scores, under.allowed)
    return Found(under, shares, choices.query, choices.key)


def sheet(found: Found, look: Look) -> Sheet:
    """The mask with its weights, the controls for whoever does not click, and what happened."""
    under = found.under
    is_causal = np.array_equal(under.allowed, np.tri(len(under.allowed), dtype=bool))
    may_attend = r"j \leq i" if is_causal else r"i \text{ may attend to } j"
    any_mask = "" if is_causal else ", for any mask"
    source = (
        f"What is drawn: scores of −∞, then the softmax. Seq2seq slides, future information{any_mask}; a row "
        "without keys is 0 here"
    )
    literally = (
        f"CS 224N note, eq 21{any_mask}: weights set to 0 after the softmax, which leaves a row below 1"
    )
    return Sheet(
        answer=at_place(under.scene.place, _answer(found)),
        notes=under.notes,
        unknown=tuple(under.reading.unknown),
        parts=(
            _picture(found, look),
            *([Remark(INVITATION)] if len(under.allowed) <= MOST_PAINTED else []),
            Controls(CELL),
            Text(EXPONENTIALS),
            Formula(DRAWN % may_attend, source),
            *map(Text, filter(None, (_explained(found), _blind(under)))),
            Formula(EQUATION_21 % may_attend, literally),
            Footnote("E13"),
            Footnote("E7"),
        ),
    )


def _picture(found: Found, look: Look) -> Shown:
    under, n = found.under, len(found.under.allowed)
    picture = painted(
        under.allowed,
        under.stages.pattern,
        under.labels,
        kept=found.shares,
        title=f"weights, {under.scene.place}",
        theme=look.theme,
        flipped=under.flipped,
        unit=under.scene.unit,
        **fitting(look, n, above=ABOVE),
    )
    if n > MOST_PAINTED:
        return Shown("painted", picture)
    return Shown("painted", picture, on_click=lambda points, link: brush(under, points, link), drags=True)


def brush(under: Painting, points: Sequence[Point], link: Link) -> Changes:
    """Flip the first cell of a stroke, and make all others of it what the first becomes."""
    cells = [(point["y"], point["x"]) for point in points]
    n = len(under.allowed)
    stroke = [cell for cell in cells if all(0 <= at < n for at in cell)]  # the pointer may be on the edge
    if not stroke:
        return {}
    masks = _is_open(under, stroke[0], link)
    return flip(frozenset(cell for cell in stroke if _is_open(under, cell, link) == masks), link)


def _is_open(under: Painting, cell: Cell, link: Link) -> bool:
    """Whether a cell was open before the stroke: as it was drawn, unless it has been flipped since."""
    return bool(under.allowed[cell]) != ((cell in flipped_in(link)) != (cell in under.flipped))


def _answer(found: Found) -> str:
    """How much of its attention the word that loses most would lose, or that nothing is masked."""
    under, unit = found.under, found.under.scene.unit
    at = most_masked(found.shares, under.allowed) if found.query is None else found.query
    if found.key is not None:
        return _of_cell(found, found.key)
    if at is not None and under.allowed[at].all():
        return f"*{under.scene.names[at]}* may attend to every {unit}: nothing is masked in its row."
    if at is not None and not under.allowed[at].any():
        return f"*{under.scene.names[at]}* may attend to no {unit}: all weights of its row are 0."
    if at is None:
        if under.allowed.all():
            return "Nothing is masked: every row is the softmax of all its scores."
        return f"Every {unit} may attend to all {unit}s or to none."
    return (
        f"*{under.scene.names[at]}* may attend to {int(under.allowed[at].sum())} of "
        f"{counted(len(under.allowed), unit)}. Without the mask {'of this layer ' * bool(under.scene.layer)}"
        f"{per_cent(found.shares[at])} of its attention goes there."
    )


def _of_cell(found: Found, key: int) -> str:
    """Return a sentence on the weight of the chosen cell, or on who may attend to the chosen key."""
    under, names, other = found.under, found.under.scene.names, found.under.scene.names[key]
    if found.query is None:
        n = int(under.allowed[:, key].sum())
        return f"{n} of {counted(len(under.allowed), under.scene.unit)} may attend to *{other}*."
    one = names[found.query]
    if not under.allowed[found.query, key]:
        return f"*{one}* may not attend to *{other}*: that weight is masked, and 0."
    share = per_cent(float(under.stages.pattern[found.query, key]))
    return f"*{one}* may attend to *{other}*, and gives it {share} of its attention."


def _explained(found: Found) -> str:
    """What the two ways to mask make of that share."""
    if most_masked(found.shares, found.under.allowed) is None:
        return ""
    unit = found.under.scene.unit
    return (
        "A mask on the weights, eq 21 taken literally, sets masked weights to 0 and leaves the others as "
        "they are: they no longer sum to 100 %. A mask on the scores, "
        f"before the softmax, makes the weights of the {unit}s a {unit} may attend to sum to 100 %."
    )


def _blind(under: Painting) -> str:
    """The words that may attend to nothing."""
    blind = [word for word, row in zip(under.scene.names, under.allowed, strict=True) if not row.any()]
    if not blind:
        return ""
    named = ", ".join(f"*{word}*" for word in blind[:NAMED])
    more = f" and {len(blind) - NAMED} more" if len(blind) > NAMED else ""
    return (
        f"{named}{more} may attend to nothing: the row is 0 everywhere, and never NaN. The view **mask "
        "values** shows what −∞ alone or a large negative number would have made of it."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a score of 0 is."""
    return (zero_score(),)


def program(found: Found) -> Program:
    """The weights of the chosen head under the mask."""
    return Program(lambda: pattern_program(found.under.scene.subject, found.under.mask))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    about="head",
    pieces=MAX_WORDS,
    **PAINTED,
)
