"""A beam is drawn as the tree it was: its words in columns, joined with those they continue."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from viz.beam import APART, ROW, beam_tree
from viz.theme import LIGHT, Theme

ROWS = [
    ("lo", 1, 0, 0, -0.5, -0.5, True),
    ("la", 1, 1, 0, -1.0, -1.0, False),
    ("un", 1, None, 0, -3.0, -3.0, False),
    ("<b>gato</b>", 2, 0, 1, -0.25, -1.25, False),
    ("kano", 2, 1, 0, -1.5, -2.0, True),
    ("libro", 2, None, 1, -9.0, -10.0, False),
    (".", 3, 0, 1, -0.0, -2.0, True),
]
COLUMNS = ["word", "step", "rank", "parent", "log_probability", "total", "best"]
TABLE = pd.DataFrame(ROWS, columns=COLUMNS)


def drawn(theme: Theme = LIGHT, **look: int) -> go.Figure:
    return beam_tree(TABLE, theme=theme, **look).figure()


def test_every_kept_hypothesis_stands_in_the_column_of_its_step_and_the_row_of_its_rank() -> None:
    words = drawn().data[-1]
    assert len(words.x) == 5
    steps = TABLE[TABLE["rank"].notna()]["step"].tolist()
    assert list(words.customdata) == steps
    assert [sorted(set(words.x)).index(x) + 1 for x in words.x] == steps
    ranks = TABLE["rank"].dropna().tolist()
    np.testing.assert_allclose(np.diff(words.y), ROW * np.diff(ranks))
    assert "<b>lo</b>" in words.text[0]
    assert "−1.25" in words.text[2]
    assert "<b>gato" not in words.text[2], "a word is text"


def test_only_the_steps_around_the_one_looked_at_are_drawn_where_the_window_is_narrow() -> None:
    for step, steps in ((1, ["<b>1</b>", "2"]), (3, ["2", "<b>3</b>"])):
        figure = beam_tree(TABLE, theme=LIGHT, step=step, size=210).figure()
        assert [note.text for note in figure.layout.annotations] == steps
        assert figure.layout.width <= 210
        assert set(figure.data[-1].customdata) == {int(one.strip("</b>")) for one in steps}
    alone = beam_tree(TABLE, theme=LIGHT, step=2, size=10).figure()
    assert [note.text for note in alone.layout.annotations] == ["<b>2</b>"]


def test_branches_lead_from_the_parent_to_the_child() -> None:
    others, best = drawn().data[:2]
    words = drawn().data[-1]
    y = dict(zip(["lo", "la", "gato", "kano", "."], words.y, strict=True))
    assert (others.y[0], others.y[3]) == (y["la"], y["gato"])
    assert [(best.y[0], best.y[3]), (best.y[5], best.y[8])] == [(y["lo"], y["kano"]), (y["kano"], y["."])]
    np.testing.assert_allclose(best.x[3] - best.x[0], APART)
    assert best.line.width > others.line.width
