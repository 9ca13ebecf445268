"""A matrix for a figure: its numbers, words, and the text of each cell; and the kinds of its numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viz.layout.grid import KEY_TITLE, QUERY_TITLE, Grid
from viz.layout.rows import inked_digits
from viz.layout.scale import Scale, mask_scale, signed_scale, weight_scale
from viz.text import em_width, unique_words
from viz.theme import Theme
from words import counted

Numbers = NDArray[np.floating]
Allowed = NDArray[np.bool_]
Write = Callable[[float], str]
Cell = tuple[int, int]
"""A query and a key, both counted from 0."""

DOT, BELOW_ZERO = "<b>·</b>", "▨ below zero"

LARGEST_DIGITS, MOST_WITH_DIGITS = 17, 13 * 13
"""Pixels of the largest digits, and greatest number of cells with digits."""


@dataclass(frozen=True, kw_only=True)
class Gap:
    """The signs of a masked cell: in a cell among digits, in the hover and in the legend.

    The legend is `brief` below one of several matrices.
    """

    sign: str
    hover: str
    legend: str
    brief: str


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """Numbers for (query, key) with their words; NaN is a masked cell.

    `legend` lines, which are markup, stand below the matrix. `measure` names the numbers beside the colour
    bar of cells without digits; without it there is no colour bar. If this matrix is a smaller or partial
    view of another, `places` maps each cell to its (query, key) in the full matrix. `said` replaces the hover
    text. `roles` are the titles of its axes.
    """

    values: Numbers
    queries: Sequence[str]
    keys: Sequence[str]
    scale: Scale
    gap: Gap
    legend: tuple[str, ...] = ()
    measure: str = ""
    places: NDArray[np.intp] | None = None
    said: Sequence[Sequence[str]] | None = None
    roles: tuple[str, str] = (QUERY_TITLE, KEY_TITLE)

    def __post_init__(self) -> None:
        checked(self.values, self.queries, self.keys)

    @property
    def masked(self) -> Allowed:
        """(query, key): True for cells without a number."""
        return np.isnan(self.values)

    def digits_size(self, grid: Grid) -> int:
        """Return the type size at which the widest number fits a cell; 0 if too small, or too many cells."""
        return self._digits(grid)[0]

    def _digits(self, grid: Grid) -> tuple[int, Write]:
        """Return the size of digits, and how they are written: without a leading zero if only that fits."""
        if self.values.size > MOST_WITH_DIGITS:
            return 0, self.scale.digits
        for write in (self.scale.digits, self.scale.digits_without_zero):
            widest = max(em_width(write(end)) for end in (self.scale.low, self.scale.high))
            size = int(min(0.42 * grid.cell, (grid.cell - 2) / widest, LARGEST_DIGITS))
            if size >= grid.smallest_digits:
                return size, write
        return 0, self.scale.digits

    def has_bar(self, grid: Grid) -> bool:
        """Return whether a colour bar is needed, because there are no digits."""
        return bool(self.measure) and not self.digits_size(grid)

    def is_hatched(self, grid: Grid, theme: Theme) -> bool:
        """Return whether hatches mark cells below zero, because neither hues nor digits do."""
        return not theme.has_hues and self.scale.low < 0 and not self.digits_size(grid)

    def gap_sign(self, grid: Grid) -> str:
        """Return the sign in masked cells; empty if they have dots."""
        return self.gap.sign if self.digits_size(grid) else ""

    def legend_lines(self, grid: Grid, theme: Theme) -> tuple[str, ...]:
        """Return the lines below the matrix: the name of the bar first, the look of a masked cell last."""
        lines = [self.measure] if self.has_bar(grid) else []
        if self.is_hatched(grid, theme):
            lines.append(BELOW_ZERO)
        lines += self.legend
        if grid.step > 1:
            lines.append(f"1 name in {grid.step} is written")
        if self.masked.any():
            said = self.gap.legend if grid.panels == 1 else self.gap.brief
            lines.append(f"{self.gap_sign(grid) or DOT} {said}")
        return tuple(lines)

    def printed(self, theme: Theme, grid: Grid | None = None) -> list[list[str]]:
        """Return the text of each cell, as markup: its digits in their ink, or the sign of a gap."""
        write = self._digits(grid)[1] if grid else self.scale.digits
        text = inked_digits(self.values, self.scale, theme, write)
        text[self.masked] = self.gap.sign and f'<span style="color:{theme.ink}">{self.gap.sign}</span>'
        rows: list[list[str]] = text.tolist()
        return rows

    def hovers(self) -> list[list[str]]:
        """Return the hover text of each cell after its two words."""
        return [
            [self.gap.hover if np.isnan(value) else self.scale.digits(value) for value in row]
            for row in self.values.tolist()
        ]

    def clicked(self) -> list[list[str]] | None:
        """Return the click data of each cell: its query and key, if these are not its row and column."""
        if self.places is None:
            return None
        return [[f"{query},{key}" for query, key in row] for row in self.places.tolist()]

    def extent(self, unit: str = "word") -> str:
        """Return the size of the matrix for a description; a row or a column of it is called `unit`."""
        n_queries, n_keys = self.values.shape
        if list(self.queries) == list(self.keys):
            return f"over {counted(n_queries, unit)}"
        return f"of {counted(n_queries, unit)} to {counted(n_keys, unit)}"

    @property
    def spoken_gaps(self) -> str:
        """Number of masked cells, for the end of a description; empty if there are none."""
        n_masked = int(self.masked.sum())
        return f" {n_masked} of {self.values.size} cells {self.gap.brief}." if n_masked else ""

    def largest(self, called: str) -> str:
        """Return the largest number for the end of a description; empty if all cells are masked."""
        if self.masked.all():
            return ""
        query, key = divmod(int(np.nanargmax(self.values)), len(self.keys))
        value = self.scale.digits(float(self.values[query, key]))
        return f" {called}: {unique_words(self.queries)[query]} → {unique_words(self.keys)[key]} {value}."


def visible(matrix: ArrayLike, allowed: ArrayLike | None = None) -> Numbers:
    """Return `matrix` as float32, NaN where infinite or not `allowed`, which broadcasts to its shape."""
    values = np.array(matrix, dtype=np.float32)
    seen = np.isfinite(values)
    if allowed is not None:
        seen &= np.asarray(allowed, dtype=bool)
    values[~seen] = np.nan
    return values


def with_colours_to_the_largest(matrices: Sequence[Matrix], grid: Grid, theme: Theme) -> list[Matrix]:
    """Return weights without room for digits in colours that end soon after the largest weight.

    Such cells have only their colours, and on a scale to 1 weights spread over many keys are pale. Matrices
    side by side share one scale, and if it ends before 1 their legends say so.
    """
    shown = [matrix for matrix in matrices if matrix.scale.of_shares]
    largest = max((float(np.nanmax(one.values)) for one in shown if not one.masked.all()), default=1.0)
    scale = weight_scale(theme, largest=largest)
    if scale.high == 1 or any(one.digits_size(grid) for one in shown):
        return list(matrices)
    end = f"colours end at {scale.ends[1]}"
    return [
        replace(one, scale=scale, legend=(*one.legend, end)) if one.scale.of_shares else one
        for one in matrices
    ]


def checked(values: Numbers, queries: Sequence[str], keys: Sequence[str]) -> Numbers:
    """Return `values`; raises ValueError unless they have a row for each query and a column for each key."""
    wanted = (len(queries), len(keys))
    if 0 in wanted:
        raise ValueError(f"a matrix needs a query and a key at least, got {wanted} words")
    if values.shape != wanted:
        raise ValueError(f"the matrix must have the shape {wanted} of its words, got {values.shape}")
    return values


def checked_selection(selected: Cell | None, shape: tuple[int, ...], axes: str) -> None:
    """Raise ValueError if the selection is outside `shape`, which has these `axes`."""
    if selected is not None and not all(0 <= at < n for at, n in zip(selected, shape, strict=False)):
        raise ValueError(f"selected must be a {axes} below {tuple(shape[:2])}, got {selected}")


MASKED_WEIGHT = Gap(sign="", hover="masked, not allowed", legend="masked: not allowed", brief="masked")
MASKED_SCORE = Gap(sign="−∞", hover="−∞, masked", legend="masked: not allowed", brief="masked")

WEIGHT = "attention weight"

NOISE = 1e-6
"""Difference of two weights that is rounding in float32."""

Words = Sequence[str]
Mask = ArrayLike | None


def weights(
    pattern: ArrayLike, words: Words, theme: Theme, *, keys: Words | None = None, allowed: Mask = None
) -> Matrix:
    """Return a matrix of probabilities, from 0 to 1."""
    return _matrix(visible(pattern, allowed), words, keys, weight_scale(theme), MASKED_WEIGHT, WEIGHT)


def changes(b_minus_a: ArrayLike, words: Words, theme: Theme) -> Matrix:
    """Return a matrix of differences of weights, symmetric about zero, without colours below `NOISE`."""
    values = visible(b_minus_a)
    scale = signed_scale(values, theme, noise=NOISE, signed=True)
    return _matrix(values, words, None, scale, MASKED_WEIGHT, "change of weight")


def real_numbers(
    scores: ArrayLike, words: Words, theme: Theme, *, keys: Words | None = None, allowed: Mask = None
) -> Matrix:
    """Return a matrix of any numbers, symmetric about zero; a masked number counts as −∞."""
    values = visible(scores, allowed)
    return _matrix(values, words, keys, signed_scale(values, theme), MASKED_SCORE, "score")


def permissions(allowed: ArrayLike, words: Words, theme: Theme) -> Matrix:
    """Return a mask as its addition to the scores: 0 where True, −∞ where False."""
    values = visible(np.zeros(np.shape(allowed)), allowed)
    matrix = _matrix(values, words, None, mask_scale(theme), MASKED_SCORE, "")
    # An outline: the pale colour is hardly visible at this size, and a letter with a stroke is a Type 3 font.
    return replace(matrix, legend=(f'<span style="color:{theme.muted}">□</span> may attend',))


def _matrix(
    values: Numbers, words: Words, keys: Words | None, scale: Scale, gap: Gap, measure: str
) -> Matrix:
    keys = words if keys is None else keys
    return Matrix(values=values, queries=words, keys=keys, scale=scale, gap=gap, measure=measure)
