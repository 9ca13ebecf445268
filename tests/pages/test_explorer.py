"""The explorer: every value of every switch reaches the model, and every view shows that model's numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.measures.reading import Reading
from core.model.config import NORMS, POSITIONS
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from pages.explorer import OPENING_HEAD
from tests.covering import covering, each
from tests.pages.asked import Asked
from tests.pages.session import Session, computed, gaps

TEXT = "the cat saw the other cat run"

SWITCHES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "positions": ("positions", POSITIONS),
    "mask": ("mask", tuple(MASKS)),
    "window": ("window", ("off", 1, 2, 4)),
    "heads": ("n_heads", (1, 2, 4, 8)),
    "layers": ("n_layers", (1, 2, 3, 4, 5, 6)),
    "norm": ("norm", NORMS),
    "scale": ("scale", (True, False)),
    "residual": ("residual", (True, False)),
    "mlp": ("mlp", (True, False)),
    "seed": ("seed", (0, 1, 7, 9999)),
}
"""Every switch by its name in the link: the field it sets and all its values, of the seed a few."""


def assert_all_heads(session: Asked, reading: Reading, layer: int, head: int) -> None:
    n_layers, n_heads, n_words, _ = reading.patterns().shape
    heatmap = session.figure("heads_grid")["data"][0]
    codes, pitch = session.matrix("heads_grid"), round(1 / heatmap["dx"])
    tile = round(2 * (1 - heatmap["x0"]) / heatmap["dx"] + 1)
    assert codes.shape == ((n_layers - 1) * pitch + tile, (n_heads - 1) * pitch + tile)
    for (at_layer, at_head), _ in np.ndenumerate(np.empty((n_layers, n_heads))):
        top, left = at_layer * pitch, at_head * pitch
        shown = codes[top : top + tile, left : left + tile][:: tile // n_words, :: tile // n_words]
        weights = gaps(reading, at_layer, at_head)
        assert_array_equal(shown, np.nan_to_num(1 + np.rint(254 * weights), nan=0))
    assert_matrix(session, reading, layer, head)


def assert_matrix(session: Asked, reading: Reading, layer: int, head: int) -> None:
    assert_allclose(session.matrix("matrix"), gaps(reading, layer, head), atol=1e-6)
    assert (
        f"Attention weights, layer {layer + 1}, head {head + 1}"
        in session.figure("matrix")["layout"]["title"]["text"]
    )


def assert_lines(session: Asked, reading: Reading, layer: int, head: int) -> None:
    data = session.drawing("lines")
    drawn = np.zeros((len(TEXT.split()),) * 2)
    for query, key, weight in data["lines"]:
        drawn[int(query), int(key)] = weight
    weights = reading.patterns()[layer, head]
    assert data["words"] == TEXT.split()
    assert data["alt"].startswith(f"Attention weights, layer {layer + 1}, head {head + 1}:")
    assert_allclose(drawn, np.where(drawn, weights, 0), atol=1e-6)
    assert (drawn.sum(axis=1) >= 0.9 - 1e-6).all()


def assert_stages(session: Asked, reading: Reading, layer: int, head: int) -> None:
    stages = reading.head(layer, head)
    allowed, free = stages.allowed, np.where(stages.allowed, 0, np.nan)
    bias = [stages.bias] if SCHEMES[reading.config.positions].injection_point() == "bias" else []
    expected = [stages.dots * stages.scale, *bias, free, np.where(allowed, stages.pattern, np.nan)]
    for panel, matrix in enumerate(expected):
        assert_allclose(session.matrix("stages", panel=panel), matrix, atol=1e-5)
    assert len(session.figure("stages")["data"]) == len(expected)
    assert ("q·k / √d_head" in session.alt("stages")) == reading.config.scale
    assert "+ mask → softmax" in session.alt("stages"), "the weights are the softmax of the sum, not the sum"


def assert_comparison(session: Asked, reading: Reading, layer: int, head: int) -> None:
    assert_allclose(session.matrix("comparison"), gaps(reading, layer, head), atol=1e-6)


SHOWS: dict[str, Callable[[Asked, Reading, int, int], None]] = {
    "all heads": assert_all_heads,
    "matrix": assert_matrix,
    "lines": assert_lines,
    "stages": assert_stages,
    "compare": assert_comparison,
}


def assert_view(view: str, session: Asked, reading: Reading, layer: int, head: int) -> None:
    SHOWS[view](session, reading, layer, head)


SETTINGS = covering({name: values for name, (_, values) in SWITCHES.items()})
SETTINGS_OF = dict.fromkeys(SHOWS, SETTINGS) | {"matrix": SETTINGS[:2], "lines": SETTINGS[2:4]}
"""All heads, stages and both sides of a comparison have each value; a matrix is below all heads as well."""


@pytest.mark.parametrize("view", SHOWS)
def test_every_view_shows_the_numbers_of_the_model_that_the_switches_ask_for(view: str) -> None:
    session = Asked(model="random", text=TEXT, view=view)
    for setting in SETTINGS_OF[view]:
        session.set(**setting)
        fields = {SWITCHES[name][0]: value for name, value in setting.items()}
        assert_view(
            view, session, computed(TEXT, **fields), 0, min(OPENING_HEAD, fields.get("n_heads", 4)) - 1
        )


@pytest.mark.parametrize("view", SHOWS)
def test_a_view_shows_the_layer_and_the_head_of_the_link(view: str) -> None:
    reading = computed(TEXT, n_layers=6, n_heads=8)
    for layer, head in [(1, 8), (6, 1)]:
        session = Asked(model="random", text=TEXT, view=view, layers=6, heads=8, layer=layer, head=head)
        assert_view(view, session, reading, layer - 1, head - 1)


def test_the_widest_window_hides_what_is_further_than_eight_words() -> None:
    text = "one two three four five six seven eight nine ten eleven"
    session = Asked(model="random", text=text, view="matrix", window=8, head=1)
    reading = computed(text, window=8)

    assert_allclose(session.matrix("matrix"), gaps(reading, 0, 0), atol=1e-6)
    assert reading.allowed().sum() == computed(text).allowed().sum() - 3


def test_switches_work_together() -> None:
    session = Asked(
        model="random", text=TEXT, view="stages", positions="alibi", mask="bidirectional", heads=2, layers=3,
        norm="post", scale=False, residual=False, mlp=False, seed=5, layer=3, head=2,
    )  # fmt: skip
    reading = computed(
        TEXT, positions="alibi", mask="bidirectional", n_heads=2, n_layers=3, norm="post", scale=False,
        residual=False, mlp=False, seed=5,
    )  # fmt: skip

    assert_stages(session, reading, 2, 1)


def test_a_clicked_tile_opens_its_head() -> None:
    session = Asked(model="random", text=TEXT, layers=3)

    session.click("heads_grid", x=2.3, y=2.6)

    assert (session.value("layer"), session.value("head")) == (3, 2)
    assert (session.link["layer"], session.link["head"]) == ("3", "2")
    assert_matrix(session, computed(TEXT, n_layers=3), 2, 1)


def test_a_click_beside_the_tiles_opens_nothing() -> None:
    session = Asked(model="random", text=TEXT, layer=2, head=3)

    for x, y in [(0.2, 1), (1, 0.2), (4.8, 1), (1, 2.9)]:
        session.click("heads_grid", x=x, y=y)

        assert (session.value("layer"), session.value("head")) == (2, 3)


def test_the_chosen_head_is_framed_among_all_heads() -> None:
    (frame,) = Asked(model="random", text=TEXT, layer=2, head=3).figure("heads_grid")["layout"]["shapes"]

    assert frame["x0"] < 3 < frame["x1"]
    assert frame["y0"] < 2 < frame["y1"]


@each("mass", [50, 75, 90, 100])
def test_the_lines_are_the_fewest_that_hold_the_share_asked_for(mass: int) -> None:
    session = Asked(model="random", text=TEXT, view="lines", mask="bidirectional", head=1)
    session.set(mass=mass)

    lines = session.drawing("lines")["lines"]

    for query, weights in enumerate(computed(TEXT, mask="bidirectional").patterns()[0, 0]):
        heaviest_first = np.sort(weights)[::-1]
        needed = 1 + int(np.sum(np.cumsum(heaviest_first) < mass / 100 - 1e-6))
        drawn = [weight for at, _, weight in lines if at == query]
        assert_allclose(drawn, heaviest_first[:needed], atol=1e-6)


def test_the_overview_says_how_to_read_it_and_when_nothing_has_been_learned() -> None:
    session = Session(model="random")

    assert "What does each word attend to?" in session.prose
    assert "Each small square is one attention head" in session.prose
    assert "These weights are random" in session.prose
    assert "These weights are random" not in Session(model="random", view="matrix").prose
