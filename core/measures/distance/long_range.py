"""What networks do over long distances: recall and agreement, and the influence of one word."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import pandas as pd
import torch
from einops import rearrange
from jaxtyping import Float, Int
from torch import Tensor

from core.device import device_of
from core.learning.checkpoints import Record
from core.learning.collection import name_of
from core.learning.evaluation import recall
from core.learning.evaluation.baselines import baseline, is_no_better
from core.learning.evaluation.phenomena import DISTANCES
from core.learning.training import Model, Pair
from core.model.classifier import SequenceClassifier
from core.model.config import ModelConfig
from core.model.models import Stack, Tokens
from core.model.recurrent import Network
from core.model.trace import Edit, Trace

TRANSFORMER = "Transformer"
RECURRENT: Mapping[str, Network] = MappingProxyType({"LSTM": "lstm", "RNN": "rnn"})
N_LAYERS = 2
"""How deep all three are."""

EVEN_WITHIN = 0.05
"""Accuracies that are no further apart count as alike: they come from a few hundred answers each."""

ROUNDING = 1e-9
"""A margin larger than another by less than this is that of the same counts."""


def rivals(what: str, config: ModelConfig) -> dict[str, str]:
    """The names in the collection of the three networks that are compared on `recall` or `agreement`.

    For agreement the Transformer is the causal one with the positions, heads and norm of `config`.
    """
    if what == "recall":
        return {TRANSFORMER: "recall-transformer"} | {
            name: f"recall-{one}" for name, one in RECURRENT.items()
        }
    language_models = {name: f"next-word-{network}" for name, network in RECURRENT.items()}
    return {TRANSFORMER: name_of(replace(config, mask="causal"))} | language_models


def accuracy_table(what: str, records: Mapping[str, Record]) -> pd.DataFrame:
    """The share of right answers of every network by distance: columns network, group, words, accuracy.

    `group` counts the groups of distances, from 0, and `words` says which they are.
    """
    rows = [
        (network, group, f"{first}–{last}", record.accuracies[f"{what} {first}–{last}"])
        for network, record in records.items()
        for group, (first, last) in enumerate(DISTANCES)
    ]
    return pd.DataFrame(rows, columns=["network", "group", "words", "accuracy"])


def baselines(what: str) -> tuple[float, ...]:
    """The share of right answers of who remembers nothing, for each group of distances.

    For `recall` that is to name the digit seen most often, for `agreement` one form of the verb or always the
    more frequent one.
    """
    names = [f"{what} {first}–{last}" for first, last in DISTANCES]
    return tuple(recall.baselines()[name] if what == "recall" else baseline(name) for name in names)


@dataclass(frozen=True)
class Standing:
    """One network beside the Transformer, group for group of distances, the shortest first.

    `margins` are its accuracies less the Transformer's. It is `ahead` and `behind` in the groups, counted
    from 0, where a margin is more than `EVEN_WITHIN`, and `guesses` where it is no better than the baseline.
    """

    accuracies: tuple[float, ...]
    margins: tuple[float, ...]
    guesses: tuple[int, ...]

    @property
    def ahead(self) -> tuple[int, ...]:
        return tuple(group for group, margin in enumerate(self.margins) if margin > EVEN_WITHIN + ROUNDING)

    @property
    def behind(self) -> tuple[int, ...]:
        return tuple(group for group, margin in enumerate(self.margins) if margin < -EVEN_WITHIN - ROUNDING)


def standings(table: pd.DataFrame, baselines: Sequence[float]) -> dict[str, Standing]:
    """How each network of an `accuracy_table` stands; `baselines` are the groups' without reading."""
    found = {str(name): list(rows["accuracy"]) for name, rows in table.groupby("network", sort=False)}
    return {name: _standing(shares, found[TRANSFORMER], baselines) for name, shares in found.items()}


def _standing(shares: Sequence[float], others: Sequence[float], baselines: Sequence[float]) -> Standing:
    margins = [share - other for share, other in zip(shares, others, strict=True)]
    is_guess = [is_no_better(share, level) for share, level in zip(shares, baselines, strict=True)]
    guesses = tuple(group for group, guess in enumerate(is_guess) if guess)
    return Standing(tuple(shares), tuple(margins), guesses)


@dataclass(frozen=True, eq=False)
class Influences:
    """The influence of every word on one state of each network."""

    norms: Mapping[str, Float[np.ndarray, "position"]]

    def shares(self) -> Float[np.ndarray, "network position"]:
        """Each word's share of the whole, so that networks whose vectors are of another length compare.

        Not a number in a network whose norms no float can hold, or are all 0.
        """
        return np.stack([_shares(norms) for norms in self.norms.values()])

    def mean_distances(self, target: int) -> Float[np.ndarray, "network"]:
        """How many words away the influence on the state of word `target` comes from, the mean by share."""
        shares = self.shares()
        return np.asarray(shares @ np.abs(np.arange(shares.shape[1]) - target))


def _shares(norms: Float[np.ndarray, "position"]) -> Float[np.ndarray, "position"]:
    whole = norms.sum(dtype=np.float64)
    return norms / whole if 0 < whole < np.inf else np.full(norms.shape, np.nan)


def influences(models: Mapping[str, Model], tokens: Tokens, target: int) -> Influences:
    """The influence of every word on the state of the word at `target`, as `influence` defines it."""
    return Influences(
        {
            name: influence(model, tokens.to(device_of(model)), target).cpu().numpy()
            for name, model in models.items()
        }
    )


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
