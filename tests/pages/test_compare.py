"""Compare: B is A but for what its own switches say, and the difference is that of the two models."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.measures.prediction import distribution, predict
from core.measures.reading import Reading
from core.model.config import POSITIONS, ModelConfig
from core.model.masks import MASKS
from core.sources import load
from pages.explorer.compare import CHANGES_LISTED, OTHER_QUESTION, SAME_START, matched
from tests.covering import covering
from tests.pages.asked import Asked
from tests.pages.session import Session, computed, gaps, numbers
from tests.real import needs_minilm
from viz.predictions import SHOWN
from viz.units import p_equals

TEXT = "the cat saw the other cat run"
A = {"positions": "rotary", "n_heads": 2, "n_layers": 3, "norm": "post", "seed": 4}
LINK = {
    "view": "compare",
    "model": "random",
    "text": TEXT,
    "positions": "rotary",
    "heads": 2,
    "layers": 3,
    "norm": "post",
    "seed": 4,
}

B_SWITCHES: dict[str, tuple[str, dict[str, Any]]] = {
    "b_positions": (
        "positions",
        {name: name for name in POSITIONS},
    ),
    "b_mask": ("mask", {mask: mask for mask in MASKS}),
    "b_window": ("window", {"off": "off", "1": 1, "2": 2, "4": 4, "8": 8}),
    "b_heads": ("n_heads", {"1": 1, "2": 2, "4": 4, "8": 8}),
    "b_layers": ("n_layers", {str(n): n for n in range(1, 7)}),
    "b_norm": ("norm", {"pre": "pre", "post": "post", "none": "none"}),
    "b_scale": ("scale", {"on": True, "off": False}),
    "b_residual": ("residual", {"on": True, "off": False}),
    "b_mlp": ("mlp", {"on": True, "off": False}),
    "b_seed": ("seed", {0: 0, 4: 4, 9999: 9999}),
}
"""What every switch of B can say, and the value of the field that it then sets."""


def assert_shows(session: Asked, a: Reading, b: Reading, layer: int, head: int) -> None:
    first, second = (
        gaps(a, layer, head),
        gaps(b, min(layer, b.config.n_layers - 1), min(head, b.config.n_heads - 1)),
    )
    assert_allclose(session.matrix("comparison", panel=0), first, atol=1e-6)
    assert_allclose(session.matrix("comparison", panel=1), second, atol=1e-6)
    change = np.nan_to_num(second) - np.nan_to_num(first)
    change[np.isnan(first) & np.isnan(second)] = np.nan
    assert_allclose(session.matrix("comparison", panel=2), change, atol=1e-6)


def test_a_switch_of_b_changes_b_alone() -> None:
    session = Asked(**LINK, b_positions="as A", layer=2, head=2)
    for setting in covering({name: tuple(answers) for name, (_, answers) in B_SWITCHES.items()}):
        session.set(**setting)
        fields = {B_SWITCHES[name][0]: B_SWITCHES[name][1][answer] for name, answer in setting.items()}
        assert_shows(session, computed(TEXT, **A), computed(TEXT, **{**A, **fields}), 1, 1)


def test_b_starts_as_a_without_positions() -> None:
    assert_shows(
        Asked(**LINK, head=1), computed(TEXT, **A), computed(TEXT, **{**A, "positions": "none"}), 0, 0
    )


def test_b_follows_a_where_it_says_as_a() -> None:
    session = Asked(**LINK, head=1, b_positions="as A", b_seed=1)
    session.set(scale=False, heads=4)

    fields = {**A, "scale": False, "n_heads": 4}
    assert_shows(session, computed(TEXT, **fields), computed(TEXT, **{**fields, "seed": 1}), 0, 0)


def test_a_model_compared_with_itself_differs_nowhere() -> None:
    session = Asked(**LINK, b_positions="as A")

    assert np.nanmax(np.abs(session.matrix("comparison", panel=2))) == 0
    assert session.infos == []


def test_a_b_with_fewer_heads_and_layers_shows_its_last_ones_and_says_so() -> None:
    session = Asked(**LINK, layer=3, head=2, b_layers="1", b_heads="1")

    assert session.infos == ["B has no layer 3 · head 2: shown is its layer 1 · head 1."]
    b = computed(TEXT, **{**A, "positions": "none", "n_layers": 1, "n_heads": 1})
    assert_shows(session, computed(TEXT, **A), b, 2, 1)


def test_the_largest_changes_are_listed_largest_first() -> None:
    session = Asked(**LINK)
    listed = session.tables[0]
    change = np.nan_to_num(session.matrix("comparison", panel=2))

    assert len(listed) == CHANGES_LISTED
    assert_allclose(
        np.abs(listed["change"]), np.sort(np.abs(change), axis=None)[::-1][:CHANGES_LISTED], atol=1e-6
    )
    assert_allclose(listed["B"] - listed["A"], listed["change"], atol=1e-6)
    query, key = np.unravel_index(np.argmax(np.abs(change)), change.shape)
    words = TEXT.split()
    assert listed["query"][0].split(" (")[0] == words[query]
    assert listed["key"][0].split(" (")[0] == words[key]


def written(weight: float) -> str:
    """A weight in a formula, where less than 0.01 is written with three digits and a power of ten."""
    mantissa, exponent = f"{weight:.2e}".split("e")
    return f"{weight:.3f}" if weight >= 0.01 else rf"{mantissa} \cdot 10^{{{int(exponent)}}}"


def test_a_chosen_cell_opens_the_calculation_of_both() -> None:
    session = Session(**LINK, query=6, key=2, layer=2, head=2)

    for at, fields in enumerate([A, {**A, "positions": "none"}]):
        weight = computed(TEXT, **fields).calculation(1, 1, 5, 1).weight
        assert rf"= {written(weight)} \\" in session.app.latex[at].value
    assert session.prose.count("**cat** (6) attends to **cat** (2) · Layer 2 · head 2") == 2


def in_sight(session: Asked) -> list[str]:
    """The switches of B beside "B is A, except"."""
    keys = [getattr(node, "key", None) or "" for node in session.element("variant")]
    return [key for key in keys if key.startswith("b_")]


def test_only_the_switches_in_which_b_differs_are_in_sight() -> None:
    session = Session(**LINK, b_mask="bidirectional")
    assert in_sight(session) == ["b_positions", "b_mask"]

    session.set(b_positions="as A", b_heads="8", b_seed=1)
    assert in_sight(session) == ["b_mask", "b_heads", "b_seed"]
    assert session.value("b_positions") == "as A"


def test_where_b_differs_in_nothing_its_switches_are_unfolded() -> None:
    session = Session(**LINK, b_positions="as A")
    (folded,) = (one for one in session.app.expander if one.label == "More switches of B")
    assert folded.proto.expanded
    assert in_sight(session) == []
    assert "**B** is A. Choose in which switch it differs:" in session.prose

    session.set(b_mask="bidirectional")
    (folded,) = (one for one in session.app.expander if one.label == "More switches of B")
    assert not folded.proto.expanded
    assert "**B** is A, except:" in session.prose


@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize("mask", MASKS)
def test_what_a_and_b_predict_stands_side_by_side(mask: str) -> None:
    text, at = "Maria met Zuko near the stores", 3
    session = Asked(text=text, view="compare", mask=mask, place=at + 1)
    a, b = (
        predict(load("trained", ModelConfig(vocab_size=1, mask=mask, positions=positions), text.split(), 0))
        for positions in ("sinusoidal", "none")
    )
    right = a.answer(at)
    assert right is not None
    ranks = [f"rank {one.rank(at)}, {p_equals(one.probabilities(at)[right])}" for one in (a, b)]

    assert f": A {ranks[0]}; B {ranks[1]}, of 531 words." in session.prose
    assert f"**A {a.loss:.2f} nats per word**, **B {b.loss:.2f} nats per word**" in session.prose
    first, second = session.figure("prediction_bars")["data"]
    table = distribution(a, b, at)
    table = table[(table.index < SHOWN) | table["answer"]]
    assert_allclose(numbers(first["x"]), table["before"], atol=1e-6)
    assert_allclose(numbers(second["x"]), table["after"], atol=1e-6)
    assert "First A, then B." in session.alt("prediction_bars")


@pytest.mark.usefixtures("noise_shelf")
def test_losses_of_two_different_questions_are_not_compared() -> None:
    session = Asked(text=TEXT, view="compare", b_mask="bidirectional")
    assert OTHER_QUESTION in session.prose
    assert "prediction_bars" not in session.pictures
    assert OTHER_QUESTION not in Asked(text=TEXT, view="compare").prose


def test_random_weights_predict_nothing_to_compare() -> None:
    assert "Loss on this sentence" not in Asked(**LINK).prose


def test_heads_of_two_trainings_are_matched_on_the_sentence_and_an_ablation_is_none() -> None:
    """B without its residual connections is A with something taken out: no second training."""
    swapped = np.array([[0.9, 0.2], [0.1, 0.8]])
    assert "not all keep their numbers: A1 with B2 and A2 with B1." in matched(swapped)
    assert "keep their numbers" in matched(1 - swapped)
    assert matched(np.zeros((2, 2))) == SAME_START
    link = {"view": "compare", "text": "the chef is happy .", "b_positions": "rotary"}
    assert "Matched by their weights on this sentence, the 4 heads" in Asked(**link).prose
    for other in (
        {"b_positions": "as A", "b_residual": "off"},
        {"b_heads": "2"},
        {"heads": 1},
        {"model": "random"},
    ):
        assert SAME_START not in Asked(**{**link, **other}).prose
    asked = Asked(view="compare", b_positions="rotary").questions
    assert "most like head 3 of A" in asked[-1].text


@needs_minilm
def test_a_real_model_and_its_ablation_are_one_training() -> None:
    asked = Asked(view="compare", model="real", b_residual="off", text="the cat sat")
    assert SAME_START not in asked.prose
    assert not any("of B attends" in question.text for question in asked.questions)
