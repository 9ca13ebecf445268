"""Paint: the mask, a click on a cell flips it, and the weights under it."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.masking.painting import MOST_PAINTED, Cell, kept, most_masked
from core.programs.masking import pattern_program
from core.text.limits import too_long
from pages.controls.cited import equation, footnote
from pages.controls.picture import Point, picture, theme
from pages.controls.word_menu import word_menu
from pages.masking.mask import fitting, flip_cell, flipped_cells
from pages.masking.painting import Painting, painted_over
from pages.shell import Program, Scene
from viz.masking import describe_painted, painted
from viz.tables import matrix_table
from viz.text import counted
from viz.units import per_cent

DRAWN = r"""\alpha_i = \mathrm{softmax}(s_i + m_i), \quad m_{ij} = \begin{cases} 0 & %s \\ -\infty &
\text{otherwise} \end{cases}"""
EQUATION_21 = r"""\alpha_{ij,\text{masked}} = \begin{cases} \alpha_{ij} & %s \\ 0 & \text{otherwise}
\end{cases}"""

ABOVE = 328
"""Pixels of page above the mask in a low window."""

INVITATION = "Click a cell, or drag over several, to mask or unmask them."

STROKE = "stroke"
"""Where the visitor's session keeps the stroke that is being painted, and whether it masks."""

NAMED = 5
"""So many words that may attend to nothing are named."""


def paint(scene: Scene) -> Program:
    """The mask with its weights, the controls for whoever does not click, and what happened."""
    under = painted_over(scene)
    shares = kept(under.stages.scores, under.allowed)
    pattern = under.stages.pattern
    look: dict[str, Any] = {"title": f"weights · {scene.title.lower()}", "flipped": under.flipped}
    sizes = fitting(len(scene.words), above=ABOVE)
    can_paint = len(scene.words) <= MOST_PAINTED
    scene.row.caption(INVITATION if can_paint else _too_long(scene))
    picture(
        painted(under.allowed, pattern, under.labels, kept=shares, theme=theme(), **sizes, **look),
        key="painted",
        alt=describe_painted(under.allowed, pattern, under.labels, unit=scene.unit, **look),
        table=lambda: _table(under, pattern, shares),
        on_click=partial(_brush, under) if can_paint else None,
        drags=True,
    )
    if can_paint:
        _flip_by_name(scene)
    st.markdown(_told(under, shares))
    is_causal = np.array_equal(under.allowed, np.tri(len(scene.words), dtype=bool))
    may_look = r"j \leq i" if is_causal else r"i \text{ may attend to } j"
    any_mask = "" if is_causal else ", for any mask"
    equation(
        DRAWN % may_look,
        f"What is drawn: scores of −∞, then the softmax. Seq2seq slides, future information{any_mask}; a row "
        "without keys is 0 here",
    )
    equation(
        EQUATION_21 % may_look,
        f"CS 224N note, eq 21{any_mask}: weights set to 0 after the softmax, which leaves a row below 1",
    )
    footnote("E7")
    return Program(lambda: pattern_program(scene.subject, under.mask))


def _too_long(scene: Scene) -> str:
    limit = too_long("Cells can be painted in", MOST_PAINTED, len(scene.words), scene.unit)
    return f"{limit} Choose a preset."


def _flip_by_name(scene: Scene) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="inline_cell"):
        query = word_menu("query", scene.names, notes=scene.notes)
        key = word_menu("key", scene.names, notes=scene.notes)
        st.button(
            "Flip this cell",
            disabled=query is None or key is None,
            on_click=flip_cell,
            args=(query, key),
        )


def _brush(under: Painting, point: Point) -> None:
    """Flip the first cell of a stroke, and make all others of it what the first became."""
    cell = (point["y"], point["x"])
    if not all(0 <= at < len(under.allowed) for at in cell):
        return  # the pointer was on the edge
    stroke, masks = st.session_state.get(STROKE, (None, False))
    if stroke != point["stroke"]:
        masks = _is_allowed(under, cell)
        st.session_state[STROKE] = (point["stroke"], masks)
    if _is_allowed(under, cell) == masks:
        flip_cell(*cell)


def _is_allowed(under: Painting, cell: Cell) -> bool:
    """Whether a cell is open now: as it was drawn, unless it has been flipped since."""
    return bool(under.allowed[cell]) != ((cell in flipped_cells()) != (cell in under.flipped))


def _told(under: Painting, shares: np.ndarray) -> str:
    """What softmax made of the rows, and which rows have nothing to make anything of."""
    seen, words, unit = under.allowed, under.scene.names, under.scene.unit
    parts = []
    at = most_masked(shares, seen)
    if at is not None:
        parts.append(
            f"*{words[at]}* may attend to {int(seen[at].sum())} of {counted(len(words), unit)}. Without "
            f"the mask {'of this layer ' * bool(under.scene.layer)}{per_cent(shares[at])} of its attention "
            "would go there, and a mask on the weights, eq 21 taken literally, leaves it at that. A mask on "
            f"the scores, before the softmax, makes the weights of the {unit}s it may attend to sum to 100 %."
        )
    if not seen.any(axis=1).all():
        parts.append(_blind(under))
    if seen.all():
        parts.append("Nothing is masked: every row is the softmax of all its scores.")
    return " ".join(parts)


def _blind(under: Painting) -> str:
    """The words that may attend to nothing."""
    blind = [word for word, row in zip(under.scene.names, under.allowed, strict=True) if not row.any()]
    named = ", ".join(f"*{word}*" for word in blind[:NAMED])
    more = f" and {len(blind) - NAMED} more" if len(blind) > NAMED else ""
    return (
        f"{named}{more} may attend to nothing: the row is 0 everywhere, and never NaN. The view **mask "
        "values** shows what −∞ alone or a large negative number would have made of it."
    )


def _table(under: Painting, pattern: np.ndarray, shares: np.ndarray) -> pd.DataFrame:
    """The weights, what each row sums to before they are normalised again, and after."""
    table = matrix_table(np.where(under.allowed, pattern, np.nan), tuple(map(str, under.scene.names)))
    return table.assign(**{"sum before": shares, "sum after": pattern.sum(axis=1)})
