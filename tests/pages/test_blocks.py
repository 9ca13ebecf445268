"""Blocks: what each view shows is what core computes, and its program prints the same numbers."""

from typing import Any

import numpy as np
import pytest

from core.collapse import largest_difference, two_layers
from core.config import ModelConfig
from core.gradients import gradients_at_start
from core.tokenizer import words_of
from pages.controls.sentence import MARIA
from tests.pages.session import Session, numbers
from tests.programs import printed, printed_matrix
from viz.units import distance

PAGE = "blocks"
TEXT = "the oven cooked the bread so"


def opened(view: str = "depth", **parameters: Any) -> Session:
    chosen = {} if view == "depth" else {"view": view}
    return Session(PAGE, **chosen, **parameters)


def curve(session: Session, picture: str, name: str) -> np.ndarray:
    traces = session.figure(picture)["data"]
    return next(numbers(one["y"]) for one in traces if one["hovertext"][0].startswith(f"{name}:"))


@pytest.mark.parametrize("depth", [2, 12, 24])
def test_the_curves_are_the_gradients_of_fresh_models(depth: int) -> None:
    session = opened(depth=depth, seed=3, heads=2, mask="bidirectional", depth_chart_table=True)

    config = ModelConfig(vocab_size=1, n_heads=2, mask="bidirectional")
    found = gradients_at_start(words_of(MARIA), config, n_layers=depth, seed=3)
    for norm, gradients in found.items():
        np.testing.assert_allclose(curve(session, "depth_chart", norm), gradients.blocks)
        np.testing.assert_allclose(session.table("depth_chart")[norm], gradients.blocks)
        assert f"**{norm}**" in session.prose
    assert not session.has("norm")
    assert not session.has("layers")


@pytest.mark.parametrize("text", ["one", "so so so"])
def test_one_word_has_no_next_one_and_a_note_says_so(text: str) -> None:
    session = opened(text=text)

    assert session.pictures == []
    assert "it takes two different ones" in session.infos[0]


DEPTH_CASES: list[dict[str, Any]] = [
    {"positions": "rotary", "n_heads": 2},
    {"mlp": False, "positions": "alibi", "mask": "bidirectional"},
    {"residual": False, "scale": False, "positions": "learned"},
]


@pytest.mark.parametrize("case", DEPTH_CASES, ids=str)
def test_the_program_of_depth_prints_the_gradients(case: dict[str, Any]) -> None:
    names = {"n_heads": "heads"}
    link = {names.get(name, name): value for name, value in case.items()}
    session = opened(text=TEXT, depth=4, seed=5, code=True, **link)

    rows = printed_matrix(session.app.code[0].value, 4)

    found = gradients_at_start(words_of(TEXT), ModelConfig(vocab_size=1, **case), n_layers=4, seed=5)
    np.testing.assert_allclose(rows, [one.blocks for one in found.values()], rtol=2e-3)


TWO = "two layers in one"


@pytest.mark.parametrize("source", ["trained", "random"])
def test_two_layers_are_shown_beside_the_one_they_make(source: str) -> None:
    session = opened(TWO, text=TEXT, model=source, head=3, mask="bidirectional")

    config = ModelConfig(vocab_size=1, mask="bidirectional")
    both = two_layers(words_of(TEXT), config, source=source, seed=0, head=2)
    for panel, matrix in enumerate((both.a2, both.a1, both.a2 @ both.a1)):
        np.testing.assert_allclose(session.matrix("two_layers", panel=panel), matrix, atol=1e-6)
    assert "**the same**, up to rounding" in session.prose
    assert session.prose.count("not the same") == 2
    for other in (both.at_once(), both.with_relu(), both.factorised()):
        assert distance(largest_difference(both.in_turn(), other)) in session.prose
    assert "matrix product A₂A₁" in session.prose


def test_one_layer_is_not_enough_for_two() -> None:
    session = opened(TWO, layers=1)

    assert session.pictures == []
    assert "choose two or more" in session.infos[0]


TWO_CASES: list[dict[str, Any]] = [
    {"source": "trained", "norm": "post", "positions": "learned", "mask": "bidirectional"},
    {"source": "random", "seed": 4, "positions": "rotary", "n_heads": 2, "mlp": False},
]


@pytest.mark.parametrize("case", TWO_CASES, ids=str)
def test_the_program_of_two_layers_prints_the_product_and_the_differences(case: dict[str, Any]) -> None:
    names = {"n_heads": "heads", "source": "model"}
    link = {names.get(name, name): value for name, value in case.items()}
    session = opened(TWO, text=TEXT, head=2, code=True, **link)

    lines = printed(session.app.code[0].value).splitlines()

    fields = {name: value for name, value in case.items() if name not in ("source", "seed")}
    config = ModelConfig(vocab_size=1, **fields)
    both = two_layers(words_of(TEXT), config, source=case["source"], seed=case.get("seed", 0), head=1)
    rows = [line.split()[1:] for line in lines[:-3]]
    np.testing.assert_allclose(np.array(rows, dtype=float), both.weights, atol=6e-4)
    assert float(lines[-3].split()[-1]) < 1e-9
    others = (both.with_relu(), both.factorised())
    expected = [largest_difference(both.in_turn(), other) for other in others]
    np.testing.assert_allclose([float(line.split()[-1]) for line in lines[-2:]], expected, rtol=6e-3)


@pytest.mark.parametrize("parameter", ["depth=5", "seed=-1", "view=nothing"])
def test_a_bad_link_is_told_and_shown_as_the_default(parameter: str) -> None:
    name, value = parameter.split("=")
    session = Session(PAGE, **{name: value})

    assert len(session.warnings) == 1
    assert value in session.warnings[0]
    assert session.has("depth_chart")
