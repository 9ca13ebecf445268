"""Gradients: each view shows what core computes, and says what its numbers come to."""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pytest
import torch

from core.learning.collection import take
from core.measures.distance import long_range
from core.measures.gradients import clipping
from core.measures.gradients.clipping import STEPS, THRESHOLD, Step
from core.measures.gradients.jacobians import Weights, product
from core.measures.gradients.reach import Reach, norms_of, reach
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.recurrent import RecurrentLanguageModel
from core.sources.rivals import load_rival
from core.text.tokenizer import words_of
from pages.gradients import clipping_said
from pages.gradients.back import KEYS
from pages.gradients.clipping import USUAL
from tests.pages.asked import Asked
from tests.pages.session import numbers
from viz.units import magnitude

PAGE = "gradients"
CURVES = {
    ("Transformer", "trained"): "attention",
    ("LSTM", "trained"): "LSTM",
    ("RNN", "trained"): "RNN",
    ("Transformer", "initial"): "attention, initial",
    ("LSTM", "initial"): "LSTM, initial",
    ("RNN", "initial"): "RNN, initial",
}

training, norms = cache(clipping.training), cache(norms_of)


@pytest.fixture(autouse=True, scope="module")
def computed_once() -> Iterator[None]:
    """Many tests are about one and the same training: page and tests have it computed once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clipping, "training", training)
        patch.setattr(import_module("pages.gradients.distance"), "norms_of", norms)
        yield


def opened(view: str = "distance", **parameters: Any) -> Asked:
    return Asked(PAGE, **({} if view == "distance" else {"view": view}), **parameters)


def curve(session: Asked, picture: str, name: str) -> dict[str, Any]:
    """A curve of a picture, by the name at its end."""
    return next(one for one in session.figure(picture)["data"] if one["hovertext"][0].startswith(f"{name}:"))


def reached(text: str, furthest: int = 50, *, seed: int = 0, **fields: Any) -> Reach:
    config = ModelConfig(vocab_size=1, **fields)
    networks = {network: take(name) for network, name in long_range.rivals("agreement", config).items()}
    return reach(words_of(text), networks, seed=seed, furthest=furthest, measure=norms)


def test_the_curves_are_what_core_computes_dashed_before_training() -> None:
    session = opened(reach=50, seed=3, positions="rotary", heads=2)
    found = reached(KEYS, seed=3, positions="rotary", n_heads=2)
    table = session.table("reach_chart")
    for name, shown in CURVES.items():
        drawn = curve(session, "reach_chart", shown)
        np.testing.assert_allclose(numbers(drawn["y"]), found.norms[name])
        assert drawn["line"]["dash"] == ("dash" if name[1] == "initial" else "solid")
        np.testing.assert_allclose(table[shown], found.norms[name])
    assert list(table["word"][:3]) == [".", "heavy", "are"]
    assert f"{magnitude(found.norms['RNN', 'trained'][-1])} in the RNN" in session.prose
    assert any(shape["x0"] == 14.5 for shape in session.figure("reach_chart")["layout"]["shapes"])
    assert session.figure("reach_chart")["layout"]["yaxis"]["type"] == "log"


def test_the_product_stands_beside_what_is_predicted_of_it() -> None:
    session = opened("Jacobians", recurrence="orthogonal", scale_of_weights="1.5", seed=4, layer=2, reach=50)
    table = session.table("product_chart")
    weights = Weights(recurrence="orthogonal", scale=1.5, seed=4)
    found = product(load_rival("next-word-rnn"), words_of(KEYS), weights, layer=1, furthest=50)
    for name, expected in (
        ("product", found.norms),
        ("largest σᵏ", found.worst ** np.arange(51)),
        ("mean σᵏ", found.average ** np.arange(51)),
    ):
        np.testing.assert_allclose(numbers(curve(session, "product_chart", name)["y"]), expected)
        np.testing.assert_allclose(table[name], expected)
    assert not opened("Jacobians").has("seed"), "trained weights are not drawn"


def test_numbers_that_rounding_decides_are_not_given_as_those_of_the_network() -> None:
    session = opened("Jacobians", scale_of_weights="3", reach=200)
    assert "Rounding errors decide these numbers" in session.prose
    assert "200 words at this scale are too many" in session.prose
    assert "times too " not in session.prose
    assert "after 200 words it is" not in session.prose
    table = session.table("product_chart")
    assert not np.allclose(table["product"], table["rounded"], rtol=0.1)
    session.set(reach=100)
    assert "Rounding errors" not in session.prose
    assert "rounded" not in session.table("product_chart")


def test_the_first_gates_shown_are_the_forget_gates_of_the_upper_layer() -> None:
    session = opened("gates")
    assert (session.value("layer"), session.value("gate"), session.value("lstm")) == (2, "forget", "trained")
    assert not session.has("seed"), "trained weights are not drawn"
    assert "random weights" not in opened("gates", text="xyzzy").prose, "they know no more words here"


def test_the_threshold_is_drawn_across_the_steps() -> None:
    threshold = numbers(curve(opened("clipping", seed=2), "steps_chart", "threshold 5")["y"])
    assert threshold.tolist() == [THRESHOLD] * STEPS


@pytest.mark.parametrize(
    "scale", [USUAL, pytest.param("3", marks=pytest.mark.long("a scale at which errors grow faster still"))]
)
def test_rounding_errors_change_nothing_that_is_said(scale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def of_two(run: Callable[..., list[Step]]) -> str:
        clipped, never = (run(float(scale), clips=clips, seed=0) for clips in (True, False))
        return f"{clipping_said.answer(clipped)} {clipping_said.told(clipped, never)}"

    def rounded(model: RecurrentLanguageModel, *, seed: int) -> None:
        initialise(model, seed=seed)
        with torch.no_grad():
            for weight in model.parameters():
                weight *= 1 + 1e-15

    exact = of_two(training)
    monkeypatch.setattr(clipping, "initialise", rounded)
    assert of_two(training.__wrapped__) == exact


def test_clipping_begins_where_gradients_explode_unless_a_scale_was_chosen() -> None:
    session = opened("Jacobians")
    assert session.value("scale_of_weights") == "1"
    session.set(view="clipping")
    assert session.value("scale_of_weights") == "2"
    session.set(view="Jacobians")
    session.set(scale_of_weights="0.5")
    session.set(view="clipping")
    assert session.value("scale_of_weights") == "0.5"
    assert session.warnings == []
