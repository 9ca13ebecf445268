"""Influence: finite differences, a linear network by hand, and none where there is no way."""

import warnings
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor

from core.learning.training import Model
from core.measures.distance.long_range import influence, word_jacobians
from core.model.config import POSITIONS, ModelConfig
from core.model.initialisation import initialise
from core.model.models import Transformer
from core.model.recurrent import NETWORKS, Network, RecurrentConfig, RecurrentLanguageModel
from core.model.trace import Trace

VOCAB, N_WORDS = 17, 7
TOKENS = torch.tensor([[3, 11, 4, 11, 5, 0, 16]])
TARGETS = (0, 4, 6)
STEP = 1e-6


def transformer(**fields: object) -> Transformer:
    config = {"vocab_size": VOCAB, "d_model": 10, "n_heads": 5, "d_mlp": 13, **fields}
    model = Transformer(ModelConfig(**config))  # type: ignore[arg-type]
    initialise(model, seed=3)
    return model.double().requires_grad_(False)


def recurrent(network: Network, *, n_layers: int = 2) -> RecurrentLanguageModel:
    model = RecurrentLanguageModel(
        RecurrentConfig(vocab_size=VOCAB, network=network, d_model=11, n_layers=n_layers)
    )
    initialise(model, seed=3)
    return model.double().requires_grad_(False)


MODELS: dict[str, Callable[[], Model]] = {
    **{f"causal {scheme}": lambda scheme=scheme: transformer(positions=scheme) for scheme in POSITIONS},
    "bidirectional": lambda: transformer(mask="bidirectional"),
    "post": lambda: transformer(norm="post"),
    "three layers, tied": lambda: transformer(tied=True, n_layers=3),
    **{network: lambda network=network: recurrent(network) for network in NETWORKS},
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


def states(model: Model, vectors: Tensor, target: int) -> Tensor:
    """What the output layer is given at `target` for each row of word vectors, solved for from its logits."""
    tokens = TOKENS.expand(len(vectors), -1)
    logits = model(tokens, trace=Trace(edits={"embed": lambda _: vectors}))[:, target]
    return torch.linalg.lstsq(model.unembed.weight, logits.T).solution.T


def word_vectors(model: Model) -> Tensor:
    trace = Trace()
    model(TOKENS, trace=trace)
    return trace["embed"][0]


@every_model
def test_it_is_what_small_changes_of_a_word_vector_do(make: Callable[[], Model]) -> None:
    model = make()
    vectors = word_vectors(model)
    nudges = STEP * torch.eye(vectors.numel(), dtype=torch.float64).reshape(-1, *vectors.shape)
    for target in TARGETS:
        changes = states(model, vectors + nudges, target) - states(model, vectors - nudges, target)
        squares = (changes / (2 * STEP)).pow(2).sum(dim=1).reshape(vectors.shape).sum(dim=1)
        torch.testing.assert_close(influence(model, TOKENS, target), squares.sqrt(), rtol=1e-5, atol=1e-7)


@every_model
def test_a_jacobian_is_that_of_torch_entry_by_entry(make: Callable[[], Model]) -> None:
    model, target = make(), 4
    where = "norm" if isinstance(model, Transformer) else f"layers.{model.config.n_layers - 1}.hidden"

    def state(vectors: Tensor) -> Tensor:
        trace = Trace(edits={"embed": lambda _: vectors[None]})
        model(TOKENS, trace=trace)
        return trace[where][0, target]

    expected = torch.autograd.functional.jacobian(state, word_vectors(model))  # (output, position, input)
    torch.testing.assert_close(word_jacobians(model, TOKENS, target), expected.transpose(0, 1))


@pytest.fixture
def warning_always() -> Iterator[None]:
    """Torch says every time, not only the first, that an operation goes through a batch row by row."""
    torch.set_warn_always(True)
    yield
    torch.set_warn_always(False)


@every_model
@pytest.mark.usefixtures("warning_always")
def test_all_rows_go_back_through_every_operation_together(make: Callable[[], Model]) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        influence(make(), TOKENS, 4)
    assert [str(one.message) for one in told if "performance drop" in str(one.message)] == []


@every_model
def test_only_who_sees_the_future_is_influenced_by_it(make: Callable[[], Model]) -> None:
    model = make()
    sees_all = isinstance(model, Transformer) and model.config.mask == "bidirectional"
    for target in TARGETS:
        found = influence(model, TOKENS, target)
        assert found.shape == (N_WORDS,)
        reach = N_WORDS if sees_all else target + 1
        assert (found[:reach] > 0).all()
        assert found[reach:].tolist() == [0.0] * (N_WORDS - reach)


@every_model
def test_a_shared_model_is_left_as_it_was_even_inside_inference_mode(make: Callable[[], Model]) -> None:
    model = make()
    before = {name: parameter.clone() for name, parameter in model.named_parameters()}
    with torch.inference_mode():
        found = influence(model, TOKENS, 6)
    torch.testing.assert_close(found, influence(model, TOKENS, 6), rtol=0, atol=0)
    for name, parameter in model.named_parameters():
        assert parameter.grad is None
        assert not parameter.requires_grad
        assert torch.equal(parameter, before[name])


@pytest.mark.parametrize("target", [-1, N_WORDS])
def test_a_place_outside_the_sentence_is_refused(target: int) -> None:
    with pytest.raises(ValueError, match=f"target must be between 0 and 6, got {target}"):
        influence(recurrent("lstm"), TOKENS, target)
