"""Networks over a sentence as boxes and arrows: one path lit, the rest grey."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from viz.layout.arrows import Edge, Node, arrows
from viz.layout.boxes import ANGLE, BORDER, LARGEST_WORD, SIDE, Boxes, boxes, outlines
from viz.layout.figure import Figure
from viz.layout.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture
from viz.room import Room
from viz.tables import named, unique_words
from viz.text import label, literal
from viz.theme import Role, Theme
from words import counted

Ends = tuple[int, int]
"""The word a path starts from and the word whose state it leads to."""

Counts = NDArray[np.integer]

MOST_WITH_ARROWHEADS, MOST_WITH_ALL_ARROWS = 8, 16
"""Words up to which all-to-all arrows have heads, and up to which all of them are drawn."""

LIT, UNLIT = BORDER, 1
LIT_HEAD, UNLIT_HEAD = 17, 9
FAINT, FAINTER = 0.45, 0.25
"""Opacity of what is not lit, and of plain lines, which lie close; both still to be seen on a projector."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Network(Picture):
    """A network over the words, with `counts`, (row, word), in its boxes; negative counts stay blank.

    `ends` are the two words chosen, if any, and `path` the nodes to light, none if there is no way. A click
    on a box reports its row and column as customdata.
    """

    words: Sequence[str]
    counts: Counts
    ends: Ends | None
    path: Sequence[Node]

    name: ClassVar[str]
    role: ClassVar[Role]

    @abstractmethod
    def edges(self) -> list[Edge]:
        """Return the arrows."""

    @property
    def has_heads(self) -> bool:
        """Whether arrows that are not lit have heads."""
        return True

    def draw(self, room: Room) -> Figure:
        words, counts, path, theme = self.words, self.counts, self.path, room.theme
        colour = theme.colour(self.role)
        form = boxes(words, len(counts), room)
        lit = list(pairwise(path))
        covered = {*lit, *((end, start) for start, end in lit)}
        unlit = [edge for edge in self.edges() if edge not in covered]
        figure = _empty(words, form, self.ends, colour, theme)
        figure.add_trace(_grey_arrows(unlit, form, theme, heads=self.has_heads and not form.is_crowded))
        figure.add_trace(_boxes(set(_nodes(counts)) - set(path), form, theme.muted, width=UNLIT))
        figure.add_trace(arrows(lit, form, colour, width=LIT, head=LIT_HEAD))
        figure.add_trace(_boxes(path, form, colour, width=LIT))
        figure.add_trace(_numbers(words, counts, form, set(path), colour, theme))
        if form.is_crowded and path:
            _write_count(figure, str(counts[path[-1]]), path[-1], form, colour)
        return figure.finished()

    def alt(self) -> str:
        told = (
            _told_counts(self.counts) if self.ends is None else _told_path(self.words, self.ends, self.path)
        )
        return f"{self.name} over {counted(len(self.words), 'word')}. {told}"

    def table(self) -> pd.DataFrame:
        """List the counts, a row for each layer; a blank one is missing."""
        rows = ["word vector", *(f"layer {row}" for row in range(1, len(self.counts)))]
        index = pd.Index(rows, name="state in")
        table = pd.DataFrame(self.counts, index=index, columns=unique_words(self.words))
        return table.mask(table < 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class RecurrentNetwork(Network):
    """A recurrent network unrolled over the words.

    Each state feeds the next word's, or the one before where that has the larger count: away from a source on
    both its sides, as two networks reading in opposite directions would.
    """

    name: ClassVar[str] = "Recurrent network"
    role: ClassVar[Role] = "recurrence"

    def edges(self) -> list[Edge]:
        counts = self.counts
        n_rows, n = counts.shape
        upwards = [((row - 1, at), (row, at)) for row in range(1, n_rows) for at in range(n)]
        along = [((row, at), (row, at + 1)) for row in range(1, n_rows) for at in range(n - 1)]
        return [*upwards, *((a, b) if counts[a] <= counts[b] else (b, a) for a, b in along)]


@dataclass(frozen=True, kw_only=True, eq=False)
class AttentionNetwork(Network):
    """Layers of self-attention over the words, in the geometry of a recurrent network.

    Every word attends to every word, or to those of `allowed`, (query, key). Of many words only two are
    followed, `ends` or the first and the last: what attends to the one, and what the other attends to.
    """

    allowed: NDArray[np.bool_] | None = None

    name: ClassVar[str] = "Self-attention"
    role: ClassVar[Role] = "attention"

    def edges(self) -> list[Edge]:
        n_rows, n = self.counts.shape
        source, target = self.ends or (0, n - 1)
        pairs = [
            (key, query)
            for key, query in product(range(n), repeat=2)
            if (self.allowed is None or self.allowed[query, key])
            and (n <= MOST_WITH_ALL_ARROWS or key == source or query == target)
        ]
        return [((row - 1, key), (row, query)) for row in range(1, n_rows) for key, query in pairs]

    @property
    def has_heads(self) -> bool:
        return len(self.words) <= MOST_WITH_ARROWHEADS


def what_is_counted(words: Sequence[str], ends: Ends | None) -> str:
    """Return what the numbers in the boxes count, for a title."""
    if ends is None:
        return "Serial operations before each state"
    source, target = (named(words, end) for end in ends)
    return f"Operations between {source} and the state of {target}"


def _told_path(words: Sequence[str], ends: Ends, path: Sequence[Node]) -> str:
    """How long the lit path is."""
    names = unique_words(words)
    source, target = (names[end] for end in ends)
    if not path:
        return f"No path leads from {source} to {target}."
    return f"From {source} to {target} it takes {counted(len(path) - 1, 'operation')}."


def _told_counts(counts: Counts) -> str:
    """How many operations in a row each state of the top row takes."""
    fewest, most = int(counts[-1].min()), int(counts[-1].max())
    each = str(most) if fewest == most else f"{fewest} to {most}"
    return (
        f"A state of layer {len(counts) - 1} takes {each} operation{'s' * (most != 1)} one after the other."
    )


def _nodes(counts: Counts) -> list[Node]:
    n_rows, n = counts.shape
    return list(product(range(n_rows), range(n)))


def _empty(words: Sequence[str], form: Boxes, ends: Ends | None, colour: str, theme: Theme) -> Sketch:
    """The figure without its network: its words, its coordinates, and how near to a box a click means it."""
    figure = blank(theme, width=round(form.width * form.times), height=round(form.height * form.times))
    lengths = {"l": form.left, "r": SIDE, "t": form.above, "b": form.below}
    margin = {side: form.times * length for side, length in lengths.items()}
    figure.update_layout(margin=margin, hovermode="closest", hoverdistance=round(form.row * form.times / 2))
    figure.layout["xaxis"] = _word_axis(words, form, ends, colour)
    room = form.half_height + BORDER / 2 / form.row
    figure.layout["yaxis"] |= {"range": (-room, form.n_rows - 1 + room)}
    return figure


def _grey_arrows(edges: Iterable[Edge], form: Boxes, theme: Theme, *, heads: bool) -> Trace:
    trace = arrows(edges, form, theme.muted, width=UNLIT, head=UNLIT_HEAD if heads else 0)
    return trace | {"opacity": FAINT if heads else FAINTER}


def _boxes(nodes: Collection[Node], form: Boxes, colour: str, *, width: float) -> Trace:
    """Boxes as one trace: outlines, or strips of colour where those would touch."""
    rows, columns = np.array(sorted(nodes), dtype=np.float32).reshape(-1, 2).T
    x, y = outlines(columns, rows, form.half_width, form.half_height)
    if not form.is_crowded:
        return trace_of(
            "scatter",
            x=x,
            y=y,
            mode="lines",
            line={"color": colour, "width": width * form.times},
            hoverinfo="skip",
        )
    look = {"fill": "toself", "fillcolor": colour, "opacity": 1 if width == LIT else FAINT}
    return trace_of("scatter", x=x, y=y, **look, mode="lines", line={"width": 0}, hoverinfo="skip")


def _numbers(
    words: Sequence[str], counts: Counts, form: Boxes, path: Collection[Node], colour: str, theme: Theme
) -> Trace:
    """The count in each box; it also answers the pointer, with its row and column."""
    nodes = _nodes(counts)
    names = [literal(name) for name in unique_words(words)]
    digits = {
        "text": [_digits(int(counts[node]), node in path) for node in nodes],
        "textfont": {
            "size": form.number_size * form.times,
            "color": [colour if node in path else theme.muted for node in nodes],
        },
    }
    return trace_of(
        "scatter",
        x=np.array([column for _, column in nodes], dtype=np.uint16),
        y=np.array([row for row, _ in nodes], dtype=np.uint8),
        mode="markers" if form.is_crowded else "markers+text",
        marker={"size": min(form.column, form.box_height) * form.times, "opacity": 0},
        # A list: of a NumPy array a click would report an object with the keys 0 and 1.
        customdata=nodes,
        hovertext=[_hover(names[column], row, int(counts[row, column])) for row, column in nodes],
        hovertemplate="%{hovertext}<extra></extra>",
        **({} if form.is_crowded else digits),
    )


def _digits(count: int, is_lit: bool) -> str:
    if count < 0:
        return ""
    return f"<b>{count}</b>" if is_lit else str(count)


def _hover(name: str, row: int, count: int) -> str:
    what = f"state of {name} in layer {row}" if row else f"vector of {name}"
    return f"{what}: {counted(count, 'operation') if count >= 0 else 'not reached'}"


def _write_count(figure: Sketch, count: str, node: Node, form: Boxes, colour: str) -> None:
    """The count at the end of the path, above its box where boxes are too narrow for numbers."""
    row, column = node
    is_right = column >= form.n_words / 2
    edge = column + form.half_width * (1 if is_right else -1)
    place = {"x": edge, "xanchor": "right" if is_right else "left"}
    place |= {"y": row + form.half_height, "yanchor": "bottom"}
    font = {"size": LARGEST_WORD * form.times, "color": colour}
    figure.add_annotation(text=f"<b>{count}</b>", showarrow=False, borderpad=0, font=font, **place)


def _word_axis(words: Sequence[str], form: Boxes, ends: Ends | None, colour: str) -> dict[str, Any]:
    places = form.written(*(ends or (0, len(words) - 1)))
    return {
        "range": form.columns,
        "tickvals": np.array(places),
        "ticktext": [_word(words[at], at in (ends or ()), colour) for at in places],
        "tickangle": -ANGLE if form.is_slanted else 0,
        "ticklabeloverflow": "allow",
        "tickfont": {"size": form.word_size * form.times},
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
    }


def _word(word: str, is_end: bool, colour: str) -> str:
    return f'<b><span style="color:{colour}">{label(word)}</span></b>' if is_end else label(word)
