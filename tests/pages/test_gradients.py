"""Gradients: each view shows what core computes, and says what its numbers come to."""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pytest
import torch

from core.measures.gradients import clipping
from core.measures.gradients.clipping import STEPS, THRESHOLD, Step
from core.measures.gradients.gates import gates
from core.measures.gradients.jacobians import Product, Recurrence, Weights, product
from core.measures.gradients.reach import Reach, factor_per_word, norms_of, reach
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.recurrent import RecurrentLanguageModel
from core.text.tokenizer import words_of
from pages.gradients import KEYS
from pages.gradients.back import points, said
from pages.gradients.clipping import USUAL, of_the_share
from pages.gradients.clipping import told as told_of_clipping
from pages.gradients.distance import told
from pages.gradients.jacobians import told as told_of_product
from pages.gradients.rounding import told_of_rounding
from tests.pages.session import Session, numbers
from viz.units import magnitude, per_cent

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


def opened(view: str = "distance", **parameters: Any) -> Session:
    return Session(PAGE, **({} if view == "distance" else {"view": view}), **parameters)


def curve(session: Session, picture: str, name: str) -> dict[str, Any]:
    """A curve of a picture, by the name at its end."""
    return next(one for one in session.figure(picture)["data"] if one["hovertext"][0].startswith(f"{name}:"))


def reached(text: str, furthest: int = 50, *, seed: int = 0, **fields: Any) -> Reach:
    config = ModelConfig(vocab_size=1, **fields)
    return reach(words_of(text), config, seed=seed, furthest=furthest, measure=norms)


def test_the_curves_are_what_core_computes_dashed_before_training() -> None:
    session = opened(reach=50, seed=3, positions="rotary", heads=2, reach_chart_table=True)
    found = reached(KEYS, seed=3, positions="rotary", n_heads=2)
    table = session.table("reach_chart")
    for name, shown in CURVES.items():
        drawn = curve(session, "reach_chart", shown)
        np.testing.assert_allclose(numbers(drawn["y"]), found.norms[name])
        assert drawn["line"]["dash"] == ("dash" if name[1] == "initial" else "solid")
        np.testing.assert_allclose(table[shown], found.norms[name])
    assert list(table["word"][:3]) == [".", "heavy", "are"]
    assert session.figure("reach_chart")["layout"]["yaxis"]["type"] == "log"


def test_the_sentence_has_the_fitted_factors_and_what_is_left() -> None:
    session = opened(reach=50)
    found = reached(KEYS)
    for network in ("RNN", "LSTM"):
        factor, left = factor_per_word(found.norms[network, "trained"]), found.norms[network, "trained"][-1]
        assert f"**{network}** {factor:.3f}" in session.prose
        assert f"{magnitude(left)} at 50 words" in session.prose
        assert f"Before training {factor_per_word(found.norms[network, 'initial']):.3f}" in session.prose
    left = found.norms["Transformer", "trained"][-1]
    assert f"**attention** no exponential fits; {magnitude(left)} at 50 words. Before" in session.prose
    assert "from which the training began" in session.prose
    assert "from which the training began" not in opened(reach=50, seed=1).prose


def test_a_factor_says_what_it_comes_to() -> None:
    assert said(0.5) == "0.500, half is lost every 1.0 words"
    assert said(0.5**0.1) == "0.933, half is lost every 10.0 words"
    assert said(0.995) == "0.995"
    assert said(1.3) == "1.300"
    norms = {(name, stage): 0.5 ** np.arange(9) for name in ("RNN",) for stage in ("initial", "trained")}
    assert "**RNN** 0.500, half is lost every 1.0 words; 0.0039 at 8 words" in told(norms)
    bent = {("RNN", "trained"): np.r_[0.9 ** np.arange(9), np.ones(9)], ("RNN", "initial"): np.zeros(18)}
    assert "**RNN** no exponential fits; 1 at 17 words. Before training no exponential fits." in told(bent)


def test_how_long_texts_can_be_is_said_where_positions_are_learned() -> None:
    assert "no text longer than 256 words" in opened(reach=50, positions="learned").prose
    assert "no text longer" not in opened(reach=50, positions="rotary").prose


def test_the_text_is_longer_than_the_sentence_and_says_so() -> None:
    session = opened(text="the chef sleeps .", reach=50)
    assert "51 words: yours at its end, and before it 47 " in session.prose
    assert any(shape["x0"] == 3.5 for shape in session.figure("reach_chart")["layout"]["shapes"])
    long = opened(text="the key " * 30, reach=50)
    assert "the last 51 words of yours" in long.prose


@pytest.mark.parametrize("text", ["?", "xyzzy the the"])
def test_whatever_is_typed_gets_its_curves(text: str) -> None:
    session = opened(text=text, reach=50)
    assert session.pictures == ["reach_chart"]
    assert session.warnings == []
    assert ("xyzzy" in session.prose) == ("xyzzy" in text)


def test_a_link_that_asks_for_too_much_is_corrected() -> None:
    session = opened("Jacobians", reach=1000)
    assert session.value("reach") == 100
    assert "reach" in session.warnings[0]


@pytest.mark.usefixtures("empty_shelf")
def test_before_anything_is_trained_the_page_says_what_to_do() -> None:
    session = opened()
    assert session.pictures == []
    assert "`python -m core.learning.collection " in session.warnings[0]


def multiplied(text: str, weights: Weights, *, layer: int = 0, furthest: int = 50) -> Product:
    return product(words_of(text), weights, layer=layer, furthest=furthest)


def test_the_product_and_what_is_predicted_of_it_are_what_core_computes() -> None:
    weights = Weights(recurrence="orthogonal", scale=1.5, seed=4)
    chosen = {"recurrence": "orthogonal", "scale_of_weights": "1.5", "seed": 4, "layer": 2, "reach": 50}
    session = opened("Jacobians", **chosen, product_chart_table=True)
    found = multiplied(KEYS, weights, layer=1)
    assert session.pictures == ["product_chart", "factors_chart"]
    for picture, name, expected in (
        ("product_chart", "product", found.norms),
        ("product_chart", "largest", found.worst ** np.arange(51)),
        ("product_chart", "mean", found.average ** np.arange(51)),
        ("factors_chart", "largest", found.largest),
        ("factors_chart", "mean", found.mean),
    ):
        np.testing.assert_allclose(numbers(curve(session, picture, name)["y"]), expected)
    np.testing.assert_allclose(session.table("product_chart")["product"], found.norms)
    assert f"{found.worst:.2f} in the geometric mean" in session.prose
    assert f"{found.average:.3f} in the **mean**" in session.prose
    assert magnitude(float(found.norms[-1])) in session.prose
    assert not opened("Jacobians").has("seed"), "trained weights are not drawn"


@pytest.mark.parametrize(
    ("scale", "recurrence", "verdict", "because"),
    [
        ("0.5", "orthogonal", "vanishes", "makes sure that the gradient vanishes"),
        ("1", "trained", "vanishes", "only allows an explosion"),
        ("3", "random", "explodes", "which allows the explosion"),
    ],
)
def test_the_verdict_is_that_of_the_product(scale: str, recurrence: str, verdict: str, because: str) -> None:
    prose = opened("Jacobians", scale_of_weights=scale, recurrence=recurrence).prose
    assert f"**The gradient {verdict}**" in prose
    assert because in prose


def test_the_sentences_follow_the_numbers() -> None:
    def made(norm: float, largest: float, mean: float) -> str:
        one = np.ones(4)
        found = Product(tuple("abcde"), norm ** np.arange(5), largest * one, mean * one)
        return told_of_product(found, Weights(recurrence=recurrence, scale=1.2))

    recurrence: Recurrence = "trained"
    assert "$0.500^k$ comes near the product: at every k within a factor of 2." in made(0.51, 2, 0.5)
    assert "$0.100^k$ misses the product: 4 words back it is 625 times too small." in made(0.5, 2, 0.1)
    assert "$2.500^k$ misses the product: 4 words back it is 625 times too large." in made(0.5, 3, 2.5)
    assert "cannot exceed $2.00^{4}$, but" in made(0.5, 2, 0.5)
    assert "the next one turns elsewhere" in made(0.5, 2, 0.5)
    assert "multiplies the norm of the product by 2.000, and after 4 words it is 16" in made(2, 3, 2)
    assert "**The gradient neither vanishes nor explodes**" in made(1, 3, 1)
    assert "which allows the explosion" not in made(1, 3, 1)
    assert "makes sure that the gradient vanishes" in made(0.5, 0.9, 0.5)
    assert "whether it vanishes, this does not tell" in made(0.5, 0.999, 0.5)
    recurrence = "orthogonal"
    assert "stretch all directions alike, here by 1.2, and tanh′ = 1 − h² shrinks" in made(0.5, 1.2, 0.5)
    assert "turns elsewhere" not in made(0.5, 1.2, 0.5)


def test_numbers_that_rounding_decides_are_not_given_as_those_of_the_network() -> None:
    session = opened("Jacobians", scale_of_weights="3", reach=200, product_chart_table=True)
    assert "**Rounding errors decide these numbers**" in session.prose
    assert "200 words at this scale are too many" in session.prose
    assert "times too " not in session.prose
    assert "after 200 words it is" not in session.prose
    table = session.table("product_chart")
    assert not np.allclose(table["product"], table["rounded"], rtol=0.1)
    session.set(reach=100)
    assert "Rounding errors" not in session.prose
    assert "rounded" not in session.table("product_chart")


def test_two_products_that_rounding_tells_apart_are_said_to_share_what_they_do() -> None:
    def made(norm: float, largest: float) -> Product:
        return Product(tuple("abcde"), norm ** np.arange(5), largest * np.ones(4), 1.04 * np.ones(4))

    said_of_both = told_of_rounding(made(1.31, 5.62), made(1.34, 5.34))
    assert (
        "common: the gradient explodes, every further word multiplies the norm by about 1.3," in said_of_both
    )
    assert "of a factor is 5.3 to 5.6 and the mean one about 1.0." in said_of_both
    assert "not even whether the gradient vanishes or explodes" in told_of_rounding(
        made(1.2, 2), made(0.9, 2)
    )
    assert "the gradient vanishes" in told_of_rounding(made(0.8, 2), made(0.9, 2))


@pytest.mark.usefixtures("empty_shelf")
def test_without_a_trained_rnn_the_view_says_what_to_do() -> None:
    assert "next-word-rnn" in opened("Jacobians").warnings[0]


@pytest.mark.parametrize(("gate", "layer", "source"), [("forget", 2, "trained"), ("output", 1, "random")])
def test_the_gates_and_what_they_leave_are_what_core_computes(gate: str, layer: int, source: str) -> None:
    chosen = {"seed": 3} if source == "random" else {}
    tables = {"gates_map_table": True, "left_chart_table": True}
    session = opened("gates", gate=gate, layer=layer, lstm=source, **chosen, **tables)
    found = gates(words_of(KEYS), layer=layer - 1, seed=3 if source == "random" else None)
    values = found.gates[gate][:, found.order]
    assert session.pictures == ["gates_map", "left_chart"]
    np.testing.assert_allclose(session.matrix("gates_map"), values, atol=1e-6)
    table = session.table("gates_map")
    assert list(table.columns[:2]) == ["word", f"unit {found.order[0] + 1}"]
    np.testing.assert_allclose(table.iloc[:, 1:], values)
    left = session.table("left_chart")
    for name, expected in (
        ("all paths", found.whole),
        ("best unit", found.direct.max(axis=1)),
        ("mean over units", found.direct.mean(axis=1)),
    ):
        np.testing.assert_allclose(numbers(curve(session, "left_chart", name)["y"]), expected)
        np.testing.assert_allclose(left[name], expected)
    assert (
        f"on average, and in {(found.gates['forget'].mean(axis=0) > 0.9).sum()} of 64 units" in session.prose
    )
    assert f"in unit {found.direct[-1].argmax() + 1}, the best one" in session.prose
    assert f"{per_cent(found.direct[-1].max())} is left in unit" in session.prose


@pytest.mark.parametrize("text", ["the", "?", "<b> xyzzy", "the key " * 128])
def test_the_gates_are_there_for_whatever_is_typed(text: str) -> None:
    session = opened("gates", text=text)
    is_one = len(words_of(text)) == 1
    assert session.pictures == ["gates_map"] + ["left_chart"] * (not is_one)
    assert session.warnings == []
    assert ("nothing to be kept" in session.prose) == is_one


def test_the_first_gates_shown_are_the_forget_gates_of_the_upper_layer() -> None:
    session = opened("gates")
    assert (session.value("layer"), session.value("gate"), session.value("lstm")) == (2, "forget", "trained")
    assert not session.has("seed"), "trained weights are not drawn"
    assert "random weights" not in opened("gates", text="xyzzy").prose, "they know no more words here"


def test_the_norms_of_both_trainings_and_the_parts_are_what_core_computes() -> None:
    session = opened("clipping", scale_of_weights="1.5", seed=2, steps_chart_table=True)
    clipped, never = (training(1.5, clips=clips, seed=2) for clips in (True, False))
    assert session.pictures == ["steps_chart", "parts_chart"]
    table = session.table("steps_chart")
    for name, expected in (
        ("before", [one.recurrent for one in clipped]),
        ("clipped", [one.recurrent * one.factor for one in clipped]),
        ("never clipped", [one.recurrent for one in never]),
    ):
        np.testing.assert_allclose(numbers(curve(session, "steps_chart", name)["y"]), expected)
        np.testing.assert_allclose(table[name], expected)
    threshold = numbers(curve(session, "steps_chart", "threshold 5")["y"])
    assert threshold.tolist() == [THRESHOLD] * STEPS
    np.testing.assert_allclose(numbers(curve(session, "parts_chart", "before")["y"]), clipped[0].parts)
    np.testing.assert_allclose(numbers(curve(session, "parts_chart", "clipped")["y"]), clipped[0].clipped)
    assert f"{per_cent(clipped[0].far)} of the first gradient before clipping" in session.prose


def test_what_vanishes_is_not_mended_and_what_explodes_is_shortened() -> None:
    vanishing, exploding = opened("clipping", scale_of_weights="0.5").prose, opened("clipping").prose
    assert "Clipping has nothing to do here" in vanishing
    assert "distant words contribute almost nothing" in vanishing
    assert "What clipping mends is the length of a step" in exploding
    assert "distant words contribute nearly all of it" in exploding
    first = training(2.0, clips=True, seed=0)[0]
    assert exploding.count(per_cent(first.far)) >= 2, "the share before and after"


def test_what_has_vanished_is_said_only_of_what_has() -> None:
    for share, words, has_vanished in (
        (0.001, "contribute almost nothing", True),
        (0.049, "contribute almost nothing", True),
        (0.051, "near and distant words both contribute", False),
        (0.8, "near and distant words both contribute", False),
        (0.9, "distant words contribute nearly all of it", False),
        (0.999, "distant words contribute nearly all of it", False),
    ):
        said_of_it = of_the_share(share)
        assert words in said_of_it
        assert ("has vanished" in said_of_it) == has_vanished
        assert ("near words add stays drowned out" in said_of_it) == (share > 0.8)


def step(**fields: float) -> Step:
    usual = {"loss": 2.0, "norm": 1.0, "factor": 1.0, "recurrent": 1.0, "weights": 4.0, "saturated": 0.75}
    return Step(**{**usual, **fields}, parts=np.ones(20))  # type: ignore[arg-type]


def test_the_sentences_about_clipping_follow_the_numbers() -> None:
    clipped = [step(), step(norm=50.0, factor=0.1, recurrent=40.0), *[step()] * 8]
    never = [step(norm=50.0, recurrent=40.0), *[step(recurrent=0.001, loss=3.0)] * 9]
    said_of_it = told_of_clipping(clipped, never)
    assert "in step 2 the gradient of the recurrent weights has the norm 40. It would" in said_of_it
    assert "them by 5 times their own length, and clipped it moves them by 0.5" in said_of_it
    assert "in the last one 75 % of the states are where tanh is flat: in the last 10 steps" in said_of_it
    assert "has a median norm of 0.001, and hardly" in said_of_it
    assert (
        "back, 9 of 20, make 45 % of the first gradient before clipping and 45 % after it: near and distant "
        "words both contribute, with clipping and without." in said_of_it
    )
    assert "tanh is flat" not in told_of_clipping(clipped, clipped)
    assert "nothing to do here" in told_of_clipping([step()], never)


@pytest.mark.parametrize(
    "scale", [USUAL, pytest.param("3", marks=pytest.mark.long("a scale at which errors grow faster still"))]
)
def test_rounding_errors_change_nothing_that_is_said(scale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def of_two(run: Callable[..., list[Step]]) -> str:
        return told_of_clipping(*(run(float(scale), clips=clips, seed=0) for clips in (True, False)))

    def rounded(model: RecurrentLanguageModel, *, seed: int) -> None:
        initialise(model, seed=seed)
        with torch.no_grad():
            for weight in model.parameters():
                weight *= 1 + 1e-15

    exact = of_two(training)
    monkeypatch.setattr(clipping, "initialise", rounded)
    assert of_two(training.__wrapped__) == exact


def test_what_hangs_on_rounding_errors_is_told_of_apart_where_gradients_explode() -> None:
    for scale, explodes in (("1", False), ("2", True)):
        assert ("on another machine" in opened("clipping", scale_of_weights=scale).prose) == explodes
    clipped, never = (training(2, clips=clips, seed=0) for clips in (True, False))
    n_clipped = sum(one.factor < 1 for one in clipped)
    losses = [np.mean([one.loss for one in run[-10:]]) for run in (clipped, never)]
    assert (
        f"cut {n_clipped} steps of 50, and the mean loss of the last 10 steps is {losses[0]:.2f} nats "
        f"clipped and {losses[1]:.2f} never clipped" in opened("clipping", scale_of_weights="2").prose
    )


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


def test_what_is_zero_has_no_point_on_a_logarithmic_axis() -> None:
    curves = {"a": [1.0, 0.0, 3.0], "b": [0.0]}
    assert points(curves, x="k").to_numpy().tolist() == [["a", 0, 1.0], ["a", 2, 3.0]]
    every = points(curves, x="k", first=1, positive=False)
    assert every.to_numpy().tolist() == [["a", 1, 1.0], ["a", 2, 0.0], ["a", 3, 3.0], ["b", 1, 0.0]]
