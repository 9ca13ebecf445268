"""Trained weights behind the switches: what they offer, what they say about themselves, what they lack."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.model.config import NORMS, POSITIONS
from core.model.masks import MASKS
from pages.contract.prose import literal
from pages.explorer import OPENING_HEAD
from tests.covering import covering
from tests.pages.asked import Asked
from tests.pages.session import Session, computed, gaps
from tests.shelf import ACCURACY, LOSS

TEXT = "Zuko met Maria and Maria praised Zuko"
SWITCHES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "positions": ("positions", POSITIONS),
    "mask": ("mask", tuple(MASKS)),
    "window": ("window", (1, 2, 4, 8)),
    "heads": ("n_heads", (1, 2, 8)),
    "layers": ("n_layers", (2, 1)),
    "norm": ("norm", NORMS),
    "scale": ("scale", (True, False)),
    "residual": ("residual", (True, False)),
    "mlp": ("mlp", (True, False)),
}
ABLATIONS = {
    "layers": (1, "no second layer"),
    "scale": (False, "no scaling by √d_head"),
    "residual": (False, "no residual connections"),
    "mlp": (False, "no feed-forward layers"),
    "window": (2, "no attention beyond 2 words"),
}

pytestmark = pytest.mark.usefixtures("noise_shelf")


def trained(**fields: Any) -> Any:
    return computed(TEXT, source="trained", **fields)


def test_every_switch_reaches_the_trained_model() -> None:
    session = Asked(text=TEXT, view="heads")
    for setting in covering({name: values for name, (_, values) in SWITCHES.items()}):
        session.set(**setting)
        if session.has("layer") and session.value("layer") != 2:
            session.set(layer=2)
        reading = trained(**{SWITCHES[name][0]: value for name, value in setting.items()})
        head = min(OPENING_HEAD, reading.config.n_heads) - 1
        assert_allclose(session.matrix("matrix"), gaps(reading, reading.config.n_layers - 1, head), atol=1e-6)


def test_trained_weights_are_the_default_and_random_ones_one_choice_away() -> None:
    session = Asked(text=TEXT, view="heads", head=1)
    assert session.value("model") == "trained"
    assert_allclose(session.matrix("matrix"), gaps(trained(), 0, 0), atol=1e-6)

    session.set(model="random")
    assert_allclose(session.matrix("matrix"), gaps(computed(TEXT), 0, 0), atol=1e-6)


def test_a_seed_is_offered_only_where_something_is_drawn_and_is_no_mistake_in_a_link() -> None:
    session = Asked(text=TEXT, seed=7, view="heads", head=1)
    assert not session.has("seed")
    assert session.warnings == []

    session.set(model="random")
    assert session.value("seed") == 7
    assert_allclose(session.matrix("matrix"), gaps(computed(TEXT, seed=7), 0, 0), atol=1e-6)


def test_more_layers_than_were_trained_get_a_note() -> None:
    session = Asked(text=TEXT, layers=4)
    (warning,) = session.warnings
    assert warning == "The link asks for layers = 4, but here it can be 1, 2. Showing 2."
    assert session.value("layers") == 2


def test_layers_that_trained_models_lack_go_when_the_weights_change() -> None:
    session = Asked(text=TEXT, model="random", layers=5, layer=5)
    session.set(model="trained")
    assert (session.value("layers"), session.value("layer")) == (2, 1)


@pytest.mark.parametrize(("mask", "task"), [("causal", "next word"), ("bidirectional", "masked word")])
def test_the_sidebar_says_what_the_model_was_trained_on_and_how_well_it_does(mask: str, task: str) -> None:
    said = Asked(text=TEXT, mask=mask).prose
    assert (
        f"Trained on the task {task} in a small artificial English: accuracy {100 * ACCURACY:.0f} %" in said
    )
    assert f"loss {LOSS:.2f} nats per word" in said


def test_random_weights_say_that_they_have_learned_nothing() -> None:
    said = Asked(text=TEXT, model="random").prose
    assert "learned nothing" in said
    assert "Trained on" not in said


def test_what_is_taken_out_of_a_trained_model_is_labelled() -> None:
    session = Asked(text=TEXT, view="heads")
    assert "ablation" not in session.prose

    intact: dict[str, Any] = {}
    for name, (value, label) in ABLATIONS.items():
        before = session.value(name)
        session.set(**intact, **{name: value})
        assert f"ablation] {label}. The model was trained with everything in place." in session.prose
        intact = {name: before}
    session.set(**intact)
    assert "ablation" not in session.prose

    session.set(mlp=False, model="random")
    assert "ablation" not in session.prose


@pytest.mark.parametrize(
    ("view", "source"), [("heads", "trained"), ("compare", "trained"), ("compare", "random")]
)
def test_a_window_is_a_gap_in_every_picture(view: str, source: str) -> None:
    session = Asked(text=TEXT, model=source, view=view, mask="bidirectional", window=2, b_positions="as A")
    shown = np.isnan(session.matrix({"heads": "matrix", "compare": "comparison"}[view]))
    distance = np.abs(np.subtract.outer(np.arange(7), np.arange(7)))
    assert (shown == (distance > 2)).all()


def test_b_can_have_other_weights() -> None:
    session = Asked(text=TEXT, view="compare", head=1, b_positions="as A", b_model="random")
    assert_allclose(session.matrix("comparison", panel=0), gaps(trained(), 0, 0), atol=1e-6)
    assert_allclose(session.matrix("comparison", panel=1), gaps(computed(TEXT), 0, 0), atol=1e-6)

    session.set(b_seed=3)
    assert_allclose(session.matrix("comparison", panel=1), gaps(computed(TEXT, seed=3), 0, 0), atol=1e-6)


def test_a_trained_b_has_no_seed_and_no_more_layers_than_were_trained() -> None:
    session = Asked(text=TEXT, model="random", layers=5, layer=5, head=1, view="compare", b_model="trained")
    assert not session.has("b_seed")
    assert "at most 2 layers, so B has that many" in session.infos[0]
    assert session.value("b_positions") == "none"
    b = trained(positions="none")
    assert_allclose(session.matrix("comparison", panel=1), gaps(b, 1, 0), atol=1e-6)


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
    words = session.figure("matrix")["layout"]["yaxis"]["ticktext"]
    assert (words[0], words[1], words[2]) == ("Zuko", "såg†", "&lt;†")
    assert "såg† (2)" in Asked(text="Zuko såg Maria såg", view="heads").table("matrix").index


@pytest.mark.parametrize("link", [{"drawn": "lines"}, {"view": "compare"}])
def test_every_view_marks_unknown_words(link: dict[str, str]) -> None:
    session = Session(text="Zuko såg Maria", **link)
    drawn = (
        session.element("lines").proto.json
        if "drawn" in link
        else str(session.figure("comparison")["layout"])
    )
    assert ("s\\u00e5g\\u2020" in drawn) or ("såg†" in drawn)
    assert "Zuko†" not in drawn


def test_random_weights_know_every_word() -> None:
    session = Asked(text="Zuko såg Maria", view="heads", model="random")
    assert "†" not in session.prose
    assert "såg†" not in session.figure("matrix")["layout"]["yaxis"]["ticktext"]


def test_a_long_sentence_of_unknown_words_is_summed_up() -> None:
    said = Asked(text=" ".join(f"w{at}" for at in range(40)), view="heads").prose
    assert "**w11**† and 28 more:" in said
    assert "**w12**" not in said


def test_under_a_window_the_accuracy_is_said_to_be_that_of_the_intact_model() -> None:
    assert "with everything in place" not in Asked(text="the cat sat").prose.split("Trained on the task")[1]
    windowed = Asked(text="the cat sat", window=2).prose.split("Trained on the task")[1]
    assert "on unseen sentences with everything in place." in windowed
