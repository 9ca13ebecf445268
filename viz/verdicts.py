"""Order invariance at a glance: for every mask, depth and position scheme, which words came out the same."""

from collections.abc import Sequence
from math import ceil, radians, sin
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from core.words import counted, distance
from viz.parts.boxes import outlines
from viz.parts.figure_cache import cached_figure
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.tables import named, unique_words
from viz.text import em_width, label, literal
from viz.theme import Theme

SIDE, HEADER, ROW, LEGEND_LINE = 8, 30, 46, 28
"""Pixels at either side, above the settings, of one row of them, and below them."""

SLANT = 60
"""Degrees by which the names above are turned where they have no room beside each other."""

TILE, FRAME = 14, 2
"""Height of a tile and width of the chosen one's frame in pixels."""

TILE_AT, VERDICT_AT = 14, 34
"""How many pixels below the upper edge of a row the middle of what it holds lies."""

FEWEST_TILES, MOST_TILES, TILES_SHARE = 8, 20, 0.9
"""A column has room for so many tiles at least, on this share of it; more than the most are only counted."""

INVISIBLE = "rgba(0,0,0,0)"

NAME, COUNT = 15, 14
"""Type sizes in pixels."""

LONGEST_WORD = 5
"""The longest word of the legend in em: it has to fit its line."""

Setting = tuple[str, str, int]
"""Mask, positions and the number of layers."""

Same = NDArray[np.bool_]
"""(row, column, place): whether a word came out the same in a setting."""


def verdict_grid(
    table: pd.DataFrame, *, chosen: int, theme: Theme, setting: Setting | None = None, narrow: bool = False
) -> Picture:
    """Draw a cell per mask, depth and position scheme: a tile per word, dark if its output is the same.

    `table` has the columns mask, positions, layers, place, word, difference and same. Below the tiles stands
    the verdict on the word at position `chosen`, whose tile is framed, and so is the cell of the `setting`.
    A click on a tile reports the number of its row in the table as customdata, and a click elsewhere in a
    cell that of the chosen word. Of many words only the number of those with the same output is shown. If the
    figure is `narrow`, the names above it are slanted, and the legend takes two lines.
    """
    word = named(_words(table), chosen)
    title = f"Output of {word} in both word orders, by mask, depth and position scheme"
    return finished(
        _drawn(table, chosen, setting, theme, narrow),
        alt=_alt(table, chosen),
        table=lambda: table,
        title=title,
    )


@cached_figure
def _drawn(
    table: pd.DataFrame, chosen: int, setting: Setting | None, theme: Theme, narrow: bool
) -> go.Figure:
    cells = _cells(table)
    same = _array(cells, "same")
    n_rows, n_columns, n_words = same.shape
    header, foot = (_slanted(cells), 2 * LEGEND_LINE) if narrow else (HEADER, LEGEND_LINE)
    figure = blank(theme, height=header + ROW * n_rows + foot)
    right = 3 * SIDE if narrow else SIDE  # the last name above the tiles leans over their end
    figure.update_layout(margin={"l": _left(cells), "r": right, "t": header, "b": foot})
    figure.layout["xaxis"] |= {"range": (-0.5, n_columns - 0.5)}
    figure.layout["yaxis"] |= {"range": (n_rows - 0.5, -0.5)}
    figure.add_trace(_grounds(cells, chosen))
    if n_words <= MOST_TILES:
        figure.add_trace(_tiles(cells, theme))
        figure.add_trace(_frames(same, chosen, theme))
    else:
        figure.add_trace(_counts(same, theme))
    figure.add_trace(_verdicts(cells, chosen, theme, narrow=narrow))
    if setting is not None:
        _frame_setting(figure, cells, setting, theme)
    _write_settings(figure, cells, theme, angle=SLANT if narrow else 0)
    legend = {"tiles": n_words <= MOST_TILES, "narrow": narrow, "left": SIDE - _left(cells) if narrow else 0}
    _write_legend(figure, _words(table)[chosen], theme, **legend)
    return figure.finished()


def _alt(table: pd.DataFrame, chosen: int) -> str:
    of_word = table[table["place"] == chosen]
    same = of_word[of_word["same"]]
    settings = [
        f"{row.mask}, {'no' if row.positions == 'none' else row.positions} positions, "
        f"{counted(row.layers, 'layer')}"
        for row in same.itertuples()
    ]
    word = unique_words(_words(table))[chosen]
    where = f": {'; '.join(settings)}" if 0 < len(same) < len(of_word) else ""
    return (
        f"The word {word} gets the same output in both orders in {len(same)} of "
        f"{counted(len(of_word), 'setting')}{where}."
    )


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


def _left(cells: pd.DataFrame) -> int:
    """Room for the names of the rows, which are masks above depths."""
    lines = [line for text in cells["row_label"].unique() for line in text.split("<br>")]
    return ceil(max(map(em_width, lines)) * NAME) + 2 * SIDE


def _slanted(cells: pd.DataFrame) -> int:
    """Room for the names of the columns where they are slanted."""
    longest = max(em_width(label(name)) for name in cells["positions"].unique())
    return ceil(longest * NAME * sin(radians(SLANT))) + NAME + SIDE


def _tiles(cells: pd.DataFrame, theme: Theme) -> Trace:
    """A tile per word and setting, in one trace with gaps between the settings."""
    same = _array(cells, "same")
    n_rows, n_columns, n_words = same.shape
    ends = _pitch(n_words) * (np.arange(n_words + 1) - n_words / 2)
    upright = _down(TILE_AT) + np.array((-0.5, 0.5)) * TILE / ROW
    return trace_of(
        "heatmap",
        z=_with_gaps(same.astype(np.float32), np.nan),
        x=np.add.outer(np.arange(n_columns), ends).ravel(),
        y=np.add.outer(np.arange(n_rows), upright).ravel(),
        zmin=0,
        zmax=1,
        colorscale=((0, theme.line), (1, theme.ink)),
        showscale=False,
        xgap=1,
        customdata=_with_gaps(_array(cells, "number"), -1),
        hovertext=_with_gaps(_hovers(cells), "").tolist(),
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
    )


def _with_gaps(array: NDArray[Any], gap: Any) -> NDArray[Any]:
    """(row, column, place) as one matrix, with a column of gaps between columns and a row between rows."""
    n_rows, n_columns, n_words = array.shape
    spread = np.full((n_rows, 2, n_columns, n_words + 1), gap, dtype=array.dtype)
    spread[:, 0, :, :n_words] = array
    return spread.reshape(2 * n_rows, -1)[:-1, :-1]


def _hovers(cells: pd.DataFrame) -> NDArray[Any]:
    names = [literal(name) for name in unique_words(_words(cells))]
    texts = [
        f"{names[row.place]}: {'same' if row.same else 'differs'}, difference {distance(row.difference)}"
        for row in cells.itertuples()
    ]
    return _array(cells.assign(text=np.array(texts, dtype=object)), "text")


def _frames(same: Same, chosen: int, theme: Theme) -> Trace:
    """A frame around the tile of the chosen word in every setting."""
    n_rows, n_columns, n_words = same.shape
    rows, columns = np.indices((n_rows, n_columns)).reshape(2, -1)
    pitch = _pitch(n_words)
    middles = columns + pitch * (chosen + 0.5 - n_words / 2), rows + _down(TILE_AT)
    x, y = outlines(*middles, pitch / 2, (TILE / 2 + FRAME) / ROW)
    line = {"color": theme.selection, "width": FRAME}
    return trace_of("scatter", x=x, y=y, mode="lines", line=line, hoverinfo="skip")


def _pitch(n_words: int) -> float:
    """The distance from one tile to the next, in columns."""
    return TILES_SHARE / max(n_words, FEWEST_TILES)


def _down(pixels: float) -> float:
    """The distance in rows from the middle of a row to `pixels` below its upper edge."""
    return pixels / ROW - 0.5


def _grounds(cells: pd.DataFrame, chosen: int) -> Trace:
    """An invisible ground below each cell, which answers clicks beside the tiles."""
    numbers = _array(cells, "number")[:, :, chosen]
    return trace_of(
        "heatmap",
        z=np.zeros(numbers.shape, dtype=np.float32),
        colorscale=((0, INVISIBLE), (1, INVISIBLE)),
        showscale=False,
        customdata=numbers,
        hoverinfo="none",
    )


def _counts(same: Same, theme: Theme) -> Trace:
    """How many words have the same output in each setting."""
    agreeing, n_words = same.sum(axis=2), same.shape[2]
    rows, columns = np.indices(agreeing.shape).reshape(2, -1)
    texts = [f"{agreeing[at]} of {n_words}" for at in zip(rows, columns, strict=True)]
    return _texts(columns, rows + _down(TILE_AT), texts, COUNT, theme.ink)


def _verdicts(cells: pd.DataFrame, chosen: int, theme: Theme, *, narrow: bool) -> Trace:
    """The verdict on the chosen word in each setting, as a sign where a word has no room."""
    of_word = cells[cells["place"] == chosen]
    alike, other = ("<b>=</b>", "≠") if narrow else ("<b>same</b>", "differs")
    verdicts = [alike if same else other for same in of_word["same"]]
    inks = np.where(of_word["same"], theme.ink, theme.muted)
    at = of_word["column"].to_numpy(), of_word["row"].to_numpy() + _down(VERDICT_AT)
    return _texts(*at, verdicts, NAME, inks)


def _frame_setting(figure: Sketch, cells: pd.DataFrame, setting: Setting, theme: Theme) -> None:
    """A frame around the cell of a setting, if the table has it."""
    settings = list(zip(cells["mask"], cells["positions"], cells["layers"], strict=True))
    if setting in settings:
        row, column = cells[["row", "column"]].to_numpy()[settings.index(setting)].tolist()
        corners = {"x0": column - 0.5, "x1": column + 0.5, "y0": row - 0.47, "y1": row + 0.47}
        line = {"color": theme.selection, "width": FRAME}
        figure.add_shape(type="rect", **corners, line=line)


def _texts(x: ArrayLike, y: ArrayLike, texts: Sequence[str], size: ArrayLike, colour: ArrayLike) -> Trace:
    font = {"size": size, "color": colour}
    return trace_of("scatter", x=x, y=y, mode="text", text=texts, textfont=font, hoverinfo="skip")


def _write_settings(figure: Sketch, cells: pd.DataFrame, theme: Theme, *, angle: float) -> None:
    """Position schemes above, masks and depths at the left, and lines between these."""
    note = {"showarrow": False, "borderpad": 0, "font": {"size": NAME}}
    above = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": SIDE}
    beside = {"x": 0, "xref": "paper", "xanchor": "right", "xshift": -SIDE}
    figure.add_annotation(
        text="positions:", **above, **beside, **{**note, "font": {"size": NAME, "color": theme.muted}}
    )
    for column, positions in cells.drop_duplicates("column")[["column", "positions"]].to_numpy():
        turned = {"textangle": -angle, "xanchor": "left", "xshift": -NAME / 2} if angle else {}
        figure.add_annotation(text=label(positions), x=column, **above, **note, **turned)
    for row, text in cells.drop_duplicates("row")[["row", "row_label"]].to_numpy():
        figure.add_annotation(text=text, y=row, align="right", **beside, **note)
        if row:
            line = {"type": "line", "line": {"color": theme.line, "width": 1}}
            figure.add_shape(**line, x0=0, x1=1, xref="paper", y0=row - 0.5, y1=row - 0.5)


def _write_legend(figure: Sketch, word: str, theme: Theme, *, tiles: bool, narrow: bool, left: int) -> None:
    """What the signs mean, below all settings."""
    name, between = f"<b>{label(word, longest=LONGEST_WORD)}</b>", "<br>" if narrow else "   "
    verdict = "below: = same, ≠ differs" if narrow else "= same or ≠ differs below"
    if tiles:
        signs = (("■", theme.ink), ("■", theme.line), ("□", theme.selection))
        dark, light, frame = (f'<span style="color:{colour}">{sign}</span>' for sign, colour in signs)
        text = f"{dark} same output in both orders   {light} differs{between}{frame} {name}, {verdict}"
    else:
        text = f"words with the same output in both orders;{between.rstrip()} = or ≠ for {name}"
    place = {
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "xshift": left,
        "y": 0,
        "yref": "paper",
        "yanchor": "top",
    }
    font = {"size": COUNT, "color": theme.muted}
    figure.add_annotation(text=text, showarrow=False, align="left", borderpad=4, font=font, **place)
