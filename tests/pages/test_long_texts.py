"""Texts of more than 256 pieces: real models read them, and pictures show them by the largest of blocks."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.measures.long_reading import LongReading
from core.measures.merging import merge
from core.measures.reading import Reading, read
from core.sources import PretrainedInfo, load
from pages.explorer import PAGE
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers
from tests.real import LONG, N_HEADS, N_LAYERS, NAME, SOURCE, bert_folder, one_model
from viz.text import unique_words

TEXT = " ".join(["the cat saw the other cats running"] * 37)
N_PIECES = 2 + 8 * 37
SIDE = 5  # so that at most 64 blocks stand in a row
MOST_BYTES = 2_000_000

pytestmark = pytest.mark.usefixtures("long_model")


def opened(**parameters: Any) -> Asked:
    return Asked(model="real", real=NAME, **({"text": TEXT} | parameters))


def the_model() -> PretrainedInfo:
    return one_model(SOURCE)


def computed(text: str = TEXT) -> Reading:
    return read(load(SOURCE, the_model().config, the_model().split(text).texts, 0))


@pytest.mark.long("long texts on all views; one is read in every run")
def test_every_view_shows_a_long_text_or_says_up_to_how_many_pieces_it_draws() -> None:
    for view in PAGE.views:
        session = opened(view=view, layer=2, head=3, query=200, key=100)
        assert [one for one in session.warnings if "no such control" not in one] == []
        sizes = [len(session.picture(key).figure().to_json()) for key in session.pictures]
        assert sum(sizes) < MOST_BYTES, view


def test_a_head_of_a_long_text_that_attends_to_a_special_token_does_not_stand_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weights = np.zeros((N_LAYERS, N_HEADS, N_PIECES, N_PIECES), dtype=np.float32)
    weights[0, 0, :, -1] = 0.9
    weights[1, 2, np.arange(N_PIECES), np.arange(N_PIECES)] = 0.3
    monkeypatch.setattr(LongReading, "_patterns", lambda _, layer: weights[layer])
    assert "Layer 2 · head 3 stands out" in opened(tokens="words", layer=2, head=3).prose


def test_blocks_show_their_largest_weights_and_a_click_opens_the_cells_around_the_largest() -> None:
    session = opened(view="heads", layer=2, head=3)
    spec, patterns = session.figure("heads_grid"), computed().patterns()
    codes = numbers(spec["data"][0]["z"])
    (told,) = [note["text"] for note in spec["layout"]["annotations"] if "largest of" in note["text"]]
    assert told.endswith(f"a cell shows the largest of {SIDE} × {SIDE} weights")
    end = float(spec["data"][0]["colorbar"]["ticktext"][1])
    assert codes.max() == 1 + np.rint(254 * patterns.max() / end)
    found = session.table("heads_grid")["largest weight"]
    assert_allclose(found, patterns.max(axis=(2, 3)).ravel(), atol=1e-6)
    pattern = patterns[1, 2]
    assert session.matrix("matrix")[7, 3] == pytest.approx(pattern[35:40, 15:20].max(), abs=1e-6)
    table, row = session.table("matrix"), np.unravel_index(pattern.argmax(), pattern.shape)
    assert_allclose(table["value"], np.sort(pattern.ravel())[::-1][:1000], atol=1e-6)
    at = table.iloc[0][["query", "key"]].str.extract(r"\((\d+)\)")[0].astype(int)
    assert at.tolist() == [one + 1 for one in row]

    data = session.figure("matrix")["data"][0]["customdata"][40][11]
    session.click("matrix", x=11, y=40, data=data)
    query, key = np.unravel_index(pattern[200:205, 55:60].argmax(), (SIDE, SIDE))
    assert (session.value("query"), session.value("key")) == (201 + query, 56 + key)
    around = pattern[188 + query : 212 + query, 43 + key : 67 + key]
    assert around.shape == (24, 24)
    assert_allclose(session.matrix("close_up"), around, atol=1e-6)
    names = unique_words(the_model().split(TEXT).texts)
    assert session.alt("close_up").endswith(f": {names[200 + query]} → {names[55 + key]}")


def test_a_long_text_is_merged_into_words_and_its_special_tokens_hidden() -> None:
    link = {"tokens": "words", "special": False, "show": "mean over heads", "query": 200, "key": 100}
    session = opened(view="heads", **link)
    patterns, groups = computed().patterns(), the_model().split(TEXT).groups[1:-1]
    merged = merge(patterns, groups)
    (trace,) = session.figure("heads_grid")["data"]
    end = float(trace["colorbar"]["ticktext"][1])
    assert numbers(trace["z"]).max() == 1 + np.rint(254 * merged.max() / end)
    mean = merged[0].mean(axis=0)
    assert session.matrix("matrix").max() == pytest.approx(mean.max(), abs=1e-6)
    assert f"= {mean[199, 99]:.3f}" in session.latex[0]


def test_a_text_beyond_the_table_of_positions_is_refused_unless_the_table_is_off() -> None:
    link = {"model": "real", "real": NAME, "text": " ".join(["the"] * (LONG + 1)), "view": "heads"}
    page = Session(**link)
    (warning,) = page.warnings
    assert f"{NAME} reads sentences of up to {LONG} tokens; this one has {LONG + 3}. Shorten it." in warning
    assert f"{LONG + 3} tokens (at most {LONG} in {NAME})" in page.prose
    assert page.pictures == []
    page.set(positions="none")
    assert f"{LONG + 3:,} tokens (at most 1024)" in page.prose
    assert page.warnings == []
    assert "matrix" in page.pictures
    (warning, *_) = Asked(
        **link | {"view": "compare", "positions": "none", "b_positions": "learned"}
    ).warnings
    assert f"{NAME} reads sentences of up to {LONG} tokens" in warning


def test_a_long_text_gets_no_predictions_and_no_lines_but_notes_with_the_limit(
    no_real_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.explorer.predictions.MOST_MASKED", 1000)
    bert_folder(no_real_model / "speaks", predicts=True, max_len=LONG)
    session = Asked(model="real", real="speaks", view="heads", text=TEXT, drawn="lines")
    assert "are computed for sentences of up to 256 tokens; this one has 298" in session.prose
    (said,) = session.infos
    assert said == (
        "Lines are drawn for sentences of up to 256 tokens; this one has 298. So the matrix is shown."
    )
    assert "matrix" in session.pictures
    assert not session.has("mass")
