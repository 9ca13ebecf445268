"""What the output layer makes of one state: a logit for every word, and by the softmax its probability."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from core.arrays import array_of
from core.model.forward import forward_pass
from core.model.masks.combining import window_if_any
from core.model.models import Transformer
from core.sources import LoadedModel, UnavailableError


@dataclass(frozen=True, eq=False)
class WordLogits:
    """The state at a position, and the logit w·h + b of every word of the vocabulary. Immutable.

    `state` is what the output layer compares with words: the last state, which some models transform first,
    as BERT does. `best_rows` are the rows of its matrix for the words with the two largest logits, and
    `biases` what is added to these, 0 where the model adds nothing.
    """

    vocabulary: tuple[str, ...]
    state: Float[np.ndarray, "d_model"]
    logits: Float[np.ndarray, "vocab"]
    best_rows: Float[np.ndarray, "2 d_model"]
    biases: Float[np.ndarray, "2"]

    @property
    def log_sum(self) -> float:
        """The logarithm of Σ exp(logit), by which the softmax divides: the sum itself may be too large."""
        return float(np.logaddexp.reduce(self.logits))

    @property
    def probabilities(self) -> Float[np.ndarray, "vocab"]:
        """The softmax of the logits."""
        shares: np.ndarray = np.exp(self.logits - self.log_sum)
        return shares

    @property
    def best(self) -> tuple[int, int]:
        """The numbers of the two words with the largest logits."""
        first, second = largest(self.logits, 2)
        return first, second


def largest(logits: Float[np.ndarray, "vocab"], n: int) -> list[int]:
    """The numbers of the `n` largest logits, the largest first."""
    return [int(number) for number in np.argsort(-logits, kind="stable")[:n]]


def word_logits(loaded: LoadedModel, position: int, *, window: int | None = None) -> WordLogits:
    """The logits at a position: of the word after it, or of the word there, which is masked.

    `window` is as in `core.measures.prediction.predict`. Raises UnavailableError for a model without an
    output layer or a word for what is masked.
    """
    model, tokens = loaded.model, loaded.tokens
    if not isinstance(model, Transformer):
        raise UnavailableError("This model has no output layer: it predicts no words.")
    if not loaded.reads_on:
        tokens = tokens.clone()
        tokens[0, position] = loaded.mask_token
    allowed = window_if_any(tokens.shape[1], width=window, device=tokens.device)
    run = forward_pass(model, tokens, allowed=allowed, keep=["norm", "logits"])
    with torch.inference_mode():
        logits = array_of(run.logits[0, position].double())
        best, bias = largest(logits, 2), model.unembed.bias
        return WordLogits(
            vocabulary=loaded.vocabulary.words,
            # Cloned: a part would keep the states of all positions.
            state=array_of(_compared(model, run.last_states)[0, position].clone()),
            logits=logits,
            best_rows=array_of(model.unembed.weight[best]),
            biases=np.zeros(2) if bias is None else array_of(bias[best].double()),
        )


def _compared(model: Transformer, states: Tensor) -> Tensor:
    """The states as the output layer compares them with words."""
    return model.transform(states) if model.config.output_transform else states
