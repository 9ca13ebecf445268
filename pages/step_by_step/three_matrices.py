"""Why three matrices: words compared without matrices, with Q = K, and with the matrices of the head."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.measures.stages.lookup import (
    CHOICES,
    NONE,
    THREE,
    TIED,
    Comparison,
    Matrices,
    asymmetry,
    compare,
    is_symmetric,
    least_symmetric_pair,
)
from core.measures.stages.walk import walk
from core.programs import Call, calling
from pages.contract.ask import Ask, numbered
from pages.contract.cited import footnote
from pages.contract.predict import choose, choose_largest
from pages.contract.program import Program
from pages.contract.prose import Typed, in_units
from pages.contract.question import Choose, Option
from pages.contract.scene import Scene
from pages.contract.sheet import Fold, Formula, Sheet, Shown, Table, Text
from pages.contract.view import view
from pages.step_by_step.model import FULL
from pages.step_by_step.walking import OF_HEAD, Walked, caption, walked
from viz.picture import Picture
from viz.stages import StagePanel, Stages
from words import counted, two_decimals

KEYS = "the keys near the lamp are heavy"
"""A sentence in which the words attend to themselves without matrices, and to others with three."""

ALONE = "A single {unit} has no other {unit} to be compared with: type a second one."


SEEN = 0.01
"""Smallest difference of two scores that two decimals show."""

EQUAL = 1e-4
"""Largest difference of two vectors that are one, up to rounding."""

FORMULAS = {
    NONE: r"s_{ij} = x_i\,x_j^\top, \qquad \alpha = \operatorname{softmax}\!\left(X X^\top\right), \qquad "
    r"z_i = \sum_j \alpha_{ij}\, x_j",
    TIED: r"Q = K \;\Rightarrow\; q_i\,k_j^\top = q_i\,q_j^\top = q_j\,q_i^\top = q_j\,k_i^\top",
    THREE: r"q_i\,k_j^\top \neq q_j\,k_i^\top \ \text{in general}, \qquad z_i = \sum_j \alpha_{ij}\, v_j",
}
LENGTH_1 = r", \qquad x_i \leftarrow \frac{x_i}{\lVert x_i \rVert}"
SOURCES = {
    NONE: "FNLP slides, after Bloem; textbook, section 24.4. X is what enters the head; no mask",
    TIED: "Textbook, section 24.4. The queries of the head serve as its keys; before bias and mask",
    THREE: "Textbook, section 24.4; CS 224N note, section 2.1. Before bias and mask",
}

WHY = {
    NONE: "A longer vector can have a larger dot product with a word than the word itself.",
    TIED: "With one matrix for queries and keys, a word looks for what it is itself, and each pair of words "
    "scores the same in both directions.",
    THREE: "A word does three things: it looks for something (its query), others find it by something (its "
    "key), and it passes something on (its value). With a matrix for each, a word can attend to a word that "
    "is unlike it, and need not be attended to in return.",
}
WHY_LENGTH_1 = (
    "Of all vectors of length 1, none has a larger dot product with a word than the word's own vector. So "
    "each word attends most to itself; only a word with the same vector gets as much."
)
UNKNOWN = (
    "The model does not know the words marked †, and has one vector for all of them. In the model *small* "
    "each word has a vector of its own."
)
ROWS_DIFFER = "The weights are not symmetric even so: the softmax divides each row by a sum of its own."


@view(
    question="Why have queries, keys and values at all?",
    **OF_HEAD | {"sentence": KEYS, "defaults": {"size": FULL, "mask": "bidirectional", "head": 2}},
)
def three_matrices(ask: Ask, scene: Scene) -> Sheet:
    """Show scores and weights as the chosen matrices give them, and compare all three choices in a table."""
    ask.name("Matrices")
    matrices: Matrices = ask.choice("matrices", hide_label=True)
    is_unit = ask.switch("unit") if matrices == NONE else True
    seen = walked(scene)
    by_matrices = {one: _compared(seen, one, unit_length=is_unit) for one in CHOICES}
    found, unit = by_matrices[matrices], scene.unit
    place = f"head {scene.head + 1} of layer {scene.layer + 1}"
    if len(scene.words) == 1:
        answer = ALONE.format(unit=unit)
    elif np.ptp(seen.walk.x, axis=0).max() < EQUAL:
        answer = f"In {place}, all {unit}s have the same vector, so no matrix can tell them apart."
    else:
        answer = headline(found, matrices, scene.names, unit=unit, place=place)
    return Sheet(
        answer=answer,
        unknown=tuple(seen.walk.unknown),
        caption=caption(seen),
        parts=(
            Shown("compared", _picture(found, matrices, seen)),
            Text(in_units(why(found, matrices, unit_length=is_unit), unit)),
            Table("by_matrices", table(by_matrices, unit)),
            Formula(FORMULAS[matrices] + LENGTH_1 * (matrices == NONE and is_unit), SOURCES[matrices]),
            *([Text(in_units(UNKNOWN, unit))] if _share_a_vector(seen) else []),
            *([Fold("Where a source slips", (footnote("E8"),))] if matrices == NONE else []),
        ),
        questions=lambda: questions(found, matrices, scene.names, unit_length=is_unit),
        program=lambda: Program(
            lambda: calling(
                f"All words compared with all words: the matrices of {scene.place}, or none.",
                compare,
                *(_of_walk(scene, part) for part in (".x", ".q", ".k")),
                matrices=matrices,
                scale=seen.walk.scale,
                unit_length=is_unit,
                shows=(".pattern",),
            )
        ),
    )


def _of_walk(scene: Scene, part: str) -> Call:
    """Return the call that gives a program one matrix of the head."""
    return Call(walk, scene.subject.call, layer=scene.layer, head=scene.head, part=part)


def _share_a_vector(seen: Walked) -> bool:
    """Return whether several words that the model does not know enter the head as one vector."""
    unknown = seen.walk.x[list(seen.walk.unknown)]
    return len(unknown) > 1 and len(np.unique(unknown, axis=0)) == 1


def _compared(seen: Walked, matrices: Matrices, *, unit_length: bool) -> Comparison:
    walk = seen.walk
    return compare(walk.x, walk.q, walk.k, matrices=matrices, scale=walk.scale, unit_length=unit_length)


def headline(found: Comparison, matrices: Matrices, names: Sequence[Typed], *, unit: str, place: str) -> str:
    """Say how many words attend most to themselves, and how the scores of a pair differ by direction."""
    n_itself, n = int(found.attends_to_itself.sum()), len(names)
    attend = "attends most to itself" if n_itself == 1 else "attend most to themselves"
    how = {NONE: " without matrices", TIED: " with Q = K", THREE: ""}[matrices]
    said = f"In {place}{how}, {n_itself} of {counted(n, unit)} {attend}"
    if matrices != THREE:
        return f"{said}{'; all scores are symmetric' * (matrices == TIED)}."
    i, j = least_symmetric_pair(found.scores)
    if found.scores[i, j] - found.scores[j, i] < SEEN:
        return f"{said}; no two scores of a pair differ by {SEEN} or more."
    there, back = (two_decimals(float(found.scores[at])) for at in ((i, j), (j, i)))
    return f"{said}; *{names[i]}* scores {there} with *{names[j]}*, *{names[j]}* {back} with *{names[i]}*."


def why(found: Comparison, matrices: Matrices, *, unit_length: bool) -> str:
    """Say what the chosen matrices do to scores and weights."""
    if matrices == NONE and unit_length:
        return WHY_LENGTH_1
    if matrices == TIED and not is_symmetric(found.pattern):
        return f"{WHY[TIED]} {ROWS_DIFFER}"
    return WHY[matrices]


def table(by_matrices: Mapping[Matrices, Comparison], unit: str) -> str:
    """Compare the three choices: words that attend most to themselves, and the least symmetric scores."""
    found = list(by_matrices.values())
    n = len(found[0].scores)
    itself = " | ".join(f"{int(one.attends_to_itself.sum())} of {n}" for one in found)
    differ = " | ".join(two_decimals(asymmetry(one.scores)) for one in found)
    return (
        f"| Matrices | {' | '.join(by_matrices)} |\n|:--|--:|--:|--:|\n"
        f"| {unit.capitalize()}s that attend most to themselves | {itself} |\n"
        f"| Largest difference of the two scores of a pair | {differ} |"
    )


def _picture(found: Comparison, matrices: Matrices, seen: Walked) -> Picture:
    root = " / √dₖ" if seen.walk.config.scale else ""
    compared = {NONE: "x·x", TIED: f"q·q{root}", THREE: f"q·k{root}"}[matrices]
    panels = [StagePanel(compared, found.scores, "scores"), StagePanel("softmax", found.pattern, "weights")]
    how = {NONE: "without matrices", TIED: "with Q = K", THREE: "with three matrices"}[matrices]
    title = f"Scores and weights {how}, {seen.scene.place}"
    return Stages(stages=panels, words=seen.labels, title=title, unit=seen.scene.unit)


def questions(
    found: Comparison, matrices: Matrices, names: Sequence[Typed], *, unit_length: bool
) -> tuple[Choose | None, ...]:
    """Ask where a word attends most without matrices, and of the score in the other direction with them."""
    if len(names) == 1:
        return ()
    if matrices != NONE:
        return (score_back(matrices),)
    return (itself(found.pattern, names),) if unit_length else ()


def score_back(matrices: Matrices) -> Choose | None:
    """Ask whether attention in one direction is attention in the other."""
    is_tied = matrices == TIED
    differ = "Four vectors meet in two dot products: q of i · k of j, and q of j · k of i."
    return choose(
        f"{'Queries serve as keys' if is_tied else 'Queries and keys come from two matrices'}. "
        "Query i has the score 3 with key j. What score has query j with key i?",
        Option("the same", is_tied, "" if is_tied else differ),
        Option("any number", not is_tied, "The same two vectors meet in both directions." * is_tied),
        Option("the opposite", False, "Nothing changes the sign."),
        because="A dot product does not ask which vector comes first."
        if is_tied
        else "In one score i asks with its query, in the other j does, and the two matrices differ.",
    )


def itself(pattern: np.ndarray, names: Sequence[Typed]) -> Choose | None:
    """Ask where a word attends most if it is its own query and key: of the first word without a tie."""
    for at in range(len(names)):
        values = {f"*{Typed(numbered(names, key))}*": float(one) for key, one in enumerate(pattern[at])}
        asked = choose_largest(
            f"No matrices: each word is its own query, key and value. Where does *{names[at]}* attend most?",
            values,
            because="No vector of length 1 has a larger dot product with it than itself.",
        )
        if asked is not None:
            return asked
    return None
