"""Stages: one head from scores over bias and mask to the weights, side by side."""

from dataclasses import dataclass, replace

from core.measures.heads.largest import largest_of_a_choice
from core.measures.reading import OneHead
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Controls, Sheet, Shown
from pages.contract.words import Words
from pages.explorer.asked_rows import row_at
from pages.explorer.calculation import calculation
from pages.explorer.cell import CELL, NOTHING_SELECTED, Cell, Selection, ask_cell, opens, selection
from pages.explorer.explored import explored
from pages.explorer.prediction import Asked, Expected, ask_prediction, find_prediction, prediction_below
from pages.explorer.program import program
from pages.explorer.questions import equal_scores, ratio_of_weights
from pages.explorer.shown import HEAD, Weights, told_weights
from pages.shell.five import five
from pages.shell.scene import Scene
from viz.stages import Panel, staged
from viz.tables import cells_table
from viz.units import two_decimals


@dataclass(frozen=True)
class Choices:
    """The cell that is followed, and what is predicted."""

    cell: Cell | None
    asked: Asked
    selected: Selection


@dataclass(frozen=True)
class Found:
    """What the chosen head computed, a cell of it, and what the model expects."""

    scene: Scene
    head: OneHead
    cell: Cell | None
    asked: Asked
    expected: Expected
    selected: Selection


def ask(ask: Ask, scene: Scene) -> Choices:
    """A cell, and a prediction."""
    cell, asked = ask_cell(ask, scene), ask_prediction(ask, scene)
    return Choices(cell, asked, selection(ask, scene, cell))


def find(scene: Scene, choices: Choices) -> Found:
    """The stages of the head, and the prediction."""
    head = scene.reading.head(scene.layer, scene.head)
    expected = find_prediction(scene, choices.asked)
    return Found(scene, head, choices.cell, choices.asked, expected, choices.selected)


def sheet(found: Found, look: Look) -> Sheet:
    """Every matrix between q·k and the weights, then the calculation of the chosen cell."""
    scene = found.scene
    return Sheet(
        answer=_answer(found.head, scene.title, scene.names, found.selected, unit=scene.unit),
        parts=(
            _picture(found, look),
            Controls(CELL),
            *calculation(scene, found.cell, look),
            *prediction_below(found.expected, look),
        ),
    )


def _answer(
    head: OneHead, title: str, names: Words, selected: Selection = NOTHING_SELECTED, *, unit: str = "word"
) -> str:
    """Return a sentence on a weight and the score that the softmax makes it of."""
    weights = Weights(HEAD, title, head.pattern)
    told = told_weights(weights, names, head.allowed, selected, unit=unit)
    if selected == NOTHING_SELECTED:
        cell, _ = largest_of_a_choice(head.pattern, head.allowed)
        score = two_decimals(float(head.scores[cell]))
        return f"{told.removesuffix('.')}: its score, {score}, is the largest allowed in the row."
    if selected.query is None or selected.key is None:
        return told
    score = two_decimals(float(head.scores[selected.query, selected.key]))
    return f"{told.removesuffix('.')}; the score is {score}."


def _picture(found: Found, look: Look) -> Shown:
    scene = found.scene
    picture = staged(
        _panels(found.head, is_scaled=scene.switches.config.scale),
        scene.labels,
        title=f"From scores to attention weights, {scene.place}",
        theme=look.theme,
        unit=scene.unit,
        selected=found.cell,
        size=look.room(),
    )
    picture = replace(picture, table=lambda: cells_table(found.head.scores, scene.labels))
    return Shown("stages", picture, on_click=opens(predicts=found.asked.predicts))


def _panels(head: OneHead, *, is_scaled: bool) -> list[Panel]:
    """The stages that this configuration has: a bias only where the positions add one."""
    panels = [Panel("q·k / √d_head" if is_scaled else "q·k", head.dots * head.scale, "scores")]
    if head.bias.any():
        panels.append(Panel("bias", head.bias, "scores", sign="+"))
    return [
        *panels,
        Panel("mask", head.allowed, "mask", sign="+"),
        Panel("softmax", head.pattern, "weights"),
    ]


def questions(found: Found) -> tuple[Question | None, ...]:
    """What the softmax makes of the two largest scores of a row, and of equal ones."""
    scene, head = found.scene, found.head
    (query, _), _ = largest_of_a_choice(head.pattern, head.allowed)
    row = row_at(scene, Weights(HEAD, scene.title, head.pattern), query)
    scores = head.scores[query][head.allowed[query]]
    return ratio_of_weights(row, tuple(map(float, scores))), equal_scores(row)


VIEW = explored(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program, reads=True),
)
