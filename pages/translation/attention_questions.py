"""What one expects of a matrix of attention between two languages, or within one: a row of it is drawn."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from core.measures.translation.aligned import targets_of
from core.text.translation import Translation
from pages.contract.predict import told_apart
from pages.contract.question import Question
from pages.translation.kinds import CROSS, DECODER
from pages.translation.questions import cross_attention_asks, row_of_attention


def of_pattern(
    kind: str,
    pattern: Float[np.ndarray, "query key"],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    head: str,
    exact: Translation | None = None,
) -> tuple[Question | None, ...]:
    """What attends to what in cross-attention, and the row with the largest weight of those worth drawing."""
    at = _clearest(kind, pattern, exact)
    # A word that the decoder has read attends to those before it and to itself.
    n_keys = at + 1 if kind == DECODER else len(keys)
    names = told_apart(keys)
    meant = None if exact is None else _translated(exact, at)
    row = row_of_attention(
        told_apart(queries)[at],
        names[:n_keys],
        pattern[at, :n_keys].tolist(),
        meant=None if meant is None else names[meant],
        head=head,
    )
    return (cross_attention_asks(), row) if kind == CROSS else (row,)


def _clearest(kind: str, pattern: Float[np.ndarray, "query key"], exact: Translation | None) -> int:
    """The row with the largest weight: of words whose meaning is known, or of those with a choice of keys."""
    known = () if exact is None else sorted(targets_of(exact, content=True))
    later = range(len(pattern) // 2, len(pattern)) if kind == DECODER else range(len(pattern))
    return max(known or later, key=lambda at: float(pattern[at].max()))


def _translated(exact: Translation, at: int) -> int | None:
    """The one word of the source that a word of the translation stands for, if it is one."""
    sources = [source for source, target in exact.alignment if target == at]
    return sources[0] if len(sources) == 1 else None
