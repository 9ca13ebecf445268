"""All heads: every layer and head in one figure, and the chosen one opened beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from core.measures.heads.standing_out import StandingOut, largest, standing_out
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Columns, Controls, Link, Point, Sheet, Shown, Text
from pages.explorer.asked_rows import largest_row, selected_row
from pages.explorer.cell import Selection, opens, selection
from pages.explorer.explored import explored
from pages.explorer.notes import notes_of
from pages.explorer.prediction import Asked, Expected, ask_prediction, find_prediction, prediction_parts
from pages.explorer.program import program
from pages.explorer.questions import does_a_large_weight_matter
from pages.explorer.shown import Weights, find_weights, matrix_picture, told_weights
from pages.shell.five import five
from pages.shell.scene import Scene
from viz.heads import heads, heads_in_blocks
from viz.picture import Picture
from viz.tiles import tile_at

WIDTH = 420
"""Pixels that the narrower of two columns has in a window 1400 wide."""

MANY_HEADS, WIDE = 8, 560
"""Most heads for which their column is narrow; more get that of the chosen head, up to so many pixels."""

STANDS_OUT = "stands_out"
"""The spot below all heads, and the button that opens the one that stands out."""

HOW_TO_READ = (
    "Each small square is one attention head: its rows are queries, its columns are keys, and the stronger "
    "the colour of a cell, the larger its weight. Click a square to open its head, or a cell of the large "
    "matrix to see its calculation."
)
LEFT_ASIDE = ", special tokens left aside as queries and as keys"
UNTRAINED = "These weights are random: the picture shows how attention works, not what a model learns."


@dataclass(frozen=True)
class Found:
    """All heads of the scene, the chosen one with the notes on it, and what the model expects."""

    scene: Scene
    shown: Weights
    notes: str
    asked: Asked
    expected: Expected
    selected: Selection


@dataclass(frozen=True)
class Choices:
    """What is predicted, and the row of the word whose prediction is shown."""

    asked: Asked
    selected: Selection


def ask(ask: Ask, scene: Scene) -> Choices:
    """A prediction; and of the many heads of a real model a button for the one that stands out.

    The first of these is seldom worth a look.
    """
    if scene.pieces is not None:
        with ask.at(STANDS_OUT):
            _point_out(ask, scene)
    return Choices(ask_prediction(ask, scene), selection(ask, scene))


def _point_out(ask: Ask, scene: Scene) -> None:
    assert scene.pieces is not None, "what a real model reads has pieces"
    shares, equal = scene.largest_shares, scene.equal_share
    found, most = standing_out(shares, equal), largest(shares)
    if most is None:
        return
    said = told_standing_out(found, most, equal, has_special=bool(scene.pieces.special))
    if found is None or (found.layer, found.head) == (scene.layer, scene.head):
        ask.caption(f"{said}.")
    else:
        ask.button(said, _opened(found.layer, found.head), key=STANDS_OUT, tertiary=True)


def told_standing_out(
    found: StandingOut | None, most: StandingOut, equal: float, *, has_special: bool
) -> str:
    """A clause on the head that stands out by its largest weights, or that none does; no full stop."""
    by_equal = f"equal weights would give {equal:.2f}{LEFT_ASIDE * has_special}"
    if found is None:
        return (
            "No head stands out: the largest weights of a head, one for each row, have a mean of at most "
            f"{most.share:.2f}, and {by_equal}"
        )
    return (
        f"Layer {found.layer + 1} · head {found.head + 1} stands out: its largest weights, one for each row, "
        f"have a mean of {found.share:.2f}, and {by_equal}"
    )


def find(scene: Scene, choices: Choices) -> Found:
    """The chosen head, and the prediction."""
    shown, asked = find_weights(scene), choices.asked
    expected = find_prediction(scene, asked)
    return Found(scene, shown, notes_of(scene, shown), asked, expected, choices.selected)


def sheet(found: Found, look: Look) -> Sheet:
    """The overview on the left; a click on a tile opens that head on the right."""
    scene, shown, attention = found.scene, found.shown, found.scene.attention
    many = scene.switches.config.n_heads > MANY_HEADS
    weights = (1.0, 1.0) if many else (4.0, 5.0)
    left, right = look.columns(weights)
    on_click = opens(predicts=found.asked.predicts, view="matrix", show=None)
    matrix = matrix_picture(shown, scene, right, on_click=on_click)
    expected, effect = prediction_parts(found.expected, (left, right))
    how = Text(f"{HOW_TO_READ} {UNTRAINED}" if scene.switches.source == "random" else HOW_TO_READ)
    point_out = () if scene.pieces is None else (Controls(STANDS_OUT),)
    grid = _grid(scene, left, size=left.room(WIDE if many else WIDTH))
    notes = (Text(found.notes),) if found.notes else ()
    columns = ((grid, *point_out, *expected, how), (*matrix, *notes, *effect))
    return Sheet(
        answer=told_weights(shown, attention.names, attention.allowed, found.selected, unit=attention.unit),
        parts=(Columns(columns, weights),),
    )


def _grid(scene: Scene, look: Look, *, size: int) -> Shown:
    config = scene.switches.config
    return Shown(
        "heads_grid",
        _picture(scene, look, size),
        on_click=partial(_open_tile, n_layers=config.n_layers, n_heads=config.n_heads),
    )


def _picture(scene: Scene, look: Look, size: int) -> Picture:
    """The tiles; of a long text those of its blocks, for its weights are too many to keep."""
    seen, attention = scene.overview, scene.attention
    chosen: dict[str, Any] = {
        "title": "Attention weights, every layer and head",
        "theme": look.theme,
        "selected": (scene.layer, scene.head),
        "size": size,
    }
    if seen is None:
        return heads(
            attention.patterns,
            words=attention.labels,
            allowed=attention.allowed,
            unit=attention.unit,
            **chosen,
        )
    return heads_in_blocks(
        seen.blocks,
        allowed=seen.allowed,
        side=seen.side,
        numbers=(seen.bits, seen.largest, seen.distance),
        n=len(attention.labels),
        unit=attention.unit,
        **chosen,
    )


def _open_tile(points: Sequence[Point], link: Link, *, n_layers: int, n_heads: int) -> Changes:
    tile = tile_at(points[-1]["x"], points[-1]["y"], n_layers=n_layers, n_heads=n_heads)
    return {} if tile is None else _opened(*tile)


def _opened(layer: int, head: int) -> Changes:
    return {"layer": layer + 1, "head": head + 1}


def questions(found: Found) -> tuple[Question | None, ...]:
    """What the largest weight means."""
    scene, shown = found.scene, found.shown
    row = selected_row(scene, shown, found.selected) or largest_row(scene, shown)
    return (does_a_large_weight_matter(row),)


VIEW = explored(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program, reads=True), merges=True
)
