"""Blocks: numbers against core, what clicks and buttons do, and both sides of every verdict."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.measures.blocks.norms import COMPARED, POST, POST_WARM, PRE, PRE_WARM, RECIPE, Loss, normalised
from core.measures.blocks.parts import SAME, OutputChanges
from core.model.config import NORMS, ModelConfig, Norm
from core.sources import load
from core.text.tokenizer import words_of
from pages.blocks import (
    block_picture,
    feed_forward,
    last_block,
    layer_norm,
    pre_and_post,
    residual,
    short_training,
)
from pages.contract.ask import Ask
from pages.contract.common_controls import scene_of
from pages.contract.link_parameters import LinkParameters
from pages.contract.measurement import MeasurementResult
from pages.contract.prose import Typed
from pages.contract.question import solution
from pages.shell import draw
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers
from tests.views import page_in

PAGE = "blocks"
TEXT = "the oven cooked the bread so"
PAIR = "pre and post"
NOW = {"view": PAIR, "shows": "training"}


def opened(view: str = PAIR, **parameters: Any) -> Asked:
    return Asked(PAGE, view=view, **parameters)


# Layer norm


@each("norm", NORMS)
def test_the_statistics_of_every_word_are_drawn_and_a_click_chooses_one(norm: Any) -> None:
    session = opened("layer norm", text=TEXT, model="random", norm=norm, word=5)

    found = normalised(load("random", ModelConfig(vocab_size=1, norm=norm), words_of(TEXT), 0), place=0)
    mean, deviation = found.statistics()["before"]
    bar = session.figure("tokens")["data"][0]
    np.testing.assert_allclose(numbers(bar["base"]), mean - deviation)
    np.testing.assert_allclose(numbers(bar["y"]), 2 * deviation)
    np.testing.assert_allclose(session.table("tokens")["before, mean"], mean)
    np.testing.assert_allclose(numbers(session.figure("vector")["data"][0]["y"]), found.before[4])
    assert ("with gain and bias, mean" in session.table("tokens")) == (norm != "none")
    session.click("tokens", x=2, y=0, data=(0, 2))
    assert session.value("word") == 3


def test_changing_all_other_words_leaves_the_statistics_of_one() -> None:
    session = opened("layer norm", text=TEXT, word=2)
    before = numbers(session.figure("tokens")["data"][0]["base"])
    session.set(others=True)

    after = numbers(session.figure("tokens")["data"][0]["base"])
    assert [at for at in range(6) if before[at] == after[at]] == [1]
    assert "the statistics of **oven** changed by **0**" in session.prose
    assert "changed by **0.25**" in layer_norm.independence("tea", 0.25)


# Residual connections


@each("model", ["trained", "random"])
def test_the_drawn_block_is_as_wide_as_the_model(model: str) -> None:
    session = opened("residual", text=TEXT, model=model)
    width = load(model, ModelConfig.of_switches(), words_of(TEXT), 0).model.config.d_model
    assert set(session.table("blocks")["shape"]) == {f"6 × {width}"}


# Pre-norm and post-norm


def test_a_sentence_of_one_word_has_no_gradient() -> None:
    alone = opened(text="so so so")
    assert alone.pictures == ["blocks"]
    assert "type at least two different words" in alone.infos[0]
    assert not alone.has("norm")
    assert not alone.has("layers")


def invented(config: ModelConfig, *, n_layers: int, seed: int, norms: Any) -> Iterator[Loss]:
    """Losses without training: flat, with another number for each norm."""
    for at, norm in enumerate(norms, start=1):
        for step in range(1, RECIPE.steps + 1):
            yield Loss(norm, step, float("nan") if norm == "none" and step > 55 else n_layers * at + seed)


def test_models_are_trained_when_the_reader_asks_and_kept_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, int]] = []

    def counting(config: ModelConfig, *, n_layers: int, seed: int, norms: Any) -> Iterator[Loss]:
        calls.append((n_layers, len(norms)))
        yield from invented(config, n_layers=n_layers, seed=seed, norms=norms)

    monkeypatch.setattr(short_training, "short_training", counting)
    session = Session(PAGE, **NOW, train_depth=4, seed=3)
    assert "Press *Train two models*" in session.prose
    session.press("Train two models")
    assert "the loss in nats is pre 7, post 11; pre has the lowest." in session.prose
    np.testing.assert_array_equal(session.curve("short_training", "post")["y"], 11)
    other = Session(PAGE, **NOW, train_depth=4, seed=3, mask="bidirectional")
    assert "pre 7, post 11" in other.prose, "kept for all, and trained under a causal mask"
    other.set(with_none=True)
    other.press("Train three models")
    assert "pre 7, post 11, none no longer a number; pre has the lowest." in other.prose
    assert len(other.curve("short_training", "none")["y"]) == 55
    assert calls == [(4, 2), (4, 3)]


@each("other", [{"train_depth": 2}, {"seed": 4}, {"heads": 8}, {"with_none": True}])
def test_a_training_is_shown_only_for_its_link(other: dict[str, Any]) -> None:
    asked = Asked(PAGE, **NOW, train_depth=4, seed=3)
    config = asked.scene.switches.config
    made = short_training.measurement(config, ("pre", "post"), 4, 3)
    found = tuple(invented(config, n_layers=4, seed=3, norms=("pre", "post")))
    shown = _sheet_after(MeasurementResult(made.about, found), {"train_depth": 4, "seed": 3})
    assert shown.startswith("Over the last")
    assert _sheet_after(
        MeasurementResult(made.about, found), {"train_depth": 4, "seed": 3, **other}
    ).startswith("Press")


def _sheet_after(kept: MeasurementResult, parameters: dict[str, Any]) -> str:
    """Return the headline after a session has kept a result."""
    link = {name: [str(value).lower()] for name, value in {**NOW, **parameters}.items()}
    ask = Ask(LinkParameters(link), measured_by=lambda what: kept)
    view, scene = scene_of(ask, page_in(PAGE))
    return str(view.sheet(ask, scene).headline)  # type: ignore[union-attr]


def test_only_one_visitor_trains_at_a_time() -> None:
    session = Session(PAGE, **NOW, train_depth=2)
    with draw.MEASURING:
        session.press("Train two models")
    assert session.infos == [draw.BUSY]


# Feed-forward


# Verdicts and questions


FALLING, FLAT = np.array([2.0, 1.4, 1.0, 0.8, 0.5]), np.array([2.0, 2.4, 1.8, 2.2, 2.1])
CONFIG = ModelConfig(vocab_size=1)


@each(
    ("pre", "post", "follows"),
    [(FALLING, FLAT, True), (FLAT, FLAT, False), (FALLING, FALLING, False), (FALLING * 0, FLAT, False)],
)
def test_the_theorem_is_said_to_show_only_where_it_does(
    pre: np.ndarray, post: np.ndarray, follows: bool
) -> None:
    told = last_block.theorem({"pre": pre, "post": post}, CONFIG)
    assert ("the gradient falls to less than half with pre-norm" in told) == follows
    assert ("A small gradient is not bad" in told) == follows
    assert ("the gradients do not change as their bound does" in told) == (not follows and bool(pre.any()))
    none = last_block.theorem({"pre": pre, "post": post}, replace(CONFIG, residual=False, mlp=False))
    assert "is about blocks with a residual connection" in none


def losses(pre: float, pre_warm: float, post: float, post_warm: float) -> dict[str, list[float]]:
    return {PRE: [pre], PRE_WARM: [pre_warm], POST: [post], POST_WARM: [post_warm]}


@each(
    ("last", "is_pre", "gains"),
    [
        ((2.8, 3.06, 4.71, 3.71), True, True),
        ((2.8, 3.06, 3.7, 3.7), True, False),
        ((2.8, 3.06, 4.71, 3.1), False, False),
    ],
)
def test_a_placement_is_recommended_only_if_it_ends_lower_in_every_training(
    last: tuple[float, float, float, float], is_pre: bool, gains: bool
) -> None:
    said = pre_and_post.recommendation(losses(*last))
    assert said.startswith("**What to use:** most language models of today have pre-norm.")
    assert ("Training runs of other models may end otherwise." in said) == is_pre
    assert ("do not show which is better" in said) != is_pre
    assert ("The warm-up helps post-norm." in said) == gains


@each(("at_once", "relu"), [(SAME / 2, 4.0), (SAME / 2, SAME / 2), (0.5, 4.0)])
def test_two_layers_are_one_up_to_rounding_or_not(at_once: float, relu: float) -> None:
    said = feed_forward.collapse({feed_forward.AT_ONCE: at_once, feed_forward.RELU: relu}, 2)
    assert "head 3" in said
    assert ("are one layer" in said) == (at_once < SAME)
    assert ("not the same" in said) == (at_once < SAME <= relu)


NAN = float("nan")
REACHING = OutputChanges(np.array([0.5, 1.0, 0.125]), np.array([0.0, 0.9, 0.25]))
ALONE = OutputChanges(np.array([1.0]), np.array([0.9]))


@each(
    ("told", "said"),
    [
        (
            residual.headline(2.8, 4.89, 4.91),
            "residual connections and 4.89 without, about as much as word frequencies alone",
        ),
        (
            pre_and_post.warm_up_headline(losses(2.8, 3.06, 4.71, 3.71), 4.91),
            "In one training of 200 steps each, post-norm learns little without a warm-up: it ends at 4.71 "
            "nats, and at 3.71 with one. Pre-norm without a warm-up ends at 2.80.",
        ),
        (pre_and_post.warm_up_headline(losses(2.8, 3.06, 3.7, 3.7), 4.91), "Warm-up changes the last loss"),
        (pre_and_post.warm_up_headline(losses(4.6, 3.06, 4.7, 3.7), 4.91), "Warm-up changes the last loss"),
        (
            last_block.last_block_headline({"pre": FALLING * 0, "post": FLAT}),
            "an unknown number of times as large with pre-norm",
        ),
        (short_training.training_headline({"pre": 7, "none": NAN}), "none no longer a number; pre has the"),
        (short_training.training_headline({"pre": NAN}), "is pre no longer a number."),
        (feed_forward.reach("tea", REACHING, 1, 0), "changes at 2 other words by up to 50 %"),
        (feed_forward.reach("tea", REACHING, 1, 0), "the attention output at 1 other word by up to 25 %."),
        (feed_forward.reach("tea", ALONE, 0, 0), "*tea* has no other word to reach"),
        (
            feed_forward.reach("tea", replace(REACHING, feed_forward=np.array([0.0, 1.0, 0.0])), 1, 0),
            "The feed-forward layer works on each word alone. Without *tea* in layer 1, the attention "
            "output changes at 1 other word by up to 25 %.",
        ),
    ],
)
def test_a_sentence_agrees_with_its_numbers(told: str, said: str) -> None:
    assert said in told


TEA = Typed("tea")


@each(
    ("asked", "right"),
    [
        (layer_norm.deviation_after(TEA, (0.5, 2.25), 1.0), "1.00"),
        (residual.without_residual(2.8, 4.89, 4.91), "near 4.9 nats"),
        (residual.without_residual(2.8, 2.9, 4.91), "near 2.8 nats"),
        (residual.without_residual(2.8, 3.3, 4.91), None),
        (pre_and_post.needs_warm_up(losses(2.8, 3.06, 4.7, 3.7)), "post-norm"),
        (pre_and_post.needs_warm_up(losses(3, 2, 3, 2)), None),
        (feed_forward.reached_words_question(TEA, 1, REACHING), "2 words"),
        (feed_forward.reached_words_question(TEA, 0, ALONE), None),
    ],
)
def test_a_question_is_asked_only_if_it_has_one_answer(asked: Any, right: str | None) -> None:
    assert (asked and solution(asked)) == right


@each("n_words", [1, 7])
@each("norm", COMPARED)
def test_the_parts_of_a_block_have_a_row_for_each_word(norm: Norm, n_words: int) -> None:
    boxes = block_picture.block(n_words, replace(ModelConfig.of_switches(), norm=norm, d_model=64))
    assert len(boxes) == 8
    assert {box.shape for box in boxes} == {f"{n_words} × 64"}
