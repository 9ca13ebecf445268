"""The calculation behind one cell: from q·k to the weighted value, with the numbers filled in."""

import numpy as np
import pandas as pd

from core.measures.reading import Calculation
from core.model.positions import INJECTION_POINTS, SCHEMES
from pages.contract.look import Look
from pages.contract.sheet import Numbers, Part, Remark, Steps, Text
from pages.explorer.cell import Cell
from pages.explorer.merged import merged_weight
from pages.shell.scene import Scene
from viz.latex import decimal, power
from viz.theme import Theme

PRODUCTS_SHOWN = 2
INVITATION = "Click a cell, or choose a query and a key, to see the calculation of its weight."


def calculation(
    scene: Scene, cell: Cell | None, look: Look, *, name: str = "calculation"
) -> tuple[Part, ...]:
    """Every step from the dot product to the weighted value of `cell`; `name` is unique on the page."""
    if cell is None:
        return (Remark(INVITATION),)
    query, key = (scene.attention.pieces(at) for at in cell)
    said = Text(_explanation(scene, cell))
    if len(query) > 1 or len(key) > 1:
        return (said, *merged_weight(scene, cell, name=name))
    c = scene.reading.calculation(scene.layer, scene.head, query[0], key[0])
    positions = _positions(scene)
    return (
        said,
        Steps(name, _ladder(_steps(c, look.theme))),
        *([Remark(positions)] if positions else []),
        Numbers(name, lambda: _entries(c)),
    )


def _explanation(scene: Scene, cell: Cell) -> str:
    """The caption that names the cell and its head."""
    verb = "attends" if scene.attention.allowed[cell] else "may not attend"
    query, key = (f"**{scene.attention.names[at]}** ({at + 1})" for at in cell)
    return f"{query} {verb} to {key} · {scene.title}"


def _positions(scene: Scene) -> str:
    """What the position scheme has done on the way, in its own words; empty where nothing."""
    scheme, config = SCHEMES[scene.switches.config.positions], scene.reading.config
    point = scheme.injection_point()
    if point is None:
        return ""
    return (
        f"Positions ({scene.switches.config.positions}) change the {INJECTION_POINTS[point]}. "
        f"{scheme.about_head(scene.head, config).says}"
    )


def _ladder(steps: list[tuple[str, str]]) -> str:
    rows = r" \\[7pt] ".join(rf"{left} &= {right}" for left, right in steps)
    return rf"\begin{{aligned}} {rows} \end{{aligned}}"


def _steps(c: Calculation, theme: Theme) -> list[tuple[str, str]]:
    """Left and right side of every line, in the colours of the roles."""
    roles = {"q": theme.query, "k": theme.key, "v": theme.value}
    q, k, v = (rf"\textcolor{{{colour}}}{{{name}}}" for name, colour in roles.items())
    return [
        (rf"{q} \cdot {k}", _products(c)),
        ("", rf"{decimal(c.dot)} \ \text{{({len(c.q)} products)}}"),
        *_score_steps(c, q, k),
        *_softmax_steps(c),
        (rf"\text{{weight}} \cdot {v}", rf"{_positive(c.weight)} \cdot {_vector(c.v)}"),
        ("", _vector(c.weighted_value)),
    ]


def _products(c: Calculation) -> str:
    """The first products of the dot product; the table behind the calculation has them all."""
    pairs = list(zip(c.q, c.k, strict=True))[:PRODUCTS_SHOWN]
    shown = " + ".join(rf"{_factor(q)} \cdot {_factor(k)}" for q, k in pairs)
    return shown if len(c.q) == len(pairs) else rf"{shown} + \cdots"


def _score_steps(c: Calculation, q: str, k: str) -> list[tuple[str, str]]:
    d_head, scaled = len(c.q), c.dot * c.scale
    steps = []
    if c.scale != 1.0:
        left = rf"{q} \cdot {k}\,/\sqrt{{d_\text{{head}}}}"
        steps.append((left, rf"{decimal(c.dot)}\,/\sqrt{{{d_head}}} = {decimal(scaled)}"))
    if c.bias:
        sum_of_both = rf"{decimal(scaled)} {'+' if c.bias > 0 else ''}{decimal(c.bias)}"
        steps.append((r"\text{with bias}", rf"{sum_of_both} = {decimal(c.score)}"))
    allowed = rf"{decimal(c.score)} + 0 = {decimal(c.score)} \ \text{{(allowed)}}"
    masked = allowed if c.allowed else r"-\infty \ \text{(masked)}"
    steps.append((r"\text{mask}", masked))
    return steps


def _softmax_steps(c: Calculation) -> list[tuple[str, str]]:
    exponent = decimal(c.score - c.shift) if c.allowed else r"-\infty"
    shift = r" - \max" if c.shift else ""
    return [
        (rf"\exp(\text{{score}}{shift})", rf"e^{{{exponent}}} = {_positive(c.exponential)}"),
        (r"\textstyle\sum\exp\text{ of the row}", _positive(c.row_sum)),
        (r"\text{weight}", rf"{_positive(c.exponential)}\,/\,{_positive(c.row_sum)} = {_positive(c.weight)}"),
    ]


def _entries(c: Calculation) -> pd.DataFrame:
    return pd.DataFrame(
        {"q": c.q, "k": c.k, "q · k": c.q * c.k, "v": c.v, "weight · v": c.weighted_value},
        index=pd.RangeIndex(1, len(c.q) + 1, name="dimension"),
    )


def _positive(number: float) -> str:
    """Three decimals, or a power of ten where three decimals would say nothing."""
    return decimal(number) if number == 0 or 0.01 <= number < 10_000 else power(number)


def _factor(number: float) -> str:
    shown = decimal(number, places=2)
    return f"({shown})" if shown.startswith("-") or "10^" in shown else shown


def _vector(entries: np.ndarray) -> str:
    ellipsis = [r"\ldots"] if len(entries) > 2 else []
    return "[" + r",\ ".join([decimal(entry, places=2) for entry in entries[:2]] + ellipsis) + "]"
