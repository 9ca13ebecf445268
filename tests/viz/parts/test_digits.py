"""Cells that have become larger get the digits for which they have room."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from viz.parts.digits import with_digits
from viz.parts.figure import packed
from viz.parts.scale import signed_scale
from viz.theme import THEMES, Theme

LAYOUT = {"xaxis": {"range": [-0.5, 1.5], "domain": [0, 1]}, "yaxis": {"range": [1.5, -0.5]}}
"""Two cells each way, so that a paper of 2 × n has cells of n."""

NUMBERS = [[0.25, None], [1.0, -0.31]]
SAID = [["0.25", "masked, not allowed"], ["1.00", "−0.31"]]


def written(width: float, height: float, **trace: Any) -> Any:
    one = with_digits({"type": "heatmap", "z": NUMBERS, **trace}, LAYOUT, (2 * width, 2 * height), 13)
    return one.get("text") if "texttemplate" in one else None


def test_digits_stand_where_they_stood_if_they_fit() -> None:
    text = [["0.25", ""], ["1.00", "−0.31"]]
    assert written(40, 20, text=text, texttemplate="%{text}", textfont={"size": 10}) == text


def test_in_narrow_cells_the_zero_before_the_point_is_left_out() -> None:
    coloured = [['<span style="color:#000000">0.25</span>', ""], ["1.00", "−0.31"]]
    short = [['<span style="color:#000000">.25</span>', ""], ["1.00", "−.31"]]
    assert written(32, 20, text=coloured, texttemplate="%{text}", textfont={"size": 13}) == short


def test_in_cells_too_narrow_or_too_low_nothing_is_written() -> None:
    text = [["0.25", ""], ["1.00", "−0.31"]]
    assert written(20, 20, text=text, texttemplate="%{text}") is None
    assert written(60, 12, text=text, texttemplate="%{text}") is None


def test_the_sign_of_a_masked_cell_stays_where_digits_have_no_room() -> None:
    text = [['<span style="color:#16202A">0.25</span>', "−∞"], ["1.00", "−0.31"]]
    assert written(24, 20, text=text, texttemplate="%{text}") == [["", "−∞"], ["", ""]]
    zero = [["0.25", "0"], ["1.00", "−0.31"]]
    assert written(24, 20, text=zero, texttemplate="%{text}") == [["", "0"], ["", ""]], (
        "exactly 0, and no number"
    )


def test_new_digits_need_ample_room_and_few_cells() -> None:
    assert written(60, 21, hovertext=SAID) is not None
    assert written(60, 20, hovertext=SAID) is None, "lower than 1.6 em of 13 pixels"
    assert written(60, 20, text=[["0.25", ""]] * 2, texttemplate="%{text}") is not None, (
        "they were there before"
    )
    for n, are_written in ((13, True), (14, False)):
        said = [["0.00"] * n for _ in range(n)]
        assert (written(60, 21, z=np.zeros((n, n)), hovertext=said) is not None) == are_written


def test_cells_that_had_no_room_get_the_numbers_that_a_hover_says_and_no_other_words() -> None:
    assert written(60, 21, hovertext=SAID) == [["0.25", ""], ["1.00", "−0.31"]]
    assert written(20, 20, hovertext=SAID) is None
    assert written(60, 21, hovertext=[["query <b>a</b>", "masked"]]) is None


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_new_digits_have_the_ink_that_can_be_read_on_their_cell(theme: Theme) -> None:
    values = np.linspace(-1, 1, 4, dtype=np.float32).reshape(2, 2)
    scale = signed_scale(values, theme)
    said = [["−1.0", "−0.3"], ["0.3", "1.0"]]
    colours = {"z": packed(values), "zmin": -1, "zmax": 1, "colorscale": scale.colours}
    inks = replace(scale, faint=False).inks(values, theme)
    assert written(60, 21, hovertext=said, **colours) == [
        [f'<span style="color:{ink}">{one}</span>' for one, ink in zip(*row, strict=True)]
        for row in zip(said, inks.tolist(), strict=True)
    ]


def test_the_type_is_no_smaller_than_asked_and_no_smaller_than_it_was() -> None:
    for size, found in ((10, 13), (17, 17)):
        look = {"texttemplate": "%{text}", "textfont": {"size": size}}
        trace = {"type": "heatmap", "z": [[1.0]], "text": [["1"]], **look}
        assert with_digits(trace, LAYOUT, (200, 200), 13)["textfont"] == {"size": found}
