"""The product of Jacobians: autograd's, finite differences', and between two exponentials."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from core.measures.gradients import jacobians
from core.measures.gradients.jacobians import (
    RECURRENCES,
    JacobianProduct,
    Recurrence,
    RecurrentWeights,
    factors_back,
    is_same,
    mean_singular,
    norms_of_product,
    orthogonal,
    product,
    with_recurrent_weights,
)
from core.model.recurrent import RecurrentLanguageModel
from core.model.trace import Trace
from core.sources.trained import load_rival
from core.text import language
from tests.covering import each

WORDS = ("the", "key", "gardeners", "sold", "is")
LAST = len(WORDS) - 1


def tokens() -> Tensor:
    return language.encode(WORDS).tokens


def entering(model: RecurrentLanguageModel, layer: int) -> Tensor:
    """Return the input of layer `layer`, from the model's record."""
    trace = Trace()
    model(tokens(), trace=trace)
    return trace["embed" if layer == 0 else f"layers.{layer - 1}.hidden"]


@each(("recurrence", "layer"), [("random", 0), ("trained", 1)])
def test_the_product_is_the_jacobian_of_autograd(recurrence: Recurrence, layer: int) -> None:
    model = with_recurrent_weights(
        load_rival("next-word-rnn"), RecurrentWeights(recurrence=recurrence, scale=1.5, seed=3)
    )
    x, cell = entering(model, layer), model.layers[layer]
    norms = norms_of_product(factors_back(model, tokens(), layer))
    assert norms.shape == (len(WORDS),)
    states = cell(x)
    for back in range(len(WORDS)):
        at = LAST - back

        def last(hidden: Tensor, at: int = at) -> Tensor:
            after = x[:, at + 1 :]
            return cell.unroll(after, start=(hidden[None],))[0][0, -1] if after.shape[1] else hidden

        jacobian = torch.autograd.functional.jacobian(last, states[0, at])
        torch.testing.assert_close(norms[back], torch.linalg.svdvals(jacobian)[0])


@pytest.mark.parametrize(("scale", "furthest", "holds"), [(3, 200, False), (1, 100, True)])
def test_rounding_decides_a_product_only_where_states_explode_for_long(
    scale: float, furthest: int, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = RecurrentWeights(scale=scale)
    found, otherwise = (
        product(load_rival("next-word-rnn"), WORDS, weights, layer=1, furthest=furthest, rounding=moved)
        for moved in (False, True)
    )
    assert is_same(found, otherwise) == holds

    def another(model: RecurrentLanguageModel) -> None:
        for weight in model.parameters():
            weight *= 1 + 1e-15

    monkeypatch.setattr(jacobians, "perturb_weights", another)
    third = product(load_rival("next-word-rnn"), WORDS, weights, layer=1, furthest=furthest, rounding=True)
    apart = np.abs(np.log(third.norms / found.norms)).max()
    assert apart < 2e-3 if holds else apart > 0.1, "the effect of another error of the same size"


def test_products_are_the_same_if_three_digits_are() -> None:
    one = JacobianProduct(WORDS, np.array([1.0, 300.0]), np.ones(1), np.ones(1))
    for norm, same in ((300.3, True), (303.0, False)):
        assert is_same(one, replace(one, norms=np.array([1.0, norm]))) == same


@each(("recurrence", "scale"), zip(RECURRENCES, (2.0, 0.5, 1.0), strict=True))
def test_no_product_exceeds_the_product_of_the_largest_singular_values(
    recurrence: Recurrence, scale: float
) -> None:
    found = product(
        load_rival("next-word-rnn"),
        WORDS,
        RecurrentWeights(recurrence=recurrence, scale=scale),
        layer=1,
        furthest=20,
    )
    assert len(found.norms) == 21
    assert len(found.largest) == len(found.mean) == 20
    assert found.norms[0] == pytest.approx(1)
    assert found.norms[1] == pytest.approx(found.largest[0])
    assert (found.norms[1:] <= np.cumprod(found.largest) * (1 + 1e-9)).all()
    assert (found.mean <= found.largest).all()
    assert found.norms[20] <= found.worst**20


def test_the_mean_singular_value_is_by_how_much_directions_are_stretched_on_average() -> None:
    factors = torch.randn(2, 5, 5, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    found = mean_singular(factors)
    torch.testing.assert_close(found, torch.linalg.svdvals(factors).square().mean(dim=1).sqrt())
    stretched = torch.stack(
        [(factors @ direction).square().sum(dim=1) for direction in torch.eye(5).double()]
    )
    torch.testing.assert_close(found.square(), stretched.mean(dim=0))


def test_an_orthogonal_matrix_turns_and_does_not_stretch() -> None:
    model = with_recurrent_weights(
        load_rival("next-word-rnn"), RecurrentWeights(recurrence="orthogonal", scale=1.2, seed=2)
    )
    for layer in model.layers:
        matrix = layer.from_hidden.weight
        torch.testing.assert_close(matrix @ matrix.T, 1.44 * torch.eye(64, dtype=torch.float64))
    drawn = torch.randn(5, 5, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    q = orthogonal(drawn)
    r = q.T @ drawn
    torch.testing.assert_close(r.tril(-1), torch.zeros(5, 5, dtype=torch.float64))
    assert (r.diagonal() > 0).all()


def test_random_weights_are_drawn_by_their_seed_and_trained_ones_are_the_models() -> None:
    trained = load_rival("next-word-rnn")
    matrices = [
        with_recurrent_weights(trained, weights).layers[1].from_hidden.weight
        for weights in (
            RecurrentWeights(),
            RecurrentWeights(recurrence="random"),
            RecurrentWeights(recurrence="random", seed=1),
        )
    ]
    torch.testing.assert_close(matrices[0].float(), trained.layers[1].from_hidden.weight)
    assert not torch.allclose(matrices[0], matrices[1])
    assert not torch.allclose(matrices[1], matrices[2])
