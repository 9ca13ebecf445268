"""One matrix cut into the blocks of its heads, and where they lie before, during and after a reshape."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.scale import Scale, signed_scale
from viz.tables import unique_words
from viz.text import plain, shortened
from viz.theme import Theme
from words import counted

WIDTH, NARROWEST = 940, 470
"""Pixels that the blocks have at most, and at least; what is narrower is drawn smaller."""

WORDS, APART, HEADING = 84, 16, 26
"""Room for words beside a block, between two blocks, and above a block."""

LARGEST_CELL, SMALLEST_ROW, LARGEST_ROW, ROWS = 16, 17, 26, 200
"""Width of a number at most, the height of a row of numbers, and of all rows where words are few."""

MOST_WORDS = 12
"""Greatest number of words drawn; more would not fit under each other."""

FORMS = ("n × d", "n × k × d/k", "k × n × d/k")
"""The matrix as it was computed, its columns cut into heads, and the heads as sentences of their own."""

Place = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Blocks:
    """The blocks of `n_heads` heads, each `n_words` rows of `d_head` numbers, in `width` pixels."""

    n_heads: int
    n_words: int
    d_head: int
    width: int = WIDTH

    @property
    def cell(self) -> int:
        """Width of one number: the largest that every form has room for, and so the same in all of them."""
        d, columns = self.n_heads * self.d_head, self.columns
        cut = (self.width - WORDS - APART * (self.n_heads - 1)) / d
        apart = (self.width - (WORDS + APART) * columns) / (columns * self.d_head)
        return max(1, min(LARGEST_CELL, floor(cut), floor(apart)))

    @property
    def row(self) -> int:
        """Height of one number."""
        return max(SMALLEST_ROW, min(LARGEST_ROW, ROWS // self.n_words))

    @property
    def columns(self) -> int:
        """How many blocks stand side by side once they are apart; the others stand below them."""
        return self.n_heads if self.n_heads <= 2 else ceil(self.n_heads / 2)

    @property
    def block(self) -> tuple[float, float]:
        """Width and height of one block, without its words and its heading."""
        return self.d_head * self.cell, self.n_words * self.row

    def places(self, form: str) -> list[Place]:
        """The upper left corner of every head's numbers."""
        width, height = self.block
        if form == FORMS[2]:
            columns = self.columns
            return [
                (
                    WORDS + (head % columns) * (WORDS + width + APART),
                    HEADING + (head // columns) * (height + HEADING + APART),
                )
                for head in range(self.n_heads)
            ]
        between = APART if form == FORMS[1] else 0
        return [(WORDS + head * (width + between), float(HEADING)) for head in range(self.n_heads)]

    def height(self, form: str) -> float:
        """Pixels that the form needs."""
        rows = ceil(self.n_heads / self.columns) if form == FORMS[2] else 1
        return rows * (self.block[1] + HEADING + APART)

    def shape(self, form: str) -> tuple[int, ...]:
        """The axes of the form as numbers."""
        n, k, d_head = self.n_words, self.n_heads, self.d_head
        return {FORMS[0]: (n, k * d_head), FORMS[1]: (n, k, d_head), FORMS[2]: (k, n, d_head)}[form]


def drawing(
    vectors: ArrayLike,
    words: Sequence[str],
    form: str,
    *,
    name: str,
    colour: str,
    theme: Theme,
    width: int = WIDTH,
) -> dict[str, Any]:
    """The blocks of (head, word, number) in one of the `FORMS`, as the script that draws them wants them.

    Only the first `MOST_WORDS` words are drawn. Two forms of the same vectors differ in their places alone,
    so the script moves what it has drawn. `alt` is the alternative text; `name` is that of the
    vectors.
    """
    whole = shape_of(vectors, width=max(width, NARROWEST))
    shown = words[:MOST_WORDS]
    blocks, numbers = replace(whole, n_words=len(shown)), np.asarray(vectors)[:, : len(shown)]
    return {
        "words": [plain(word) for word in shown],
        "labels": [shortened(word, longest=5) for word in shown],
        "colours": cell_colours(numbers, theme),
        "digits": cell_digits(numbers, theme),
        "cell": blocks.cell,
        "row": blocks.row,
        "width": blocks.width,
        "height": blocks.height(form),
        "ink": theme.ink,
        "frame": colour,
        "places": blocks.places(form),
        "apart": form == FORMS[2],
        "alt": _alt(whole, form, name=name),
    }


def shape_of(vectors: ArrayLike, *, width: int = WIDTH) -> Blocks:
    """The blocks of vectors (head, word, number), all words of them."""
    n_heads, n_words, d_head = np.shape(vectors)
    return Blocks(n_heads=n_heads, n_words=n_words, d_head=d_head, width=width)


def vectors_table(vectors: ArrayLike, words: Sequence[str]) -> pd.DataFrame:
    """The matrix n × d: a row for each word, the columns of all heads side by side."""
    heads = np.asarray(vectors)
    n_heads, _, d_head = heads.shape
    columns = [f"{head}.{at}" for head in range(1, n_heads + 1) for at in range(1, d_head + 1)]
    flat = [row.ravel() for row in heads.swapaxes(0, 1)]
    return pd.DataFrame(flat, index=pd.Index(unique_words(words), name="word"), columns=columns)


def cell_colours(vectors: ArrayLike, theme: Theme) -> list[list[list[str]]]:
    """The colour of every number of (head, word, number), symmetric about zero."""
    values, scale = _scaled(vectors, theme)
    channels = np.rint(255 * scale.rgb(values)).astype(int)
    return [[["#" + "".join(f"{c:02x}" for c in rgb) for rgb in row] for row in head] for head in channels]


def cell_digits(vectors: ArrayLike, theme: Theme) -> list[list[list[str]]]:
    """Every number as it is said when somebody points at it."""
    values, scale = _scaled(vectors, theme)
    return [[[scale.digits(value) for value in row] for row in head] for head in values.tolist()]


def _alt(blocks: Blocks, form: str, *, name: str) -> str:
    """The form in words."""
    shape = " by ".join(map(str, blocks.shape(form)))
    told = {
        FORMS[0]: f"one matrix, {shape}: the columns of {counted(blocks.n_heads, 'head')} side by side",
        FORMS[1]: f"the same rows cut into {counted(blocks.n_heads, 'block')}, {shape}",
        FORMS[2]: f"{counted(blocks.n_heads, 'block')} apart, {shape}: every head has all words to itself",
    }
    return f"{name}: {told[form]}."


def _scaled(vectors: ArrayLike, theme: Theme) -> tuple[np.ndarray, Scale]:
    values = np.asarray(vectors, dtype=np.float32)
    return values, signed_scale(values, theme)
