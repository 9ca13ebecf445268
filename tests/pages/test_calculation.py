"""The calculation of a cell: every number on the page is the one the model computed."""

import re
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import ArrayLike

from core.measures.reading import Calculation
from tests.pages.asked import Asked
from tests.pages.session import Session, computed

TEXT = "the cat saw the other cat run"
NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?: \\cdot 10\^\{-?\d+\})?")

Steps = dict[str, list[float]]

CONFIGURATIONS: list[dict[str, Any]] = [
    {},
    {"positions": "alibi"},
    {"positions": "rotary", "mask": "bidirectional"},
    {"scale": False},
    {"heads": 1, "layers": 3, "layer": 3},
    {"heads": 8, "head": 8, "mask": "bidirectional", "seed": 3},
]
CELLS = [(1, 1), (7, 2)], [(5, 5), (2, 6)]
"""Two of them for every other configuration: the first word and one before, itself and one after."""


def expected(query: int, key: int, chosen: dict[str, Any]) -> Calculation:
    fields = {
        name: value for name, value in chosen.items() if name not in ("layer", "head", "heads", "layers")
    }
    reading = computed(TEXT, n_heads=chosen.get("heads", 4), n_layers=chosen.get("layers", 2), **fields)
    return reading.calculation(chosen.get("layer", 1) - 1, chosen.get("head", 1) - 1, query - 1, key - 1)


def steps(session: Asked) -> Steps:
    """The numbers of each line, by the words on its left; a line without any continues the one before."""
    found: Steps = {}
    name = ""
    for line in session.latex[0].split(r"\\[7pt]"):
        left, right = line.split("&=")
        name = _plain(left) or f"{name} ="
        found[name] = [_number(number) for number in NUMBER.findall(right)]
    return found


def _plain(latex: str) -> str:
    colourless = re.sub(r"\\textcolor\{[^}]*\}\{(\w)\}", r"\1", latex)
    unwrapped = re.sub(r"\\text\{([^}]*)\}", r"\1", colourless)
    return " ".join(re.sub(r"\$|\\begin\{aligned\}", "", unwrapped).replace("\\cdot", "·").split())


def _number(latex: str) -> float:
    return float(re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", latex))


def close(shown: ArrayLike, exact: ArrayLike) -> None:
    assert_allclose(shown, exact, rtol=6e-3, atol=6e-4)


@pytest.mark.parametrize(("chosen", "cells"), list(zip(CONFIGURATIONS, CELLS * 3, strict=True)), ids=str)
def test_every_number_is_the_one_that_the_model_computed(
    chosen: dict[str, Any], cells: list[tuple[int, int]]
) -> None:
    for query, key in cells:
        session = Asked(
            model="random", text=TEXT, view="matrix", query=query, key=key, **{"head": 1, **chosen}
        )
        c, shown = expected(query, key, chosen), steps(session)
        assert_score(shown, c, chosen.get("scale", True))
        assert_softmax(shown, c)
        assert_value(shown, c)
        drawn = session.matrix("matrix")[query - 1, key - 1]
        assert_allclose(drawn, c.weight if c.allowed else np.nan, atol=1e-6)


def assert_score(shown: Steps, c: Calculation, is_scaled: bool) -> None:
    scaled = c.dot * c.scale
    assert_allclose(shown["q · k"], np.stack([c.q[:2], c.k[:2]], axis=1).ravel(), atol=6e-3)
    close(shown["q · k ="], [c.dot])
    assert (r"q · k\,/\sqrt{d_head}" in shown) == is_scaled
    if is_scaled:
        close(shown[r"q · k\,/\sqrt{d_head}"], [c.dot, scaled])
    assert ("with bias" in shown) == (c.bias != 0)
    if c.bias:
        close(shown["with bias"], [scaled, c.bias, c.score])
    close(shown["mask"], [c.score, c.score] if c.allowed else [])


def assert_softmax(shown: Steps, c: Calculation) -> None:
    power = r"\exp(score - \max)" if c.shift else r"\exp(score)"
    close(shown[power], [*([c.score - c.shift] if c.allowed else []), c.exponential])
    close(shown[r"\textstyle\sum\exp of the row"], [c.row_sum])
    close(shown["weight"], [c.exponential, c.row_sum, c.weight])


def assert_value(shown: Steps, c: Calculation) -> None:
    close(shown["weight · v"][:1], [c.weight])
    assert_allclose(shown["weight · v"][1:], c.v[:2], atol=6e-3)
    assert_allclose(shown["weight · v ="], c.weighted_value[:2], atol=6e-3)


def test_what_a_query_may_not_look_at_has_no_weight() -> None:
    session = Asked(model="random", text=TEXT, view="matrix", query=2, key=6)

    assert r"-\infty \ \text{(masked)}" in session.latex[0]
    assert steps(session)["weight"][-1] == 0
    assert "**cat** (2) may not attend to **cat** (6)" in session.prose


def test_a_zero_has_no_sign() -> None:
    session = Asked(model="random", text=TEXT, view="matrix", query=2, key=6)
    assert expected(2, 6, {}).v[:2].min() < 0, "times a weight of 0 this would be a negative zero"

    assert not re.search(r"-0\.0+(?!\d)", session.latex[0])


def test_what_is_nearly_nothing_is_not_written_as_nothing() -> None:
    chosen = {"scale": False, "heads": 1, "norm": "none", "mask": "bidirectional", "layers": 6, "layer": 6}
    weights = Asked(model="random", text=TEXT, view="matrix", **chosen).matrix("matrix")
    query, key = map(int, np.argwhere((weights > 0) & (weights < 5e-4))[0] + 1)
    c = expected(query, key, chosen)

    shown = steps(Asked(model="random", text=TEXT, view="matrix", query=query, key=key, **chosen))

    assert_allclose(shown["weight"][-1], c.weight, rtol=6e-3)
    assert_allclose(shown["weight · v"][0], c.weight, rtol=6e-3)
    assert_allclose(shown["weight · v ="], c.weighted_value[:2], rtol=6e-2)
    assert c.weight > 0


def test_a_score_too_large_for_exp_is_shifted() -> None:
    chosen = {"scale": False, "heads": 1, "norm": "none", "mask": "bidirectional", "layers": 6, "layer": 6}
    c = expected(1, 1, chosen)
    assert abs(c.shift) > 80, "this configuration should have large scores"

    shown = steps(Asked(model="random", text=TEXT, view="matrix", query=1, key=1, **chosen))

    close(shown[r"\exp(score - \max)"], [c.score - c.shift, c.exponential])


@pytest.mark.parametrize("view", ["matrix", "stages"])
def test_the_calculation_says_which_cell_and_which_head_it_is(view: str) -> None:
    session = Asked(model="random", text=TEXT, view=view, query=3, key=2, layer=2, head=3)

    assert "**saw** (3) attends to **cat** (2) · Layer 2 · head 3" in session.prose


@pytest.mark.parametrize("chosen", [{"query": 3}, {"key": 3}, {}])
def test_half_a_cell_opens_nothing(chosen: dict[str, int]) -> None:
    session = Session(model="random", text=TEXT, view="matrix", **chosen)

    assert len(session.app.latex) == 0
    assert "Click a cell" in session.prose


@pytest.mark.parametrize(
    ("view", "picture"),
    [("all heads", "matrix"), ("matrix", "matrix"), ("stages", "stages"), ("compare", "comparison")],
)
def test_a_click_on_a_cell_puts_its_row_and_its_column_into_the_link(view: str, picture: str) -> None:
    session = Asked(model="random", text=TEXT, view=view)

    session.click(picture, x=1, y=4)

    assert session.value("view") == ("matrix" if view == "all heads" else view)
    assert (session.value("query"), session.value("key")) == (5, 2)
    assert (session.link["query"], session.link["key"]) == ("5", "2")
    assert "**other** (5) attends to **cat** (2)" in session.prose


@pytest.mark.parametrize(
    ("view", "picture"), [("matrix", "matrix"), ("stages", "stages"), ("compare", "comparison")]
)
def test_the_chosen_cell_is_framed(view: str, picture: str) -> None:
    frames = Asked(model="random", text=TEXT, view=view, query=6, key=3).figure(picture)["layout"]["shapes"]

    for frame in frames:
        assert (frame["x0"] + frame["x1"]) / 2 == 2
        assert (frame["y0"] + frame["y1"]) / 2 == 5
    assert frames


def test_the_table_behind_the_calculation_has_every_dimension() -> None:
    c = expected(6, 3, {})
    shown = {"view": "matrix", "head": 1, "query": 6, "key": 3, "calculation_table": True}
    table = Asked(model="random", text=TEXT, **shown).table("calculation")

    assert_allclose(table["q"], c.q, rtol=1e-6)
    assert_allclose(table["k"], c.k, rtol=1e-6)
    assert_allclose(table["v"], c.v, rtol=1e-6)
    assert_allclose(table["q · k"].sum(), c.dot, rtol=1e-6)
    assert_allclose(table["weight · v"], c.weight * c.v, rtol=1e-6)
    assert list(table.index) == list(range(1, 17))
