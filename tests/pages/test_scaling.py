"""Scaling: what the slider shows is what core computes, and every division has its place."""

import numpy as np
import pytest

from core.measures import scaling
from core.measures.heads.head_counts import with_each
from core.model.config import ModelConfig
from core.sources import load
from pages.controls.examples import TEA
from tests.pages.asked import Asked
from tests.pages.session import computed, numbers

PAGE = "scaling"


def curve(session: Asked, picture: str, name: str) -> list[float]:
    data = session.figure(picture)["data"]
    return numbers(next(one for one in data if one["hovertext"][0].startswith(f"{name}:"))["y"]).tolist()


def test_the_curves_are_the_measured_spread_and_the_root() -> None:
    session = Asked(PAGE, seed=3)
    table = scaling.growth_table(3).pivot(index="dimensions", columns="scores", values="spread")

    np.testing.assert_allclose(curve(session, "spread", "√d"), np.sqrt(table.index))
    np.testing.assert_allclose(curve(session, "spread", scaling.PLAIN), table[scaling.PLAIN])
    np.testing.assert_allclose(curve(session, "spread", scaling.BY_ROOT_D), table[scaling.BY_ROOT_D])
    assert f"standard deviation of {table.loc[64, scaling.PLAIN]:.2f}; divided by √64 = 8.00" in session.prose
    assert list(session.table("spread").index) == list(scaling.WIDTHS)


def test_the_softmax_view_marks_the_width_and_tells_its_largest_weight() -> None:
    session = Asked(PAGE, view="softmax", d=1024)
    assert "At d = 1024 the largest attention weight is 98 % without the division" in session.prose
    assert "d = 1024" in str(session.figure("gradient_curves")["layout"]["annotations"])


@pytest.mark.parametrize("model", ["trained", "random"])
def test_the_third_row_is_the_head_itself_and_the_curves_its_layer(model: str) -> None:
    chosen = {"heads": 8, "layer": 2, "head": 7, "word": 3, "mask": "bidirectional"}
    session = Asked(PAGE, view="heads", model=model, **chosen)
    expected = scaling.head_rows(computed(TEA, source=model, n_heads=8, mask="bidirectional"), 1, 6, 2)
    np.testing.assert_allclose(session.table("head_row").T, expected, atol=1e-6)
    config = ModelConfig(vocab_size=1, mask="bidirectional")
    table = scaling.heads_table(
        [load(model, one, TEA.split(), 0) for one in with_each(config).values()], layer=1
    )
    for name in scaling.divisors(config):
        expected = table[table["scores"] == name]["spread"]
        np.testing.assert_allclose(curve(session, "head_spread", name), expected, rtol=1e-5)
    own = table[table["heads"] == 8].set_index("scores")["spread"]
    said = ", ".join(f"{own[name]:.2f} for {name}" for name in scaling.divisors(config))
    assert (
        f"With 8 heads the scores of layer 2 have a standard deviation within rows of {said}."
        in session.prose
    )


@pytest.mark.parametrize("view", ["random vectors", "heads"])
def test_of_a_single_word_there_is_nothing_to_divide(view: str) -> None:
    assert "A single word attends to itself alone" in Asked(PAGE, view=view, text="tea").prose
