"""The sentences of the page on gradients, at every branch, on made-up numbers."""

from dataclasses import replace

import numpy as np
import pytest

from core.measures.gradients.clipping import Step
from core.measures.gradients.gates import Gates
from core.measures.gradients.jacobians import Product, Recurrence, Weights
from core.measures.gradients.reach import Exponential
from core.model.config import ModelConfig
from pages.gradients import clipping_said as clipping
from pages.gradients import distance, gates, rounding
from pages.gradients import jacobians_said as product
from pages.gradients.back import points, said, verdict, what_is_read
from tests.covering import each

CONFIG = ModelConfig(vocab_size=1)


def norms(**trained: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    """Of every network the same before training as after it."""
    return {(name, stage): values for name, values in trained.items() for stage in ("initial", "trained")}


def multiplied(norm: float, largest: float, mean: float = 1.04) -> Product:
    one = np.ones(4)
    return Product(tuple("abcde"), norm ** np.arange(5), largest * one, mean * one)


def step(**fields: float) -> Step:
    usual = {"loss": 2.0, "norm": 1.0, "factor": 1.0, "recurrent": 1.0, "weights": 4.0, "saturated": 0.75}
    return Step(**{**usual, **fields}, parts=np.ones(20))  # type: ignore[arg-type]


def test_a_factor_says_what_it_comes_to() -> None:
    assert said(Exponential(0.5, 0.9)) == "0.500 (R² 0.90), half is lost every 1.0 words"
    assert said(Exponential(0.5**0.1, 0.851)) == "0.933 (R² 0.85), half is lost every 10.0 words"
    assert said(Exponential(0.995, 0.9)) == "0.995 (R² 0.90)"
    assert said(Exponential(1.3, 0.9)) == "1.300 (R² 0.90)"


@each(
    ("norms", "expected"),
    [
        (0.5 ** np.arange(9.0), "vanishes"),
        (1.5 ** np.arange(9.0), "explodes"),
        (1.0 + 0 * np.arange(9.0), None),
        (np.array([1.0, 30.0, 1458.0, 700.0, 30.0, 58.0]), None),  # grows and falls: no exponential fits
        (np.array([1.0, 8.0, 4.0, 2.0, 1.5]), None),  # falls, and ends above its beginning
        (np.array([1.0, 0.1, 0.2, 0.4, 0.7]), None),
    ],
)
def test_a_gradient_vanishes_or_explodes_only_if_an_exponential_fits(
    norms: np.ndarray, expected: str | None
) -> None:
    assert verdict(norms) == expected


def test_what_is_left_of_the_furthest_word_is_told_of_every_network_with_its_factor() -> None:
    halved, bent = 0.5 ** np.arange(9), np.r_[0.9 ** np.arange(5), np.ones(4)]
    found = norms(Transformer=np.ones(9), LSTM=bent, RNN=halved)
    assert distance.answer(found) == (
        "After training, a step of length 1 in the word 8 back moves the last state by at most 1 in "
        "attention, 1 in the LSTM and 0.0039 in the RNN."
    )
    assert distance.answer(norms(RNN=np.r_[1.0, 0.0])).endswith(
        "the word 1 back moves the last state by at most 0 in the RNN."
    )
    told = distance.told(found)
    assert "- **RNN** 0.500 (R² 1.00), half is lost every 1.0 words; 0.0039 at 8 words. Before" in told
    assert "- **attention** 1.000 (R² 1.00); 1 at 8 words." in told
    bent = np.r_[0.9 ** np.arange(9), np.ones(9)]
    assert "**LSTM** no exponential fits; 1 at 17 words. Before training no" in distance.told(
        norms(LSTM=bent)
    )


@each(("positions", "has_end"), [("learned", True), ("rotary", False)])
@each("seed", [0, 1])
def test_how_the_curves_were_measured_follows_positions_and_seed(
    positions: str, has_end: bool, seed: int
) -> None:
    told = distance.how(4, 50, seed, replace(CONFIG, positions=positions))  # type: ignore[arg-type]
    assert ("no text longer than 256 words" in told) == has_end
    assert f"seed {seed}" in told
    assert ("from which the training began" in told) == (seed == 0)
    assert what_is_read(4, 50) in told


def test_the_text_is_longer_than_the_sentence_and_says_so() -> None:
    assert "51 words: yours at its end, and before it 47 " in what_is_read(4, 50)
    assert "before it 1 of test sentences" in what_is_read(50, 50)
    assert what_is_read(51, 50) == what_is_read(90, 50) == "The text is the last 51 words of yours."


def test_the_sentences_follow_the_numbers() -> None:
    def made(norm: float, largest: float, mean: float) -> str:
        found, weights = multiplied(norm, largest, mean), Weights(recurrence=recurrence, scale=1.2)
        return f"{product.answer(found)} {product.told(found, weights)}"

    recurrence: Recurrence = "trained"
    assert "$0.500^k$ comes near the product: at every k within a factor of 2." in made(0.51, 2, 0.5)
    assert "$0.100^k$ misses the product: 4 words back it is 625 times too small." in made(0.5, 2, 0.1)
    assert "$2.500^k$ misses the product: 4 words back it is 625 times too large." in made(0.5, 3, 2.5)
    assert "cannot exceed $2.00^{4}$, which only allows an explosion" in made(0.5, 2, 0.5)
    assert "the next one turns elsewhere" in made(0.5, 2, 0.5)
    assert "multiplies the norm of the product by 2.000 (R² 1.00). After 4 words it is 16" in made(2, 3, 2)
    assert "allows it to grow, and it nearly gets there" in made(2, 3, 2)
    assert made(1, 3, 1).startswith("The norm of the product follows no exponential: it begins at 1")
    assert "makes sure that the gradient vanishes" in made(0.5, 0.9, 0.5)
    assert "whether it vanishes, this does not tell" in made(0.5, 0.999, 0.5)
    recurrence = "orthogonal"
    assert "stretch all directions alike, here by 1.2, and tanh′ = 1 − h² shrinks" in made(0.5, 1.2, 0.5)
    assert "turns elsewhere" not in made(0.5, 1.2, 0.5)


def test_two_products_that_rounding_tells_apart_are_said_to_share_what_they_do() -> None:
    said_of_both = rounding.told(multiplied(1.31, 5.62), multiplied(1.34, 5.34))
    assert (
        "common: the gradient explodes, every further word multiplies the norm by about 1.3," in said_of_both
    )
    assert "of a factor is 5.3 to 5.6 and the mean one about 1.0." in said_of_both
    assert "common: the largest singular" in rounding.told(multiplied(1.2, 2), multiplied(0.9, 2))
    assert "common: the largest singular" in rounding.told(multiplied(1.0, 2), multiplied(1.0, 2))
    assert "the gradient vanishes" in rounding.told(multiplied(0.8, 2), multiplied(0.9, 2))


@pytest.mark.parametrize(
    ("recurrence", "said_of_it"),
    [
        ("trained", "The RNN is that of *distance*, trained on the next word. Scaling"),
        ("random", "The RNN is that of *distance* at initialisation, seed 7. Scaling"),
        ("orthogonal", "An RNN at initialisation, seed 7, its recurrent weights made orthogonal"),
    ],
)
def test_which_rnn_it_is_follows_the_choice(recurrence: Recurrence, said_of_it: str) -> None:
    told = product.how(3, Weights(recurrence=recurrence, scale=1.5, seed=7), 50)
    assert told.startswith(said_of_it)
    assert "of both layers by 1.5, nothing else" in told


def gated(forget: list[list[float]]) -> Gates:
    """The gates of some words whose cell is lost along itself alone."""
    values = np.array(forget)
    left = np.cumprod(np.vstack([np.ones(values.shape[1]), values[:0:-1]]), axis=0)
    return Gates({"forget": values, "input": values, "output": values}, left, left.max(axis=1))


def test_what_the_forget_gates_leave_is_told_of_the_mean_and_the_best_unit() -> None:
    found = gated([[0.5, 1.0], [0.5, 1.0], [0.25, 1.0]])
    assert gates.answer(found) == (
        "Over 2 words the forget gates leave 56 % of the cell in the mean over units, and 100 % in unit 2, "
        "the best one."
    )
    found.gates["input"] = np.array([[0.5, 0.25]])
    assert gates.answer(found, "input").startswith("The input gates are open to 38 % in the mean")
    assert "Over 1 word the" in gates.answer(gated([[0.5, 0.9], [0.5, 0.9]]))
    told = gates.told(found)
    assert "is 0.71 on average, and in 1 of 2 units its mean is above 0.9." in told
    assert "the largest singular value is 1." in told
    alone = gated([[0.5, 0.8]])
    assert gates.answer(alone) == "With one word there is nothing to be kept."
    assert gates.told(alone).endswith("in 0 of 2 units its mean is above 0.9.")
    assert "at initialisation, seed 3" in gates.how(3)
    assert "trained on the next word" in gates.how(None)


def test_the_sentences_about_clipping_follow_the_numbers() -> None:
    clipped = [step(), step(norm=50.0, factor=0.1, recurrent=40.0), *[step()] * 8]
    never = [step(norm=50.0, recurrent=40.0), *[step(recurrent=0.001, loss=3.0)] * 9]
    said_of_it = clipping.told(clipped, never)
    assert clipping.answer(clipped).endswith(
        "step 2 would have moved the recurrent weights by 5 times their own length, and clipped it moves "
        "them by 0.5."
    )
    assert "75 % of the states of the last step are where tanh is flat. In the last 10 steps" in said_of_it
    assert "has a median norm of 0.001, less than 1 % of that with clipping." in said_of_it
    assert "9 of 20, make 45 % of the first gradient before clipping and 45 % after it." in said_of_it
    assert "tanh is flat" not in clipping.told(clipped, clipped)
    assert "in none of 1 step the gradient of all weights is longer than 5." in clipping.answer([step()])
    assert "tanh is flat" not in clipping.told([step()], never)


def test_what_hangs_on_rounding_errors_is_told_of_apart_where_something_was_clipped() -> None:
    cut = [step(factor=0.5, loss=1.0)] * 4
    assert clipping.of_this_machine([step()] * 4, cut) == ""
    told = clipping.of_this_machine(cut, [step(loss=3.0)] * 4)
    assert (
        "cut 4 steps of 4, and the mean loss of the last 10 steps is 1.00 nats clipped and 3.00 never" in told
    )
    assert "cut 1 step of 2" in clipping.of_this_machine([cut[0], step()], cut)
    assert "with seed 5, its recurrent weights multiplied by 1.5, reads" in clipping.how(1.5, 5)
    silent = replace(step(), parts=np.zeros(20))
    assert clipping.told([silent], [silent]) == ""


def test_what_is_zero_has_no_point_on_a_logarithmic_axis() -> None:
    curves = {"a": [1.0, 0.0, 3.0], "b": [0.0]}
    assert points(curves, x="k").to_numpy().tolist() == [["a", 0, 1.0], ["a", 2, 3.0]]
    every = points(curves, x="k", first=1, positive=False)
    assert every.to_numpy().tolist() == [["a", 1, 1.0], ["a", 2, 0.0], ["a", 3, 3.0], ["b", 1, 0.0]]


def test_the_end_of_a_product_is_said_once_if_it_is_the_extreme() -> None:
    grown = replace(multiplied(0.9, 1.2), norms=np.array([1.0, 0.5, 2.0, 0.4, 900.0]))
    assert product.answer(grown) == (
        "The norm of the product follows no exponential: it begins at 1, and after 4 words it is 900."
    )


def test_a_product_that_rises_and_then_falls_is_not_said_to_vanish() -> None:
    risen = replace(multiplied(0.9, 1.2), norms=np.array([1.0, 900.0, 90.0, 9.0, 8.0]))
    assert product.answer(risen) == (
        "The norm of the product follows no exponential: it begins at 1, after 1 word it is 900, and after "
        "4 words it is 8."
    )
