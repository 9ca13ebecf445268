"""A sentence word by word: the likeliest word each time, or a sampled one."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from random import Random

import torch
from jaxtyping import Float
from torch import Tensor

from core.decoding.decoding import DecodingState
from core.decoding.sampling import Sampling, next_word_distribution, sample_by_inverse_cdf


@dataclass(frozen=True, eq=False)
class DecodingStep:
    """A chosen word and its alternatives: natural logarithms over the whole vocabulary."""

    word: int
    log_probabilities: Float[Tensor, "vocab"]


Choose = Callable[[int, Float[Tensor, "vocab"]], int]
"""A function that chooses the word of a step, counted from 0, by its logits."""


@torch.inference_mode()
def decode(
    decoding: DecodingState, choose: Choose, *, start: int, ends: Collection[int], longest: int
) -> tuple[DecodingStep, ...]:
    """Return the words chosen after `start`, which is not read yet, up to an end or to `longest` words."""
    word, steps = start, list[DecodingStep]()
    while len(steps) < longest and (not steps or word not in ends):
        logits, decoding = decoding.step(torch.tensor([word]))
        word = choose(len(steps), logits[0])
        steps.append(DecodingStep(word, logits[0].cpu().double().log_softmax(dim=-1)))
    return tuple(steps)


def likeliest(_: int, logits: Float[Tensor, "vocab"]) -> int:
    """Return the likeliest word; of equals the first in the vocabulary."""
    return int(logits.argmax())


def sampler(sampling: Sampling, seed: int) -> Choose:
    """Return a function that samples the words of one text: each step takes the next number of the `seed`."""
    # Uses only `random()`, the one method whose numbers Python promises not to change.
    random = Random(seed)
    return lambda _, logits: sample_by_inverse_cdf(next_word_distribution(logits, sampling), random.random())


def with_forced_words(choose: Choose, words: Mapping[int, int]) -> Choose:
    """Return a choice of `words` at their steps; `choose` draws there too, so later draws stay the same."""

    def chosen(step: int, logits: Float[Tensor, "vocab"]) -> int:
        word = choose(step, logits)
        return words.get(step, word)

    return chosen


@torch.inference_mode()
def all_greedy(
    decoding: DecodingState, n_rows: int, *, start: int, ends: tuple[int], longest: int
) -> list[tuple[int, ...]]:
    """Return the likeliest words for many rows at once, each row cut at its one end."""
    (end,), words = ends, torch.full((n_rows,), start)
    written: list[Tensor] = []
    ended = words == end
    while len(written) < longest and not bool(ended.all()):
        logits, decoding = decoding.step(words)
        words = logits.argmax(dim=-1).cpu()
        written.append(words)
        ended = ended | (words == end)
    rows = torch.stack(written, dim=1).tolist()
    return [tuple(row[: row.index(end)] if end in row else row) for row in rows]
