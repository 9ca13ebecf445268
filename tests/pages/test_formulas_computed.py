"""Formulas of views, computed: each gives what the code gives for the same numbers."""

import torch
from einops import rearrange
from torch import Tensor

from core.model.positions import SCHEMES
from core.model.recurrent import lstm_step, rnn_step
from pages.explorer.probabilities import SOFTMAX, WITH_BIAS
from pages.gradients.clipping import LIMITED
from pages.gradients.gates import CELL
from pages.gradients.jacobians import PRODUCT
from tests.formulas import equations, value
from tests.pages.test_descriptions_of_parts import config_of

D, N = 5, 7


def noise(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


W, U, B = noise(D, D, seed=1), noise(D, D, seed=2), noise(D, seed=3)
"""Maps of rows: the code holds their transposes."""


def step(x: Tensor, hidden: Tensor, w: Tensor) -> Tensor:
    return rnn_step(x, hidden, input_weight=U.T, hidden_weight=w.T, bias=B)


def test_a_factor_of_the_product_is_the_jacobian_of_a_step() -> None:
    x, hidden = noise(1, D), noise(1, D, seed=4)
    jacobian = torch.autograd.functional.jacobian(lambda h: step(x, h[None], W)[0], hidden[0])
    factor = PRODUCT.partition("{t=n}^{n-k+1}")[2]
    names = {r"\text{diag}": torch.diag, "h_t^2": step(x, hidden, W)[0] ** 2, "W": W}
    torch.testing.assert_close(value(factor, names), jacobian)


def test_the_gradient_of_the_weights_is_the_sum_over_the_words() -> None:
    w, states, sums = W.clone().requires_grad_(), [noise(1, D)], []
    for word in noise(N, 1, D, seed=5):
        sums.append(states[-1] @ w + word @ U + B)
        sums[-1].retain_grad()
        states.append(torch.tanh(sums[-1]))
    states[-1].square().sum().backward()
    term = LIMITED.partition(r"\sum_k")[2]
    parts = [
        value(term, {"h_{n-k-1}": before.detach(), r"\delta_{n-k}": total.grad})
        for before, total in zip(states, sums, strict=False)
    ]
    torch.testing.assert_close(sum(parts), w.grad)


def test_a_gate_and_a_cell_are_their_formulas() -> None:
    maps = {name: noise(D, D, seed=at) for at, name in enumerate("ifco" * 2)}
    before, cell, x = noise(1, D, seed=20), noise(1, D, seed=21), noise(1, D, seed=22)
    weights = torch.cat([maps[one].T for one in "ifco"])
    found = lstm_step(x, before, cell, input_weight=weights, hidden_weight=weights, bias=B.repeat(4))
    names = {"h_{t-1}": before, "x_t": x, "W_f": maps["f"], "U_f": maps["f"], "b_f": B}
    names |= {"i_t": found.input_gate, r"\tilde c_t": found.candidate, "c_{t-1}": cell}
    lines = equations(CELL)
    names["f_t"] = value(lines["f_t"], names)
    torch.testing.assert_close(names["f_t"], found.forget_gate)
    torch.testing.assert_close(value(lines["c_t"], names), found.cell)


def test_the_bias_of_alibi_is_its_formula() -> None:
    config = config_of({"positions": "alibi", "n_heads": 2})
    q, k = (noise(1, 2, N, config.d_head, seed=seed) for seed in (6, 7))
    bias = SCHEMES["alibi"](config).bias(q, k)
    assert bias is not None
    at = torch.arange(N, dtype=torch.float64)
    minus, formula = SCHEMES["alibi"].about.formula.partition(r", \qquad")[0].split("-", 1)
    assert minus == "B_{ij} = "
    for head, slope in enumerate(2.0 ** (-4 * h) for h in (1, 2)):
        names = {"m_h": torch.tensor(slope).double(), "|i - j|": (at[:, None] - at).abs()}
        torch.testing.assert_close(-value(formula, names), bias[head])


def test_a_turned_query_and_a_turned_key_know_their_distance_alone() -> None:
    scheme = SCHEMES["rotary"](config_of({"positions": "rotary", "n_heads": 2}))
    units = rearrange(torch.eye(6, dtype=torch.float64), "unit d -> 1 unit 1 d").expand(1, 6, N, 6)
    turns = rearrange(scheme.rotate(units), "1 unit position d -> position unit d")
    left, right = SCHEMES["rotary"].about.formula.partition(r"\qquad")[2].split(" = ")
    names = {"q": noise(1, 6), "k": noise(1, 6, seed=8)}
    for i, j in ((5, 2), (6, 6)):
        names |= {"R_i": turns[i], "R_j": turns[j], "R_{i-j}": turns[i - j]}
        torch.testing.assert_close(value(left, names), value(right, names))
    torch.testing.assert_close(scheme.rotate(names["q"].expand(1, 1, N, 6))[0, 0, 3:4], names["q"] @ turns[3])


def test_a_probability_is_its_formula_with_a_bias_and_without() -> None:
    names = {"h": noise(3, D), r"W_\text{out}": noise(D, N, seed=9), "b": noise(N, seed=10)}
    logits = names["h"] @ names[r"W_\text{out}"]
    for formula, expected in ((SOFTMAX, logits), (WITH_BIAS, logits + names["b"])):
        torch.testing.assert_close(value(equations(formula)["p"], names), expected.softmax(-1))
