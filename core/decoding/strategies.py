"""A sentence word by word: always the likeliest one, or one drawn by chance."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import torch
from jaxtyping import Float
from torch import Tensor

from core.decoding.decoding import Decoding
from core.decoding.sampling import Sampling, draw, sharpened


@dataclass(frozen=True, eq=False)
class Step:
    """A word that was chosen, and what it was chosen from: natural logarithms over the whole vocabulary."""

    word: int
    log_probabilities: Float[Tensor, "vocab"]

    @property
    def log_probability(self) -> float:
        """That of the word chosen, before temperature and limits."""
        return self.log_probabilities[self.word].item()


@torch.inference_mode()
def greedy(decoding: Decoding, *, start: int, end: int, longest: int) -> tuple[Step, ...]:
    """The likeliest word each time, of equals the first, until `end` (a step too) or `longest` words.

    `decoding` has one row.
    """
    return _written(decoding, lambda logits: int(logits.argmax()), start=start, end=end, longest=longest)


@torch.inference_mode()
def sampled(
    decoding: Decoding, sampling: Sampling, *, seed: int, start: int, end: int, longest: int
) -> tuple[Step, ...]:
    """Words drawn by chance, the same for the same seed; ends as `greedy` does."""
    # From `random()` alone, the one method whose numbers Python promises not to change.
    random = Random(seed)

    def choose(logits: Float[Tensor, "vocab"]) -> int:
        return draw(sharpened(logits, sampling), random.random())

    return _written(decoding, choose, start=start, end=end, longest=longest)


def _written(
    decoding: Decoding,
    choose: Callable[[Float[Tensor, "vocab"]], int],
    *,
    start: int,
    end: int,
    longest: int,
) -> tuple[Step, ...]:
    word, steps = start, list[Step]()
    while len(steps) < longest and (not steps or word != end):
        logits, decoding = decoding.read(torch.tensor([word]))
        word = choose(logits[0])
        steps.append(Step(word, logits[0].cpu().double().log_softmax(dim=-1)))
    return tuple(steps)


@torch.inference_mode()
def all_greedy(
    decoding: Decoding, n_rows: int, *, start: int, end: int, longest: int
) -> list[tuple[int, ...]]:
    """What `greedy` writes in each of many rows at once, without `end`. A row that has ended is cut there."""
    words = torch.full((n_rows,), start)
    written: list[Tensor] = []
    ended = words == end
    while len(written) < longest and not bool(ended.all()):
        logits, decoding = decoding.read(words)
        words = logits.argmax(dim=-1).cpu()
        written.append(words)
        ended = ended | (words == end)
    rows = torch.stack(written, dim=1).tolist()
    return [tuple(row[: row.index(end)] if end in row else row) for row in rows]
