"""Trained weights behind the switches: what they offer, what they say about themselves, what they lack."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import computed, gaps

TEXT = "Zuko met Maria and Maria praised Zuko"

pytestmark = pytest.mark.usefixtures("noise_shelf")


def trained(**fields: Any) -> Any:
    return computed(TEXT, source="trained", **fields)


def test_a_seed_and_many_layers_are_offered_only_where_something_is_drawn() -> None:
    session = Asked(text=TEXT, seed=7, view="heads", head=1)
    assert not session.has("seed")
    assert session.warnings == []
    session.set(model="random", layers=5, layer=5)
    assert session.value("seed") == 7
    assert_allclose(session.matrix("matrix"), gaps(computed(TEXT, seed=7, n_layers=5), 4, 0), atol=1e-6)
    session.set(model="trained")
    assert "The link asks for layers = 5, but here it can be 1, 2. Showing 2." in session.warnings
    assert (session.value("layers"), session.value("layer")) == (2, 1)


@each(("view", "picture", "source"), [("heads", "matrix", "trained"), ("compare", "comparison", "random")])
def test_a_window_is_a_gap_in_every_picture(view: str, picture: str, source: str) -> None:
    session = Asked(text=TEXT, model=source, view=view, mask="bidirectional", window=2, b_positions="as A")
    distance = np.abs(np.subtract.outer(np.arange(7), np.arange(7)))
    assert (np.isnan(session.matrix(picture)) == (distance > 2)).all()


def test_b_can_have_other_weights() -> None:
    session = Asked(text=TEXT, view="compare", head=1, b_positions="as A", b_model="random", b_seed=3)
    assert_allclose(session.matrix("comparison", panel=0), gaps(trained(), 0, 0), atol=1e-6)
    assert_allclose(session.matrix("comparison", panel=1), gaps(computed(TEXT, seed=3), 0, 0), atol=1e-6)


def test_a_trained_b_has_no_seed_and_no_more_layers_than_were_trained() -> None:
    session = Asked(text=TEXT, model="random", layers=5, layer=5, head=1, view="compare", b_model="trained")
    assert not session.has("b_seed")
    assert "at most 2 layers, so B has that many" in session.infos[0]
    b = gaps(trained(positions="none"), 1, 0)
    assert_allclose(session.matrix("comparison", panel=1), b, atol=1e-6)
