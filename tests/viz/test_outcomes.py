"""Ways to mask: every strip has its weights, its masked keys and its verdict in its own place."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.outcomes import BRIEF_LEAK, LEAK, Outcomes
from viz.room import Room
from viz.theme import LIGHT

METHODS, FORMATS, WORDS = ["fill", "zero", "ours"], ["float32", "float16"], ["a", "<b>", "c", "a", "e"]
TITLE = "his: 3 of 5"
SHORT = "row of his"
ALLOWED = np.array([True, True, False, False, True])
WEIGHTS = np.random.default_rng(0).random((3, 2, 5)).astype(np.float32)
WEIGHTS[0, 1] = np.nan
VERDICTS = ["exact", "leaks", "short", "NaN", "zeros", "leaks"]


def table() -> pd.DataFrame:
    lines = [(method, form) for method in METHODS for form in FORMATS]
    frame = pd.DataFrame(lines, columns=["method", "format"])
    leaked = np.arange(6) / 16 + 0.01
    leaked[-1] = 1e-4
    return frame.assign(**{"on masked keys": leaked, "row sum": 1 - leaked, "verdict": VERDICTS})


PAGE = Room(width=860, height=390)
ROOMS = [PAGE, Room(width=350), Room(width=731, height=358, fills=True), Room(width=509, medium="print")]


def drawn(room: Room = PAGE, allowed: np.ndarray = ALLOWED) -> go.Figure:
    outcomes = Outcomes(
        title=TITLE, short=SHORT, weights=WEIGHTS, allowed=allowed, outcomes=table(), words=WORDS
    )
    return outcomes.figure(room)


def verdicts_of(figure: go.Figure) -> list[go.layout.Annotation]:
    """Return the verdicts, strip by strip."""
    signs = ("exact", LEAK, BRIEF_LEAK, "sums", "NaN", "all 0")
    return [note for note in figure.layout.annotations if any(sign in note.text for sign in signs)]


def boxes(figure: go.Figure) -> list[tuple[float, float, float, float]]:
    """Left, right, top and bottom of every strip in pixels, method by method."""
    x, y = (np.array(figure.data[1][axis], float).reshape(-1, 7)[:, :4] for axis in "xy")
    return list(zip(x.min(1), x.max(1), y.min(1), y.max(1), strict=True))


def strip(figure: go.Figure, method: int, form: int) -> np.ndarray:
    return figure.data[0].z[2 * method, 6 * form : 6 * form + 5]


def test_every_strip_has_the_weights_of_its_method_and_format() -> None:
    figure = drawn()
    for at in np.ndindex(3, 2):
        np.testing.assert_array_equal(strip(figure, *at), WEIGHTS[at])
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 1)


@each("room", ROOMS)
def test_verdicts_stand_at_their_strips_and_only_right_ones_are_ticked(room: Room) -> None:
    figure, leak = drawn(room), LEAK if room.width > 500 else BRIEF_LEAK
    notes = verdicts_of(figure)
    assert [note.text for note in notes] == [
        "✓ exact",
        f"<b>{leak} 0.07</b>",
        "<b>row sums to 0.86</b>",
        "<b>NaN</b>",
        "✓ all 0",
        f"<b>{leak} 1e-04</b>",
    ]
    assert [note.font.color == LIGHT.muted for note in notes] == ["✓" in note.text for note in notes]
    found = boxes(figure)
    for at, (note, (left, right, top, bottom)) in enumerate(zip(notes, found, strict=True)):
        x, y = note.x * figure.layout.width, (1 - note.y) * figure.layout.height
        if y > bottom:
            assert x == pytest.approx(left, abs=1)
            assert at + 2 >= len(found) or y + 1.2 * note.font.size < found[at + 2][2], "the next strip"
        else:
            assert x > right
            assert top < y < bottom
            assert at % 2 or x < found[at + 1][0], "the strip beside it"


@each("room", ROOMS)
def test_cells_are_square_and_have_digits_or_a_named_colour_bar(room: Room) -> None:
    figure = drawn(room)
    for left, right, top, bottom in boxes(figure):
        assert right - left == pytest.approx(len(WORDS) * (bottom - top), rel=0.01)
    has_bar = figure.data[0].showscale
    assert bool(figure.data[0].text) != has_bar
    assert has_bar == ("weight" in [note.text for note in figure.layout.annotations])
    assert not drawn().data[0].showscale
    low = np.where(np.isnan(WEIGHTS), np.nan, WEIGHTS / 5)
    weak = Outcomes(title=TITLE, short=SHORT, weights=low, allowed=ALLOWED, outcomes=table(), words=WORDS)
    assert weak.figure(room).data[0].zmax == (0.2 if has_bar else 1), "colours end near the largest weight"
    if not has_bar:
        assert "NaN" not in str(figure.data[0].text)


@each("allowed", [ALLOWED, np.zeros(5, bool), np.ones(5, bool)])
def test_masked_keys_are_underlined_and_no_others(allowed: np.ndarray) -> None:
    figure = drawn(allowed=allowed)
    lines = figure.data[2]
    starts, rows = (np.array(lines[axis][0::3], dtype=float) for axis in "xy")
    found = boxes(figure)
    for at, (left, right, _, bottom) in enumerate(found):
        below = rows > bottom if at >= 4 else (rows > bottom) & (rows < found[at + 2][2])
        inside = starts[below & (starts > left) & (starts < right)]
        keys = ((inside - left) / (right - left) * 5).astype(int)
        assert sorted(keys) == np.flatnonzero(~allowed).tolist()
    assert len(starts) == len(found) * (~allowed).sum()
