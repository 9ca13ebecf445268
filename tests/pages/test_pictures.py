"""What every picture has: the theme of the visitor, a text instead of it, its numbers in a table."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.covering import first_of_each
from tests.pages.session import Session, computed
from viz.theme import DARK, LIGHT

TEXT = "the cat saw the other cat run"
PICTURES: list[tuple[str, dict[str, Any], set[str]]] = [
    ("", {}, {"heads_grid", "matrix", "prediction_bars", "head_effects"}),
    ("", {"view": "matrix"}, {"matrix", "prediction_bars", "head_effects"}),
    ("", {"view": "stages"}, {"stages", "prediction_bars", "head_effects"}),
    (
        "",
        {"view": "stages", "positions": "alibi", "silenced": "1.2"},
        {"stages", "prediction_bars", "head_effects"},
    ),
    ("", {"view": "compare"}, {"comparison", "prediction_bars"}),
    ("interaction-distance", {}, {"recurrent", "attention"}),
    ("interaction-distance", {"view": "operations"}, {"operations_chart"}),
    ("interaction-distance", {"view": "price"}, {"computed_chart"}),
    ("interaction-distance", {"view": "recall"}, {"recall_chart"}),
    ("interaction-distance", {"view": "agreement"}, {"agreement_chart"}),
    ("interaction-distance", {"view": "influence"}, {"influence"}),
    ("order-invariance", {}, {"orders"}),
    ("order-invariance", {"view": "every setting"}, {"verdicts"}),
    ("order-invariance", {"view": "who did what to whom"}, {"exchange"}),
    ("step-by-step", {"view": "soft lookup"}, {"store", "distances"}),
    ("step-by-step", {"view": "without parameters"}, {"bare"}),
    ("step-by-step", {"view": "Q = K"}, {"symmetry"}),
    ("classification", {}, {"review_verdicts"}),
    ("classification", {"view": "contributions"}, {"contributions"}),
    ("classification", {"view": "flips"}, {"flips"}),
    ("classification", {"view": "forgetting"}, {"forgetting"}),
    ("gradients", {"reach": 50}, {"reach_chart"}),
    ("gradients", {"view": "Jacobians", "reach": 50}, {"product_chart", "factors_chart"}),
    ("gradients", {"view": "gates"}, {"gates_map", "left_chart"}),
    ("gradients", {"view": "clipping", "scale_of_weights": "1"}, {"steps_chart", "parts_chart"}),
    ("architectures", {}, {"architecture", "inside_part", "computed"}),
    ("architectures", {"view": "recurrent"}, {"unrolled", "computed"}),
]

WITHOUT_TABLE = {"head_effects"}
"""Small pictures whose alternative text has all their numbers."""


@pytest.mark.parametrize(
    ("address", "chosen", "pictures"),
    first_of_each(
        lambda address, chosen, pictures: address,
        PICTURES,
        long="one picture of a page that lacks its table or keeps to one theme",
    ),
)
def test_a_picture_has_the_paper_of_the_theme_a_text_of_its_own_and_a_table_for_who_opens_it(
    address: str, chosen: dict[str, Any], pictures: set[str]
) -> None:
    tables = {f"{picture}_table" for picture in pictures - WITHOUT_TABLE}
    shut = Session(address, **chosen)
    opened = Session(address, theme="dark", **chosen, **dict.fromkeys(tables, True))

    for session, theme in ((shut, LIGHT), (opened, DARK)):
        assert set(session.pictures) == pictures
        papers = {session.figure(picture)["layout"]["paper_bgcolor"] for picture in pictures}
        assert papers == {theme.paper}
    texts = {shut.alt(picture) for picture in pictures}
    assert len(texts) == len(pictures)
    assert min(len(text.split()) for text in texts) > 4
    for picture in pictures - WITHOUT_TABLE:
        assert len(shut.element(f"{picture}_table").dataframe) == 0
        assert opened.link[f"{picture}_table"] == "true"
        assert opened.table(picture).shape[1] > 1
        assert not opened.table(picture).empty


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_lines_have_the_colours_of_the_theme_and_a_text(theme: str) -> None:
    proto = Session(view="lines", theme=theme).element("lines").proto.json

    assert (DARK if theme == "dark" else LIGHT).query in proto
    assert "The thickest runs from query" in proto


@pytest.mark.parametrize(
    ("view", "picture"), [("matrix", "matrix"), ("all heads", "matrix"), ("lines", "lines")]
)
def test_the_table_of_a_head_has_its_weights(view: str, picture: str) -> None:
    session = Session(model="random", text=TEXT, view=view, layer=2, head=3, **{f"{picture}_table": True})
    table = session.table(picture)

    assert_allclose(np.nan_to_num(table), computed(TEXT).patterns()[1, 2], atol=1e-6)
    assert list(table.index) == list(table.columns)
    assert list(table.index) == ["the (1)", "cat (2)", "saw", "the (4)", "other", "cat (6)", "run"]


def test_the_table_of_all_heads_has_a_row_for_each() -> None:
    session = Session(model="random", text=TEXT, layers=3, heads=2, heads_grid_table=True)
    table = session.table("heads_grid")

    assert_array_equal(table[["layer", "head"]], [[1, 1], [1, 2], [2, 1], [2, 2], [3, 1], [3, 2]])
    largest = computed(TEXT, n_layers=3, n_heads=2).patterns().max(axis=(2, 3)).ravel()
    assert_allclose(table["largest weight"], largest, atol=1e-6)


def test_the_table_of_the_stages_has_the_scores() -> None:
    session = Session(model="random", text=TEXT, view="stages", positions="alibi", head=2, stages_table=True)

    assert_allclose(session.table("stages"), computed(TEXT, positions="alibi").head(0, 1).scores, atol=1e-5)


def test_the_table_of_a_comparison_has_the_differences() -> None:
    session = Session(model="random", text=TEXT, view="compare", head=1, comparison_table=True)
    a, b = computed(TEXT).patterns(), computed(TEXT, positions="none").patterns()

    assert_allclose(np.nan_to_num(session.table("comparison")), (b - a)[0, 0], atol=1e-6)


@pytest.mark.parametrize("address", ["", "masking"])
def test_a_page_with_switches_says_which_device_computes(address: str) -> None:
    assert "Computed on " in Session(address).prose
