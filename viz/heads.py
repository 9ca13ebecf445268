"""All heads as a picture: their grid, what is told of it, and its numbers in rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from core.words import counted
from viz.head_grid import head_grid
from viz.parts.cells import Numbers, visible
from viz.picture import Picture, finished
from viz.tables import entropies, heads_table, table_of_heads, weights_table
from viz.text import plain
from viz.theme import Theme


def heads(
    patterns: ArrayLike,
    *,
    title: str,
    theme: Theme,
    words: Sequence[str],
    keys: Sequence[str] | None = None,
    allowed: ArrayLike | None = None,
    unit: str = "word",
    **look: Any,
) -> Picture:
    """All heads, told and listed from the same weights; `look` is what else `head_grid` takes.

    What rows and columns of a pattern stand for is called `unit`, and each by its name in `words`; `keys` may
    have names of their own. The `title` is not drawn: the figure is as
    wide as its tiles.
    """
    return finished(
        head_grid(patterns, theme=theme, allowed=allowed, **look),
        alt=describe_head_grid(patterns, allowed=allowed, unit=unit),
        table=lambda: heads_table(patterns, allowed=allowed),
        data=lambda: weights_table(patterns, words, keys=keys, allowed=allowed),
        title=title,
    )


def heads_in_blocks(
    blocks: ArrayLike,
    *,
    title: str,
    numbers: tuple[Numbers, Numbers, Numbers],
    n: int,
    theme: Theme,
    unit: str = "word",
    **look: Any,
) -> Picture:
    """All heads of a text whose weights are too many to keep, by the largest of their `blocks`.

    `numbers` are the entropy, the largest weight and the mean distance of every head (layer, head), over `n`
    rows and columns, each of which is called `unit`; `look` is what else `head_grid` takes.
    """
    return finished(
        head_grid(blocks, theme=theme, **look),
        alt=describe_heads(numbers[0], f"{counted(n, unit)} each way"),
        table=lambda: table_of_heads(*numbers),
        title=title,
    )


def describe_head_grid(
    patterns: ArrayLike,
    *,
    allowed: ArrayLike | None = None,
    rows: Sequence[str] | None = None,
    unit: str = "word",
) -> str:
    """The alternative text of `head_grid`: how many heads, and which attends to fewest and most at once.

    What rows and columns of a pattern stand for is called `unit`.
    """
    weights = visible(patterns, allowed)
    n_queries, n_keys = weights.shape[2:]
    extent = f"{counted(n_queries, f'query {unit}')} by {counted(n_keys, f'key {unit}')}"
    return describe_heads(entropies(weights), extent, rows=rows)


def describe_heads(bits: Numbers, extent: str, *, rows: Sequence[str] | None = None) -> str:
    """Describe heads whose entropies (layer, head) are known; `extent` says what they are between."""
    n_layers, n_heads = bits.shape
    heads = f"attention of {counted(n_layers, 'layer')} with {counted(n_heads, 'head')} each"
    names = [f"layer {layer}" for layer in range(1, n_layers + 1)]
    if rows is not None:
        names = [f"model with {plain(row)}" for row in rows]
        heads = f"attention of {counted(n_layers, 'model')}"
    extent = f"{heads}, {extent}"
    if np.isnan(bits).all():
        return f"{extent}. All of it is masked."
    ends = {"Most focused": int(np.nanargmin(bits)), "Least focused": int(np.nanargmax(bits))}
    found = (f"{name}: {_spoken(names, at, n_heads, float(bits.flat[at]))}." for name, at in ends.items())
    return f"{extent}. {' '.join(found)}"


def _spoken(names: Sequence[str], at: int, n_heads: int, bits: float) -> str:
    layer, head = divmod(at, n_heads)
    return f"{names[layer]}, head {head + 1}, entropy {bits:.1f} bits"
