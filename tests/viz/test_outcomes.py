"""Ways to mask: every strip has its weights, its masked keys and its verdict in its own place."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from viz.outcomes import describe_outcomes, outcome_grid
from viz.theme import DARK, LIGHT, Theme

METHODS, FORMATS, WORDS = ["fill", "zero", "ours"], ["float32", "float16"], ["a", "<b>", "c", "a", "e"]
GROUPS = {"ordinary": "his: 3 of 5", "fully masked": "all masked"}
ALLOWED = np.array([[True, True, False, False, True], [False] * 5])
RNG = np.random.default_rng(0)
WEIGHTS = RNG.random((2, 3, 2, 5)).astype(np.float32)
WEIGHTS[1, 0, 1] = np.nan
VERDICTS = [
    "exact",
    "looks",
    "short",
    "short",
    "exact",
    "exact",
    "looks",
    "NaN",
    "zeros",
    "zeros",
    "zeros",
    "looks",
]


def table() -> pd.DataFrame:
    lines = [(row, method, form) for row in GROUPS for method in METHODS for form in FORMATS]
    frame = pd.DataFrame(lines, columns=["row", "method", "format"])
    sums = np.arange(12) / 16 + 0.01
    sums[-1] = 1e-4
    return frame.assign(**{"on masked keys": sums, "row sum": 1 - sums, "verdict": VERDICTS})


def drawn(theme: Theme = LIGHT) -> go.Figure:
    return outcome_grid(WEIGHTS, ALLOWED, table(), WORDS, groups=GROUPS, theme=theme)


def strip(figure: go.Figure, row: int, method: int, form: int) -> np.ndarray:
    column = row * len(FORMATS) + form
    return figure.data[0].z[2 * method, 6 * column : 6 * column + 5]


def test_every_strip_has_the_weights_of_its_row_method_and_format() -> None:
    figure = drawn()
    for at in np.ndindex(2, 3, 2):
        np.testing.assert_array_equal(strip(figure, *at), WEIGHTS[at])
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 1)


def test_between_strips_there_is_nothing() -> None:
    z = drawn().data[0].z
    assert np.isnan(z[1::2]).all()
    assert np.isnan(z[:, 5::6]).all()
    assert (np.diff(drawn().data[0].x) > 0).all()
    assert (np.diff(drawn().data[0].y) > 0).all()


def test_verdicts_stand_below_their_strips_and_only_right_ones_are_ticked() -> None:
    figure = drawn()
    texts = figure.data[3]
    assert list(texts.text[:4]) == [
        "✓ exact",
        "<b>0.07 on masked</b>",
        "<b>sums to 0.86</b>",
        "<b>sums to 0.80</b>",
    ]
    assert list(texts.text[6:]) == [
        "<b>0.39 on masked</b>",
        "<b>NaN</b>",
        "✓ all 0",
        "✓ all 0",
        "✓ all 0",
        "<b>1e-04 on masked</b>",
    ]
    assert [color == LIGHT.muted for color in texts.textfont.color] == ["✓" in text for text in texts.text]
    x = figure.data[0].x
    for at, (place, line) in enumerate(zip(texts.x, table().itertuples(), strict=True)):
        column = list(GROUPS).index(line.row) * 2 + FORMATS.index(line.format)
        assert x[6 * column] < place < x[6 * column + 5]
        assert round(texts.y[at]) == METHODS.index(line.method)


def test_masked_keys_are_underlined_and_no_others() -> None:
    lines = drawn().data[2]
    middles = {(round(a, 6), round(b, 6)) for a, b in zip(lines.x[0::3], lines.x[1::3], strict=True)}
    assert len(middles) == 2 * 2 + 2 * 5
    for column in range(4):
        ends = drawn().data[0].x[6 * column : 6 * column + 6]
        inside = [start for start, _ in middles if ends[0] < start < ends[5]]
        masked = np.flatnonzero(~ALLOWED[column // len(FORMATS)])
        assert sorted(np.searchsorted(ends, start) - 1 for start in inside) == masked.tolist()
    assert len(lines.x) == 3 * len(middles) * len(METHODS)


def test_hovers_name_the_key_and_tell_zero_from_nearly_zero() -> None:
    weights = WEIGHTS.copy()
    weights[0, 0, 0, :3] = (0, 1e-8, 0.25)
    figure = outcome_grid(weights, ALLOWED, table(), WORDS, groups=GROUPS, theme=LIGHT)
    assert list(figure.data[0].hovertext[0][:3]) == ["a (1): exactly 0", "&lt;b&gt;: 1.0e-08", "c: 0.250"]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_names_of_rows_methods_and_formats_are_written(theme: Theme) -> None:
    figure = drawn(theme)
    texts = [note.text for note in figure.layout.annotations]
    assert [text for text in texts if text in FORMATS] == FORMATS * 2
    assert {f"<b>{name}</b>" for name in GROUPS.values()} <= set(texts)
    heights = {note.text: note.y for note in figure.layout.annotations}
    assert [heights[method] for method in METHODS] == [0, 1, 2]
    assert figure.layout.paper_bgcolor == theme.paper


def test_all_verdicts_are_told() -> None:
    assert describe_outcomes(table(), groups=GROUPS) == (
        "his: 3 of 5: fill float32 exact, float16 0.07 on masked; zero float32 sums to 0.86, float16 sums to "
        "0.80; ours float32 exact, float16 exact. all masked: fill float32 0.39 on masked, float16 NaN; zero "
        "float32 all 0, float16 all 0; ours float32 all 0, float16 1e-04 on masked."
    )
