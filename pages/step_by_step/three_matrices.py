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
    one_sided_pair,
)
from core.measures.stages.walk import walk
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.programs import Call
from pages.contract.ask import Ask, numbered
from pages.contract.prose import Typed, in_units
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, choose_largest
from pages.contract.scene import Scene
from pages.contract.sheet import Fold, Formula, PicturePart, Program, Sheet, Table, Text
from pages.contract.view import view
from pages.step_by_step.model import FULL
from pages.step_by_step.walking import OF_HEAD, HeadWalk, caption, walked
from viz.layout.grid import KEY_TITLE, QUERY_TITLE
from viz.matrices import StagePanel, Stages
from viz.picture import Picture
from words import enumerated, per_cents, two_decimals

BOOKS = "the books near the lamp are heavy"
"""A sentence whose words attend to themselves without matrices, and to others with three."""

ALONE = "A single {unit} has no other {unit} to be compared with: type a second one."


SEEN = 0.01
"""Smallest difference of two scores that two decimals show."""

EQUAL = 1e-4
"""Largest difference of two vectors that are equal up to rounding."""

FORMULAS = {
    NONE: r"s_{ij} = x_i\,x_j^\top, \qquad \alpha = \operatorname{softmax}\!\left(X X^\top\right) \\ "
    r"z_i = \sum_j \alpha_{ij}\, x_j",
    TIED: r"Q = K \;\Rightarrow\; q_i\,k_j^\top = q_i\,q_j^\top = q_j\,q_i^\top = q_j\,k_i^\top",
    THREE: r"q_i\,k_j^\top \neq q_j\,k_i^\top \ \text{in general}, \qquad z_i = \sum_j \alpha_{ij}\, v_j",
}
LENGTH_1 = r", \qquad x_i \leftarrow \frac{x_i}{\lVert x_i \rVert}"
SOURCES = {
    NONE: "X is what enters the head; there is no mask",
    TIED: "The queries of the head serve as its keys; before bias and mask",
    THREE: "Before bias and mask",
}

WHY = {
    NONE: "Only a longer vector can have a larger dot product with a word than the word itself.",
    TIED: "With one matrix for queries and keys, a word looks for what it is itself. Each pair of words "
    "scores the same in both directions.",
    THREE: "A word does three things. It looks for something (its query), others find it by something (its "
    "key), and it passes something on (its value). With a matrix for each, a word can attend to a word that "
    "is unlike it, and need not be attended to in return.",
}
WHY_LENGTH_1 = (
    "Of all vectors of length 1, none has a larger dot product with a word than the word's own vector. So "
    "no other word gets more weight than the word itself; one with the same vector gets as much."
)
UNKNOWN = (
    "The model does not know the words marked †, and has one vector for all of them. In the model *small* "
    "each word has its own vector."
)
ROWS_DIFFER = "The weights are not symmetric: the softmax divides each row by its own sum."
LONGER = "Only a word with a longer query can get more than the word itself."
NO_VALUES = "Without values, a word also passes on the very vector by which it is found."

WITHOUT_MATRICES = "attends ↓", "attended to →"
"""Titles of the rows and the columns if there are no queries and keys."""


@view(
    question="Why have queries, keys and values at all?",
    both_ways=True,
    **OF_HEAD | {"sentence": BOOKS, "defaults": {"size": FULL, "mask": "bidirectional", "head": 2}},
)
def three_matrices(ask: Ask, scene: Scene) -> Sheet:
    """Show scores and weights as the chosen matrices give them, and compare all three choices in a table."""
    ask.name("Matrices")
    matrices: Matrices = ask.choice("matrices", hide_label=True)
    is_unit = ask.switch("unit") if matrices == NONE else True
    seen = walked(scene)
    by_matrices = {one: _compared(seen, one, unit_length=is_unit) for one in CHOICES}
    found, unit = by_matrices[matrices], scene.unit
    wanted = ask.parsed("asked", _place_of, default=0, instead="the first word without a tie")
    place = f"head {scene.head + 1} of layer {scene.layer + 1}{_before(scene.switches.config)}"
    if len(scene.words) == 1:
        answer = ALONE.format(unit=unit)
    elif np.ptp(seen.walk.x, axis=0).max() < EQUAL and found.is_undecided.all():
        same = f"In {place}, all {unit}s have the same vector"
        none_can = all(one.is_undecided.all() for one in by_matrices.values())
        answer = (
            f"{same}, so no matrix can tell them apart."
            if none_can
            else f"{same}. Only the positions in queries and keys tell them apart."
        )
    else:
        answer = headline(found, matrices, scene.unique_names, unit=unit, place=place)
    return Sheet(
        headline=answer,
        unknown=tuple(seen.walk.unknown),
        caption=caption(seen),
        parts=(
            PicturePart("compared", _picture(found, matrices, seen, ask.look.panel)),
            Text(in_units(why(found, matrices, scene.unique_names, unit_length=is_unit), unit)),
            Fold("All three side by side", (Table("by_matrices", table(by_matrices, unit)),)),
            Formula(_formula(matrices, is_unit=is_unit), SOURCES[matrices]),
            *([Text(in_units(UNKNOWN, unit))] if _share_a_vector(seen) else []),
        ),
        questions=lambda: questions(
            found, matrices, scene.names, unit_length=is_unit, wanted=wanted, pinned=ask.pinned, unit=unit
        ),
        program=lambda: Program.calling(
            f"All words compared with all words: the matrices of {scene.place}, or none.",
            compare,
            *(
                Call(walk, scene.subject.call, layer=scene.layer, head=scene.head, part=part)
                for part in (".x", ".q", ".k")
            ),
            matrices=matrices,
            scale=seen.walk.scale,
            unit_length=is_unit,
            shows=(".pattern",),
        ),
    )


def _formula(matrices: Matrices, *, is_unit: bool) -> str:
    """Return scores and outputs in LaTeX, on two lines if one is too wide for a narrow window."""
    if matrices != NONE:
        return FORMULAS[matrices]
    return rf"\begin{{gathered}} {FORMULAS[NONE]}{LENGTH_1 * is_unit} \end{{gathered}}"


def _share_a_vector(seen: HeadWalk) -> bool:
    """Return whether several words that the model does not know enter the head as one vector."""
    unknown = seen.walk.x[list(seen.walk.unknown)]
    return len(unknown) > 1 and len(np.unique(unknown, axis=0)) == 1


def _compared(seen: HeadWalk, matrices: Matrices, *, unit_length: bool) -> Comparison:
    walk = seen.walk
    return compare(walk.x, walk.q, walk.k, matrices=matrices, scale=walk.scale, unit_length=unit_length)


def _before(config: ModelConfig) -> str:
    """Return the later steps that the compared weights do not have; empty if there are none."""
    later = {"the mask": MASKS[config.mask].hides, "the bias": config.positions in ("alibi", "relative")}
    named = [name for name, is_there in later.items() if is_there]
    return f", before {enumerated(named)}" if named else ""


def headline(found: Comparison, matrices: Matrices, names: Sequence[Typed], *, unit: str, place: str) -> str:
    """Say where words attend without matrices, with one, and with separate ones for queries and keys."""
    n, n_itself, n_undecided = len(names), int(found.attends_to_itself.sum()), int(found.is_undecided.sum())
    themselves = "attends most to itself" if n_itself == 1 else "attend most to themselves"
    equals = f" or an equal {unit}" * found.has_equals
    itself = f"{f'all {n}' if n_itself == n else f'{n_itself} of {n}'} {unit}s {themselves}{equals}"
    if matrices == THREE:
        pair = one_sided_pair(found.pattern)
        if pair is None:
            return f"In {place}, {itself}{', though queries and keys could find others' * (n_itself == n)}."
        i, j = (f"*{names[at]}*" for at in pair)
        there, back = per_cents([float(found.pattern[at]) for at in (pair, pair[::-1])])
        return f"In {place}, queries and keys let {i} find {j} with {there}, while {j} gives {i} {back}."
    if matrices == NONE:
        return f"In {place}, without matrices, {itself}. Queries and keys let a {unit} find others."
    if n_undecided:
        undecided = f"{n_undecided} {'gives' if n_undecided == 1 else 'give'} equal weights to all"
        return f"With Q = K in {place}, {itself}, and {undecided}."
    if 2 * n_itself > n:
        return f"With Q = K in {place}, a {unit} asks for what it is: {itself}."
    return f"With Q = K in {place}, scores are symmetric, and {itself}."


def why(found: Comparison, matrices: Matrices, names: Sequence[Typed], *, unit_length: bool) -> str:
    """Say how the chosen matrices affect scores and weights, with a pair of words as an example."""
    if matrices == NONE:
        return f"{WHY_LENGTH_1 if unit_length else WHY[NONE]} {NO_VALUES}"
    if matrices == THREE:
        return WHY[THREE]
    told = [WHY[TIED]]
    if not (found.attends_to_itself | found.is_undecided).all():
        told.append(LONGER)
    i, j = least_symmetric_pair(found.pattern)
    there, back = (float(found.pattern[at]) for at in ((i, j), (j, i)))
    if there - back >= SEEN:
        one, other, score = f"*{names[i]}*", f"*{names[j]}*", two_decimals(float(found.scores[i, j]))
        gives, gets = per_cents([there, back])
        told.append(
            f"{one} and {other} have the score {score} in both directions, but {one} gives {other} {gives} "
            f"and {other} gives {one} {gets}."
        )
    if not is_symmetric(found.pattern):
        told.append(ROWS_DIFFER)
    return " ".join(told)


def table(by_matrices: Mapping[Matrices, Comparison], unit: str) -> str:
    """Compare the three choices: words that attend to themselves, and the least symmetric scores."""
    found = list(by_matrices.values())
    n, equals = len(found[0].scores), f" or an equal {unit}" * any(one.has_equals for one in found)
    itself = " | ".join(f"{int(one.attends_to_itself.sum())} of {n}" for one in found)
    differ = " | ".join(two_decimals(asymmetry(one.scores)) for one in found)
    return (
        f"| Matrices | {' | '.join(by_matrices)} |\n|:--|--:|--:|--:|\n"
        f"| {unit.capitalize()}s that attend most to themselves{equals} | {itself} |\n"
        f"| Largest difference of the two scores of a pair | {differ} |"
    )


def _picture(found: Comparison, matrices: Matrices, seen: HeadWalk, panel: int = 0) -> Picture:
    """Draw scores and weights, or only the first or second of them."""
    root = " / √d" if seen.walk.config.scale else ""
    compared = {NONE: "x·x", TIED: f"q·q{root}", THREE: f"q·k{root}"}[matrices]
    step = "weights" if panel else "softmax"  # alone it is no step
    panels = [StagePanel(compared, found.scores, "scores"), StagePanel(step, found.pattern, "weights")]
    how = {NONE: "without matrices", TIED: "with Q = K", THREE: "with three matrices"}[matrices]
    drawn = {1: "Scores", 2: "Weights"}.get(panel, "Scores and weights")
    title = f"{drawn} {how}, {seen.scene.place}"
    outlined, outlined_as = _outlined(found, matrices, seen.scene.unit)
    return Stages(
        stages=panels[panel - 1 : panel] or panels,
        words=seen.labels,
        title=title,
        unit=seen.scene.unit,
        outlined=outlined,
        outlined_as=outlined_as,
        roles=WITHOUT_MATRICES if matrices == NONE else (QUERY_TITLE, KEY_TITLE),
    )


def _outlined(found: Comparison, matrices: Matrices, unit: str) -> tuple[list[tuple[int, int]], str]:
    """Return the cells to outline and their description: the diagonal without matrices, a pair with three."""
    if matrices == NONE:
        return [(at, at) for at in range(len(found.scores))], f"each {unit} with itself"
    pair = one_sided_pair(found.pattern) if matrices == THREE else None
    return ([] if pair is None else [pair, pair[::-1]]), "one pair, both ways"


def questions(
    found: Comparison,
    matrices: Matrices,
    names: Sequence[Typed],
    *,
    unit_length: bool,
    wanted: int = 0,
    pinned: dict[str, str] | None = None,
    unit: str = "word",
) -> tuple[Choose | None, ...]:
    """Ask where a word attends most without matrices, and for the score in the other direction with them.

    Without matrices the question is about word number `wanted`, counted from 1, unless two keys tie there;
    else about the first word without a tie. Its number is `pinned`.
    """
    if len(names) == 1:
        return ()
    if matrices != NONE:
        return (symmetry_question(matrices),)
    if not unit_length:
        return ()
    order = sorted(range(len(names)), key=lambda at: at != wanted - 1)
    asked_of = ((at, most_attended_question(found.pattern, names, at, unit=unit)) for at in order)
    at, asked = next(((at, one) for at, one in asked_of if one), (0, None))
    if asked is not None and pinned is not None:
        pinned["asked"] = str(at + 1)
    return (asked,)


def _place_of(spelling: str) -> int:
    """Return the number of a word. Raises ValueError for anything else."""
    if not (spelling.isascii() and spelling.isdigit() and len(spelling) < 5):
        raise ValueError("a word is named by its number")
    return int(spelling)


def symmetry_question(matrices: Matrices) -> Choose | None:
    """Ask whether attention is symmetric."""
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


def most_attended_question(
    pattern: np.ndarray, names: Sequence[Typed], at: int, *, unit: str = "word"
) -> Choose | None:
    """Ask where one word attends most if it is its own query and key; None if two keys tie."""
    values = {f"*{Typed(numbered(names, key))}*": float(one) for key, one in enumerate(pattern[at])}
    return choose_largest(
        f"No matrices: each {unit} is its own query, key and value. Where does *{names[at]}* attend most?",
        values,
        because="No vector of length 1 has a larger dot product with it than itself.",
    )
