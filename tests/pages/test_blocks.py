"""Blocks: what each view shows is what core computes, and its program prints the same numbers."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.measures.blocks.collapse import largest_difference, two_layers
from core.measures.blocks.gradients import DEPTHS, gradients_at_start
from core.measures.blocks.last_block import last_block_gradients
from core.measures.blocks.normalised import normalised
from core.measures.blocks.short_training import RECIPE, Loss
from core.measures.blocks.stream import stream
from core.model.config import NORMS, ModelConfig
from core.programs.norms import norms_program
from core.sources import load
from core.sources.random_weights import fresh
from core.text.tokenizer import words_of
from pages.blocks import short_training as trainer
from pages.controls.examples import MARIA
from pages.shell import measuring
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers
from tests.programs import printed, printed_matrix
from viz.units import distance, magnitude, signed

PAGE = "blocks"
TEXT = "the oven cooked the bread so"


def opened(view: str = "depth", **parameters: Any) -> Asked:
    return Asked(PAGE, view=view, **parameters)


def curve(session: Asked, picture: str, name: str) -> np.ndarray:
    traces = session.figure(picture)["data"]
    return next(numbers(one["y"]) for one in traces if one["hovertext"][0].startswith(f"{name}:"))


@pytest.mark.parametrize(
    "depth", [2, 12, pytest.param(24, marks=pytest.mark.long("the largest choice: core computes it too"))]
)
def test_the_curves_are_the_gradients_of_fresh_models(depth: int) -> None:
    session = opened(
        depth=depth, seed=3, heads=2, mask="bidirectional", with_none=True, depth_chart_table=True
    )

    config = ModelConfig(vocab_size=1, n_heads=2, mask="bidirectional")
    found = gradients_at_start(lambda one: fresh(one, words_of(MARIA), 3), config, n_layers=depth)
    for norm, gradients in found.items():
        np.testing.assert_allclose(curve(session, "depth_chart", norm), gradients.blocks)
        np.testing.assert_allclose(session.table("depth_chart")[norm], gradients.blocks)
        first, last = (magnitude(gradients.blocks[at]) for at in (0, -1))
        assert f"{norm} {first} at the first and {last} at the last" in session.alt("depth_chart")
    assert not session.has("norm")
    assert not session.has("layers")


@pytest.mark.parametrize("text", ["one", "so so so"])
def test_one_word_has_no_next_one_and_a_note_says_so(text: str) -> None:
    session = opened(text=text)

    assert session.pictures == []
    assert "type at least two different words" in session.infos[0]


def on_page(view: str = "depth", **parameters: Any) -> Session:
    return Session(PAGE, view=view, **parameters)


@pytest.mark.parametrize("residual", [True, False])
def test_the_formulas_have_the_residual_connection_only_where_the_models_have(residual: bool) -> None:
    for view in ("depth", TRAINING):
        session = on_page(view, residual=residual)
        assert [("+ h" in one.value) for one in session.app.latex] == [residual] * 2
        assert ("without its residual connection" in session.prose) != residual
    session = on_page("residual stream", residual=residual, model="random")
    assert ("there is no stream" in session.prose) != residual
    assert len(session.app.latex) == int(residual)


def test_the_gradient_of_the_last_block_is_drawn_against_the_number_of_blocks() -> None:
    session = opened(seed=3)

    config = ModelConfig(vocab_size=1)
    found = last_block_gradients(lambda one: fresh(one, words_of(MARIA), 3), config)
    for norm, lengths in found.items():
        np.testing.assert_allclose(curve(session, "last_block", norm), lengths)
        assert f"by {lengths[-1] / lengths[0]:.2f} with {norm}-norm" in session.prose
    expected = found["pre"][0] * np.sqrt(2 / np.array(DEPTHS))
    np.testing.assert_allclose(curve(session, "last_block", "as 1/√L"), expected)


def test_layer_norm_opens_after_the_depth_of_a_former_link() -> None:
    session = Session(PAGE, depth=4)
    session.set(view="layer norm")
    assert session.value("view") == "layer norm"


TWO = "two layers in one"


@pytest.mark.parametrize("source", ["trained", "random"])
def test_two_layers_are_shown_beside_the_one_they_make(source: str) -> None:
    session = opened(TWO, text=TEXT, model=source, head=3, mask="bidirectional")

    config = ModelConfig(vocab_size=1, mask="bidirectional")
    both = two_layers(load(source, config, words_of(TEXT), 0), head=2)
    for panel, matrix in enumerate((both.a2, both.a1, both.a2 @ both.a1)):
        np.testing.assert_allclose(session.matrix("two_layers", panel=panel), matrix, atol=1e-6)
    for other in (both.at_once(), both.with_relu(), both.factorised()):
        assert distance(largest_difference(both.in_turn(), other)) in session.prose
    assert "matrix product A₂A₁" in session.prose


def test_one_layer_is_not_enough_for_two() -> None:
    session = opened(TWO, layers=1)

    assert session.pictures == []
    assert "choose two or more" in session.infos[0]


NORM = "layer norm"


@pytest.mark.parametrize("norm", NORMS)
def test_the_statistics_of_every_word_are_drawn(norm: str) -> None:
    session = opened(NORM, text=TEXT, model="random", norm=norm, word=5)

    config = ModelConfig(vocab_size=1, norm=norm)  # type: ignore[arg-type]
    found = normalised(load("random", config, words_of(TEXT), 0), place=0)
    mean, deviation = found.statistics()["before"]
    bar = session.figure("tokens")["data"][0]
    np.testing.assert_allclose(numbers(bar["base"]), mean - deviation)
    np.testing.assert_allclose(numbers(bar["y"]), 2 * deviation)
    np.testing.assert_allclose(session.table("tokens")["before, mean"], mean)
    np.testing.assert_allclose(numbers(session.figure("vector")["data"][0]["y"]), found.before[4])
    assert (
        f"of *bread* from mean {signed(mean[4])} and standard deviation {signed(deviation[4])}"
        in session.prose
    )
    assert ("This model has no layer norm" in " ".join(session.infos)) == (norm == "none")
    assert ("with gain and bias, mean" in session.table("tokens")) == (norm != "none")


def test_changing_all_other_words_leaves_the_statistics_of_one() -> None:
    session = opened(NORM, text=TEXT, word=2)
    before = numbers(session.figure("tokens")["data"][0]["base"])
    session.set(others=True)

    after = numbers(session.figure("tokens")["data"][0]["base"])
    assert [at for at in range(6) if before[at] == after[at]] == [1]
    assert "the statistics of **oven** changed by **0**" in session.prose


def test_a_click_on_a_word_chooses_it() -> None:
    session = opened(NORM, text=TEXT)
    session.click("tokens", x=4, y=0, data=4)

    assert session.value("word") == 5
    assert "the vector of *bread*" in session.prose


POSITION = "one position"


@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_the_feed_forward_layer_changes_one_word_and_attention_others(mask: str) -> None:
    session = opened(POSITION, text=TEXT, mask=mask, layer=2, word=3)

    table = session.table("changes")
    assert [at for at, change in enumerate(table["feed-forward"]) if change != 0] == [2]
    touched = [at for at, change in enumerate(table["attention"]) if change != 0]
    assert touched == ([2, 3, 4, 5] if mask == "causal" else [0, 1, 2, 3, 4, 5])
    assert f"at no other word, and that of attention at {len(touched) - 1} other words by" in session.prose
    session.click("changes", x=4, y=0, data=[1, 4])
    assert session.value("word") == 5


POSITION_CASES: list[dict[str, Any]] = [
    {"norm": "post", "layer": 2, "positions": "rotary"},
    {"norm": "pre", "model": "random", "residual": False, "mask": "bidirectional"},
]


@pytest.mark.parametrize("case", POSITION_CASES, ids=str)
def test_the_program_of_one_position_prints_the_changes(case: dict[str, Any]) -> None:
    session = opened(POSITION, text=TEXT, word=2, **case)

    assert f"The vector of word 2 set to zero in layer {case.get('layer', 1)}:" in session.code
    lines = printed(session.code).splitlines()

    rows = np.array([line.split()[2::2] for line in lines], dtype=float)
    np.testing.assert_allclose(rows, session.table("changes").to_numpy(), atol=2e-4)


STREAM = "residual stream"


def test_the_stream_is_shown_for_every_norm_and_what_the_parts_add_for_the_chosen_one() -> None:
    session = opened(STREAM, text=TEXT, model="random", layers=4, norm="post")

    for norm in NORMS:
        config = ModelConfig(vocab_size=1, n_layers=4, norm=norm)
        found = stream(load("random", config, words_of(TEXT), 0))
        np.testing.assert_allclose(curve(session, "stream", norm), found.mean_lengths())
        if norm == "post":
            np.testing.assert_allclose(session.table("added").to_numpy(), found.added)
    assert "in the model with layer norm **post**" in session.prose


def test_the_norm_of_a_sum_that_is_normalised_is_the_root_of_its_width() -> None:
    config = ModelConfig(vocab_size=1, n_layers=3, norm="post")
    found = stream(load("random", config, words_of(TEXT), 0))
    np.testing.assert_allclose(found.lengths[:, 1:], found.d_model**0.5, rtol=1e-4)


def test_the_program_of_the_stream_prints_the_lengths() -> None:
    session = opened(STREAM, text=TEXT, norm="post", positions="alibi")

    rows = printed_matrix(session.code, 3)

    config = ModelConfig(vocab_size=1, norm="post", positions="alibi")
    found = stream(load("trained", config, words_of(TEXT), 0))
    np.testing.assert_allclose(rows, found.lengths, atol=2e-3)


TRAINING = "short training"


def invented(config: ModelConfig, *, n_layers: int, seed: int) -> Iterator[Loss]:
    """Losses that nobody had to wait for: flat, and each norm another number."""
    for at, norm in enumerate(NORMS, start=1):
        for step in range(1, RECIPE.steps + 1):
            yield Loss(norm, step, float("nan") if norm == "none" and step > 55 else n_layers * at + seed)


def test_three_models_are_trained_when_the_reader_asks_and_kept_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []

    def counting(config: ModelConfig, *, n_layers: int, seed: int) -> Iterator[Loss]:
        calls.append(n_layers)
        yield from invented(config, n_layers=n_layers, seed=seed)

    monkeypatch.setattr(trainer, "short_training", counting)
    session = on_page(TRAINING, train_depth=4, seed=3)
    assert "Press *Train three models*" in session.prose
    assert session.pictures == [], "no empty chart"

    session.press("Train three models")
    assert len(session.figure("short_training")["data"]) == 2, "none stretches the axis"
    assert "the loss in nats is pre 7, post 11; pre has the lowest." in session.prose, "who is drawn is told"
    session.set(with_none=True)

    assert "the loss in nats is pre 7, post 11, none no longer a number; pre has the lowest." in session.prose
    np.testing.assert_array_equal(curve(session, "short_training", "post"), 11)
    assert len(curve(session, "short_training", "none")) == 55
    assert "the loss in nats is pre 7" in on_page(TRAINING, train_depth=4, seed=3).prose, "kept for all"
    session.press("Train three models")
    assert calls == [4]
    session.set(train_depth=2)
    assert "Press *Train three models*" in session.prose


def test_the_short_training_has_its_program() -> None:
    session = on_page(TRAINING, train_depth=2, seed=3, heads=8, code=True)
    (program,) = [block.value for block in session.app.code]
    config = ModelConfig(vocab_size=1, n_heads=8)
    assert program == norms_program(config, n_layers=2, seed=3).rstrip()
    assert "it prints the loss of every step" in session.prose


def test_only_one_visitor_trains_at_a_time() -> None:
    session = on_page(TRAINING, train_depth=2)
    with measuring.MEASURING:
        session.press("Train three models")
    assert session.infos == [measuring.BUSY]
    assert "Press *Train three models*" in session.prose
