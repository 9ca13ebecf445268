"""Trained weights behind the switches: what they offer, what they say about themselves, what they lack."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pages.contract.prose import literal
from pages.explorer import OPENING_HEAD
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import computed, gaps
from tests.pages.switched import fields_of, settings
from tests.shelf import ACCURACY, LOSS

TEXT = "Zuko met Maria and Maria praised Zuko"
ABLATIONS = [
    ("layers", 1, "no second layer"),
    ("scale", False, "no scaling by √d_head"),
    ("residual", False, "no residual connections"),
    ("mlp", False, "no feed-forward layers"),
    ("window", 2, "no attention beyond 2 words"),
]

pytestmark = pytest.mark.usefixtures("noise_shelf")


def trained(**fields: Any) -> Any:
    return computed(TEXT, source="trained", **fields)


def test_every_switch_reaches_the_trained_model() -> None:
    session = Asked(text=TEXT, view="heads")
    assert session.value("model") == "trained"
    for setting in settings("seed", layers=(2, 1), heads=(1, 2, 8)):
        reading = trained(**fields_of(setting))
        session.set(**setting, layer=reading.config.n_layers)
        head = min(OPENING_HEAD, reading.config.n_heads) - 1
        assert_allclose(session.matrix("matrix"), gaps(reading, reading.config.n_layers - 1, head), atol=1e-6)


def test_a_seed_and_many_layers_are_offered_only_where_something_is_drawn() -> None:
    session = Asked(text=TEXT, seed=7, view="heads", head=1)
    assert not session.has("seed")
    assert session.warnings == []
    session.set(model="random", layers=5, layer=5)
    assert session.value("seed") == 7
    assert_allclose(session.matrix("matrix"), gaps(computed(TEXT, seed=7, n_layers=5), 4, 0), atol=1e-6)
    session.set(model="trained")
    assert "The link asks for layers = 5, but here it can be 1, 2. Showing 2." in session.warnings
    assert (session.value("layers"), session.value("layer")) == (2, 1)


@each(("mask", "task"), [("causal", "next word"), ("bidirectional", "masked word")])
def test_the_sidebar_says_what_the_model_was_trained_on_and_how_well_it_does(mask: str, task: str) -> None:
    session = Asked(text=TEXT, mask=mask)
    told = f"Trained on the task {task} in a small artificial English: accuracy {100 * ACCURACY:.0f} %"
    assert told in session.prose
    assert f"loss {LOSS:.2f} nats per word" in session.prose
    assert "with everything in place" not in session.prose
    session.set(window=2)
    assert "on unseen sentences with everything in place." in session.prose.split(told)[1]
    session.set(model="random")
    assert "learned nothing" in session.prose
    assert "Trained on" not in session.prose


@each(("name", "value", "label"), ABLATIONS)
def test_what_is_taken_out_of_a_trained_model_is_labelled(name: str, value: Any, label: str) -> None:
    session = Asked(text=TEXT, view="heads", **{name: value})
    assert f"ablation] {label}. The model was trained with everything in place." in session.prose
    for intact in ({name: None}, {"model": "random"}):
        session.set(**intact)
        assert "ablation" not in session.prose


@each(
    ("view", "picture", "source"),
    [
        ("heads", "matrix", "trained"),
        ("compare", "comparison", "trained"),
        ("compare", "comparison", "random"),
    ],
)
def test_a_window_is_a_gap_in_every_picture(view: str, picture: str, source: str) -> None:
    session = Asked(text=TEXT, model=source, view=view, mask="bidirectional", window=2, b_positions="as A")
    distance = np.abs(np.subtract.outer(np.arange(7), np.arange(7)))
    assert (np.isnan(session.matrix(picture)) == (distance > 2)).all()


def test_b_can_have_other_weights() -> None:
    session = Asked(text=TEXT, view="compare", head=1, b_positions="as A", b_model="random", b_seed=3)
    assert_allclose(session.matrix("comparison", panel=0), gaps(trained(), 0, 0), atol=1e-6)
    assert_allclose(session.matrix("comparison", panel=1), gaps(computed(TEXT, seed=3), 0, 0), atol=1e-6)


def test_a_trained_b_has_no_seed_and_no_more_layers_than_were_trained() -> None:
    session = Asked(text=TEXT, model="random", layers=5, layer=5, head=1, view="compare", b_model="trained")
    assert not session.has("b_seed")
    assert "at most 2 layers, so B has that many" in session.infos[0]
    b = gaps(trained(positions="none"), 1, 0)
    assert_allclose(session.matrix("comparison", panel=1), b, atol=1e-6)


def test_an_ablated_b_is_labelled_as_such() -> None:
    session = Asked(text=TEXT, view="compare", b_window="2", b_residual="off")
    assert (
        "**B** :orange-badge[ablation] no residual connections, no attention beyond 2 words" in session.prose
    )
    assert session.prose.count("ablation") == 1


def test_words_that_the_model_does_not_know_are_named_and_marked() -> None:
    session = Asked(text="Zuko såg <b>Maria</b> såg", view="heads")
    assert f"**såg**†, **{literal('<')}**†, **b**†, **{literal('>')}**†" in session.prose
    assert f"it reads {literal('<unk>')}." in session.prose
    assert list(session.figure("matrix")["layout"]["yaxis"]["ticktext"])[:3] == ["Zuko", "såg†", "&lt;†"]
    assert "såg† (2)" in session.table("matrix").index
    session.set(drawn="lines")
    assert session.drawing("lines")["words"][:2] == ["Zuko", "såg†"]
    session.set(view="compare")
    assert "såg†" in str(session.figure("comparison")["layout"])
    session.set(model="random", view="heads", drawn=None)
    assert "†" not in session.prose
    assert "†" not in str(session.figure("matrix")["layout"])


def test_a_long_sentence_of_unknown_words_is_summed_up() -> None:
    said = Asked(text=" ".join(f"w{at}" for at in range(40)), view="heads").prose
    assert "**w11**† and 28 more:" in said
    assert "**w12**" not in said
