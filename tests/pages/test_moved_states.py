"""Heads knocked out where no words are predicted: the change of the last states is shown instead."""

import re
from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_allclose

from core.measures.heads import each_head as analysis
from core.measures.heads.each_head import longest
from core.measures.heads.state_changes import every_head, state_changes
from core.sources import load
from pages.explorer import moved_states
from pages.explorer.moved_states import EACH_BAR, INSTEAD
from pages.explorer.silenced import OF_THE_INTACT_MODEL
from tests.pages.asked import Asked
from tests.pages.session import numbers, readable
from tests.real import NAME, SOURCE, bart_folder, bert_folder, one_model
from viz.tables import unique_words

TEXT = "I don't think the other cats saw the cat running?"
VIEWS = ("all heads", "matrix", "lines", "stages")


def opened(**parameters: Any) -> Asked:
    return Asked(**({"text": TEXT, "model": "real", "real": NAME} | parameters))


@pytest.mark.usefixtures("tiny_model")
def test_every_head_has_a_bar_where_a_model_has_no_output_layer() -> None:
    session = opened()
    one = one_model(SOURCE)
    expected = every_head(load(SOURCE, one.config, one.split(TEXT).texts, 0))["change"]
    assert_allclose(numbers(session.figure("head_effects")["data"][0]["y"]), expected, rtol=1e-5)
    assert (
        "tiny has no output layer: it gives a state for each piece and predicts no words, so there is no "
        in (session.prose)
    )
    assert INSTEAD in session.prose
    assert EACH_BAR in session.prose
    assert "moved_states" not in session.pictures
    for view in VIEWS:
        session.set(view=view)
        assert "head_effects" in session.pictures


@pytest.mark.usefixtures("tiny_model")
def test_a_link_with_heads_knocked_out_shows_what_moves_without_them() -> None:
    one, silenced = one_model(SOURCE), [(0, 1), (1, 2)]
    words = one.split(TEXT).texts
    changes = state_changes(load(SOURCE, one.config, words, 0), silenced=silenced, window=2)
    session = opened(silenced=["1.2", "2.3"], window=2, code=True)
    names = session.figure("head_effects")["layout"]["xaxis"]["ticktext"]
    assert [re.sub("<[^<>]*>", "", name) for name in names if "<b>" in name] == ["1.2", "2.3"]
    bars = session.figure("moved_states")["data"][0]
    assert_allclose(
        numbers(bars["y"]) / numbers(bars["y"]).max(), changes.moved / changes.moved.max(), rtol=1e-5
    )
    assert_allclose(session.table("moved_states").to_numpy().T, [changes.moved, changes.cosines], rtol=1e-5)
    assert (
        "The vector of the sentence, the mean of all states, moves by "
        f"**{100 * changes.sentence_moved:.0f} %** (cosine {changes.sentence_cosine:.3f})."
    ) in session.prose
    assert f"Without 1.2, 2.3 the last states move by **{100 * changes.mean:.0f} %**" in session.prose
    assert OF_THE_INTACT_MODEL in session.prose
    (program,) = [session.code]
    assert "silenced = {'blocks.0.attention': [1], 'blocks.1.attention': [2]}" in program
    session.set(silenced=[])
    (program,) = [session.code]
    assert "silenced" not in program, "the program of the view again"


@pytest.mark.usefixtures("tiny_model")
def test_a_click_on_a_bar_knocks_its_head_out_and_puts_it_back() -> None:
    session = opened()
    session.click("head_effects", x=4, y=0.1, data=[2, 1])
    assert session.value("silenced") == ["2.1"]
    assert "moved_states" in session.pictures
    session.click("head_effects", x=4, y=0.1, data=[2, 1])
    assert session.value("silenced") == []


@pytest.mark.usefixtures("tiny_model")
def test_a_sentence_too_long_for_every_head_still_loses_the_chosen_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = one_model(SOURCE).config
    monkeypatch.setattr(analysis, "MOST_WORK", analysis.MOST_WORK * 7 / longest(config))
    session = opened(silenced=["1.2"])
    assert "head_effects" not in session.pictures
    assert "is knocked out alone in sentences of up to 7 pieces; this one has 16." in session.prose
    assert "moved_states" in session.pictures


@pytest.mark.usefixtures("tiny_model")
def test_of_many_pieces_those_whose_states_move_most_have_bars_in_the_order_of_the_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moved_states, "MOST_DRAWN", 3)
    one = one_model(SOURCE)
    changes = state_changes(load(SOURCE, one.config, one.split(TEXT).texts, 0), silenced=[(1, 0)])
    session = opened(silenced=["2.1"])
    largest = sorted(changes.moved.argsort()[-3:])
    labels = [unique_words(one.split(TEXT).labels)[at] for at in largest]
    assert list(session.figure("moved_states")["layout"]["xaxis"]["ticktext"]) == labels
    assert "of the 3 pieces whose states move the most" in session.prose
    repeated = one.split("the the the")
    most = int(state_changes(load(SOURCE, one.config, repeated.texts, 0), silenced=[(0, 1)]).moved.argmax())
    assert repeated.labels[most] == "the", "one that has to be told from the others"
    prose = readable(opened(text="the the the", silenced=["1.2"]).prose)
    assert f"that of **{unique_words(repeated.labels)[most]}** moves the most" in prose


def test_it_is_the_same_for_the_encoder_of_a_pair_and_where_a_sentence_is_too_long_to_predict(
    no_real_model: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bart_folder(no_real_model / "pair", tokenizer_of=tiny_model)
    session = opened(real="pair", silenced=["1.1"])
    assert "moved_states" in session.pictures
    assert "Shown is the encoder of pair" in session.prose
    bert_folder(no_real_model / "masked", predicts=True)
    monkeypatch.setattr("pages.explorer.prediction.MOST_MASKED", 7)
    session = opened(real="masked", silenced=["1.1"])
    assert "moved_states" in session.pictures
    assert "up to 7 pieces" in readable(session.prose)
