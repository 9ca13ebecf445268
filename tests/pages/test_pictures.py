"""Every picture has the visitor's theme, an alternative text, and its numbers in a table."""

import json
import re
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.pages.asked import Asked
from tests.pages.session import Session, computed
from viz.theme import DARK

TEXT = "the cat saw the other cat run"


def test_the_lines_have_the_colours_of_the_theme_and_a_text() -> None:
    drawn = Asked(view="heads", drawn="lines", theme="dark").drawing("lines")

    assert DARK.query in json.dumps(drawn)
    assert "The thickest runs from query" in drawn["alt"]


def test_a_table_and_a_program_are_made_only_when_they_are_opened() -> None:
    shut, opened = Session(view="heads"), Session(view="heads", matrix_table=True)
    assert len(shut.element("matrix_table").dataframe) == len(shut.app.code) == 0
    assert opened.link["matrix_table"] == "true"
    assert not opened.table("matrix").empty


@pytest.mark.parametrize("drawn", ["matrix", "lines"])
def test_the_table_of_a_head_has_its_weights(drawn: str) -> None:
    session = Asked(model="random", text=TEXT, drawn=drawn, layer=2, head=3, **{f"{drawn}_table": True})
    table = session.table(drawn)

    assert_allclose(np.nan_to_num(table), computed(TEXT).patterns()[1, 2], atol=1e-6)
    assert list(table.index) == list(table.columns)
    assert list(table.index) == ["the (1)", "cat (2)", "saw", "the (4)", "other", "cat (6)", "run"]


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
