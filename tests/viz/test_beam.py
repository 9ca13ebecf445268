"""A beam is drawn as the tree it was: its words in columns, joined with those they continue."""

import re
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from viz.beam import ABOVE, APART, MEANING, ROW, BeamTree
from viz.room import Room
from viz.theme import LIGHT

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


NUMBERS = ("1", "2", "3")


def drawn(step: int = 1, **room: Any) -> go.Figure:
    return BeamTree(title="B", hypotheses=TABLE, step=step).figure(Room(**room))


def steps(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations if note.y == ABOVE / 2]


def words(figure: go.Figure) -> dict[str, tuple[float, float]]:
    """Return the places of words."""
    found = {re.sub("<[^<>]*>", "", note.text): (note.x, note.y) for note in figure.layout.annotations}
    others = (*NUMBERS, MEANING)
    return {text: place for text, place in found.items() if "−" not in text and text not in others}


def test_every_kept_hypothesis_stands_in_the_column_of_its_step_and_the_row_of_its_rank() -> None:
    figure = drawn()
    found = words(figure)
    columns = [
        sorted({x for x, _ in found.values()}).index(found[word][0]) + 1 for word in ("lo", "kano", ".")
    ]
    assert columns == [1, 2, 3]
    np.testing.assert_allclose(found["la"][1] - found["lo"][1], ROW)
    assert found["lo"][1] == found["."][1]
    texts = [note.text for note in figure.layout.annotations]
    assert {"<b>lo</b>", "−1.25", "&lt;b&gt;gato&lt;/b&gt;"} <= set(texts), "a typed word is text"
    assert set(figure.data[-1].customdata) == {1, 2, 3}


def test_only_the_steps_around_the_one_looked_at_are_drawn_where_the_window_is_narrow() -> None:
    for step, expected in ((1, ["<b>1</b>", "2"]), (2, ["<b>2</b>", "3"]), (3, ["2", "<b>3</b>"])):
        figure = drawn(step, width=210)
        assert steps(figure) == expected
        assert figure.layout.width <= 210
        assert set(figure.data[-1].customdata) == {int(one.strip("</b>")) for one in expected}
    assert steps(drawn(2, width=10)) == ["<b>2</b>"]
    assert steps(drawn(2, medium="print")) == ["1", "2", "3"], "a file shows no selection"


def test_branches_lead_from_the_parent_to_the_child() -> None:
    figure = drawn()
    others, best = figure.data[:2]
    y = {word: at + 9 for word, (_, at) in words(figure).items()}
    gato = y["&lt;b&gt;gato&lt;/b&gt;"]
    assert (others.y[0], others.y[3]) == (y["la"], gato)
    assert [(best.y[0], best.y[3]), (best.y[5], best.y[8])] == [(y["lo"], y["kano"]), (y["kano"], y["."])]
    assert best.x[3] - best.x[0] >= APART
    assert best.line.width > others.line.width
    assert best.line.color == LIGHT.attention


def test_the_way_of_greedy_search_has_a_colour_as_far_as_the_beam_keeps_it() -> None:
    def coloured(*greedy: str) -> list[str]:
        figure = BeamTree(title="B", hypotheses=TABLE, greedy=greedy).figure(Room())
        shown = [one for one in figure.layout.annotations if one.font.color == LIGHT.recurrence]
        return [note.text for note in shown]

    assert coloured("la", "libro", ".") == ["la", "−1.00", "greedy decoding"], "libro was dropped"
    assert coloured("lo", "kano", ".") == [], "greedy decoding finds the same"
    assert coloured() == []
