"""Counted costs of attention and recurrence: serial steps, distances, scores and arithmetic.

Nothing here runs a network. Words and rows count from 0: row 0 holds the word vectors and row l the states of
layer l. Arithmetic counts the matrix products, with a multiplication and an addition as two operations. Sums,
softmax, norms and activations are left out, as in the literature.
"""

import numpy as np
from jaxtyping import Bool, Int

Node = tuple[int, int]
"""A state by its row and column."""

Matrix = Bool[np.ndarray, "query key"]
"""A mask: which query may attend to which key; None allows everything."""

UNREACHED = -1
"""Distance of a state that the word in question does not reach."""

BYTES_PER_SCORE = 4


def recurrent_serial_operations(n: int, n_layers: int = 1) -> Int[np.ndarray, "row word"]:
    """Return the serial operations before each RNN state: l + t in row l (CS 224N note, Figure 1)."""
    rows, words = np.arange(n_layers + 1)[:, None], np.arange(n)
    return np.where(rows > 0, rows + words, 0)


def attention_serial_operations(n: int, n_layers: int = 1) -> Int[np.ndarray, "row word"]:
    """Return the serial operations of self-attention: all words of a layer at once, so row l holds l."""
    return np.repeat(np.arange(n_layers + 1)[:, None], n, axis=1)


def recurrent_interaction_distances(
    n: int, origin: int, n_layers: int = 1, *, backwards: bool = False, allowed: Matrix | None = None
) -> Int[np.ndarray, "row word"]:
    """Return operations from `origin` to every state (note, Figure 2): one more for each layer above.

    Word vectors and states that know nothing of the origin are `UNREACHED`. Reading `backwards` goes from a
    word to the one before, where `allowed`.
    """
    states = np.abs(np.arange(n) - origin) + 1 + np.arange(n_layers)[:, None]
    reached = _reached(n, origin, allowed, backwards=backwards)
    return np.concatenate([_vectors(n, origin), np.where(reached, states, UNREACHED)])


def attention_interaction_distances(
    n: int, origin: int, n_layers: int = 1, *, allowed: Matrix | None = None
) -> Int[np.ndarray, "row word"]:
    """Return operations from `origin` in self-attention: as many as layers, where the mask allows a path."""
    counts = _vectors(n, origin)
    for layer, known in enumerate(_known(n, origin, n_layers, allowed)[1:], 1):
        counts = np.concatenate([counts, np.where(known, layer, UNREACHED)[None]])
    return counts


def recurrent_path(
    origin: int, target: int, n_layers: int = 1, *, allowed: Matrix | None = None
) -> list[Node]:
    """Return the nodes from word `origin` to the last state of `target`, backwards if it stands before."""
    n = max(origin, target) + 1 if allowed is None else len(allowed)
    if not _reached(n, origin, allowed, backwards=target < origin)[target]:
        return []
    step = 1 if target >= origin else -1
    along = [(1, word) for word in range(origin, target + step, step)]
    return [(0, origin), *along, *((row, target) for row in range(2, n_layers + 1))]


def attention_path(
    origin: int, target: int, n_layers: int = 1, *, allowed: Matrix | None = None
) -> list[Node]:
    """Return a path in self-attention: in the first layer as near to the target as possible, then up."""
    n = max(origin, target) + 1 if allowed is None else len(allowed)
    known, steps = _known(n, origin, n_layers, allowed), _steps(n, allowed)
    if not known[n_layers][target]:
        return []
    path = [target]
    for layer in reversed(range(n_layers)):
        before = np.flatnonzero(known[layer] & steps[path[0]])
        path.insert(0, int(before[np.abs(before - path[0]).argmin()]))
    return list(enumerate(path))


def n_scores(n: int) -> int:
    """Return the number of scores of a head for `n` words: every query with every key."""
    return n**2


def score_bytes(n: int) -> int:
    """Return the bytes of a head's scores for `n` words."""
    return BYTES_PER_SCORE * n_scores(n)


def _vectors(n: int, origin: int) -> Int[np.ndarray, "1 word"]:
    """Return row 0: no operation to the vector of the origin, and no way to any other."""
    vectors = np.full((1, n), UNREACHED)
    vectors[0, origin] = 0
    return vectors


def _reached(n: int, origin: int, allowed: Matrix | None, *, backwards: bool) -> Bool[np.ndarray, "word"]:
    """Return whether the origin reaches each state of a network that reads forwards or backwards."""
    if not backwards:
        return np.arange(n) >= origin
    reached = np.arange(n) <= origin
    if allowed is not None:
        reached[:origin] = np.logical_and.accumulate(allowed.diagonal(1)[:origin][::-1])[::-1]
    return reached


def _known(n: int, origin: int, n_layers: int, allowed: Matrix | None) -> list[Bool[np.ndarray, "word"]]:
    """Return whether each word depends on the origin, in every row from the vectors to the top."""
    known = [np.arange(n) == origin]
    for _ in range(n_layers):
        known.append((_steps(n, allowed) & known[-1]).any(axis=1))
    return known


def _steps(n: int, allowed: Matrix | None) -> Matrix:
    """Return which words below a word is computed from: those it attends to, and itself."""
    return np.ones((n, n), dtype=bool) if allowed is None else allowed | np.eye(n, dtype=bool)
