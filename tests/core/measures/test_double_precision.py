"""A model in double precision, part by part, computes what a whole copy in double precision computes."""

from copy import deepcopy
from itertools import cycle
from pathlib import Path

import pytest
import torch

from core.measures.double_precision import doubled
from core.model.config import POSITIONS, ModelConfig
from core.model.forward import forward_pass
from core.model.models import Stack, Transformer
from core.pretrained import read
from tests.core.references import noisy
from tests.covering import each
from tests.real import bert_folder, gpt2_folder

TOKENS = torch.tensor([[3, 1, 4, 1, 5]])


def assert_alike(model: Stack) -> None:
    weights = {name: (weight.data_ptr(), weight.clone()) for name, weight in model.named_parameters()}
    found = doubled(model)
    one, other = forward_pass(found, TOKENS), forward_pass(deepcopy(model).double(), TOKENS)
    assert one.last_states.dtype == torch.float64
    assert torch.equal(one.last_states, other.last_states)
    assert torch.equal(one.patterns(), other.patterns())
    if isinstance(model, Transformer):
        assert torch.equal(one.logits, other.logits)
    assert torch.equal(forward_pass(found, TOKENS).last_states, other.last_states), "it can compute again"
    for name, weight in model.named_parameters():
        assert (weight.data_ptr(), weight.dtype) == (weights[name][0], torch.float32)
        assert torch.equal(weight, weights[name][1])


@each(("positions", "tied"), zip(POSITIONS, cycle((True, False))))
def test_a_transformer_with_any_positions_computes_the_same(positions: str, tied: bool) -> None:
    config = ModelConfig(vocab_size=9, d_model=16, n_heads=4, n_layers=2, positions=positions, tied=tied)
    assert_alike(noisy(Transformer(config), dtype=torch.float32).eval())


@each("predicts", [True, False])
def test_an_encoder_with_segments_and_a_transform_computes_the_same(predicts: bool, tmp_path: Path) -> None:
    bert_folder(tmp_path / str(predicts), predicts=predicts)
    model = read(tmp_path / str(predicts)).model
    assert isinstance(model, Stack)
    assert_alike(model)


def test_the_weights_of_a_model_are_not_copied(tmp_path: Path) -> None:
    gpt2_folder(tmp_path / "gpt2", trained_on="the cat saw the cats")
    model = read(tmp_path / "gpt2").model
    assert isinstance(model, Stack)
    found = doubled(model)
    own = dict(model.named_parameters())
    same = [name for name, one in found.named_parameters() if one.data_ptr() == own[name].data_ptr()]
    assert [name for name in own if name not in same and not name.startswith("positions")] == []


def test_after_an_error_the_weights_are_single_again() -> None:
    config = ModelConfig(vocab_size=9, d_model=16, n_heads=4, n_layers=1)
    found = doubled(noisy(Transformer(config), dtype=torch.float32))
    with pytest.raises(ZeroDivisionError):
        forward_pass(found, TOKENS, edits={"blocks.0.attention.q": lambda q: q / (1 // 0)})
    assert {weight.dtype for weight in found.blocks.parameters()} == {torch.float32}
