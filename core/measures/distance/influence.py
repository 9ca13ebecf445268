"""How far each word reaches: the influence of every word on the state of a chosen one."""

from collections.abc import Callable, Mapping, Sequence

import torch
from einops import rearrange
from jaxtyping import Float, Int
from torch import Tensor

from core.learning.training import Model, Pair
from core.model.classifier import SequenceClassifier
from core.model.models import Stack
from core.model.trace import Edit, Trace


def influence(model: Model, tokens: Int[Tensor, "1 position"], target: int) -> Float[Tensor, "position"]:
    """How strongly the state at `target` depends on each word vector: ‖∂h_target / ∂x_j‖ for every word j.

    h is the state that the output layer reads: of a Transformer the one that leaves its last norm, of a
    recurrent network the one of its last layer. x_j is what word j enters with, before positions are added.
    The norm is that of Frobenius, √Σ (∂h_a / ∂x_jb)² over all dimensions a and b (the norm that Pascanu et
    al. 2013 follow backwards through time, section 2). Raises ValueError for a position outside the sentence.
    """
    n = tokens.shape[1]
    if not 0 <= target < n:
        raise ValueError(f"target must be between 0 and {n - 1}, got {target}")
    return _influences(model, tokens, [target])[0]


def all_influences(
    model: Stack, tokens: Int[Tensor, "1 position"], *, edits: Mapping[str, Edit] | None = None
) -> Float[Tensor, "output input"]:
    """‖∂h_i / ∂x_j‖ for every two words, as `influence` measures it; `edits` are made on the way.

    Where no path leads from word j to word i it is exactly 0. Takes one backward pass for each word.
    """
    return _influences(model, tokens, range(tokens.shape[1]), edits)


def word_jacobians(
    model: Model | Stack, tokens: Int[Tensor, "1 position"], target: int
) -> Float[Tensor, "position output input"]:
    """∂h_target / ∂x_j for every word j, in the precision of the model; `influence` says what h and x are."""
    return _of_targets(model, tokens, [target], lambda jacobian: jacobian)[0]


def _influences(
    model: Model | Stack,
    tokens: Int[Tensor, "1 position"],
    targets: Sequence[int],
    edits: Mapping[str, Edit] | None = None,
) -> Float[Tensor, "output input"]:
    """A row of ‖∂h_i / ∂x_j‖ for each i of `targets`."""
    return _of_targets(model, tokens, targets, lambda jacobian: jacobian.pow(2).sum(dim=(1, 2)).sqrt(), edits)


def _of_targets(
    model: Model | Stack,
    tokens: Int[Tensor, "1 position"],
    targets: Sequence[int],
    measure: Callable[[Float[Tensor, "position output input"]], Tensor],
    edits: Mapping[str, Edit] | None = None,
) -> Tensor:
    """A row for each i of `targets`: what `measure` makes of ∂h_i / ∂x_j for all words j."""
    assert not isinstance(model, Pair | SequenceClassifier), "a model of one sequence that goes on with words"
    trace = Trace(edits={**(edits or {}), "embed": _start_here})
    rows = []
    with torch.inference_mode(mode=False), torch.enable_grad():
        model(tokens.clone(), trace=trace)
        for target in targets:
            state = trace[_last_states(model)][0, target]
            rows.append(measure(_jacobian(state, trace["embed"])))
    return torch.stack(rows)


def _jacobian(
    state: Float[Tensor, "output"], vectors: Float[Tensor, "1 position input"]
) -> Float[Tensor, "position output input"]:
    """∂state / ∂vectors: one pass backwards for all rows, a row for each dimension of the state.

    By `torch.vmap`, which takes all rows through tanh, sigmoid, softmax and layer norm together. With
    `is_grads_batched`, `torch.autograd.grad` takes one after the other, at twice the time for an RNN.
    """

    def back(weights: Float[Tensor, "output"]) -> Float[Tensor, "position input"]:
        (found,) = torch.autograd.grad(state, vectors, weights, retain_graph=True)
        return found[0]

    found = torch.vmap(back)(torch.eye(len(state), dtype=state.dtype, device=state.device))
    return rearrange(found, "output position input -> position output input")


def _start_here(vectors: Float[Tensor, "batch position d_model"]) -> Float[Tensor, "batch position d_model"]:
    """Word vectors to differentiate by; the model's own parameters stay out of it."""
    return vectors.detach().requires_grad_()


def _last_states(model: Model | Stack) -> str:
    """The name under which a trace has the states that the output layer reads."""
    assert not isinstance(model, Pair | SequenceClassifier)
    return "norm" if isinstance(model, Stack) else f"layers.{model.config.n_layers - 1}.hidden"
