"""The view of head scores: the numbers of the model chosen, and a click that opens what shows them."""

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from streamlit.proto.WidgetStates_pb2 import WidgetState

from core.measures.heads.head_scores import ENTROPY, FOCUS, LOOKED_AT, measure_heads, sample_sentences
from core.measures.reading import read
from core.model.config import NORMS, POSITIONS, ModelConfig
from core.model.masks import MASKS
from core.sources import load
from core.text.language import vocabulary
from pages.explorer.head_scores import specialist, told_head
from tests.covering import covering, each
from tests.pages.asked import Asked
from tests.pages.session import Session, readable
from viz.head_scores import score_names

SWITCHES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "positions": ("positions", POSITIONS),
    "mask": ("mask", tuple(MASKS)),
    "heads": ("n_heads", (1, 2, 4, 8)),
    "layers": ("n_layers", (3, 1, 2)),
    "norm": ("norm", NORMS),
    "scale": ("scale", (True, False)),
    "residual": ("residual", (True, False)),
    "mlp": ("mlp", (True, False)),
}


def measured(
    *, source: str = "random", seed: int = 0, width: int | None = None, **fields: Any
) -> pd.DataFrame:
    """What `core` itself measures."""
    config = ModelConfig(vocab_size=1, **fields)
    return measure_heads(load(source, config, vocabulary().words, seed), width=width)


def view(**parameters: Any) -> Asked:
    return Asked(view="head scores", **{"model": "random", **parameters})


def assert_shows(session: Asked, table: pd.DataFrame) -> None:
    """The figure has rows of scores, and as columns the heads, a gap after each layer, and equal weights."""
    table = table[table["score"] != ENTROPY]
    values = session.matrix("head_scores")
    for at, score in enumerate(score_names(table)):
        rows = table[table["score"] == score].sort_values(["layer", "head"])
        expected = [number for _, layer in rows.groupby("layer") for number in (*layer["value"], np.nan)]
        assert_allclose(values[at], [*expected, rows["baseline"].iloc[0]], rtol=1e-5)
    assert len(values) == table["score"].nunique()


@pytest.mark.parametrize("setting", covering({name: these for name, (_, these) in SWITCHES.items()}), ids=str)
def test_the_figure_shows_the_scores_of_the_model_that_the_switches_ask_for(setting: dict[str, Any]) -> None:
    fields = {SWITCHES[name][0]: value for name, value in setting.items()}
    assert_shows(view(**setting), measured(**fields))


def test_the_seed_and_the_window_reach_the_scores() -> None:
    session = view(seed=7)
    assert_shows(session, measured(seed=7))
    session.set(window=2)
    assert_shows(session, measured(seed=7, width=2))


@pytest.mark.usefixtures("noise_shelf")
def test_trained_weights_are_measured_too() -> None:
    session = view(model="trained", heads=2)

    table = measured(source="trained", n_heads=2)
    assert_shows(session, table)
    shares = table[~table["score"].isin([FOCUS, ENTROPY])]
    top = shares.loc[(shares["value"] - shares["baseline"]).idxmax()]
    said = session.prose.replace("**", "")
    assert "urthest above equal weights" in said
    assert f"layer {top['layer']}, head {top['head']}" in said
    assert f"it puts {top['value']:.2f} of its attention on" in said
    assert f"equal weights would put {top['baseline']:.2f} there." in said
    (shown,) = session.tables
    tile = shown.set_index(["layer", "head"]).loc[(top["layer"], top["head"]), top["score"]]
    assert f"{tile:.2f}" == f"{top['value']:.2f}", "sentence and table have one number"


@each(
    ("value", "baseline", "stands_out"),
    [(0.09, 0.05, False), (0.11, 0.05, True), (0.53, 0.4, False), (0.57, 0.4, True)],
)
def test_a_head_stands_out_that_is_clearly_above_equal_weights(
    value: float, baseline: float, stands_out: bool
) -> None:
    """Twice what they give, or a quarter of the way from there to all."""
    columns = {
        "layer": [1, 2],
        "head": [2, 3],
        "score": "itself",
        "value": [value, 0.0],
        "baseline": baseline,
    }
    said = specialist(pd.DataFrame(columns))
    assert "layer 1, head 2" in said
    assert f"it puts {value:.2f} of its attention on the query word itself" in said
    assert said.startswith("Of all heads") is stands_out
    assert said.startswith("No head clearly stands out") is not stands_out


@each(("layer", "head"), [(1, 3), (2, 3), (2, 1)])
@each("model", ["trained", "random"])
def test_the_headline_is_about_the_framed_head_and_has_the_number_of_its_tile(
    layer: int, head: int, model: str
) -> None:
    session = Asked("explorer", view="head scores", layer=layer, head=head, model=model)
    said = readable(str(session.sheet.answer))
    assert f"ayer {layer}, head {head} puts" in said
    table = session.table("head_scores").query("layer == @layer and head == @head")
    (value,) = re.findall(r"puts (\d\.\d\d) of", said) or [""]
    assert value in {f"{one:.2f}" for one in table["value"]} or "no more attention" in said


def test_a_head_below_equal_weights_everywhere_is_said_to_be() -> None:
    columns = {"layer": [1], "head": [2], "score": "itself", "value": [0.2], "baseline": 0.3}
    assert "no more attention on anything" in told_head(pd.DataFrame(columns), 0, 1)
    assert specialist(pd.DataFrame(columns)).startswith("No head puts more attention on anything")
    above = told_head(pd.DataFrame({**columns, "value": [0.5]}), 0, 1)
    assert above.startswith("Layer 1, head 2 puts 0.50 of its attention on the query word itself;")
    assert above.endswith("equal weights would put 0.30 there.")


def test_random_weights_are_not_said_to_look_for_anything() -> None:
    prose = view().prose

    assert "Random weights attend to nothing in particular" in prose
    assert "stands out" not in prose


@pytest.mark.parametrize(("row", "score"), [(0, "previous word"), (4, "subject"), (6, "earlier mention")])
def test_a_clicked_tile_opens_its_head_on_the_sentence_and_cell_that_show_it(row: int, score: str) -> None:
    session = view(positions="alibi")

    session.click("head_scores", x=7, y=row)

    table = measured(positions="alibi")
    (opened,) = table[(table["layer"] == 2) & (table["head"] == 3) & (table["score"] == score)].itertuples()
    words = sample_sentences()[opened.sentence].words
    assert session.value("text") == " ".join(words)
    assert (session.value("view"), session.value("layer"), session.value("head")) == ("matrix", 2, 3)
    assert (session.value("query"), session.value("key")) == (opened.query + 1, opened.key + 1)
    reading = read(load("random", ModelConfig(vocab_size=1, positions="alibi"), words, 0))
    assert_allclose(np.nan_to_num(session.matrix("matrix")), reading.pattern(1, 2), atol=1e-6)
    assert f"{words[opened.query]} ({opened.query + 1}) attends to" in session.prose.replace("**", "")


def view_on_page(**parameters: Any) -> Session:
    return Session(view="head scores", **{"model": "random", **parameters})


def test_a_clicked_tile_takes_nothing_away_that_was_typed() -> None:
    session = view_on_page(text="the old king sings")
    session.click("head_scores", x=7, y=4)
    session.set(view="head scores")
    session.click("head_scores", x=6, y=4)
    assert session.value("text") != "the old king sings"

    session.press("↩ the old …")

    assert (session.value("text"), session.value("view")) == ("the old king sings", "matrix")


@pytest.mark.usefixtures("noise_shelf")
def test_a_clicked_tile_asks_a_trained_model_for_its_prediction_there() -> None:
    session = view(model="trained")

    session.click("head_scores", x=7, y=4)

    assert session.value("place") == session.value("query")


def test_what_was_chosen_before_does_not_stay_with_a_head_that_is_opened() -> None:
    """The focus has no cell of its own, and a head is what was clicked."""
    session = Asked(model="random", view="matrix", query=3, key=2, show="rollout")
    session.set(view="head scores")

    session.click("head_scores", x=1, y=7)

    assert (session.value("view"), session.value("layer"), session.value("head")) == ("matrix", 1, 2)
    assert (session.value("query"), session.value("key"), session.value("show")) == (None, None, "head")
    assert session.warnings == []


def test_a_click_beside_the_heads_opens_nothing() -> None:
    session = view()

    for x, y in [(4, 0), (9, 0), (10, 3), (3, 8), (-1, 0)]:
        session.click("head_scores", x=x, y=y)

        assert session.value("view") == "head scores"


def select(session: Asked, rows: list[int]) -> None:
    """Select rows of the table by hand."""
    widgets = session.app._tree.get_widget_states()
    table = session.element("heads_table").proto.id
    selection = json.dumps({"selection": {"rows": rows, "columns": [], "cells": []}})
    widgets.widgets.append(WidgetState(id=table, string_value=selection))
    session.run(widgets)


def test_a_selected_row_opens_its_head_on_what_it_does_most_above_chance() -> None:
    session = view_on_page()

    select(session, [6])

    table = measured()
    mine = table[(table["layer"] == 2) & (table["head"] == 3) & ~table["score"].isin([FOCUS, ENTROPY])]
    best = mine.loc[(mine["value"] - mine["baseline"]).idxmax()]
    assert (session.value("view"), session.value("layer"), session.value("head")) == ("matrix", 2, 3)
    assert session.value("text") == " ".join(sample_sentences()[best["sentence"]].words)


def test_no_row_selected_opens_nothing() -> None:
    session = view_on_page()

    select(session, [])

    assert session.value("view") == "head scores"


def test_the_sortable_table_has_the_same_numbers() -> None:
    session = view_on_page(mask="bidirectional", heads=2)
    shown = session.element("heads_table").value
    table = measured(mask="bidirectional", n_heads=2)

    assert list(shown.columns) == ["layer", "head", *score_names(table)]
    for row in table.itertuples():
        (value,) = shown.loc[(shown["layer"] == row.layer) & (shown["head"] == row.head), row.score]
        assert value == row.value


def test_the_numbers_behind_the_figure_have_places_baselines_and_the_sentences() -> None:
    session = view()
    table, expected = session.table("head_scores"), measured()

    assert_allclose(table[["value", "baseline", "places"]], expected[["value", "baseline", "places"]])
    sentences = [" ".join(sample_sentences()[at].words) for at in expected["sentence"]]
    assert list(table["best shown by"]) == sentences


def test_the_chosen_head_is_framed() -> None:
    (frame,) = view(layer=2, head=3).figure("head_scores")["layout"]["shapes"]

    assert frame["x0"] < 7 < frame["x1"]
    assert frame["x1"] - frame["x0"] == 1


@each(("mask", "where"), [("causal", "at the word before the verb"), ("bidirectional", "at the verb, the")])
def test_the_place_where_a_subject_is_sought_is_said(mask: str, where: str) -> None:
    prose = view(mask=mask).prose
    assert f"*earlier mention* are measured {where}" in prose


def test_no_score_is_named_as_if_its_model_predicted_words() -> None:
    assert [what for what in LOOKED_AT.values() if "predict" in what] == []
