"""What every picture has: the theme of the visitor, a text instead of it, its numbers in a table."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.pages.asked import Asked
from tests.pages.session import Session, computed
from viz.theme import DARK, LIGHT, Theme

TEXT = "the cat saw the other cat run"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_lines_have_the_colours_of_the_theme_and_a_text(theme: Theme) -> None:
    drawn = Asked(view="heads", drawn="lines", theme=theme.name).drawing("lines")

    assert theme.query in json.dumps(drawn)
    assert "The thickest runs from query" in drawn["alt"]


def test_a_table_is_made_only_for_who_opens_it() -> None:
    shut, opened = Session(view="heads"), Session(view="heads", matrix_table=True)
    assert len(shut.element("matrix_table").dataframe) == 0
    assert opened.link["matrix_table"] == "true"
    assert not opened.table("matrix").empty


@pytest.mark.parametrize("drawn", ["matrix", "lines"])
def test_the_table_of_a_head_has_its_weights(drawn: str) -> None:
    session = Asked(model="random", text=TEXT, drawn=drawn, layer=2, head=3, **{f"{drawn}_table": True})
    table = session.table(drawn)

    assert_allclose(np.nan_to_num(table), computed(TEXT).patterns()[1, 2], atol=1e-6)
    assert list(table.index) == list(table.columns)
    assert list(table.index) == ["the (1)", "cat (2)", "saw", "the (4)", "other", "cat (6)", "run"]
