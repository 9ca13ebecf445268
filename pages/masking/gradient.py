"""Gradient: which input every output depends on, and where it provably depends on nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.measures.masking.dependence import Dependence, dependence
from core.measures.masking.painting import MOST_PAINTED, Cell, PaintedMask
from core.programs.masking import gradient_program
from core.text.limits import too_long
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.predict import told_apart
from pages.contract.question import Question
from pages.contract.sheet import Formula, Notice, Point, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.switches import Architecture
from pages.masking.mask import ask_mask, fitting, flip
from pages.masking.painting import Painting, painted_over
from pages.masking.questions import Hidden, gradient_of_hidden
from pages.masking.switches import PAINTED
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import loaded
from viz.masking import reached
from viz.text import counted

ABOVE = 345
"""Pixels of page above the mask in a low window."""

TITLE = "gradient shares"
NO_WAY = r"\bigl((A + I)^L\bigr)_{ij} = 0 \implies \frac{\partial h_i}{\partial x_j} = 0"
WHY_NO_WAY = "A is the mask as zeros and ones, L the number of layers: no path leads from j to i"
NO_FUTURE = r"j > i \implies \frac{\partial h_i}{\partial x_j} = 0"


@dataclass(frozen=True)
class Found:
    """A sentence under a mask, and the gradients through it; None where the words are too many."""

    under: Painting
    dependence: Dependence | None


def ask(ask: Ask, scene: Scene) -> PaintedMask:
    """The mask."""
    return ask_mask(ask, len(scene.words), unit=scene.unit)


def find(scene: Scene, mask: PaintedMask) -> Found:
    """The gradient of every output with respect to every input."""
    under = painted_over(scene, mask)
    if len(scene.words) > MOST_PAINTED:
        return Found(under, None)
    return Found(under, _dependence(scene.words, scene.switches, mask))


@remembered(saying="One backward pass for every word …")
def _dependence(words: tuple[str, ...], switches: Architecture, mask: PaintedMask) -> Dependence:
    return dependence(loaded(words, switches), mask)


def sheet(found: Found, look: Look) -> Sheet:
    """The mask, and beside it the gradients."""
    under = found.under
    heard: dict[str, Any] = {"notes": under.notes, "unknown": tuple(under.reading.unknown)}
    if found.dependence is None:
        n = len(under.allowed)
        limit = too_long(
            "Gradients, a backward pass for each word, are computed for", MOST_PAINTED, n, "word"
        )
        return Sheet(parts=(Notice(limit),), **heard)
    n_layers = under.scene.switches.config.n_layers
    formula = Formula(NO_WAY, WHY_NO_WAY)
    if not np.triu(under.allowed, 1).any():
        formula = Formula(NO_FUTURE, "CS 224N note, section 2.4: what the mask is there for")
    more = filter(None, (_future(found.dependence), _around(found.dependence)))
    return Sheet(
        answer=_answer(found.dependence, n_layers),
        parts=(_picture(under, found.dependence, look), *map(Text, more), formula),
        **heard,
    )


def _picture(under: Painting, found: Dependence, look: Look) -> Shown:
    picture = reached(
        under.allowed,
        found.shares,
        found.norms,
        under.labels,
        title=TITLE,
        theme=look.theme,
        flipped=under.flipped,
        **fitting(look, len(under.allowed), above=ABOVE),
    )
    return Shown("gradient", picture, on_click=lambda points, link: flip(_cells(points), link))


def _cells(points: Sequence[Point]) -> frozenset[Cell]:
    return frozenset((point["y"], point["x"]) for point in points)


def _answer(found: Dependence, n_layers: int) -> str:
    """How many gradients are exactly 0."""
    n_zero = int(found.zero.sum())
    return (
        f"Of {counted(found.norms.size, 'gradient')} through {counted(n_layers, 'layer')} {n_zero} "
        f"{'is' if n_zero == 1 else 'are'} exactly 0, not merely small."
    )


def _future(found: Dependence) -> str:
    """How many of them are of the future."""
    zero = found.zero_of_the_future
    return f"Above the diagonal, where the future is, {_share(zero)}." if zero.size else ""


def _around(found: Dependence) -> str:
    """What goes round the mask."""
    n_around = int(found.roundabout.sum())
    if not n_around:
        return ""
    return (
        f"In {counted(n_around, 'cell')} an output depends on a word that it may not attend to: "
        "the information passes through a third word, in another layer."
    )


def _share(zero: np.ndarray) -> str:
    if zero.all():
        return "all of them are" if len(zero) > 1 else "the only one is"
    return f"{int(zero.sum())} of {len(zero)} are" if zero.any() else "none is"


def questions(found: Found) -> tuple[Question | None, ...]:
    """Whether a word depends on one that it may not attend to."""
    if found.dependence is None:
        return ()
    hidden = _hidden(found.under, found.dependence)
    return () if hidden is None else (gradient_of_hidden(hidden),)


def _hidden(under: Painting, found: Dependence) -> Hidden | None:
    """A masked pair of words: one around which there is a way, if there is one, else one without any way."""
    allowed, n_layers = under.allowed, under.scene.switches.config.n_layers
    others = allowed & ~np.eye(len(allowed), dtype=bool)
    between = others[:, :, None] & others[None, :, :]  # query, passer, key
    passed = found.roundabout & between.any(axis=1)
    paths = np.linalg.matrix_power(allowed + np.eye(len(allowed)), n_layers)
    nothing = found.zero & ~allowed & (paths == 0)
    pairs = passed if passed.any() else nothing
    if not pairs.any():
        return None
    query = int(np.where(pairs.any(axis=1), allowed.sum(axis=1), -1).argmax())
    key = int(pairs[query].argmax())
    passer = int(between[query, :, key].argmax())
    names = told_apart(under.scene.names)
    return Hidden(
        names[query], names[key], n_layers, not passed.any(), names[passer] if passed.any() else None
    )


def program(found: Found) -> Program:
    """The gradients."""
    return Program(lambda: gradient_program(found.under.scene.subject, found.under.mask))


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program), **PAINTED)
