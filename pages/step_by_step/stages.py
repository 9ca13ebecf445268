"""The stages of a head: a description of each, and each as plain lists for the browser."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.measures.stages.stage import Grid, Operand, Stage
from pages.contract.prose import in_units
from viz.text import BLANK, plain
from words import counted


@dataclass(frozen=True)
class StageDescription:
    """A stage in words.

    `short` stands below its small picture, and `role` is a colour of the theme. `source` is the
    publication of its formula.
    """

    short: str
    title: str
    role: str
    says: str
    source: str = ""


def _projected(letter: str, name: str, role: str, purpose: str) -> StageDescription:
    big = letter.upper()
    return StageDescription(
        letter,
        name,
        role,
        f"{purpose} Each row is the vector of a word times the matrix {big} of this head.",
    )


TOLD: dict[str, StageDescription] = {
    "embeddings": StageDescription(
        "words",
        "Embeddings",
        "ink",
        "w is one-hot: 1 at the number of its word in the vocabulary, 0 elsewhere. So the product w·E is "
        "the word's row of the embedding table E. Only the rows of this sentence are shown. "
        "Position and other words do not matter.",
    ),
    "states": StageDescription(
        "states",
        "States from below",
        "ink",
        "The output of the layer below: a vector for each word. It depends on all words to which that layer "
        "let the word attend.",
    ),
    "segments": StageDescription(
        "segment",
        "Segment added",
        "ink",
        "The model was trained on pairs of sentences and has a vector for each of the two. The vector of the "
        "first sentence is added to every word.",
        "Devlin et al. 2019",
    ),
    "positions": StageDescription(
        "positions",
        "Positions added",
        "ink",
        "A vector for the position is added to the vector of the word.",
    ),
    "embedding norm": StageDescription(
        "norm",
        "Embeddings normalised",
        "ink",
        "The vectors that enter the first layer are normalised: the mean of each row is subtracted, and the "
        "row is divided by its standard deviation. Then each dimension gets a gain and a bias, 1 and 0 "
        "before training.",
        "Devlin et al. 2019",
    ),
    "norm": StageDescription(
        "norm",
        "Layer normalisation",
        "ink",
        "The mean of each row is subtracted, and the row is divided by its standard deviation. Then each "
        "dimension gets a gain and a bias, the same for all words: 1 and 0 before training.",
        "Ba et al. 2016",
    ),
    "raw q": replace(
        _projected("q", "Queries before their norm", "query", "The model normalises the queries next."),
        short="raw q",
        source="Henry et al. 2020",
    ),
    "raw k": replace(
        _projected("k", "Keys before their norm", "key", "The model normalises the keys next."),
        short="raw k",
        source="Henry et al. 2020",
    ),
    "q": _projected("q", "Queries", "query", "A query says what its word looks for."),
    "k": _projected("k", "Keys", "key", "A key says what its word can be found by."),
    "v": _projected(
        "v", "Values", "value", "A value is what its word passes on to the words that attend to it."
    ),
    "scores": StageDescription(
        "scores",
        "Scores",
        "query",
        "The dot product of each query and key: the larger, the better they match.",
    ),
    "scale": StageDescription(
        "scale",
        "Scale",
        "query",
        "For random queries and keys, the standard deviation of a dot product grows as the root of its "
        "number of terms, so each score is divided by that root.",
    ),
    "bias": StageDescription(
        "bias",
        "Position bias",
        "query",
        "A number that depends on the positions of query and key is added to each score.",
    ),
    "mask": StageDescription(
        "mask",
        "Mask",
        "query",
        "A key that the query may not attend to gets the score −∞, which the softmax turns into weight 0.",
    ),
    "softmax": StageDescription(
        "softmax",
        "Attention weights",
        "query",
        "Each row becomes weights that sum to 1: exp of every score, divided by the sum over the row. Equal "
        "scores get equal weights.",
    ),
    "weighted sum": StageDescription(
        "sum",
        "Weighted sum",
        "value",
        "The output of a head for a word is the sum of all values, each times its attention weight.",
    ),
    "heads": StageDescription(
        "heads",
        "Heads concatenated",
        "output",
        "Each head fills a slice of every row.",
    ),
    "output": StageDescription(
        "output",
        "Output projection",
        "output",
        "One more matrix makes the attention output of the layer from these numbers.",
    ),
}
"""Every stage by its name in the walk and in the link."""

BY_ROOT_MEAN_SQUARE = StageDescription(
    "norm",
    "Root mean square normalisation",
    "ink",
    "Each row is divided by its root mean square; no mean is subtracted. Then each dimension gets a learned "
    "gain, the same for all words.",
    "Zhang & Sennrich 2019",
)
"""A norm that does not subtract the mean."""

NORMALISED = {
    name: f"{purpose} Each row is normalised over the dimensions of the head; then each dimension gets a "
    "learned gain, the same in all heads."
    for name, purpose in {
        "q": "A query says what its word looks for.",
        "k": "A key says what its word can be found by.",
    }.items()
}
"""Purposes of queries and keys that a model normalises."""

WITH_BIAS = " The model adds a vector b as well."


def describe_stage(stage: Stage, unit: str = "word") -> StageDescription:
    """Describe a stage; say more if positions enter or a bias vector is added. A row stands for a `unit`."""
    told = TOLD[stage.name]
    if stage.rule == "normalise" and stage.name not in NORMALISED and stage.operands[0].before == "RMS":
        told = BY_ROOT_MEAN_SQUARE
    if stage.name in NORMALISED and stage.operands[0].name.startswith(stage.name):
        told = replace(told, says=NORMALISED[stage.name])
    if stage.positions is not None:
        told = replace(told, says=f"{told.says} {stage.positions.says}")
    if any(operand.name == "b" for operand in stage.operands):
        told = replace(told, says=told.says + WITH_BIAS)
    return replace(told, says=in_units(told.says, unit), short=in_units(told.short, unit))


ROLES = {
    "q": "query",
    "Q": "query",
    "q̃": "query",
    "k̃": "key",
    "k": "key",
    "kᵀ": "key",
    "K": "key",
    "v": "value",
    "V": "value",
    "α": "query",
    "S": "query",
    "S scaled": "query",
    "S biased": "query",
    "S masked": "query",
    "O": "output",
    "Z": "output",
}
"""The colour of a matrix by its name; the others are in ink."""

MOST_ROWS, MOST_COLUMNS = 10, 12
MOST_WORDS = 24
"""Rows of words in the form for one word; all columns of words are shown."""
COLUMNS_TOGETHER, COLUMNS_CUT = 24, 22
"""Columns of all matrices of a stage that fit side by side, and with dots for those left out."""

FEWEST_COLUMNS = 2
CHANGE_ME = "Point at an entry to see where it comes from. Click an entry of {symbol} to change it."
SET = " An entry that you have set keeps its number, whatever the matrices give."
POINT = "Point at an entry to see where it comes from."


@dataclass(frozen=True)
class DisplayLimits:
    """Greatest number of rows, of columns of dimensions, and of columns of words."""

    rows: int
    dimensions: int
    words: int

    def of(self, grid: Grid) -> tuple[int, int]:
        """Return how many rows and columns of a grid are shown."""
        most = self.words if grid.over_words else self.dimensions
        return min(len(grid.rows), self.rows), min(len(grid.columns), most)


def room(grids: Sequence[Grid], word: int | None) -> DisplayLimits:
    """Return the room for the matrices of a stage; the row of one word has all its words."""
    if word is None:
        most = columns_shown(grids)
        return DisplayLimits(MOST_ROWS, most, most)
    return DisplayLimits(MOST_WORDS, MOST_COLUMNS, max(len(grid.columns) for grid in grids))


def drawn(stage: Stage, unit: str = "word", word: int | None = None) -> dict[str, Any]:
    """Return the browser's data of one stage, with a row for each `unit`.

    A stage in the form for one word has only the row of that `word`, unless it is of all words.
    """
    told = describe_stage(stage, unit)
    grids = [operand.grid for operand in stage.operands] + [stage.result]
    most = room(grids, word)
    hint = CHANGE_ME.format(symbol=stage.symbol) if stage.changeable else POINT
    return {
        "name": stage.name,
        "short": told.short,
        "title": told.title,
        "role": told.role,
        "says": told.says + SET * (stage.result.computed is not None),
        "symbol": stage.symbol,
        "rule": stage.rule,
        "mixes": stage.mixes,
        "changeable": stage.changeable,
        "hint": f"{hint}{_left_out(grids, most)}",
        "operands": [_operand(operand, most) for operand in stage.operands],
        "result": _grid(stage.result, most),
        "firstRow": 0 if word is None or len(stage.result.rows) > 1 else word,
    }


def columns_shown(grids: Sequence[Grid]) -> int:
    """Return the greatest number of columns of each matrix with which all fit side by side."""
    widths = [len(grid.columns) for grid in grids]
    if sum(widths) <= COLUMNS_TOGETHER:
        return MOST_COLUMNS
    fitting = (
        most
        for most in range(MOST_COLUMNS, FEWEST_COLUMNS, -1)
        if sum(min(width, most) for width in widths) <= COLUMNS_CUT
    )
    return next(fitting, FEWEST_COLUMNS)


def _left_out(grids: Sequence[Grid], most: DisplayLimits) -> str:
    if all(most.of(grid) == grid.matrix.shape for grid in grids):
        return ""
    return (
        f" At most {most.rows} rows and {most.dimensions} columns of a matrix are shown; sums run over all."
    )


def _operand(operand: Operand, most: DisplayLimits) -> dict[str, Any]:
    return _grid(operand.grid, most) | {
        "name": operand.name,
        "role": ROLES.get(operand.name, "ink"),
        "before": operand.before,
        "after": operand.after,
        "lights": operand.lights,
        "offset": operand.offset,
    }


def _grid(grid: Grid, most: DisplayLimits) -> dict[str, Any]:
    finite = np.abs(grid.matrix[np.isfinite(grid.matrix)])
    n_rows, n_columns = most.of(grid)
    shown = grid.matrix[:n_rows, :n_columns].astype(float)

    def clipped(marks: np.ndarray | None) -> list[list[bool]] | None:
        return None if marks is None else marks[:n_rows, :n_columns].tolist()

    return {
        "values": _finite(shown),
        "rows": [_word(word) for word in grid.rows[:n_rows]],
        "columns": [_word(word) for word in grid.columns[:n_columns]],
        "columnsAreWords": grid.over_words or not all(map(str.isdigit, grid.columns)),
        "nRows": len(grid.rows),
        "nColumns": len(grid.columns),
        "size": f"{len(grid.rows)} × {len(grid.columns)}",
        "weights": grid.is_weights,
        "limit": float(finite.max(initial=0)) or 1.0,
        "changed": clipped(grid.changed),
        "hidden": clipped(grid.hidden),
        "computed": None if grid.computed is None else _finite(grid.computed[:n_rows, :n_columns]),
    }


def _finite(matrix: np.ndarray) -> list[list[float | None]]:
    return [[value if np.isfinite(value) else None for value in row] for row in matrix.tolist()]


def _word(word: str) -> str:
    return plain(word) or (BLANK if word else "")


def describe(stage: Stage) -> str:
    """Return the alternative text of the open stage: its operands and its size."""
    told = describe_stage(stage)
    grid = stage.result
    made = ", ".join(operand.name for operand in stage.operands) or "the layer below"
    size = f"{counted(len(grid.rows), 'row')} and {counted(len(grid.columns), 'column')}"
    changed = 0 if grid.changed is None else int(grid.changed.sum())
    moved = (
        f" {counted(changed, 'entry') if changed == 1 else f'{changed} entries'} changed." if changed else ""
    )
    return f"{told.title}: {stage.symbol} from {made}, {size}.{moved} The table behind it has every number."
