"""Sentences and repeated tokens for measuring heads, and their reading by models."""

from collections.abc import Sequence
from functools import cache
from itertools import islice

import numpy as np
import torch
from einops import rearrange
from jaxtyping import Bool, Float

from core.arrays import array_of, numbers_of
from core.device import device_of
from core.learning.evaluation.phenomena import distinct
from core.learning.tasks.sentences import rows
from core.measures.merging import Groups, equal_weights, merge
from core.model.config import ModelConfig
from core.model.forward import PATTERNS, forward_pass
from core.model.masks import MASKS
from core.model.masks.combining import padding, window, window_if_any
from core.model.models import Stack, Tokens
from core.model.positions import SCHEMES
from core.sources import LoadedModel, Pieces, PretrainedInfo, UnavailableError
from core.text.language import Sentence, sentences
from core.unavailable import prefix_unavailable

Patterns = Float[np.ndarray, "layer head sentence query key"]
Pairs = Bool[np.ndarray, "sentence query key"]
Equal = Float[np.ndarray, "sentence query key"]


def read_in_pieces(
    loaded: LoadedModel, one: PretrainedInfo, sample: Sequence[Sentence], *, width: int | None = None
) -> tuple[Patterns, Pairs, Pairs, Equal]:
    """Return the patterns between words of `sample`, the visible pairs, the special tokens, equal weights.

    Words of a sentence come first; its special tokens after them are keys, and no queries. Raises
    UnavailableError for a sentence that is too long, or whose words share pieces.
    """
    read = _read_each(loaded, one, sample, width)
    n = max(len(equal) for _, equal, _ in read)
    patterns = np.stack([_padded(pattern, n) for pattern, _, _ in read], axis=2)
    equal = np.stack([_padded(one_equal, n) for _, one_equal, _ in read])
    allowed, special = equal > 0, np.zeros(equal.shape, dtype=bool)
    for matrix, (_, _, n_words) in zip(special, read, strict=True):
        matrix[:n_words, n_words:] = True
    return patterns, allowed, special & allowed, equal


MEASURED_ON = "A sentence that heads are measured on"

Read = tuple[Float[np.ndarray, "layer head row row"], Float[np.ndarray, "row row"], int]
"""Patterns of one sentence, with equal weights and the number of words at the beginning."""


def _read_each(
    loaded: LoadedModel, one: PretrainedInfo, sample: Sequence[Sentence], width: int | None
) -> list[Read]:
    """Read each sentence; sentences of equal length share a forward pass, which takes half as long."""
    split = [_split(one, sentence) for sentence in sample]
    model, found = loaded.model, dict[int, Read]()
    for n in {len(pieces.texts) for pieces in split}:
        with prefix_unavailable(MEASURED_ON):
            one.check_length(n, model.config)
        places = [at for at, pieces in enumerate(split) if len(pieces.texts) == n]
        encoded = [loaded.vocabulary.encode(split[at].texts) for at in places]
        tokens = torch.cat(encoded).to(loaded.tokens.device)
        window = window_if_any(n, width=width, device=tokens.device)
        # Logits are not needed, and for a large vocabulary they take more than all patterns.
        forward = forward_pass(model, tokens, allowed=window, keep=PATTERNS, states_only=True)
        seen = np.broadcast_to(array_of(forward.allowed()[0, 0]), (n, n))
        for at, patterns in zip(places, array_of(forward.patterns().movedim(1, 0)), strict=True):
            groups, n_words = _words_first(split[at])
            equal = equal_weights(seen, groups)
            equal[n_words:] = 0
            found[at] = merge(patterns, groups), equal, n_words
    return [found[at] for at in range(len(split))]


def _split(one: PretrainedInfo, sentence: Sentence) -> Pieces:
    """Return the pieces of a sentence of the sample; raises UnavailableError if words share pieces."""
    with prefix_unavailable(MEASURED_ON):
        pieces = one.split(" ".join(sentence.words))
    if _words_first(pieces)[1] != len(sentence.words):
        raise UnavailableError(
            "{title} has tokens that cover several words of the sentences that heads are measured on, so its "
            "heads cannot be measured word by word.",
            title=one.title,
        )
    return pieces


def _words_first(pieces: Pieces) -> tuple[Groups, int]:
    """Return the groups of a sentence, those of special tokens last, and the number of words before them."""
    words = [group for group in pieces.groups if not pieces.special.issuperset(group)]
    return [*words, *(group for group in pieces.groups if group not in words)], len(words)


def _padded(square: np.ndarray, n: int) -> np.ndarray:
    missing = n - square.shape[-1]
    return np.pad(square, [(0, 0)] * (square.ndim - 2) + [(0, missing)] * 2)


HALF, ROWS = 25, 8
"""Numbers of repeated random tokens, and of rows of them."""

TWICE = "river lamp seven coat green window salt paper " * 2
"""Words in an order without grammar, said twice: a text that shows an induction head."""


def repeated_tokens(vocab_size: int, *, half: int = HALF, rows: int = ROWS, seed: int = 0) -> Tokens:
    """Return rows of `half` different random tokens, each said twice."""
    drawn = np.random.RandomState(seed)
    tokens = torch.from_numpy(np.stack([drawn.permutation(vocab_size)[:half] for _ in range(rows)]))
    return tokens.repeat(1, 2)


def longest_half(config: ModelConfig) -> int:
    """Return `HALF`, or the greatest number that twice fits the positions and once the vocabulary."""
    longest = SCHEMES[config.positions].longest(config)
    return min(HALF, config.vocab_size, HALF if longest is None else longest // 2)


def read_repeated(
    model: Stack, *, half: int = HALF, rows: int = ROWS, seed: int = 0, width: int | None = None
) -> tuple[Patterns, Pairs, Pairs]:
    """Return the patterns over repeated random tokens, the visible pairs, and the targets.

    The target of a repeated token is the token after its earlier mention (Olsson et al. 2022, section 4).
    """
    tokens = repeated_tokens(model.config.vocab_size, half=half, rows=rows, seed=seed).to(device_of(model))
    n = 2 * half
    window = window_if_any(n, width=width, device=tokens.device)
    forward = forward_pass(model, tokens, allowed=window, keep=PATTERNS, states_only=True)
    patterns = rearrange(forward.patterns(), "layer row head query key -> layer head row query key")
    allowed = np.broadcast_to(array_of(forward.allowed()[:, 0]), (rows, n, n))
    query, key = np.arange(n)[:, None], np.arange(n)
    # The earlier mention of query i stands `half` positions before it, and its successor one after that.
    successor = (query >= half) & (key == query - half + 1)
    return array_of(patterns), allowed, allowed & successor


SAMPLE, SHORTEST, LONGEST = 128, 5, 24
"""Numbers of sentences for measuring heads, and of their words."""

APART = dict.fromkeys(range(2, 17), 1.0)
"""Distances of subject and verb in agreement sentences: no target is the verb's neighbour."""

SAMPLE_IN_PIECES = 32
"""Number of these sentences for a pretrained model, which is larger."""


@cache
def sample_sentences() -> tuple[Sentence, ...]:
    """Return the sentences for measuring heads: distinct, never trained on, always the same."""
    drawn = (s for s in sentences(0, split="test", distance=APART) if SHORTEST <= len(s.words) <= LONGEST)
    return tuple(islice(distinct(drawn, by=lambda sentence: sentence.words), SAMPLE))


@cache
def shown_texts() -> tuple[str, ...]:
    """Return the texts that show a score best, by number in `head_scores`; the repeated words come last."""
    return (*(" ".join(sentence.words) for sentence in sample_sentences()), TWICE.strip())


def read_sample(
    model: Stack, sample: Sequence[Sentence], *, width: int | None = None
) -> tuple[Patterns, Pairs]:
    """Return the patterns of a model over `sample`, padded at the end, and the pairs in the window."""
    tokens, lengths = rows([sentence.words for sentence in sample])
    device, n = device_of(model), tokens.shape[1]
    real = padding(lengths, n)
    narrowed = real if width is None else real & window(n, n, width=width)
    forward = forward_pass(
        model,
        tokens.to(device),
        allowed=narrowed.to(device),
        given=MASKS[model.config.mask].given(lengths.to(device)),  # of each sentence, not of its padded row
        keep=PATTERNS,
        states_only=True,
    )
    patterns = rearrange(forward.patterns(), "layer sentence head query key -> layer head sentence query key")
    allowed = forward.allowed()[:, 0].cpu() & real[:, 0, 0, :, None]
    return numbers_of(patterns.cpu().contiguous()), allowed.numpy()
