"""Ways to mask: every strip has its weights, its masked keys and its verdict in its own place."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from viz.outcomes import outcome_grid
from viz.theme import LIGHT, Theme

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


def drawn(theme: Theme = LIGHT, allowed: np.ndarray = ALLOWED) -> go.Figure:
    return outcome_grid(WEIGHTS, allowed, table(), WORDS, title=TITLE, short=SHORT, theme=theme).figure()


def strip(figure: go.Figure, method: int, form: int) -> np.ndarray:
    return figure.data[0].z[2 * method, 6 * form : 6 * form + 5]


def test_every_strip_has_the_weights_of_its_method_and_format() -> None:
    figure = drawn()
    for at in np.ndindex(3, 2):
        np.testing.assert_array_equal(strip(figure, *at), WEIGHTS[at])
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 1)


def test_verdicts_stand_below_their_strips_and_only_right_ones_are_ticked() -> None:
    figure = drawn()
    texts = figure.data[3]
    assert list(texts.text) == [
        "✓ exact",
        "<b>leaks 0.07</b>",
        "<b>sums to 0.86</b>",
        "<b>NaN</b>",
        "✓ all 0",
        "<b>leaks 1e-04</b>",
    ]
    assert [color == LIGHT.muted for color in texts.textfont.color] == ["✓" in text for text in texts.text]
    x = figure.data[0].x
    for at, (place, line) in enumerate(zip(texts.x, table().itertuples(), strict=True)):
        column = FORMATS.index(line.format)
        assert x[6 * column] < place < x[6 * column + 5]
        assert round(texts.y[at]) == METHODS.index(line.method)


@pytest.mark.parametrize("allowed", [ALLOWED, np.zeros(5, bool), np.ones(5, bool)])
def test_masked_keys_are_underlined_and_no_others(allowed: np.ndarray) -> None:
    lines, x = drawn(allowed=allowed).data[2], drawn().data[0].x
    starts = np.array(lines.x[0::3], dtype=float)
    rows = np.array(lines.y[0::3], dtype=float).round()
    for method in range(len(METHODS)):
        for form in range(len(FORMATS)):
            ends = x[6 * form : 6 * form + 6]
            inside = starts[(rows == method) & (starts > ends[0]) & (starts < ends[5])]
            assert sorted(np.searchsorted(ends, inside) - 1) == np.flatnonzero(~allowed).tolist()
    assert len(starts) == len(METHODS) * len(FORMATS) * (~allowed).sum()
