"""Blocks: every sentence at each of its branches, said of small made-up numbers."""

from math import log, nan

import numpy as np
import pytest

from core.measures.blocks.collapse import SAME
from core.measures.blocks.gradients import DepthGradients
from core.measures.blocks.normalised import Normalised
from core.measures.blocks.one_position import OutputChanges
from core.measures.blocks.short_training import RECIPE
from core.model.config import ModelConfig
from pages.blocks import (
    depth,
    last_block,
    layer_norm,
    norms,
    one_position,
    residual_stream,
    short_training,
    two_layers,
)
from pages.contract.look import Look
from pages.contract.sheet import Columns
from tests.covering import each
from tests.pages.asked import Asked


def gradients(*blocks: float, loss: float = 2.0) -> DepthGradients:
    return DepthGradients(loss, np.array(blocks))


def test_the_blocks_of_each_model_are_compared_by_the_ends_of_the_scale() -> None:
    found = {"pre": gradients(3, 1.5, 2), "post": gradients(4, 0, 8), "none": gradients(0, 0, 0)}
    assert depth._compared(found, 3) == (  # type: ignore[arg-type]
        "Among 3 blocks of a model before training, the largest gradient norm is 2 times the smallest with "
        "pre-norm, 8 and the smallest 0 with post-norm, 0 without layer norm."
    )


def test_the_ends_and_the_losses_are_told() -> None:
    told = depth._explanation({"pre": gradients(3, 1.5, 2.5, loss=2.25)}, 3, 7)
    assert "**pre** 3 at the first block, 2.5 at the last, loss 2.25 nats." in told
    assert f"the 7 different words of this sentence has a loss of ln 7 = {log(7):.2f} nats" in told
    assert "norm of each of 3 blocks" in depth._alt({"pre": gradients(3, 1.5, 2.5)}, 3)


FALLING, FLAT = np.array([2.0, 1.4, 1.0, 0.8, 0.5]), np.array([2.0, 2.4, 1.8, 2.2, 2.1])


def test_the_last_block_is_compared_between_few_blocks_and_many() -> None:
    assert last_block.answer({"pre": FALLING, "post": FLAT}) == (
        "From 2 to 24 blocks, the gradient of the last block is multiplied by 0.25 with pre-norm and by 1.05 "
        "with post-norm."
    )
    assert "by an unknown factor with pre-norm" in last_block.answer({"pre": FALLING * 0, "post": FLAT})


@pytest.mark.parametrize(
    ("pre", "post", "says"),
    [
        (FALLING, FLAT, "These gradients do the same."),
        (FLAT, FLAT, "the gradients do not do the same"),
        (FALLING, FALLING, "the gradients do not do the same"),
        (FALLING, 1 / FALLING, "the gradients do not do the same"),
    ],
)
def test_the_theorem_is_said_to_show_only_where_it_does(pre: np.ndarray, post: np.ndarray, says: str) -> None:
    found = {"pre": pre, "post": post}
    told = last_block.explanation(found, residual=True, mlp=True)  # type: ignore[arg-type]
    assert says in told
    assert "√(2/24) = 0.29" in told
    assert "second feed-forward matrix" in told


def test_without_residual_connections_or_gradients_no_theorem_is_claimed() -> None:
    found = {"pre": FALLING, "post": FLAT}
    told = last_block.explanation(found, residual=False, mlp=False)  # type: ignore[arg-type]
    assert "is about blocks with a residual connection" in told
    assert "attention's output matrix" in told
    nothing = {"pre": FALLING * 0, "post": FLAT}
    assert "do the same" not in last_block.explanation(nothing, residual=True, mlp=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("residual", [True, False])
def test_equations_add_only_where_the_models_do(residual: bool) -> None:
    found = norms.equations(ModelConfig(vocab_size=1, residual=residual))
    assert [("+ h" in one.latex) for one in found] == [residual] * 2
    assert [("without its residual" in one.source) for one in found] == [not residual] * 2


LENGTHS = {"pre": [8.5, 9.5, 12.0], "post": [8.5, 7.0, 7.0]}


def test_the_answer_on_the_stream_has_the_first_norm_and_the_last() -> None:
    assert residual_stream._answer(LENGTHS | {"none": [8.5, 2.0]}) == (
        "From before the first block to after the last the mean norm of a word's vector goes from 8.5 to 12 "
        "with pre-norm, from 8.5 to 7 with post-norm, from 8.5 to 2 without layer norm."
    )


def test_what_is_said_of_the_stream_is_what_its_lengths_are() -> None:
    whole = residual_stream._explanation(LENGTHS, 49, has_residual=True)
    assert "in 2 models that differ" in whole
    assert "**pre** 8.5 → 9.5 → 12; **post** 8.5 → 7 → 7." in whole
    assert "here it grows with every block" in whole
    assert whole.endswith("to the norm √49 = 7: gains of 1 and biases of 0 leave it at that.")

    falls = residual_stream._explanation({"pre": [8.5, 9.5, 9.0]}, 49, has_residual=True)
    assert "it does not grow with every block" in falls
    without = residual_stream._explanation(LENGTHS, 49, has_residual=False)
    assert "Post-norm normalises every output, to" in without
    assert "there is no stream" in without
    assert "to a stream" not in without


@pytest.mark.parametrize(
    ("lengths", "said"),
    [
        ([11.1, 5.5, 11.5], "learned for itself change that to between 5.5 and 11.5."),
        ([11.1, 9.0, 9.0], "gain and bias change that to 9 after every block."),
        ([11.1, 7.0, 7.05], "gains of 1 and biases of 0 leave it at that."),
    ],
)
def test_what_post_norm_leaves_is_compared_with_its_root(lengths: list[float], said: str) -> None:
    told = residual_stream._explanation({"post": lengths}, 49, has_residual=True)
    assert "in the one model that is there: **post** 11.1 →" in told
    assert "Under pre-norm" not in told
    assert told.endswith(said)


def test_the_answer_on_layer_norm_has_the_statistics_of_the_word() -> None:
    statistics = ((0.5, 3.0), (0.0, 1.0))
    said = "the vector of *tea* from mean 0.5 and standard deviation 3 to mean 0 and standard deviation 1."
    assert layer_norm._answer("tea", statistics, has_norm=True) == f"Layer norm takes {said}"
    assert layer_norm._answer("tea", statistics, has_norm=False) == f"Layer norm would take {said}"


def test_statistics_after_layer_norm_are_those_before_its_gain_and_bias() -> None:
    before, after, learned = (np.array([[0.0, 0.0], [low, low + 4]]) for low in (1, 3, 5))
    assert layer_norm._of_word(Normalised(before, after, learned), 1) == ((3, 2), (5, 2))


def test_statistics_of_one_word_change_or_not_with_the_others() -> None:
    assert "press *Change all other words*" in layer_norm._explanation("tea", None)
    assert "the statistics of **tea** changed by **0**" in layer_norm._explanation("tea", 0.0)
    assert "the statistics of **tea** changed by **0.25**" in layer_norm._explanation("tea", 0.25)


def test_the_answer_on_one_position_counts_other_words() -> None:
    both = OutputChanges(np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.9, 0.25]))
    assert one_position._answer("tea", both, 1) == (
        "Without the vector of *tea* the output of the feed-forward layer changes at no other word, and that "
        "of attention at 1 other word by up to 25 %."
    )
    both = OutputChanges(np.array([0.5, 1.0, 0.125]), np.array([0.0, 0.9, 0.0]))
    assert "feed-forward layer changes at 2 other words by up to 50 %" in one_position._answer("tea", both, 1)
    assert one_position._answer("tea", both, 1).endswith("that of attention at no other word.")


def test_without_a_residual_connection_nothing_is_added_and_nothing_asked() -> None:
    session = Asked("blocks", view="residual stream", residual=False, model="random")
    assert session.questions == []
    assert "Norm of what each part gives" in session.prose
    assert Asked("blocks", view="residual stream", model="random").questions
    deep = Asked("blocks", view="depth", residual=False, depth=2)
    assert "differ in the first picture" not in deep.prose


def test_a_word_alone_reaches_no_other_and_nothing_is_asked() -> None:
    alone = OutputChanges(np.array([1.0]), np.array([0.9]))
    assert one_position._answer("tea", alone, 0) == "*tea* has no other word to reach: type a second one."
    session = Asked("blocks", view="one position", text="tea")
    assert "type a second one" in session.prose
    assert session.questions == []


def test_two_layers_are_one_up_to_rounding_or_not() -> None:
    assert two_layers._answer(SAME / 2) == (
        "One layer with the weights A₂A₁ and the values V₁V₂ computes the same as one layer after the other, "
        "up to a rounding of 5·10⁻¹⁰."
    )
    assert two_layers._answer(0.5).endswith(
        "does not compute the same as one layer after the other: they differ by up to 0.50."
    )
    rows = two_layers._compared({"one": 0.0, "other": 0.5}).splitlines()[2:]
    assert rows == ["- one: **0**, the same up to rounding", "- other: **0.50**, not the same"]
    assert "The largest output is 3.50." in two_layers._explanation(3.5)


@each(
    ("losses", "said"),
    [
        ((3, 5, 7), "pre 3, post 5, none 7; pre has the lowest."),
        ((7, 5, 6), "pre 7, post 5, none 6; post has the lowest."),
        ((7, 6, nan), "pre 7, post 6, none no longer a number; post has the lowest."),
        ((nan, nan, nan), "pre no longer a number, post no longer a number, none no longer a number."),
    ],
)
def test_the_norm_with_the_lowest_loss_at_the_end_is_named(losses: tuple[float, ...], said: str) -> None:
    answer = short_training._answer(dict(zip(norms.PLACED, losses, strict=True)))  # type: ignore[arg-type]
    assert answer == f"Over the last 10 steps the loss in nats is {said}"


def test_the_recipe_is_told() -> None:
    first, last = RECIPE.learning_rate_at(0), RECIPE.learning_rate_at(RECIPE.steps)
    said = short_training._setting(8)
    assert f"begins at {first:g}, without warm-up, and falls to {last:g}" in said
    assert "Three models 8 blocks deep" in said


@pytest.mark.parametrize("width", [870, 980])
def test_the_comparison_with_relu_stands_beside_two_layers_in_one_row_of_matrices(width: int) -> None:
    page = Asked("blocks", view="two layers in one")
    found = two_layers.find(page.scene, 0)
    matrices, compared = next(
        part.columns
        for part in two_layers.sheet(found, Look(page=width, width=width)).parts
        if isinstance(part, Columns)
    )
    figure = matrices[-1].picture.figure  # type: ignore[union-attr]
    assert len({tuple(figure.layout[name]["domain"]) for name in ("yaxis", "yaxis2", "yaxis3")}) == 1
    assert "ReLU between the two layers" in compared[0].markdown  # type: ignore[union-attr]
