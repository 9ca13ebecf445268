"""Order invariance at a glance: words with the same output, by mask, depth and position scheme."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from viz.layout.boxes import outlines
from viz.layout.canvas import LEGEND, LEGEND_LINE, MARGIN, Canvas, Rect, canvas, joined
from viz.layout.figure import Figure, Trace, trace_of
from viz.layout.rows import BESIDE, TYPE, fit_columns, name_axis, row_height, with_gaps
from viz.picture import Picture
from viz.room import Room
from viz.tables import word_label
from viz.text import em_width, label, literal, unique_words
from viz.theme import Theme
from words import counted, distance

ROW, LEAST_ROW = 50, 34
"""Height of a setting in pixels, and its least height on a page."""

LARGEST_TILE, LEAST_TILE, FRAME = 18, 10, 2
"""Pixels of a tile, its least height, and the width of the chosen tile's frame."""

TILE_AT, VERDICT_AT = -0.18, 0.27
"""Distances of the middles of tiles and verdicts from the middle of a setting, in rows."""

FEWEST_TILES, MOST_TILES, TILES_SHARE = 8, 20, 0.9
"""Least number of tiles that fit a column, greatest number drawn, and their share of it."""

TWO_LINES = 2.6
"""Height of a setting in em from which its name has two lines."""

INVISIBLE = "rgba(0,0,0,0)"
POSITIONS = "positions:"

LONGEST_WORD = 5
"""Longest word of the legend in em, which has to fit its line."""

Setting = tuple[str, str, int]
"""Mask, positions and the number of layers."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Verdicts(Picture):
    """A cell for every mask, depth and position scheme: a tile for each word, dark for the same output.

    `verdicts` has the columns mask, positions, layers, place, word, difference and same. Below the tiles is
    the verdict on the word at position `chosen`, whose tile is framed, and so is the cell of the `setting`. A
    click on a tile reports the number of its line in `verdicts`, and a click elsewhere in a cell the line of
    the chosen word. If there are many words, only the number of those with the same output is shown.
    """

    verdicts: pd.DataFrame
    chosen: int
    setting: Setting | None = None

    @classmethod
    def of(cls, verdicts: pd.DataFrame, chosen: int, setting: Setting | None = None) -> "Verdicts":
        """Return the picture with its title, which names the chosen word."""
        word = word_label(_words(verdicts), chosen)
        title = f"Output of {word} in both word orders, by mask, depth and position scheme"
        return cls(title=title, verdicts=verdicts, chosen=chosen, setting=setting)

    def draw(self, room: Room) -> Figure:
        cells, theme = _cells(self.verdicts), room.theme
        schemes, names = cells["positions"].unique(), cells["row_label"].unique()
        n_rows, n_columns, n_words = len(names), len(schemes), cells["place"].max() + 1
        lines = [line for name in (*names, POSITIONS) for line in name.split("<br>")]
        left = max(map(em_width, lines)) * TYPE + 2 * BESIDE
        columns = fit_columns(schemes, room.width - left - BESIDE)
        in_words = em_width("differs") * TYPE < columns.pitch
        legend = self._legend(room, is_counted=n_words > MOST_TILES, in_words=in_words)
        around = columns.height + len(legend) * LEGEND_LINE + BESIDE
        row = row_height(room, n_rows, around=around, usual=ROW, least=LEAST_ROW)
        size = max(room.smallest_type, min(TYPE, floor(row / TWO_LINES)))
        box = Rect(left, columns.height, columns.pitch * n_columns, row * n_rows)
        drawn = canvas(room.width, around + box.height, theme)
        across, upwards = drawn.domains(box, 0)
        rows = {"tickvals": list(range(n_rows)), "ticktext": list(names), "range": (n_rows - 0.5, -0.5)}
        y = {**name_axis(size), **rows, "domain": upwards, "ticklabelstandoff": BESIDE}
        drawn.layout.update(xaxis=columns.axis() | {"domain": across}, yaxis=y)
        drawn.note(POSITIONS, left - BESIDE, box.top - 3, "right bottom", size=TYPE, colour=theme.muted)
        for at in range(1, n_rows):
            ends = {"x0": -0.5, "x1": n_columns - 0.5, "y0": at - 0.5, "y1": at - 0.5}
            drawn.shape(type="line", line={"color": theme.line, "width": 1}, **ends)
        of_word = cells[cells["place"] == self.chosen]
        x, y_of = of_word["column"].to_numpy(), of_word["row"].to_numpy()
        drawn.add_trace(_grounds(of_word["number"].to_numpy().reshape(n_rows, n_columns)))
        if n_words > MOST_TILES:
            numbers = cells.groupby(["row", "column"])["same"].sum()
            forms = [f"{number} of {n_words}" for number in numbers]
            if max(map(em_width, forms)) * LEGEND > columns.pitch - 4:
                forms = [form.replace(" of ", "/") for form in forms]
            drawn.add_trace(_texts(x, y_of + TILE_AT, forms, max(LEGEND, room.smallest_type), theme.ink))
        else:
            width = min(TILES_SHARE * columns.pitch / max(n_words, FEWEST_TILES), LARGEST_TILE, 0.5 * row)
            height = max(width, min(LEAST_TILE, 0.4 * row)) / row
            width /= columns.pitch
            drawn.add_trace(_tiles(cells, width, height, theme))
            middles = x + width * (self.chosen + 0.5 - n_words / 2)
            framed = outlines(middles, y_of + TILE_AT, width / 2, height / 2 + FRAME / row)
            line = {"color": theme.selection, "width": FRAME}
            corners = dict(zip("xy", framed, strict=True))
            drawn.add_trace(trace_of("scatter", **corners, mode="lines", line=line, hoverinfo="skip"))
        alike, other = ("<b>same</b>", "differs") if in_words else ("<b>=</b>", "≠")
        verdicts = [alike if one else other for one in of_word["same"]]
        inks = np.where(of_word["same"], theme.ink, theme.muted)
        drawn.add_trace(_texts(x, y_of + VERDICT_AT, verdicts, size, inks))
        if not room.is_printed:
            self._frame_setting(drawn, of_word)
        drawn.legend(legend, MARGIN, box.bottom + BESIDE)
        return drawn.finished()

    def alt(self) -> str:
        of_word = self.verdicts[self.verdicts["place"] == self.chosen]
        same = of_word[of_word["same"]]
        settings = [
            f"{row.mask}, {'no' if row.positions == 'none' else row.positions} positions, "
            f"{counted(row.layers, 'layer')}"
            for row in same.itertuples()
        ]
        word = unique_words(_words(self.verdicts))[self.chosen]
        where = f": {'; '.join(settings)}" if 0 < len(same) < len(of_word) else ""
        return (
            f"The word {word} gets the same output in both orders in {len(same)} of "
            f"{counted(len(of_word), 'setting')}{where}."
        )

    def table(self) -> pd.DataFrame:
        return self.verdicts

    def _frame_setting(self, drawn: Canvas, cells: pd.DataFrame) -> None:
        """Draw a frame around the cell of the setting, if the table has it."""
        for cell in cells.itertuples():
            if (cell.mask, cell.positions, cell.layers) == self.setting:
                corners = {"x0": cell.column - 0.48, "x1": cell.column + 0.48}
                corners |= {"y0": cell.row - 0.47, "y1": cell.row + 0.47}
                line = {"color": drawn.theme.selection, "width": FRAME}
                drawn.shape(type="rect", **corners, line=line)

    def _legend(self, room: Room, *, is_counted: bool, in_words: bool) -> list[str]:
        """Return the meaning of the signs, in one line if there is room."""
        theme, word = room.theme, label(_words(self.verdicts)[self.chosen], longest=LONGEST_WORD)
        signs_of_word = "same or differs" if in_words else "= or ≠"
        lines = ["words with the same output in both orders;", f"{signs_of_word}: <b>{word}</b>"]
        if not is_counted:
            signs = (("■", theme.ink), ("■", theme.line), ("□", theme.selection))
            dark, light, frame = (f'<span style="color:{colour}">{sign}</span>' for sign, colour in signs)
            both = f"{dark} same output in both orders   {light} differs"
            lines = [both, f"{frame} <b>{word}</b>{'' if in_words else ', below: = same, ≠ differs'}"]
        return joined(lines, room.width)


def _cells(table: pd.DataFrame) -> pd.DataFrame:
    """Return `table` with line numbers, sorted by the row and column of each setting, and by place."""
    depth = table["layers"].map(lambda layers: counted(layers, "layer"))
    rows = table["mask"].map(label) + "<br>" + depth
    at = {"row": pd.factorize(rows)[0], "column": pd.factorize(table["positions"])[0]}
    cells = table.assign(**at, row_label=rows, number=np.arange(len(table)))
    return cells.sort_values(["row", "column", "place"])


def _words(table: pd.DataFrame) -> list[str]:
    """Return the words in the order of their positions."""
    return list(table.drop_duplicates("place").sort_values("place")["word"])


def _tiles(cells: pd.DataFrame, width: float, height: float, theme: Theme) -> Trace:
    """Return a tile for each word and setting, in one trace with gaps between the settings."""
    shape = n_rows, n_columns, n_words = tuple(cells[["row", "column", "place"]].max() + 1)
    names = [literal(name) for name in unique_words(_words(cells))]
    hovers = [
        f"{names[row.place]}: {'same' if row.same else 'differs'}, difference {distance(row.difference)}"
        for row in cells.itertuples()
    ]
    ends = width * (np.arange(n_words + 1) - n_words / 2)
    upright = TILE_AT + np.array((-0.5, 0.5)) * height

    def spread(values: ArrayLike, gap: Any) -> NDArray[Any]:
        return with_gaps(np.asarray(values).reshape(shape), gap)

    return trace_of(
        "heatmap",
        z=spread(cells["same"].to_numpy(dtype=np.float32), np.nan),
        x=np.add.outer(np.arange(n_columns), ends).ravel(),
        y=np.add.outer(np.arange(n_rows), upright).ravel(),
        zmin=0,
        zmax=1,
        colorscale=((0, theme.line), (1, theme.ink)),
        showscale=False,
        xgap=1,
        customdata=spread(cells["number"], -1),
        hovertext=spread(np.array(hovers, dtype=object), "").tolist(),
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
    )


def _grounds(numbers: NDArray[Any]) -> Trace:
    """Return an invisible ground below each cell, which answers clicks beside the tiles."""
    return trace_of(
        "heatmap",
        z=np.zeros(numbers.shape, dtype=np.float32),
        colorscale=((0, INVISIBLE), (1, INVISIBLE)),
        showscale=False,
        customdata=numbers,
        hoverinfo="none",
    )


def _texts(x: Any, y: Any, texts: Sequence[str], size: float, colour: Any) -> Trace:
    font = {"size": size, "color": colour}
    return trace_of("scatter", x=x, y=y, mode="text", text=texts, textfont=font, hoverinfo="skip")
