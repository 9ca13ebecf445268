"""Scaling: what the slider shows is what core computes, and every division has its place."""

import numpy as np
import pytest

from core.measures import scaling
from core.measures.heads.head_counts import with_each
from core.model.config import ModelConfig
from core.sources import load
from pages.controls.sentence import TEA
from tests.pages.asked import Asked
from tests.pages.session import computed, numbers
from viz.bar_rows import FULL

PAGE = "scaling"


def shares(session: Asked, picture: str) -> np.ndarray:
    """The bars of each row as shares."""
    return np.array([numbers(row["y"]) for row in session.figure(picture)["data"]]) / FULL


def curve(session: Asked, picture: str, name: str) -> list[float]:
    data = session.figure(picture)["data"]
    return numbers(next(one for one in data if one["hovertext"][0].startswith(f"{name}:"))["y"]).tolist()


@pytest.mark.parametrize(("d", "seed", "word"), [(64, 0, None), (2, 0, 1), (1024, 5, 3)])
def test_the_bars_are_the_weights_at_the_chosen_length(d: int, seed: int, word: int | None) -> None:
    session = Asked(PAGE, d=d, seed=seed, **({} if word is None else {"word": word}))
    words = TEA.split()
    query = len(words) - 1 if word is None else word - 1

    expected = scaling.word_rows(words, query, d, seed=seed)
    np.testing.assert_allclose(shares(session, "row"), expected, atol=1e-6)
    np.testing.assert_allclose(session.table("row").T, expected, atol=1e-6)
    assert f"What **{words[query]}** attends to, with random vectors of {d} dimensions" in session.prose
    assert session.warnings == []


def test_the_curves_are_the_measured_spread_and_the_root() -> None:
    session = Asked(PAGE, seed=3)
    table = scaling.growth_table(3).pivot(index="dimensions", columns="scores", values="spread")

    np.testing.assert_allclose(curve(session, "spread", "√d"), np.sqrt(table.index))
    np.testing.assert_allclose(curve(session, "spread", scaling.PLAIN), table[scaling.PLAIN])
    np.testing.assert_allclose(curve(session, "spread", scaling.BY_ROOT_D), table[scaling.BY_ROOT_D])
    assert f"standard deviation of {table.loc[64, scaling.PLAIN]:.2f}; divided by √64 = 8.00" in session.prose
    assert list(session.table("spread").index) == list(scaling.WIDTHS)


def test_the_softmax_view_shows_entropy_and_gradient_of_the_same_rows() -> None:
    session = Asked(PAGE, view="softmax", d=1024)
    table = scaling.growth_table(0).set_index("scores")

    for column in ("entropy", "gradient"):
        for name in (scaling.PLAIN, scaling.BY_ROOT_D):
            shown = curve(session, f"{column}_curves", name)
            np.testing.assert_allclose(shown, table.loc[name, column])
    assert "At d = 1024 the largest attention weight is 98 % without the division" in session.prose
    assert "d = 1024" in str(session.figure("gradient_curves")["layout"]["annotations"])


@pytest.mark.parametrize("model", ["trained", "random"])
def test_the_third_row_is_the_head_itself_and_the_curves_its_layer(model: str) -> None:
    chosen = {"heads": 8, "layer": 2, "head": 7, "word": 3, "mask": "bidirectional"}
    session = Asked(PAGE, view="heads", model=model, **chosen)
    reading = computed(TEA, source=model, n_heads=8, mask="bidirectional")

    bars = shares(session, "head_row")
    rows = bars * scaling.head_rows(reading, 1, 6, 2).max()
    np.testing.assert_allclose(rows[2], reading.pattern(1, 6)[2], atol=1e-6)
    np.testing.assert_allclose(rows, scaling.head_rows(reading, 1, 6, 2), atol=1e-6)
    np.testing.assert_allclose(session.table("head_row").T, rows, atol=1e-6)
    config = ModelConfig(vocab_size=1, mask="bidirectional")
    table = scaling.heads_table(
        [load(model, one, TEA.split(), 0) for one in with_each(config).values()], layer=1
    )
    for name in scaling.divisors(config):
        expected = table[table["scores"] == name]["spread"]
        np.testing.assert_allclose(curve(session, "head_spread", name), expected, rtol=1e-5)
    own = table[table["heads"] == 8].set_index("scores")["spread"]
    said = ", ".join(f"{own[name]:.2f} for {name}" for name in scaling.divisors(config))
    assert f"With 8 heads the standard deviation of the scores of layer 2 is {said}." in session.prose
    assert f"None of them must be 1: {'learned' if model == 'trained' else 'these'} queries" in session.prose
    assert "(/sources?view=slips)" in session.prose


@pytest.mark.parametrize("view", ["random vectors", "heads"])
def test_of_a_single_word_there_is_nothing_to_divide(view: str) -> None:
    assert "A single word attends to itself alone" in Asked(PAGE, view=view, text="tea").prose
