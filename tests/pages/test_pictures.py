"""What every picture has: the theme of the visitor, a text instead of it, its numbers in a table."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

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


def test_the_table_of_all_heads_has_a_row_for_each() -> None:
    session = Asked(model="random", text=TEXT, layers=3, heads=2)
    table = session.table("heads_grid")

    assert_array_equal(table[["layer", "head"]], [[1, 1], [1, 2], [2, 1], [2, 2], [3, 1], [3, 2]])
    largest = computed(TEXT, n_layers=3, n_heads=2).patterns().max(axis=(2, 3)).ravel()
    assert_allclose(table["largest weight"], largest, atol=1e-6)


def test_the_table_of_a_comparison_has_the_differences() -> None:
    session = Asked(model="random", text=TEXT, view="compare", head=1)
    a, b = computed(TEXT).patterns(), computed(TEXT, positions="none").patterns()

    assert_allclose(np.nan_to_num(session.table("comparison")), (b - a)[0, 0], atol=1e-6)


@pytest.mark.parametrize("address", ["explorer", "masking"])
def test_a_page_with_switches_says_which_device_computes(address: str) -> None:
    assert "Computed on " in Asked(address).prose
