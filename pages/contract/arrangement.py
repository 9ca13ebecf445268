"""Arrangement of a sheet for the lecture hall: its picture, its controls, and the rest below."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pages.contract.sheet import Columns, Controls, Drawing, Part, PicturePart, Strip, Text

Visual = PicturePart | Drawing | Strip
"""Parts of a page that can fill the window in the large view."""

LONGEST_HEADING = 90
"""Longest text, in characters, that can be the heading of the picture below it."""


@dataclass(frozen=True)
class Panel:
    """A picture under its heading, which may be empty."""

    drawn: Visual
    heading: str = ""


@dataclass(frozen=True)
class Panels:
    """Pictures that fill a window together, side by side, each as wide as its weight."""

    panels: tuple[Panel, ...]
    weights: tuple[float, ...] = (1.0,)


@dataclass(frozen=True)
class HallLayout:
    """A sheet for the lecture hall: its picture, if any, the parts below it, and the `controls` of a bar."""

    picture: Panels | None
    below: tuple[Panels | Part, ...]
    controls: tuple[Controls, ...]


def arranged(parts: Sequence[Part], panel: int = 0) -> HallLayout:
    """Return a sheet for the lecture hall: its first picture comes first, the rest keeps its order.

    Pictures side by side count as one. If `panel`, counted from 1, chooses one of them, the others stand
    below. Folds stay as they are.
    """
    order = list(_in_order(parts))
    controls = tuple(one for one in order if isinstance(one, Controls))
    seen = [one for one in order if not isinstance(one, Controls)]
    first = next((one for one in seen if isinstance(one, Panels)), None)
    below = tuple(one for one in seen if one is not first)
    if first is None or not 0 < panel <= len(first.panels):
        return HallLayout(first, below, controls)
    others = tuple(Panels((one,)) for at, one in enumerate(first.panels, 1) if at != panel)
    return HallLayout(Panels((first.panels[panel - 1],)), (*others, *below), controls)


def _in_order(parts: Sequence[Part]) -> Iterator[Panels | Part]:
    """Yield the parts with pictures as panels; parts of columns follow below each other."""
    names: Sequence[str] = ()
    for one in _with_headings(parts):
        if isinstance(one, Panel):
            yield Panels((one,))
        elif isinstance(one, Columns):
            names = _names_of(one) or names
            yield from _of_columns(one, names)
        else:
            yield one


def _names_of(part: Columns) -> tuple[str, ...]:
    """Return the headings at the top of several columns; nothing if a column has none."""
    firsts = [column[0] if column else None for column in part.columns]
    names = tuple(one.markdown for one in firsts if isinstance(one, Text) and is_heading(one))
    return names if len(names) == len(firsts) > 1 else ()


def _of_columns(part: Columns, names: Sequence[str]) -> Iterator[Panels | Part]:
    """Yield the first picture of each column side by side, then the other parts, column by column."""
    columns = [list(_in_order(column)) for column in part.columns]
    if len(names) == len(columns):
        columns = [[_named(one, name) for one in column] for column, name in zip(columns, names, strict=True)]
    weights = part.weights or (1.0,) * len(columns)
    firsts = [next((one for one in column if isinstance(one, Panels)), None) for column in columns]
    beside = [(one, weight) for one, weight in zip(firsts, weights, strict=True) if one is not None]
    if part.alone:
        beside = beside[:1]
    if beside:
        panels = tuple(panel for one, _ in beside for panel in one.panels)
        shares = tuple(weight * share for one, weight in beside for share in _shares(one))
        yield Panels(panels, shares)
    for column in columns:
        yield from (one for one in column if all(one is not shown for shown, _ in beside))


def _named(one: Panels | Part, name: str) -> Panels | Part:
    """Return a picture under the name if it has no heading; return any other part unchanged."""
    if not isinstance(one, Panels) or len(one.panels) > 1 or one.panels[0].heading:
        return one
    return replace(one, panels=(replace(one.panels[0], heading=name),))


def _shares(panels: Panels) -> list[float]:
    return [weight / sum(panels.weights) for weight in panels.weights]


def _with_headings(parts: Sequence[Part]) -> Iterator[Panel | Part]:
    """Yield the parts with each picture as a panel under the heading right above it."""
    heading: Text | None = None
    for part in parts:
        if isinstance(part, Visual):
            yield Panel(part, heading.markdown if heading is not None else "")
            heading = None
            continue
        if heading is not None:
            yield heading
        heading = part if isinstance(part, Text) and is_heading(part) else None
        if heading is None:
            yield part
    if heading is not None:
        yield heading


def is_heading(text: Text) -> bool:
    """Return whether a text is the heading of the part below it."""
    markdown = text.markdown
    return text.kind == "text" and len(markdown) <= LONGEST_HEADING and markdown.startswith(("## ", "**"))
