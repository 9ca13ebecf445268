"""The alternative text of a matrix names the cell that is extreme in the picture."""

import re
from typing import Any

import numpy as np
import pytest

from tests.pages.asked import Asked

WORDS = ("Zuko", "made", "his", "uncle", "tea", "so")
CHOSEN = {"layer": 2, "head": 3}


@pytest.mark.parametrize(
    ("page", "picture", "panel", "asked"),
    [
        ("masking", "painted", 1, {"view": "paint", "preset": "window", "layer": 2, "head": 2}),
        (
            *("masking", "gradient", 1),
            {"view": "paint", "beside": "gradient", "preset": "padding", "residual": False}
            | {"positions": "rotary"},
        ),
        (
            *("explorer", "matrix", 0),
            CHOSEN | {"positions": "alibi", "mask": "bidirectional", "heads": 8, "norm": "post"},
        ),
        ("explorer", "matrix", 0, CHOSEN | {"model": "random", "seed": 5, "layers": 3, "window": 2}),
    ],
)
def test_the_alternative_text_names_the_extreme_cell_of_the_picture(
    page: str, picture: str, panel: int, asked: dict[str, Any]
) -> None:
    session = Asked(page, text=" ".join(WORDS), **asked)
    shown = np.nan_to_num(session.matrix(picture, panel=panel))
    query, key, value = re.findall(r"(\w+) → (\w+) (−?\d+\.?\d*)", session.alt(picture))[0]
    cell = WORDS.index(query), WORDS.index(key)
    assert shown[cell] == pytest.approx(float(value.replace("−", "-")), abs=0.006)
    choices = shown[(shown != 0).sum(axis=1) > 1]
    assert abs(shown[cell]) == pytest.approx(abs(choices).max())
    assert cell[0] != cell[1], "a cell that is its own mirror image"
