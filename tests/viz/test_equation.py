from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz.equation import Equation
from viz.room import Room


def matrix(values: list[list[float | None]], rows: list[str], columns: list[str], **more: object) -> dict:
    size = {"nRows": len(rows), "nColumns": len(columns), "size": f"{len(rows)} × {len(columns)}"}
    usual = {"weights": False, "limit": 2.0, "changed": None, "hidden": None, "columnsAreWords": False}
    return {"values": values, "rows": rows, "columns": columns, **size, **usual, **more}


def stage(n_columns: int = 2, **result: object) -> dict:
    words, numbers = ["hot", "<b>tea"], [str(at + 1) for at in range(n_columns)]
    x = matrix([[1.0, -0.004] * (n_columns // 2), [0.5, -2.0] * (n_columns // 2)], words, numbers)
    scores = matrix([[0.25, None], [1.0, -1.0]], words, words, **{"columnsAreWords": True, **result})
    operand = {**x, "name": "x", "role": "query", "before": "", "after": "/ √d"}
    return {"operands": [operand], "result": scores, "symbol": "S", "role": "output"}


def drawn(given: dict, **room: Any) -> go.Figure:
    return Equation(title="S", stage=given, alt_text="A stage.").figure(Room(**{"width": 800, **room}))


def written(figure: dict) -> list[str]:
    return [one["text"] for one in figure["layout"]["annotations"]]


def test_it_has_the_names_the_signs_the_sizes_and_the_words_as_typed() -> None:
    figure = drawn(stage()).to_dict()
    said = " ".join(written(figure))
    assert all(word in said for word in ("<b>x</b>", "<b>S</b>", "/ √d", "=", "2 × 2"))
    assert figure["layout"]["yaxis"]["ticktext"] == ["hot", "&lt;b&gt;tea"]
    assert figure["layout"]["xaxis2"]["ticktext"] == ["hot", "&lt;b&gt;tea"]


def test_masked_entries_are_gaps_with_their_sign_or_dots() -> None:
    wide, narrow = (drawn(stage(), width=width).to_dict() for width in (800, 120))
    z = drawn(stage()).data[1].z
    assert np.argwhere(np.isnan(z)).tolist() == [[0, 1]]
    assert ">−∞<" in wide["data"][1]["text"][0][1]
    assert "images" not in wide["layout"]
    assert "text" not in narrow["data"][1]
    assert len(narrow["layout"]["images"]) == 1


def test_where_no_digits_are_written_a_bar_stands_below_the_cells() -> None:
    wide, narrow = (drawn(stage(), width=width).to_dict() for width in (800, 120))
    assert not any(trace["showscale"] for trace in wide["data"])
    for trace, name in zip(narrow["data"], ("yaxis", "yaxis2"), strict=True):
        assert trace["showscale"]
        assert 0 < trace["colorbar"]["y"] < narrow["layout"][name]["domain"][0]
