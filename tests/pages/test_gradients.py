"""Gradients: each view shows what core computes, and its verdicts follow the numbers."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.measures.distance import long_range
from core.measures.gradients.clipping import ClippingStep
from core.measures.gradients.distance import ExponentialFit, Influences, fit_exponential, influences
from core.measures.gradients.gates import Gates
from core.measures.gradients.jacobians import JacobianProduct, RecurrentWeights, product
from core.model.config import ModelConfig
from core.sources.trained import load_members, load_rival
from core.text.language import encode
from core.text.tokenizer import words_of
from pages.contract.examples import CHEF, TEA
from pages.contract.prose import Typed
from pages.contract.question import Choose, solution
from pages.gradients import clipping, distance, gates, jacobians, own_sentence
from pages.gradients.back import describe_factor, points, what_is_read
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import numbers

PAGE = "gradients"
RIVALS = ("Transformer", "LSTM", "RNN")


def test_curves_before_training_are_dashed() -> None:
    session = Asked(PAGE, reach=50)
    for shown, dash in (("RNN", "solid"), ("RNN, initial", "dash")):
        assert session.curve("reach_chart", shown)["line"]["dash"] == dash


@pytest.mark.usefixtures("noise_shelf")
def test_bars_are_the_shares_of_influence_and_a_click_chooses_another_word() -> None:
    text = TEA.replace("made", "xyzzied")
    switches = {"positions": "rotary", "heads": 2, "norm": "post"}
    session = Asked(PAGE, follow="my sentence", text=text, from_=2, to=4, **switches)
    config = ModelConfig(vocab_size=1, positions="rotary", n_heads=2, norm="post")
    models = load_members(long_range.rivals("agreement", config))
    expected = influences(models, encode(text.split()).tokens, 3)
    shares, table = expected.shares(), session.table("influence")
    traces = session.figure("influence")["data"]
    for trace, network, row in zip(traces, expected.norms, shares, strict=True):
        np.testing.assert_allclose(numbers(trace["y"]), row, rtol=1e-4)
        np.testing.assert_allclose(table[f"{network}, norm"], expected.norms[network], rtol=1e-4)
        np.testing.assert_allclose(table[f"{network}, share"], row, rtol=1e-4)
    assert "xyzzied†" in str(session.figure("influence")["layout"]["xaxis"]["ticktext"])
    assert session.picture("influence").chosen == 1, "the word that the headline compares is marked"  # type: ignore[attr-defined]
    session.click("influence", x=2, y=0, data=[1, 2])
    assert session.value("from") == 3


def test_a_gradient_beyond_floats_has_no_number() -> None:
    rows = {"Transformer": [2, 1, 1, 0, 0], "LSTM": [0, 0, 4, 0, 0], "RNN": [1, 999, np.nan, 0, 0]}
    found = Influences({name: np.array(row, dtype=float) for name, row in rows.items()})
    shares = dict(zip(rows, map(float, found.shares()[:, 0]), strict=True))
    told = own_sentence.describe_shares(Typed("Zuko"), Typed("his"), shares)
    assert told.endswith("50 % in the Transformer, 0 % in the LSTM and not a number in the RNN.")
    assert own_sentence.describe_mean_distances(found, 2) == (
        "On average, the influence comes from 1.2 words away in the Transformer and 0.0 in the LSTM."
    )
    nothing = Influences({"RNN": np.full(5, np.nan)})
    assert own_sentence.describe_mean_distances(nothing, 2) == ""


def test_the_product_stands_beside_its_prediction() -> None:
    asked = {"recurrence": "orthogonal", "scale_of_weights": "1.5", "seed": 4, "layer": 2, "reach": 50}
    session = Asked(PAGE, follow="Jacobians", **asked)
    assert set(session.controls) == {"view", "follow", *asked}
    table = session.table("product_chart")
    weights = RecurrentWeights(recurrence="orthogonal", scale=1.5, seed=4)
    found = product(load_rival("next-word-rnn"), words_of(CHEF), weights, layer=1, furthest=50)
    for name, expected in (
        ("product", found.norms),
        ("largest σᵏ", found.worst ** np.arange(51)),
        ("mean σᵏ", found.average ** np.arange(51)),
    ):
        np.testing.assert_allclose(session.curve("product_chart", name)["y"], expected)
        np.testing.assert_allclose(table[name], expected)
    assert session.sheet.headline.startswith("In layer 2 ")


def test_a_product_that_rounding_decides_is_not_drawn_or_asked_about() -> None:
    session = Asked(PAGE, follow="Jacobians", scale_of_weights="3", reach=200)
    assert session.sheet.headline == "In layer 1 rounding errors decide the norm of the product."
    assert session.pictures == ["factors_chart"]
    assert session.questions == []
    assert "multiplies the norm" not in session.prose


@each(
    ("end", "said"),
    [
        (0.0, "at most 0 in the RNN."),
        (2e-9, "at most almost 0 in the RNN."),
        (2e-6, "most 2·10⁻⁶ in the RNN."),
    ],
)
def test_a_headline_leaves_out_the_digits_of_almost_nothing(end: float, said: str) -> None:
    assert distance.describe_last_norms({("RNN", "trained"): np.array([1.0, end])}).endswith(said)


def test_the_forget_gates_leave_their_product_of_the_cell() -> None:
    values = np.array([[0.5, 1.0], [0.5, 1.0], [0.25, 1.0]])
    left = np.cumprod(np.vstack([np.ones(2), values[:0:-1]]), axis=0)
    found = Gates({"forget": values, "input": values, "output": values}, left, left.max(axis=1))
    told = gates.describe_kept_cell(found, 1)
    assert told.startswith("Over 2 words the forget gates of layer 2 leave, on average, 56 % ")
    assert told.endswith("The unit that keeps most keeps 100 %.")
    both = "is 0.69 on average. Units differ, so gates are multiplied in each unit first. The mean of these "
    assert (
        f"{both}products is 0.56. The mean gate, multiplied 2 times, would be 0.47."
        in gates.describe_paths(found)
    )
    one = replace(found, direct=left[:1], whole=left[:1, 0])
    assert "nothing to keep" in gates.describe_kept_cell(one, 0)
    assert "all paths" not in gates.describe_paths(one)
    two = replace(found, direct=left[:2], whole=np.ones(2))
    assert "multiplied" not in gates.describe_paths(two).partition("Other paths")[0], "one gate is no product"


def test_a_zero_has_no_point_on_a_logarithmic_axis() -> None:
    curves = {"a": [1.0, 0.0, 3.0], "b": [0.0]}
    assert points(curves, x="k").to_numpy().tolist() == [["a", 0, 1.0], ["a", 2, 3.0]]
    every = points(curves, x="k", first=1, positive=False)
    assert every.to_numpy().tolist() == [["a", 1, 1.0], ["a", 2, 0.0], ["a", 3, 3.0], ["b", 1, 0.0]]


# Verdicts and questions


def influenced(*shares: float, source: int = 0, target: int = 3) -> Choose | None:
    names = [Typed(f"w{at}") for at in range(5)]
    return own_sentence.most_influenced(names, source, target, dict(zip(RIVALS, shares, strict=True)))


def multiplied(norm: float, largest: float, mean: float = 1.04) -> JacobianProduct:
    one = np.ones(4)
    return JacobianProduct(tuple("abcde"), norm ** np.arange(5.0), largest * one, mean * one)


@each(
    ("asked", "right"),
    [
        (influenced(0.2, 0.01, 0.0), "Transformer"),
        (influenced(0.2, 0.01, 0.0, target=0), None),
        (influenced(0.0, 0.0, 0.0, source=2, target=0), None),
        (jacobians.what_becomes(multiplied(0.3, 2.0, 0.5)), "it vanishes"),
        (jacobians.what_becomes(multiplied(4.0, 5.0, 2.0)), "it explodes"),
        (jacobians.what_becomes(multiplied(0.3, 2.0, 1.2)), None),  # the mean does not tell it
        (jacobians.what_becomes(multiplied(0.8, 2.0, 0.5)), None),  # the end is near the beginning
        (gates.gates_in_a_row(3), "73 %"),
        (gates.gates_in_a_row(1), None),
    ],
)
def test_a_question_is_asked_only_if_it_has_one_answer(asked: Any, right: str | None) -> None:
    assert (asked and solution(asked)) == right


@each(
    ("norms", "expected"),
    [
        (0.5 ** np.arange(9.0), "vanishes"),
        (1.5 ** np.arange(9.0), "explodes"),
        (1.0 + 0 * np.arange(9.0), None),
        (np.array([1.0, 30.0, 1458.0, 700.0, 30.0, 58.0]), None),  # grows and falls: no exponential fits
        (np.array([1.0, 8.0, 4.0, 2.0, 1.5]), None),  # falls, and ends above its beginning
    ],
)
def test_a_gradient_vanishes_or_explodes_only_if_an_exponential_fits(
    norms: np.ndarray, expected: str | None
) -> None:
    assert jacobians.verdict(norms) == expected
    told = jacobians.product_outcome(replace(multiplied(1, 1), norms=norms))
    assert ("no exponential" in told) == (not fit_exponential(norms).fits)
    assert expected is None or told.startswith(f"the gradient {expected}:")


@each(
    ("norm", "largest", "holds", "bound"),
    [
        (0.5, 0.9, True, "it has to vanish"),
        (0.5, 2.0, True, "That allows an explosion, but the product vanishes"),
        (1.5, 2.0, True, ""),
        (0.5, 2.0, False, ""),
    ],
)
def test_the_largest_singular_values_bound_the_product(
    norm: float, largest: float, holds: bool, bound: str
) -> None:
    told = jacobians.describe_factors(multiplied(norm, largest), holds=holds)
    for one in ("it has to vanish", "That allows an explosion, but the product vanishes"):
        assert (one in told) == (one == bound)
    assert told.startswith("Each further word multiplies the norm by") == holds


def step(**fields: float) -> ClippingStep:
    usual = {"loss": 2.0, "norm": 1.0, "factor": 1.0, "recurrent": 1.0, "weights": 4.0, "saturated": 0.75}
    return ClippingStep(**{**usual, **fields}, parts=np.ones(20))  # type: ignore[arg-type]


CUT = [step(), step(norm=50.0, factor=0.1, recurrent=40.0), *[step()] * 8]
DEAD = [step(norm=50.0, recurrent=40.0), *[step(recurrent=0.001)] * 9]
BENT = np.r_[0.9 ** np.arange(9), np.ones(9)]
HALVED = 0.5 ** np.arange(9)
HALF = "half is lost every 10.0 words"


def how(seed: int, positions: Any) -> str:
    return distance.how({("RNN", "initial"): HALVED}, seed, ModelConfig(vocab_size=1, positions=positions))


@each(
    ("told", "said", "is_so"),
    [
        (
            distance.describe_factors({("RNN", "trained"): HALVED}),
            "by 0.500 (R² 1.00): half is lost every",
            True,
        ),
        (distance.describe_factors({("RNN", "trained"): HALVED}), "no exponential", False),
        (
            distance.describe_factors({("LSTM", "trained"): BENT}),
            "The curve of the LSTM follows no exponential.",
            True,
        ),
        (describe_factor(ExponentialFit(0.5**0.1, 0.9)), HALF, True),
        (describe_factor(ExponentialFit(0.995, 0.9)), HALF, False),
        (how(0, "learned"), "no text longer than 256 words", True),
        (how(1, "rotary"), "no text longer than 256 words", False),
        (what_is_read(4, 50), "51 words: 47 from test sentences of the language, and then yours.", True),
        (what_is_read(51, 50), "The text is your last 51 words.", True),
        (
            clipping.describe_clipped_step(CUT),
            "shortens step 2: it moves the recurrent weights by 0.5 times",
            True,
        ),
        (clipping.describe_clipped_step([step()]), "Clipping changes nothing here:", True),
        (
            clipping.describe_saturation(CUT, DEAD),
            "75 % of the states of the last step are where tanh is flat",
            True,
        ),
        (clipping.describe_saturation(CUT, CUT), "tanh", False),
        (
            clipping.describe_far_share(step()),
            "9 of the 20 words after the first are more than 10 back. They make 45 % of the first",
            True,
        ),
        (clipping.describe_far_share(replace(step(), parts=np.zeros(20))), "of the first gradient", False),
        (clipping.how(1.5, 5, is_cut=True), "another machine", True),
        (clipping.how(1.5, 5, is_cut=False), "another machine", False),
    ],
)
def test_a_sentence_agrees_with_its_numbers(told: str, said: str, is_so: bool) -> None:
    assert (said in told) == is_so
