"""Lines: words on two sides, lines as thick as the weights; hovering a word isolates its lines."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Controls, Drawing, Numbers, Sheet, Text
from pages.explorer.asked_rows import selected_row, widest_row
from pages.explorer.cell import CELL, Selection, ask_cell, selection
from pages.explorer.explored import explored
from pages.explorer.notes import notes_of
from pages.explorer.prediction import Asked, Expected, ask_prediction, find_prediction, prediction_below
from pages.explorer.program import program
from pages.explorer.questions import does_a_large_weight_matter
from pages.explorer.shown import Kind, Weights, ask_kind, find_weights, told_weights
from pages.shell.five import five
from pages.shell.scene import Scene
from viz.lines import describe_lines, strongest
from viz.tables import matrix_table

SCRIPT = Path(__file__).with_suffix(".js")

HOW_TO_READ = (
    "The thicker and stronger a line, the larger the attention weight. Point at a word, or reach it with "
    "the Tab and arrow keys, to see its lines alone; click it or press Enter to keep them."
)


@dataclass(frozen=True)
class Choices:
    """What is shown, the share of the attention of each query that lines hold, and what is predicted."""

    kind: Kind
    share: float
    asked: Asked
    selected: Selection


@dataclass(frozen=True)
class Found:
    """The weights with the notes on them, the share of them that is drawn, and what the model expects."""

    scene: Scene
    shown: Weights
    notes: str
    share: float
    expected: Expected
    selected: Selection


def ask(ask: Ask, scene: Scene) -> Choices:
    """A head, a mean or a rollout, thinned to the share of attention the reader asks for."""
    kind = ask_kind(ask)
    mass = ask.choice("mass", label=_share(scene))
    ask_cell(ask, scene)
    asked = ask_prediction(ask, scene)
    return Choices(kind, mass / 100, asked, selection(ask, scene))


def _share(scene: Scene) -> str:
    """What the menu sets a share of: of what a row has left, where special tokens are hidden."""
    query = "word" if scene.pieces is None else "query"
    hides_some = scene.rows is not None and sum(map(len, scene.rows.groups)) < len(scene.words)
    left = " to the keys shown" * hides_some
    return f"Show the keys that hold this share of each {query}'s attention{left} (%)"


def find(scene: Scene, choices: Choices) -> Found:
    """The weights, and the prediction."""
    shown = find_weights(scene, choices.kind)
    expected = find_prediction(scene, choices.asked)
    return Found(scene, shown, notes_of(scene, shown), choices.share, expected, choices.selected)


def sheet(found: Found, look: Look) -> Sheet:
    """The lines, and below them the prediction."""
    shown, attention = found.shown, found.scene.attention
    return Sheet(
        answer=told_weights(shown, attention.names, attention.allowed, found.selected, unit=attention.unit),
        parts=(
            _drawing(found, look),
            Controls(CELL),
            Numbers(
                "lines", lambda: matrix_table(shown.pattern, attention.labels, allowed=attention.allowed)
            ),
            Text("\n\n".join(filter(None, (found.notes, f":small[{HOW_TO_READ}]")))),
            *prediction_below(found.expected, look),
        ),
    )


def _drawing(found: Found, look: Look) -> Drawing:
    """The lines that hold this share of what each row sums to; in a lecture they fill the room."""
    attention = found.scene.attention
    kept = strongest(found.shown.pattern, mass=found.share)
    data = {
        "words": list(attention.labels),
        "lines": kept.to_numpy().tolist(),
        "alt": describe_lines(kept, attention.labels, title=found.shown.heading, unit=attention.unit),
        "room": [look.width, look.height] if look.fills else None,
        "grows": not look.fills,
        "narrow": look.room() if look.is_narrow else None,
        "chosen": _isolated(found.selected),
        "colours": {name: value for name, value in asdict(look.theme).items() if isinstance(value, str)},
    }
    return Drawing("lines", SCRIPT, data, title=_title(found.shown.title), on_click=keep)


def keep(said: Mapping[str, Any]) -> Changes:
    """Select the word whose lines are kept, or nothing."""
    selected = {"query": None, "key": None}
    return (
        {**selected, str(said["side"]): int(said["place"]) + 1} if said.get("side") in selected else selected
    )


def _isolated(selected: Selection) -> list[Any] | None:
    """Return the side and the position of the word whose lines stand alone."""
    if selected.query is not None:
        return ["query", selected.query]
    return None if selected.key is None else ["key", selected.key]


def _title(shown: str) -> str:
    """What the lines are called away from their page."""
    return f"Attention weights as lines, {shown.lower().replace(' · ', ', ')}"


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a large weight means, in the selected row or one that may attend to all."""
    scene, shown = found.scene, found.shown
    row = selected_row(scene, shown, found.selected) or widest_row(scene, shown)
    return (does_a_large_weight_matter(row),)


VIEW = explored(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program, reads=True),
    merges=True,
    pieces=MAX_WORDS,
)
