"""Order invariance at a glance: for every mask, depth and position scheme, which words came out the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, floor, radians, sin
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz.layout.boxes import outlines
from viz.layout.canvas import LEGEND, LEGEND_LINE, MARGIN, Canvas, canvas, legend_width
from viz.layout.figure import Figure
from viz.layout.rows import row_height, with_gaps
from viz.layout.sketch import Trace, trace_of
from viz.picture import Picture
from viz.room import Room
from viz.tables import named, unique_words
from viz.text import em_width, label, literal
from viz.theme import Theme
from words import counted, distance

SIDE, ROW, LEAST_ROW, SLANT = 8, 50, 34, 60
"""Pixels at either side, of height of a setting and at least on a page; and degrees by which names slant."""

LARGEST_TILE, LEAST_TILE, FRAME = 18, 10, 2
"""Pixels of a tile, of its height at least, and of the width of the chosen one's frame."""

TILE_AT, VERDICT_AT = 0.32, 0.77
"""Where the middles of tiles and of verdicts are, in rows."""

FEWEST_TILES, MOST_TILES, TILES_SHARE = 8, 20, 0.9
"""A column has room for so many tiles at least, on this share of it; more than the most are only counted."""

TWO_LINES = 2.6
"""How high a setting has to be in em for the two lines of its name."""

INVISIBLE = "rgba(0,0,0,0)"
POSITIONS = "positions:"
NAME = 15

LONGEST_WORD = 5
"""The longest word of the legend in em: it has to fit its line."""

Setting = tuple[str, str, int]
"""Mask, positions and the number of layers."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Verdicts(Picture):
    """A cell for every mask, depth and position scheme: a tile for each word, dark if its output is the same.

    `verdicts` has the columns mask, positions, layers, place, word, difference and same. Below the tiles
    stands the verdict on the word at position `chosen`, whose tile is framed, and so is the cell of the
    `setting`. A click on a tile reports the number of its line in `verdicts`, and a click elsewhere in a cell
    that of the chosen word. Of many words only the number of those with the same output is shown.
    """

    verdicts: pd.DataFrame
    chosen: int
    setting: Setting | None = None

    @classmethod
    def of(cls, verdicts: pd.DataFrame, chosen: int, setting: Setting | None = None) -> "Verdicts":
        """Return the picture with its title, which names the chosen word."""
        word = named(_words(verdicts), chosen)
        title = f"Output of {word} in both word orders, by mask, depth and position scheme"
        return cls(title=title, verdicts=verdicts, chosen=chosen, setting=setting)

    def draw(self, room: Room) -> Figure:
        cells, theme = _cells(self.verdicts), room.theme
        same = _array(cells, "same")
        n_rows, n_columns, n_words = same.shape
        schemes, rows = list(cells["positions"].unique()), list(cells["row_label"].unique())
        left = (
            max(em_width(line) for text in (*rows, POSITIONS) for line in text.split("<br>")) * NAME
            + 2 * SIDE
        )
        longest = max(em_width(label(name)) for name in schemes) * NAME
        is_slanted = longest + SIDE > (room.width - left - SIDE) / n_columns
        beyond = em_width(label(schemes[-1])) * NAME * cos(radians(SLANT)) + NAME
        pitch = (room.width - left - SIDE) / n_columns
        if is_slanted:
            pitch = (room.width - left - max(SIDE, beyond - pitch / 2)) / n_columns
        above = longest * sin(radians(SLANT)) + NAME + SIDE if is_slanted else NAME * 1.4 + SIDE
        tiles, is_counted = TILES_SHARE * pitch / max(n_words, FEWEST_TILES), n_words > MOST_TILES
        legend = _legend(
            label(_words(self.verdicts)[self.chosen], longest=LONGEST_WORD),
            theme,
            room.width,
            is_counted=is_counted,
        )
        around = above + len(legend) * LEGEND_LINE + SIDE
        row = row_height(room, n_rows, around=around, usual=ROW, least=LEAST_ROW)
        drawn = canvas(room.width, around + row * n_rows, theme)
        box_of_paper = {"visible": False, "fixedrange": True}
        domain_x = (left / drawn.width, (left + pitch * n_columns) / drawn.width)
        foot = above + row * n_rows
        domain_y = (1 - foot / drawn.height, 1 - above / drawn.height)
        drawn.figure.layout["xaxis"] = {**box_of_paper, "range": (-0.5, n_columns - 0.5), "domain": domain_x}
        drawn.figure.layout["yaxis"] = {**box_of_paper, "range": (n_rows - 0.5, -0.5), "domain": domain_y}
        drawn.figure.add_trace(_grounds(_array(cells, "number")[:, :, self.chosen]))
        columns, lines = np.meshgrid(np.arange(n_columns), np.arange(n_rows))
        if is_counted:
            numbers = same.sum(axis=2).ravel().tolist()
            forms = [f"{number} of {n_words}" for number in numbers]
            if max(map(em_width, forms)) * LEGEND > pitch - 4:
                forms = [f"{number}/{n_words}" for number in numbers]
            at = columns.ravel(), lines.ravel() + TILE_AT - 0.5
            drawn.figure.add_trace(_texts(*at, forms, max(LEGEND, room.smallest_type), theme.ink))
        else:
            width = min(tiles, LARGEST_TILE, 0.5 * row)
            height = max(width, min(LEAST_TILE, 0.4 * row)) / row
            drawn.figure.add_trace(_tiles(cells, width / pitch, height, theme))
            middles = columns.ravel() + width / pitch * (self.chosen + 0.5 - n_words / 2)
            sides = width / pitch / 2, height / 2 + FRAME / row
            x, y = outlines(middles, lines.ravel() + TILE_AT - 0.5, *sides)
            frame = {"color": theme.selection, "width": FRAME}
            drawn.figure.add_trace(trace_of("scatter", x=x, y=y, mode="lines", line=frame, hoverinfo="skip"))
        of_word = cells[cells["place"] == self.chosen]
        alike, other = ("<b>same</b>", "differs") if em_width("differs") * NAME < pitch else ("<b>=</b>", "≠")
        verdicts = [alike if one else other for one in of_word["same"]]
        inks = np.where(of_word["same"], theme.ink, theme.muted)
        at = of_word["column"].to_numpy(), of_word["row"].to_numpy() + VERDICT_AT - 0.5
        size = max(room.smallest_type, min(NAME, floor(row / TWO_LINES)))
        drawn.figure.add_trace(_texts(*at, verdicts, size, inks))
        if self.setting is not None and not room.is_printed:
            self._frame_setting(drawn, cells)
        look: dict[str, Any] = {"font": {"size": NAME}}
        muted = {"font": {"size": NAME, "color": theme.muted}}
        drawn.note(POSITIONS, left - SIDE, above - SIDE, xanchor="right", yanchor="bottom", **muted)
        for column, name in enumerate(schemes):
            x = left + (column + 0.5) * pitch
            place: dict[str, Any] = {"xanchor": "center", "yanchor": "bottom"}
            if is_slanted:
                x, place = x - NAME / 2, {"xanchor": "left", "yanchor": "bottom", "textangle": -SLANT}
            drawn.note(label(name), x, above - SIDE, **place, **look)
        for line, text in enumerate(rows):
            middle = above + (line + 0.5) * row
            place = {"xanchor": "right", "yanchor": "middle", "align": "right"}
            drawn.note(text, left - SIDE, middle, font={"size": size}, **place)
            if line:
                thin = {"color": theme.line, "width": 1}
                drawn.shape(type="line", x0=-0.5, x1=n_columns - 0.5, y0=line - 0.5, y1=line - 0.5, line=thin)
        drawn.legend(legend, MARGIN, foot + SIDE)
        return drawn.finished()

    def alt(self) -> str:
        """The settings in which the chosen word has the same output."""
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
        settings = list(zip(cells["mask"], cells["positions"], cells["layers"], strict=True))
        if self.setting in settings:
            row, column = cells[["row", "column"]].to_numpy()[settings.index(self.setting)].tolist()
            corners = {"x0": column - 0.48, "x1": column + 0.48, "y0": row - 0.47, "y1": row + 0.47}
            drawn.shape(type="rect", **corners, line={"color": drawn.theme.selection, "width": FRAME})


def _cells(table: pd.DataFrame) -> pd.DataFrame:
    """`table` with the row and column of each setting, in the order of appearance, and its own numbers."""
    depth = table["layers"].map(lambda layers: counted(layers, "layer"))
    rows = table["mask"].map(label) + "<br>" + depth
    at = {"row": pd.factorize(rows)[0], "column": pd.factorize(table["positions"])[0]}
    return table.assign(**at, row_label=rows, number=np.arange(len(table)))


def _array(cells: pd.DataFrame, column: str) -> NDArray[Any]:
    """A column of the table as (row, column, place)."""
    at = tuple(cells[axis].to_numpy() for axis in ("row", "column", "place"))
    values = cells[column].to_numpy()
    array = np.empty([places.max() + 1 for places in at], dtype=values.dtype)
    array[at] = values
    return array


def _words(table: pd.DataFrame) -> list[str]:
    """The words in the order of their positions."""
    return list(table.drop_duplicates("place").sort_values("place")["word"])


def _tiles(cells: pd.DataFrame, width: float, height: float, theme: Theme) -> Trace:
    """A tile for each word and setting, in one trace with gaps between the settings."""
    same = _array(cells, "same")
    n_rows, n_columns, n_words = same.shape
    names = [literal(name) for name in unique_words(_words(cells))]
    hovers = [
        f"{names[row.place]}: {'same' if row.same else 'differs'}, difference {distance(row.difference)}"
        for row in cells.itertuples()
    ]
    said = _array(cells.assign(text=np.array(hovers, dtype=object)), "text")
    ends = width * (np.arange(n_words + 1) - n_words / 2)
    upright = TILE_AT - 0.5 + np.array((-0.5, 0.5)) * height
    return trace_of(
        "heatmap",
        z=with_gaps(same.astype(np.float32), np.nan),
        x=np.add.outer(np.arange(n_columns), ends).ravel(),
        y=np.add.outer(np.arange(n_rows), upright).ravel(),
        zmin=0,
        zmax=1,
        colorscale=((0, theme.line), (1, theme.ink)),
        showscale=False,
        xgap=1,
        customdata=with_gaps(_array(cells, "number"), -1),
        hovertext=with_gaps(said, "").tolist(),
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
    )


def _grounds(numbers: NDArray[Any]) -> Trace:
    """An invisible ground below each cell, which answers clicks beside the tiles."""
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


def _legend(word: str, theme: Theme, width: float, *, is_counted: bool) -> list[str]:
    """What the signs mean, in one line if there is room."""
    if is_counted:
        lines = ["words with the same output in both orders;", f"= or ≠ for <b>{word}</b>"]
    else:
        signs = (("■", theme.ink), ("■", theme.line), ("□", theme.selection))
        dark, light, frame = (f'<span style="color:{colour}">{sign}</span>' for sign, colour in signs)
        both = f"{dark} same output in both orders   {light} differs"
        lines = [both, f"{frame} <b>{word}</b>, below: = same, ≠ differs"]
    one = "   ".join(lines)
    return [one] if legend_width([one]) + MARGIN <= width else lines
