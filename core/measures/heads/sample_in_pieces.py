"""The sample of sentences that heads are measured on, read by a pretrained model and merged into words."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float

from core.arrays import array_of
from core.measures.equal_weights import equal_weights
from core.measures.merging import Groups, merge
from core.model.forward import PATTERNS, forward_pass
from core.model.masks.combining import window_if_any
from core.sources import LoadedModel, Pieces, PretrainedInfo, UnavailableError
from core.text.language import Sentence
from core.unavailable import named

Patterns = Float[np.ndarray, "layer head sentence query key"]
Pairs = Bool[np.ndarray, "sentence query key"]
Equal = Float[np.ndarray, "sentence query key"]


def read_in_pieces(
    loaded: LoadedModel, one: PretrainedInfo, sample: Sequence[Sentence], *, width: int | None = None
) -> tuple[Patterns, Pairs, Pairs, Equal]:
    """The patterns between the words of `sample`, what could be seen, and which of it are special tokens.

    Last come equal weights on all pieces that could be seen, merged into words. The words of a sentence stand
    first and its special tokens after them: these are keys, and no queries. With a `width`, no piece could
    look further than that many. Raises UnavailableError for a sentence that is too long for the model, or
    whose words share pieces.
    """
    read = [_read(loaded, one, sentence, width) for sentence in sample]
    n = max(len(equal) for _, equal, _ in read)
    patterns = np.stack([_padded(pattern, n) for pattern, _, _ in read], axis=2)
    equal = np.stack([_padded(one_equal, n) for _, one_equal, _ in read])
    allowed, special = equal > 0, np.zeros(equal.shape, dtype=bool)
    for matrix, (_, _, n_words) in zip(special, read, strict=True):
        matrix[:n_words, n_words:] = True
    return patterns, allowed, special & allowed, equal


def _read(
    loaded: LoadedModel, one: PretrainedInfo, sentence: Sentence, width: int | None
) -> tuple[Float[np.ndarray, "layer head row row"], Float[np.ndarray, "row row"], int]:
    """The patterns of one sentence, what equal weights would be, and how many words come first."""
    with named("A sentence that heads are measured on"):
        pieces = one.split(" ".join(sentence.words))
    groups, n_words = _words_first(pieces)
    if n_words != len(sentence.words):
        raise UnavailableError(
            "{title} has pieces that cover several words of the sentences that heads are measured on, so its "
            "heads cannot be measured word by word.",
            title=one.title,
        )
    model, n = loaded.model, len(pieces.texts)
    one.check_length(n, model.config)
    tokens = loaded.vocabulary.encode(pieces.texts).to(loaded.tokens.device)
    window = window_if_any(n, width=width, device=tokens.device)
    # Nobody asks for logits, which of a large vocabulary take more than all patterns.
    forward = forward_pass(model, tokens, allowed=window, keep=PATTERNS, states_only=True)
    seen = np.broadcast_to(array_of(forward.allowed()[0, 0]), (n, n))
    equal = equal_weights(seen, groups)
    equal[n_words:] = 0
    return merge(array_of(forward.patterns()[:, 0]), groups), equal, n_words


def _words_first(pieces: Pieces) -> tuple[Groups, int]:
    """The groups of a sentence with those of special tokens at the end, and how many words come before."""
    words = [group for group in pieces.groups if not pieces.special.issuperset(group)]
    return [*words, *(group for group in pieces.groups if group not in words)], len(words)


def _padded(square: np.ndarray, n: int) -> np.ndarray:
    missing = n - square.shape[-1]
    return np.pad(square, [(0, 0)] * (square.ndim - 2) + [(0, missing)] * 2)
