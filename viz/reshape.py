"""One matrix cut into the blocks of its heads, and their places before, during and after a reshape."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from viz.layout.scale import signed_scale
from viz.room import Room
from viz.text import plain, shortened, unique_words
from viz.theme import Role
from words import counted

WIDTH, NARROWEST = 940, 470
"""Greatest and least pixels of width of the blocks; in less room they are scaled down."""

WORDS, APART, HEADING = 84, 16, 26
"""Room for words beside a block, between two blocks, and above a block."""

LARGEST_CELL, SMALLEST_ROW, LARGEST_ROW, ROWS = 16, 17, 26, 200
"""Greatest width of a number, least and greatest height of a row of numbers, and height of few rows."""

MOST_WORDS = 12
"""Greatest number of words drawn; more would not fit one below the other."""

FORMS = ("n × d", "n × k × d/k", "k × n × d/k")
"""The matrix as computed, its columns cut into heads, and the heads as separate matrices."""


@dataclass(frozen=True, kw_only=True)
class Blocks:
    """The blocks of `n_heads` heads, each `n_words` rows of `d_head` numbers, in `width` pixels."""

    n_heads: int
    n_words: int
    d_head: int
    width: int = WIDTH

    @property
    def columns(self) -> int:
        """Number of blocks side by side once they are apart; the others are below them."""
        return self.n_heads if self.n_heads <= 2 else ceil(self.n_heads / 2)

    @property
    def cell(self) -> int:
        """Width of one number: the largest for which every form has room, and so the same in all of them."""
        cut = (self.width - WORDS - APART * (self.n_heads - 1)) / (self.n_heads * self.d_head)
        apart = (self.width - (WORDS + APART) * self.columns) / (self.columns * self.d_head)
        return int(max(1, min(LARGEST_CELL, cut, apart)))

    @property
    def row(self) -> int:
        """Height of one number."""
        return max(SMALLEST_ROW, min(LARGEST_ROW, ROWS // self.n_words))

    @property
    def block(self) -> tuple[float, float]:
        """Width and height of one block, without its words and its heading."""
        return self.d_head * self.cell, self.n_words * self.row

    def places(self, form: str) -> list[tuple[float, float]]:
        """Return the upper left corner of every head's numbers."""
        columns, beside = {FORMS[0]: (self.n_heads, 0), FORMS[1]: (self.n_heads, APART)}.get(
            form, (self.columns, WORDS + APART)
        )
        width, height = self.block
        rows = (divmod(head, columns) for head in range(self.n_heads))
        return [
            (WORDS + at * (width + beside), HEADING + row * (height + HEADING + APART)) for row, at in rows
        ]

    def height(self, form: str) -> float:
        """Return pixels of height that the form needs."""
        return self.places(form)[-1][1] + self.block[1] + APART

    def shape(self, form: str) -> str:
        """Return the axes of the form as numbers."""
        n, k, d_head = self.n_words, self.n_heads, self.d_head
        axes = {FORMS[0]: (n, k * d_head), FORMS[1]: (n, k, d_head), FORMS[2]: (k, n, d_head)}[form]
        return " × ".join(map(str, axes))


@dataclass(frozen=True, kw_only=True, eq=False)
class Reshape:
    """The vectors of all heads in one of the `FORMS`, for a script that draws and moves their blocks.

    They have a `name` and the colour of a role. Two forms of the same vectors differ only in their places, so
    the script moves its drawing of the first `MOST_WORDS` words.
    """

    vectors: Float[np.ndarray, "head word d_head"]
    words: Sequence[str]
    form: str
    name: str
    role: Role

    @property
    def blocks(self) -> Blocks:
        """The blocks of all words."""
        n_heads, n_words, d_head = np.shape(self.vectors)
        return Blocks(n_heads=n_heads, n_words=n_words, d_head=d_head)

    def drawing(self, room: Room) -> dict[str, Any]:
        """Return the data that the script draws in a room, with `alt` as its alternative text."""
        shown, form = self.words[:MOST_WORDS], self.form
        numbers = np.asarray(self.vectors, dtype=np.float32)[:, : len(shown)]
        width = max(NARROWEST, min(int(room.width), WIDTH))
        blocks = replace(self.blocks, n_words=len(shown), width=width)
        scale = signed_scale(numbers, room.theme)
        channels = np.rint(255 * scale.rgb(numbers)).astype(np.uint8)
        return {
            "words": [plain(word) for word in shown],
            "labels": [shortened(word, longest=5) for word in shown],
            "colours": [[[f"#{bytes(rgb).hex()}" for rgb in row] for row in head] for head in channels],
            "digits": [[list(map(scale.digits, row)) for row in head] for head in numbers.tolist()],
            "cell": blocks.cell,
            "row": blocks.row,
            "width": blocks.width,
            "height": blocks.height(form),
            "ink": room.theme.ink,
            "frame": room.theme.colour(self.role),
            "places": blocks.places(form),
            "apart": form == FORMS[2],
            "alt": self.alt(),
        }

    def alt(self) -> str:
        """Return a description of the form."""
        shape, heads = self.blocks.shape(self.form).replace("×", "by"), self.blocks.n_heads
        details = {
            FORMS[0]: f"one matrix, {shape}: the columns of {counted(heads, 'head')} side by side",
            FORMS[1]: f"the same rows cut into {counted(heads, 'block')}, {shape}",
            FORMS[2]: f"{counted(heads, 'block')} apart, {shape}: every head has all words to itself",
        }
        return f"{self.name}: {details[self.form]}."

    def table(self) -> pd.DataFrame:
        """Return the matrix n × d: a row for each word, the columns of all heads side by side."""
        heads = np.asarray(self.vectors)
        n_heads, _, d_head = heads.shape
        columns = [f"{head}.{at}" for head in range(1, n_heads + 1) for at in range(1, d_head + 1)]
        index = pd.Index(unique_words(self.words), name="word")
        return pd.DataFrame(np.concatenate(list(heads), axis=1), index=index, columns=columns)
