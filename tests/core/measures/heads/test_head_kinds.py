"""Standard heads are torch's; narrow ones are standard ones with zeros; wide ones are whole layers."""

import pytest
import torch
from torch import Tensor

from core.measures.distance import costs
from core.measures.heads.scores import HeadsOfKind, kinds_table, torchs
from tests.core.references import BATCH, D_MODEL, N_HEADS, WORDS, close, noise, noisy

ALL = torch.ones(1, 1, WORDS, WORDS, dtype=torch.bool)
X = noise(BATCH, WORDS, D_MODEL)


def layer(kind: costs.HeadKind) -> HeadsOfKind:
    return noisy(HeadsOfKind(kind, d_model=D_MODEL, n_heads=N_HEADS))


@pytest.mark.parametrize("causal", [False, True])
def test_standard_heads_are_torchs_multi_head_attention(causal: bool) -> None:
    ours = layer("standard")
    allowed = ALL.tril() if causal else ALL
    theirs, _ = torchs(ours)(X, X, X, attn_mask=~allowed[0, 0])
    close(ours(X, allowed=allowed), theirs)


def test_narrow_heads_are_standard_heads_with_zeros_outside_their_own_slice() -> None:
    narrow, standard = layer("narrow"), HeadsOfKind("standard", d_model=D_MODEL, n_heads=N_HEADS).double()
    part = D_MODEL // N_HEADS
    with torch.no_grad():
        standard.output.copy_(narrow.output)
        for name in ("query", "key", "value"):
            matrices = torch.zeros(N_HEADS, D_MODEL, part, dtype=torch.float64)
            for head in range(N_HEADS):
                matrices[head, head * part : (head + 1) * part] = getattr(narrow, name)[head]
            getattr(standard, name).copy_(matrices)
    close(narrow(X, allowed=ALL), standard(X, allowed=ALL))


def test_wide_heads_are_the_sum_of_whole_layers_with_one_head() -> None:
    wide = layer("wide")
    total = torch.zeros_like(X)
    for head in range(N_HEADS):
        single = HeadsOfKind("standard", d_model=D_MODEL, n_heads=1).double()
        with torch.no_grad():
            for name in ("query", "key", "value"):
                getattr(single, name).copy_(getattr(wide, name)[head : head + 1])
            single.output.copy_(wide.output[head * D_MODEL : (head + 1) * D_MODEL])
        total += single(X, allowed=ALL)
    close(wide(X, allowed=ALL), total)


@pytest.mark.parametrize("kind", costs.HEAD_KINDS)
def test_a_layer_of_every_kind_has_as_many_weights_as_are_counted(kind: costs.HeadKind) -> None:
    counted = costs.head_parameters(kind, d_model=D_MODEL, n_heads=N_HEADS)
    assert sum(parameter.numel() for parameter in layer(kind).parameters()) == counted


@pytest.mark.parametrize("kind", costs.HEAD_KINDS)
def test_every_head_of_every_kind_sees_every_word(kind: costs.HeadKind) -> None:
    module = layer(kind)
    x = X.clone().requires_grad_()

    def first_word(words: Tensor) -> Tensor:
        return module(words, allowed=ALL)[:, 0].sum()

    gradient = torch.autograd.grad(first_word(x), x)[0]
    assert (gradient.abs().sum(dim=-1) > 0).all()


def test_the_table_has_a_row_for_every_kind_and_number_of_heads() -> None:
    table = kinds_table((1, 2, 4), d_model=8, n_words=5).set_index(["kind", "heads"])
    assert table.loc[("standard", 4), "matrix"] == "8 × 2"
    assert table.loc[("narrow", 4), "matrix"] == "2 × 2"
    assert table.loc[("wide", 4), "matrix"] == "8 × 8"
    assert table.loc["standard", "parameters"].nunique() == table.loc["standard", "operations"].nunique() == 1
    assert table.loc["narrow", "parameters"].is_monotonic_decreasing
    assert table.loc["wide", "operations"].is_monotonic_increasing
    assert table.loc[("wide", 4), "parameters"] == 4 * 4 * 8 * 8
