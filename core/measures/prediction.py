"""Predictions of words: the output layer, its softmax, and probabilities."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from core.arrays import array_of
from core.model.config import ModelConfig
from core.model.forward import forward_pass, trace_path
from core.model.masks import MASKS
from core.model.masks.combining import next_is_hidden, window_if_any
from core.model.models import Tokens, Transformer
from core.model.trace import Edit, in_turn, silence
from core.sources import LoadedModel, UnavailableError

Scores = Float[np.ndarray, "*row key"]
Weights = Float[np.ndarray, "*row key"]


def softmax(scores: Scores, allowed: Bool[np.ndarray, "*row key"] | None = None) -> Weights:
    """Return the weights of each row over its allowed keys; 0 for a row without one."""
    visible = scores if allowed is None else np.where(allowed, scores, -np.inf)
    largest = visible.max(axis=-1, keepdims=True)
    exponentials = np.exp(visible - np.where(np.isfinite(largest), largest, 0))
    sums = exponentials.sum(axis=-1, keepdims=True)
    return np.asarray(exponentials / np.where(sums > 0, sums, 1))


def entropy(weights: Weights) -> Float[np.ndarray, "*row"]:
    """Return −Σ p log₂ p of each row, in bits."""
    logarithms = np.log2(np.where(weights > 0, weights, 1))
    return np.asarray(0.0 - (weights * logarithms).sum(axis=-1))


def softmax_jacobian_norm(weights: Weights) -> Float[np.ndarray, "*row"]:
    """Return the Frobenius norm of diag(p) − ppᵀ, the derivative of a softmax with respect to its scores."""
    squares = (weights**2).sum(axis=-1)
    return np.asarray(np.sqrt(np.maximum(squares - 2 * (weights**3).sum(axis=-1) + squares**2, 0)))


@dataclass(frozen=True, eq=False)
class WordLogits:
    """The input of the output layer at a position, and the logit w·h + b of every word.

    `best_rows` are the rows of its matrix for the two largest logits, `biases` the additions to these.
    """

    vocabulary: tuple[str, ...]
    state: Float[np.ndarray, "d_model"]
    logits: Float[np.ndarray, "vocab"]
    best_rows: Float[np.ndarray, "2 d_model"]
    biases: Float[np.ndarray, "2"]

    @property
    def log_sum(self) -> float:
        """Logarithm of Σ exp(logit), the divisor of the softmax; the sum itself may overflow."""
        return float(np.logaddexp.reduce(self.logits))

    @property
    def probabilities(self) -> Float[np.ndarray, "vocab"]:
        shares: np.ndarray = np.exp(self.logits - self.log_sum)
        return shares

    def likeliest(self, n: int) -> pd.DataFrame:
        """Return the `n` words with the largest logits: columns word, logit and probability."""
        numbers = top_indices(self.logits, n)
        words = [self.vocabulary[number] for number in numbers]
        columns = {"word": words, "logit": self.logits[numbers], "probability": self.probabilities[numbers]}
        return pd.DataFrame(columns)

    @property
    def best(self) -> tuple[int, int]:
        first, second = top_indices(self.logits, 2)
        return first, second


def top_indices(logits: Float[np.ndarray, "vocab"], n: int) -> list[int]:
    """Return the numbers of the `n` largest logits, the largest first."""
    return [int(number) for number in np.argsort(-logits, kind="stable")[:n]]


def predictor(loaded: LoadedModel) -> Transformer:
    """Return the model; raises UnavailableError if it has no output layer."""
    if not isinstance(loaded.model, Transformer):
        raise UnavailableError("This model has no output layer: it predicts no words.")
    return loaded.model


def tokens_for_prediction(loaded: LoadedModel, position: int) -> Tokens:
    """Return the tokens for a prediction at `position`, which is masked if the model sees all words."""
    if loaded.predicts_next:
        return loaded.tokens
    where = torch.tensor([position], device=loaded.tokens.device)
    return loaded.tokens.index_fill(1, where, loaded.mask_token)


def word_logits(loaded: LoadedModel, position: int, *, window: int | None = None) -> WordLogits:
    """Return the logits at a position, masked if the model fills in words; raises UnavailableError."""
    model, tokens = predictor(loaded), tokens_for_prediction(loaded, position)
    allowed = window_if_any(tokens.shape[1], width=window, device=tokens.device)
    run = forward_pass(model, tokens, allowed=allowed, keep=["norm", "logits"])
    with torch.inference_mode():
        logits = array_of(run.logits[0, position].double())
        best, bias = top_indices(logits, 2), model.unembed.bias
        entering = model.transform(run.last_states) if model.config.output_transform else run.last_states
        return WordLogits(
            vocabulary=loaded.vocabulary.words,
            # Cloned: a view would keep the states of all positions.
            state=array_of(entering[0, position].clone()),
            logits=logits,
            best_rows=array_of(model.unembed.weight[best]),
            biases=np.zeros(2) if bias is None else array_of(bias[best].double()),
        )


Head = tuple[int, int]
"""A layer and a head of it, counted from 0."""

MASKED_AT_ONCE = 16
"""Number of copies of a sentence in one batch, each with another word masked."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """Predictions of a model at every position of a sentence.

    With `ahead` = 1 row p of `log_probabilities` (natural logarithms) is about the word after position p,
    with 0 about the word at p itself, which was masked. Words that are `unknown` or `special` are not scored,
    nor are the next words of positions `in_sight`, which may attend to them.
    """

    vocabulary: tuple[str, ...]
    log_probabilities: Float[np.ndarray, "position vocab"]
    tokens: Int[np.ndarray, "position"]
    unknown: tuple[int, ...]
    ahead: int
    special: tuple[int, ...] = ()
    in_sight: tuple[int, ...] = ()

    def probabilities(self, position: int) -> Float[np.ndarray, "vocab"]:
        return np.exp(self.log_probabilities[position])

    def target(self, position: int) -> int | None:
        """Return the vocabulary number of the target word; None if no word is scored."""
        asked = position + self.ahead
        unscored = asked == len(self.tokens) or asked in (*self.unknown, *self.special)
        return None if unscored or position in self.in_sight else int(self.tokens[asked])

    def rank(self, position: int) -> int | None:
        """Return the rank of the answer among all words, 1 for the likeliest; None without an answer."""
        answer, row = self.target(position), self.log_probabilities[position]
        return None if answer is None else 1 + int((row > row[answer]).sum())

    def losses(self) -> Float[np.ndarray, "position"]:
        """Return −log p of each word in nats; NaN for a word that is not scored."""
        losses = np.full(len(self.tokens), np.nan)
        for position, row in enumerate(self.log_probabilities):
            answer = self.target(position)
            if answer is not None:
                losses[position + self.ahead] = -row[answer]
        return losses

    def easiest(self, positions: Iterable[int]) -> int | None:
        """Return the position with the most probable answer; None if none of them has an answer."""
        asked = [(at, self.target(at)) for at in positions]
        found = [
            (float(self.log_probabilities[at, answer]), at) for at, answer in asked if answer is not None
        ]
        return max(found)[1] if found else None

    @property
    def n_scored(self) -> int:
        return int(np.isfinite(self.losses()).sum())

    @property
    def loss(self) -> float | None:
        """Mean loss in nats over the scored words; None if there are none."""
        losses = self.losses()
        return None if np.isnan(losses).all() else float(np.nanmean(losses))


def predict(loaded: LoadedModel, *, window: int | None = None, silenced: Iterable[Head] = ()) -> Prediction:
    """Predict at every position of a model's words.

    A model that sees all words predicts each in turn, with `<mask>` in its place (Devlin et al. 2019, section
    3.1). `window` is as in `core.measures.reading.read`. The heads in `silenced` give nothing. Raises
    ValueError for a head that the model does not have, and UnavailableError for a model without an output
    layer or mask word.
    """
    model, edits = predictor(loaded), ablation_edits(frozenset(silenced), loaded.model.config)
    allowed = window_if_any(loaded.tokens.shape[1], width=window, device=loaded.tokens.device)

    def run(tokens: Tokens) -> Float[Tensor, "batch position vocab"]:
        return forward_pass(model, tokens, allowed=allowed, edits=edits, keep=["logits"]).logits

    with torch.inference_mode():
        logits = run(loaded.tokens)[0] if loaded.predicts_next else _filled_in(loaded, run)
        found = logits.double().log_softmax(dim=-1)
    return Prediction(
        vocabulary=loaded.vocabulary.words,
        log_probabilities=array_of(found if loaded.pretrained is None else found.float()),
        tokens=array_of(loaded.tokens[0]),
        unknown=loaded.unknown,
        ahead=int(loaded.predicts_next),
        special=loaded.special,
        in_sight=_in_sight(loaded),
    )


def _in_sight(loaded: LoadedModel) -> tuple[int, ...]:
    """Return the positions of a sentence that may attend to the word they predict."""
    if not loaded.predicts_next:
        return ()
    # Not `Mask.asks`: a mask made for filling in asks everywhere, even with the answer in sight.
    asked = next_is_hidden(MASKS[loaded.model.config.mask].allowed(loaded.tokens.shape[1]))[0]
    return tuple(torch.nonzero(~asked).flatten().tolist())


def divergence(before: Prediction, after: Prediction, position: int) -> float:
    """Return D(before ‖ after) in nats, the Kullback–Leibler divergence at a position."""
    p, log_p, log_q = before.probabilities(position), before.log_probabilities, after.log_probabilities
    return max(0.0, float(p @ (log_p[position] - log_q[position])))


def distribution(before: Prediction, after: Prediction, position: int) -> pd.DataFrame:
    """Return word, before, after and answer of every word at a position, the likeliest in either first."""
    answer = before.target(position)
    table = {
        "word": np.array(before.vocabulary, dtype=object),
        "before": before.probabilities(position),
        "after": after.probabilities(position),
        "answer": np.array([number == answer for number in range(len(before.vocabulary))]),
    }
    order = np.argsort(-np.maximum(table["before"], table["after"]), kind="stable")
    return pd.DataFrame({name: column[order] for name, column in table.items()})


def choices(
    words: Sequence[str],
    log_probabilities: Float[np.ndarray, "vocab"],
    chosen: str,
    *,
    drawn: Float[np.ndarray, "vocab"] | None = None,
) -> pd.DataFrame:
    """Return word, before, after (drawn from) and answer (chosen) of every word, the likeliest first."""
    before = np.exp(log_probabilities)
    table = pd.DataFrame({"word": words, "before": before, "after": before if drawn is None else drawn})
    table["answer"] = table["word"] == chosen
    return table.sort_values("before", ascending=False, kind="stable", ignore_index=True)


def ablation_edits(silenced: frozenset[Head], config: ModelConfig) -> dict[str, Edit]:
    """Return the edits that silence these heads; raises ValueError for a layer out of range."""
    edits = {}
    for layer in {layer for layer, _ in silenced}:
        if not 0 <= layer < config.n_layers:
            raise ValueError(f"layer must be between 0 and {config.n_layers - 1}, got {layer}")
        heads = sorted(head for at, head in silenced if at == layer)
        edits[trace_path(layer, "z")] = in_turn(*(silence(head=head) for head in heads))
    return edits


def _filled_in(
    loaded: LoadedModel, run: Callable[[Tokens], Float[Tensor, "batch position vocab"]]
) -> Float[Tensor, "position vocab"]:
    """Return the logits at every position with its word masked, a few positions at a time."""
    tokens, mask = loaded.tokens, loaded.mask_token
    found = []
    for positions in torch.split(torch.arange(tokens.shape[1], device=tokens.device), MASKED_AT_ONCE):
        copies = tokens.repeat(len(positions), 1).scatter(1, positions[:, None], mask)
        found.append(run(copies)[torch.arange(len(positions)), positions])
    return torch.cat(found)
