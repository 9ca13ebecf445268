"""The calculation behind one cell: from q·k to the weighted value, or the weights that are averaged."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.measures.heads.compared import RESIDUAL_SHARE
from core.measures.reading import Calculation
from core.model.positions import INJECTION_POINTS, SCHEMES
from pages.contract.look import Look
from pages.contract.prose import literal
from pages.contract.scene import Scene
from pages.contract.sheet import Fold, Formula, Part, Table, Text
from pages.explorer.weights import HEAD, MEAN, Cell, ShownWeights
from viz.latex import decimal, power
from viz.text import unique_words
from viz.theme import Theme
from words import counted, per_cent, thousandths

PRODUCTS_SHOWN = 2
TERMS_SHOWN = 4
"""Number of pieces of a query whose sum is spelt out."""
INVITATION = "Click a cell, or choose a query and a key, to see the calculation of its weight."
OF_LINES = "Choose a query and a key to see the calculation of its weight."
OF_PIECES = (
    "The weight between two words has no dot product: show *tokens* to see the dot product of two tokens."
)
OF_HEADS = "A mean over heads has no dot product and no softmax: choose *head* for those."
OF_LAYERS = (
    "Rollout multiplies the layers, each the mean over its heads, so it has no dot product and no softmax. "
)
HANDED_ON = (
    f"It assumes that a residual connection carries {per_cent(RESIDUAL_SHARE)} of a state past each layer."
)
NOTHING_HANDED_ON = "Without residual connections nothing is carried past a layer."
ESTIMATE = "It leaves out values{}, so it is an estimate."
POSITIONS = "How positions enter"


def calculation(
    scene: Scene,
    shown: ShownWeights,
    cell: Cell | None,
    look: Look,
    *,
    name: str = "calculation",
    has_cells: bool = True,
) -> tuple[Part, ...]:
    """Return the steps from the dot product of `cell` to its weighted value; `name` is unique on the page.

    Without a cell it invites to choose one, in the menus alone unless the picture `has_cells`.

    The weight between words of several pieces, a mean and a rollout are computed from other weights instead.
    """
    if cell is None:
        return (Text(INVITATION if has_cells else OF_LINES, "remark"),)
    if shown.kind == MEAN:
        weights = scene.attention.of_cell(scene.layer, cell)
        steps = Formula(mean(weights, most=len(weights)), key=name)
        return Text(_attends(scene, shown, cell)), steps, Text(OF_HEADS, "remark")
    if shown.kind != HEAD:
        return (_rolled_out(scene, shown, *cell), Text(OF_LAYERS + _past_layers(scene), "remark"))
    query, key = (scene.attention.pieces(at) for at in cell)
    if len(query) > 1 or len(key) > 1:
        return (Text(_attends(scene, shown, cell)), *_between_words(scene, query, key, name=name))
    c = scene.reading.calculation(scene.layer, scene.head, query[0], key[0])
    positions = _positions(scene)
    return (
        Text(_attends(scene, shown, cell)),
        Formula(ladder(_steps(c, look.theme)), key=name),
        *([Fold(POSITIONS, (Text(positions),), key=f"{name}_positions")] if positions else []),
        Table(name, lambda: _entries(c)),
    )


def _attends(scene: Scene, shown: ShownWeights, cell: Cell) -> str:
    """Return the caption that names the cell and its head."""
    verb = "attends" if scene.attention.allowed[cell] else "may not attend"
    query, key = (_word(scene, at) for at in cell)
    return f"{query} {verb} to {key} · {shown.title}"


def _word(scene: Scene, at: int) -> str:
    return f"**{literal(scene.attention.labels[at])}** ({at + 1})"


def _between_words(
    scene: Scene, queries: Sequence[int], keys: Sequence[int], *, name: str
) -> tuple[Part, ...]:
    """Return how the weight between two words is computed from the weights between their pieces."""
    weights = scene.pattern[np.ix_(queries, keys)]
    several = f"the sum over the {counted(len(keys), 'token')} of the key"
    summed = several if len(keys) > 1 else "the weight of the key"
    over = f"the mean, over the {counted(len(queries), 'token')} of the query, of " * (len(queries) > 1)
    rows, columns = (unique_words([scene.labels[at] for at in own]) for own in (queries, keys))
    table = pd.DataFrame(weights, index=pd.Index(rows, name="query"), columns=columns)
    one_row = f"{_added(weights[0], TERMS_SHOWN)} = {decimal(weights[0].sum())}"
    return (
        Formula(mean(weights.sum(axis=1)) if len(queries) > 1 else one_row, key=name),
        Text(f"This is {over}{summed}. {OF_PIECES}", "remark"),
        Table(name, lambda: table),
    )


def mean(terms: np.ndarray, *, most: int = TERMS_SHOWN) -> str:
    """Return the mean of some weights in LaTeX, with up to `most` of them; one alone is its own mean."""
    if len(terms) == 1:
        return decimal(terms[0])
    return rf"\tfrac{{1}}{{{len(terms)}}}\,({_added(terms, most)}) = {decimal(terms.mean())}"


def _added(terms: np.ndarray, most: int) -> str:
    return " + ".join(decimal(one) for one in terms[:most]) + r" + \cdots" * (len(terms) > most)


def _rolled_out(scene: Scene, shown: ShownWeights, query: int, key: int) -> Text:
    """Return where a share of a state comes from."""
    return Text(
        f"**{thousandths(shown.pattern[query, key])}** of the state of {_word(scene, query)} after layer "
        f"{scene.layer + 1} comes from {_word(scene, key)}."
    )


def _past_layers(scene: Scene) -> str:
    config = scene.switches.config
    carried = HANDED_ON if config.residual else NOTHING_HANDED_ON
    return f"{carried} {ESTIMATE.format(' and feed-forward layers' * config.mlp)}"


def _positions(scene: Scene) -> str:
    """Return the effect of the position scheme on this calculation; empty if there is none."""
    scheme, config = SCHEMES[scene.switches.config.positions], scene.reading.config
    point = scheme.injection_point()
    if point is None:
        return ""
    return (
        f"Positions ({scheme.about.name}) change the {INJECTION_POINTS[point]}. "
        f"{scheme.about_head(scene.head, config).says}"
    )


def ladder(steps: Sequence[tuple[str, str]]) -> str:
    """Return the left and right sides of lines as one aligned formula."""
    rows = r" \\[7pt] ".join(rf"{left} &= {right}" for left, right in steps)
    return rf"\begin{{aligned}} {rows} \end{{aligned}}"


def _steps(c: Calculation, theme: Theme) -> list[tuple[str, str]]:
    """Return the left and right side of every line, in the colours of the roles."""
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
    """Return the first products of the dot product, and a line on the others, which stand in the table."""
    pairs = list(zip(c.q, c.k, strict=True))[:PRODUCTS_SHOWN]
    shown = " + ".join(rf"{factor(q)} \cdot {factor(k)}" for q, k in pairs)
    return shown if len(c.q) == len(pairs) else rf"{shown} \\ &\quad + \cdots"


def _score_steps(c: Calculation, q: str, k: str) -> list[tuple[str, str]]:
    d_head, scaled = len(c.q), c.dot * c.scale
    steps = []
    if c.scale != 1.0:
        left = rf"{q} \cdot {k}\,/\sqrt{{d_\text{{head}}}}"
        steps.append((left, rf"{decimal(c.dot)}\,/\sqrt{{{d_head}}} = {decimal(scaled)}"))
    if c.bias:
        sum_of_both = rf"{decimal(scaled)} {'+' if c.bias > 0 else ''}{decimal(c.bias)}"
        steps.append((r"\text{with bias}", rf"{sum_of_both} = {decimal(c.score)}"))
    if not c.allowed:  # a mask adds 0 to an allowed score
        steps.append((r"\text{mask}", r"-\infty \ \text{(masked)}"))
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
    """Return a number with three decimals, or as a power of ten if three decimals would show only zeros."""
    return decimal(number) if number == 0 or 0.01 <= number < 10_000 else power(number)


def factor(number: float) -> str:
    """Return a number with two decimals, in brackets where a sign or a power needs them."""
    shown = decimal(number, places=2)
    return f"({shown})" if shown.startswith("-") or "10^" in shown else shown


def _vector(entries: np.ndarray) -> str:
    ellipsis = [r"\ldots"] if len(entries) > 2 else []
    return "[" + r",\ ".join([decimal(entry, places=2) for entry in entries[:2]] + ellipsis) + "]"
