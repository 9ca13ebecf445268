"""Matrix: one head, a mean or a rollout, large, and where the chosen cell comes from beside it."""

from dataclasses import dataclass

from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Controls, Part, Sheet, Text
from pages.explorer.asked_rows import selected_row, widest_row
from pages.explorer.calculation import INVITATION, calculation
from pages.explorer.cell import CELL, Cell, Selection, ask_cell, opens, selection
from pages.explorer.explored import explored
from pages.explorer.notes import notes_of
from pages.explorer.origin import origin
from pages.explorer.prediction import Asked, Expected, ask_prediction, find_prediction, prediction_parts
from pages.explorer.program import program
from pages.explorer.questions import does_a_large_weight_matter
from pages.explorer.shown import HEAD, Kind, Weights, ask_kind, find_weights, matrix_picture, told_weights
from pages.shell.five import five
from pages.shell.scene import Scene

COLUMNS = (5.0, 4.0)

SHOW = "show"
"""The spot above the matrix: a row above both columns would push the calculation out of sight."""


@dataclass(frozen=True)
class Choices:
    """What is shown, the cell that is followed, and what is predicted."""

    kind: Kind
    cell: Cell | None
    asked: Asked
    selected: Selection


@dataclass(frozen=True)
class Found:
    """The weights shown with the notes on them, a cell of theirs, and what the model expects."""

    scene: Scene
    shown: Weights
    notes: str
    cell: Cell | None
    asked: Asked
    expected: Expected
    selected: Selection


def ask(ask: Ask, scene: Scene) -> Choices:
    """What to show, a cell, and a prediction."""
    with ask.at(SHOW):
        kind = ask_kind(ask)
    cell, asked = ask_cell(ask, scene), ask_prediction(ask, scene)
    return Choices(kind, cell, asked, selection(ask, scene, cell))


def find(scene: Scene, choices: Choices) -> Found:
    """The weights, and the prediction."""
    shown = find_weights(scene, choices.kind)
    expected = find_prediction(scene, choices.asked)
    return Found(
        scene, shown, notes_of(scene, shown), choices.cell, choices.asked, expected, choices.selected
    )


def sheet(found: Found, look: Look) -> Sheet:
    """The weights on the left, one weight's calculation and the prediction on the right."""
    left, right = look.columns(COLUMNS, alone=True)
    scene, shown = found.scene, found.shown
    on_click = opens(predicts=found.asked.predicts)
    weights = matrix_picture(shown, scene, left, on_click=on_click, selected=found.cell)
    expected, effect = prediction_parts(found.expected, (right, right))
    beside = (Controls(CELL), *_made(found, right), *expected, *effect)
    attention, below = scene.attention, _below(found)
    matrix: tuple[Part, ...] = (Controls(SHOW), *weights, *([Text(below)] if below else []))
    return Sheet(
        answer=told_weights(shown, attention.names, attention.allowed, found.selected, unit=attention.unit),
        parts=(Columns((matrix, beside), COLUMNS, alone=True),),
    )


def _below(found: Found) -> str:
    """The notes on the head, and how to see the calculation of a weight."""
    invited = f":small[{INVITATION}]" if found.shown.kind == HEAD and found.cell is None else ""
    return "\n\n".join(filter(None, (found.notes, invited)))


def _made(found: Found, look: Look) -> tuple[Part, ...]:
    """What the chosen cell is made of."""
    if found.shown.kind == HEAD:
        return () if found.cell is None else calculation(found.scene, found.cell, look)
    return origin(found.scene, found.shown, found.cell)


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a large weight means, in the selected row or one that may attend to all."""
    scene, shown = found.scene, found.shown
    row = selected_row(scene, shown, found.selected) or widest_row(scene, shown)
    return (does_a_large_weight_matter(row),)


VIEW = explored(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program, reads=True), merges=True
)
