"""Paint: the mask, a click on a cell flips it, and the weights under it."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.masking.painting import MOST_PAINTED, kept, most_masked
from core.programs.masking import pattern_program
from pages.controls.cited import equation, footnote
from pages.controls.link import place
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import room
from pages.masking_views.mask import flip_cell
from pages.masking_views.painting import Painting, painted_over
from pages.shell import Program, Scene
from viz.masking import describe_painted, painted
from viz.tables import matrix_table
from viz.text import counted
from viz.units import per_cent

EQUATION_21 = r"""\alpha_{ij,\text{masked}} = \begin{cases} \alpha_{ij} & %s \\ 0 & \text{otherwise}
\end{cases}"""

INVITATION = "Click a cell to flip it."

NAMED = 5
"""So many words that may look nowhere are named."""


def paint(scene: Scene) -> Program:
    """The mask with its weights, the controls for whoever does not click, and what happened."""
    under = painted_over(scene)
    shares = kept(under.stages.scores, under.allowed)
    pattern = under.stages.pattern
    look: dict[str, Any] = {"title": f"weights · {scene.title.lower()}", "flipped": under.flipped}
    can_paint = len(scene.words) <= MOST_PAINTED
    scene.row.caption(INVITATION if can_paint else _too_long(len(scene.words)))
    picture(
        painted(under.allowed, pattern, under.labels, kept=shares, theme=theme(), size=room(), **look),
        key="painted",
        alt=describe_painted(under.allowed, pattern, under.labels, **look),
        table=lambda: _table(under, pattern, shares),
        on_click=_flip_clicked if can_paint else None,
    )
    if can_paint:
        _flip_by_number(scene)
    st.markdown(_told(under, shares))
    is_causal = np.array_equal(under.allowed, np.tri(len(scene.words), dtype=bool))
    may_look = r"j \leq i" if is_causal else r"i \text{ may look at } j"
    equation(EQUATION_21 % may_look, f"CS 224N note, eq 21{'' if is_causal else ', for any mask'}")
    footnote("E7")
    return Program(lambda: pattern_program(scene.subject, under.mask))


def _too_long(n: int) -> str:
    return f"Single cells can be flipped in up to {MOST_PAINTED} words. This sentence has {n}: presets only."


def _flip_by_number(scene: Scene) -> None:
    n = len(scene.words)
    with st.container(horizontal=True, vertical_alignment="center", key="inline_cell"):
        query = place("query", "Query", n, notes=scene.notes)
        key = place("key", "Key", n, notes=scene.notes)
        st.button(
            "Flip this cell",
            disabled=query is None or key is None,
            on_click=flip_cell,
            args=(query, key),
        )


def _flip_clicked(point: Point) -> None:
    flip_cell(point["y"], point["x"])


def _told(under: Painting, shares: np.ndarray) -> str:
    """What softmax made of the rows, and which rows have nothing to make anything of."""
    seen, words = under.allowed, under.scene.words
    parts = []
    at = most_masked(shares, seen)
    if at is not None:
        parts.append(
            f"*{words[at]}* may look at {int(seen[at].sum())} of {counted(len(words), 'word')}: "
            f"without a mask they would get {per_cent(shares[at])} of its weight. Eq 21 to the letter "
            "leaves it at that. A mask on the scores, before the softmax, shares out 100 % among them."
        )
    if not seen.any(axis=1).all():
        parts.append(_blind(under))
    if seen.all():
        parts.append("Nothing is masked: every row is the plain softmax of its scores.")
    return " ".join(parts)


def _blind(under: Painting) -> str:
    """The words that may look nowhere."""
    blind = [word for word, row in zip(under.scene.words, under.allowed, strict=True) if not row.any()]
    named = ", ".join(f"*{word}*" for word in blind[:NAMED])
    more = f" and {len(blind) - NAMED} more" if len(blind) > NAMED else ""
    return (
        f"{named}{more} may look nowhere: the row is all 0 here, and never NaN. What −∞ alone or a large "
        "negative number would have made of it is under **mask values**."
    )


def _table(under: Painting, pattern: np.ndarray, shares: np.ndarray) -> pd.DataFrame:
    """The weights, what each row sums to before they are shared out again, and after."""
    table = matrix_table(np.where(under.allowed, pattern, np.nan), under.scene.plain)
    return table.assign(**{"sum before": shares, "sum after": pattern.sum(axis=1)})
