"""Blocks: numbers against core, what clicks and buttons do, and both sides of every verdict."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.measures.blocks.norms import (
    DEPTHS,
    POST,
    POST_WARM,
    PRE,
    PRE_BARE,
    PRE_WARM,
    RECIPE,
    Loss,
    Normalised,
    last_block_gradients,
    measured,
    normalised,
)
from core.measures.blocks.parts import SAME, OutputChanges, Stream, largest_difference, stream, two_layers
from core.model.config import NORMS, ModelConfig
from core.sources import load
from core.sources.random_weights import fresh
from core.text.tokenizer import words_of
from core.words import distance, magnitude
from pages.blocks import feed_forward, layer_norm, pre_and_post, residual, short_training, trainings
from pages.contract.answers import LinkAnswers
from pages.contract.ask import Ask
from pages.contract.asking import scene_of
from pages.contract.examples import MARIA
from pages.contract.measurement import Measured
from pages.contract.prose import Typed
from pages.contract.question import Estimate, solution
from pages.shell import measuring
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers
from tests.views import page_in

PAGE = "blocks"
TEXT = "the oven cooked the bread so"
PAIR = "pre and post"
NOW = {"view": PAIR, "shows": "training"}
TWO = {"view": "feed-forward", "shows": "two layers without it"}


def opened(view: str = PAIR, **parameters: Any) -> Asked:
    return Asked(PAGE, view=view, **parameters)


def curve(session: Any, picture: str, name: str) -> np.ndarray:
    traces = session.figure(picture)["data"]
    return next(numbers(one["y"]) for one in traces if one["hovertext"][0].startswith(f"{name}:"))


def answers(*questions: Any) -> list[str | None]:
    return [one and solution(one) for one in questions]


# Layer norm


@pytest.mark.parametrize("norm", NORMS)
def test_the_statistics_of_every_word_are_drawn(norm: str) -> None:
    session = opened("layer norm", text=TEXT, model="random", norm=norm, word=5)

    config = ModelConfig(vocab_size=1, norm=norm)  # type: ignore[arg-type]
    found = normalised(load("random", config, words_of(TEXT), 0), place=0)
    mean, deviation = found.statistics()["before"]
    bar = session.figure("tokens")["data"][0]
    np.testing.assert_allclose(numbers(bar["base"]), mean - deviation)
    np.testing.assert_allclose(numbers(bar["y"]), 2 * deviation)
    np.testing.assert_allclose(session.table("tokens")["before, mean"], mean)
    np.testing.assert_allclose(numbers(session.figure("vector")["data"][0]["y"]), found.before[4])
    assert ("would take *bread*" in session.sheet.answer) == (norm == "none")
    assert ("This model has no layer norm" in " ".join(session.infos)) == (norm == "none")
    assert ("with gain and bias, mean" in session.table("tokens")) == (norm != "none")


def test_changing_all_other_words_leaves_the_statistics_of_one() -> None:
    session = opened("layer norm", text=TEXT, word=2)
    before = numbers(session.figure("tokens")["data"][0]["base"])
    session.set(others=True)

    after = numbers(session.figure("tokens")["data"][0]["base"])
    assert [at for at in range(6) if before[at] == after[at]] == [1]
    assert "the statistics of **oven** changed by **0**" in session.prose
    assert "changed by **0.25**" in layer_norm.independence("tea", 0.25)


def test_a_click_on_a_word_chooses_it() -> None:
    session = opened("layer norm", text=TEXT)
    session.click("tokens", x=4, y=0, data=4)
    assert session.value("word") == 5
    session = opened("feed-forward", text=TEXT)
    session.click("changes", x=4, y=0, data=[1, 4])
    assert session.value("word") == 5


def test_statistics_after_layer_norm_are_those_before_its_gain_and_bias() -> None:
    before, after, learned = (np.array([[0.0, 0.0], [low, low + 4]]) for low in (1, 3, 5))
    assert layer_norm.statistics_of(Normalised(before, after, learned), 1) == ((3, 2), (5, 2))


def test_the_deviation_is_asked_for_only_if_layer_norm_changes_it() -> None:
    asked = layer_norm.deviation_after(Typed("tea"), (0.5, 2.25), 1.0)
    assert asked is not None
    assert (solution(asked), [value for value, _ in asked.mistaken]) == ("1.00", [0.0])
    assert layer_norm.deviation_after(Typed("tea"), (0.0, 1.01), 1.0) is None
    assert layer_norm.deviation_after(Typed("tea"), (float("nan"), float("nan")), 1.0) is None


# Residual connections


@pytest.mark.parametrize("norm", NORMS)
def test_the_parts_of_the_chosen_model_are_drawn_beside_the_losses_of_the_file(norm: Any) -> None:
    session = opened("residual", text=TEXT, model="random", layers=4, norm=norm)

    found = stream(load("random", ModelConfig(vocab_size=1, n_layers=4, norm=norm), words_of(TEXT), 0))
    np.testing.assert_allclose(session.table("added").to_numpy(), found.added)
    first, last = (magnitude(found.mean_lengths()[at]) for at in (0, -1))
    assert f"goes from {first} to {last}." in session.sheet.answer
    for name, setting in (("with", PRE), ("without", PRE_BARE)):
        np.testing.assert_allclose(session.table("residual_curves")[name], measured()[setting])


@pytest.mark.parametrize("is_there", [True, False])
def test_formulas_and_questions_have_the_sum_only_if_the_models_have(is_there: bool) -> None:
    session = opened("residual", residual=is_there, model="random")
    assert ("Without residual connections" in session.sheet.answer) != is_there
    assert len(session.questions) == 1 + is_there
    pair = opened(residual=is_there)
    assert [("+ h" in one.latex) for one in pre_and_post.equations(pair.scene.switches.config)] == [
        is_there
    ] * 2
    about_sum = solution(pre_and_post.pre_or_post())  # type: ignore[arg-type]
    assert (about_sum in answers(*pair.questions)) == is_there
    assert (" sum (" in pair.alt("blocks")) == is_there


def test_the_part_that_adds_most_on_average_is_named() -> None:
    session = opened("residual", text=TEXT, model="random")
    table = session.table("added")
    assert f"{table.mean().idxmax()} adds most" in session.prose


def config_of(*, has_sum: bool = True) -> ModelConfig:
    return ModelConfig(vocab_size=1, residual=has_sum)


def test_the_headline_has_the_norms_of_the_chosen_model() -> None:
    found = Stream(np.array([[2.0, 4.0], [4.0, 8.0]]), np.ones((2, 2)), ("attention 1", "feed-forward 1"), 4)
    assert residual.headline(config_of(), found).endswith("goes from 3 to 6.")
    assert "nothing is added" in residual.headline(config_of(has_sum=False), found)


def test_a_loss_without_residual_connections_is_compared_with_that_of_word_frequencies() -> None:
    assert "That is about 4.91 nats" in residual.cost(2.8, 4.89, 4.91)
    assert "Compare 4.91 nats" in residual.cost(2.8, 4.0, 4.91)


@each(
    ("without", "right"),
    [
        (4.89, "near 4.9 nats"),
        (2.9, "near 2.8 nats"),
        (3.8, "near 3.9 nats"),
        (3.3, None),
        (5.4, None),
        (float("nan"), None),
    ],
)
def test_where_the_loss_ends_without_residual_connections_is_asked_if_it_is_clear(
    without: float, right: str | None
) -> None:
    assert answers(residual.without_residual(2.8, without, 4.91)) == [right]


def test_without_the_file_of_losses_a_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise OSError

    monkeypatch.setattr(trainings, "measured", missing)
    session = opened("residual", model="random")
    assert session.warnings == [trainings.MISSING.markdown]
    assert session.pictures == ["added"]
    assert opened(shows="warm-up").warnings == [trainings.MISSING.markdown]
    assert "What to use" not in opened().prose


# Pre-norm and post-norm


def test_the_gradient_of_the_last_block_is_drawn_against_the_number_of_blocks() -> None:
    session = opened(seed=3, heads=2, mask="bidirectional", with_none=True)

    config = ModelConfig(vocab_size=1, n_heads=2, mask="bidirectional")
    found = last_block_gradients(lambda one: fresh(one, words_of(MARIA), 3), config, norms=NORMS)
    for norm, lengths in found.items():
        np.testing.assert_allclose(curve(session, "last_block", norm), lengths)
    expected = found["pre"][0] * np.sqrt(2 / np.array(DEPTHS))
    np.testing.assert_allclose(curve(session, "last_block", "as 1/√L"), expected)
    assert f"by {found['post'][-1] / found['post'][0]:.2f} with post-norm" in session.sheet.answer
    assert not session.has("norm")
    assert not session.has("layers")


@pytest.mark.parametrize("text", ["one", "so so so"])
def test_one_word_has_no_next_one_and_a_note_says_so(text: str) -> None:
    session = opened(text=text)
    assert session.pictures == ["blocks"]
    assert "type at least two different words" in session.infos[0]


def test_the_norm_is_drawn_before_the_part_or_after_the_sum() -> None:
    pre, post = opened().alt("blocks").split("Post-norm:")
    assert pre.index("Layer norm") < pre.index("Masked self-attention") < pre.index("sum (")
    assert post.index("Masked self-attention") < post.index("sum (") < post.index("Layer norm")
    assert "Feed-forward" not in opened(mlp=False).alt("blocks")


FALLING, FLAT = np.array([2.0, 1.4, 1.0, 0.8, 0.5]), np.array([2.0, 2.4, 1.8, 2.2, 2.1])


@pytest.mark.parametrize(
    ("pre", "post", "follows"),
    [(FALLING, FLAT, True), (FLAT, FLAT, False), (FALLING, FALLING, False), (FALLING, 1 / FALLING, False)],
)
def test_the_theorem_is_said_to_show_only_where_it_does(
    pre: np.ndarray, post: np.ndarray, follows: bool
) -> None:
    told = pre_and_post.theorem({"pre": pre, "post": post}, config_of())
    assert ("These gradients do the same." in told) == follows
    assert ("A small gradient is not bad" in told) == follows
    assert ("the gradients do not do the same" in told) != follows


def test_without_residual_connections_or_gradients_no_theorem_is_claimed() -> None:
    told = pre_and_post.theorem(
        {"pre": FALLING, "post": FLAT}, ModelConfig(vocab_size=1, residual=False, mlp=False)
    )
    assert "is about blocks with a residual connection" in told
    assert "output matrix of attention" in told
    nothing = {"pre": FALLING * 0, "post": FLAT}
    assert "do the same" not in pre_and_post.theorem(nothing, config_of())  # type: ignore[arg-type]
    assert "by an unknown factor with pre-norm" in pre_and_post.last_block_headline(nothing)  # type: ignore[arg-type]


@each(("factor", "said"), [(0.24, "it falls"), (3.0, "it grows"), (1.0, "it stays about the same")])
def test_the_gradient_of_the_last_block_falls_or_grows(factor: float, said: str) -> None:
    assert answers(pre_and_post.gradient_of_last(np.array([2.0, 2.0 * factor]))) == [said]


@each("factor", [0.0, 0.8, 1.3])
def test_a_gradient_that_one_could_call_the_same_or_not_is_not_asked(factor: float) -> None:
    assert pre_and_post.gradient_of_last(np.array([2.0, 2.0 * factor])) is None
    assert pre_and_post.gradient_of_last(np.array([0.0, 2.0])) is None


def losses(pre: float, pre_warm: float, post: float, post_warm: float) -> dict[str, list[float]]:
    return {PRE: [pre], PRE_WARM: [pre_warm], POST: [post], POST_WARM: [post_warm]}


@each(
    ("last", "is_pre", "gains"),
    [
        ((2.8, 3.06, 4.71, 3.71), True, True),
        ((2.8, 3.06, 3.7, 3.7), True, False),
        ((2.8, 3.06, 4.71, 3.1), False, False),
        ((4.0, 4.0, 3.0, 2.0), False, False),
    ],
)
def test_a_placement_is_recommended_only_if_it_ends_lower_in_every_training(
    last: tuple[float, float, float, float], is_pre: bool, gains: bool
) -> None:
    said = pre_and_post.recommendation(losses(*last))
    assert said.startswith("**What to use:** pre-norm.") == is_pre
    assert ("do not decide it" in said) != is_pre
    assert ("The warm-up helps post-norm." in said) == gains


def test_the_curves_of_warm_up_are_the_losses_of_the_file() -> None:
    table = opened(shows="warm-up").table("warm_up_curves")
    assert list(table.columns) == [PRE, PRE_WARM, POST, POST_WARM]
    np.testing.assert_allclose(table.T.to_numpy(), [measured()[name] for name in table.columns])


def test_the_norm_that_gains_more_from_a_warm_up_is_asked_for_unless_they_tie() -> None:
    asked = pre_and_post.needs_warm_up(losses(2.8, 3.06, 4.7, 3.7))
    assert answers(asked) == ["post-norm"]
    assert "rises by 0.26 nats with pre-norm and falls by 1.00 nats with post-norm" in asked.because  # type: ignore[union-attr]
    assert answers(pre_and_post.needs_warm_up(losses(3.8, 2.8, 3.9, 3.7))) == ["pre-norm"]
    assert pre_and_post.needs_warm_up(losses(3, 2, 3, 2)) is None


def invented(config: ModelConfig, *, n_layers: int, seed: int, norms: Any) -> Iterator[Loss]:
    """Losses that nobody had to wait for: flat, and each norm another number."""
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
    np.testing.assert_array_equal(curve(session, "short_training", "post"), 11)
    session.set(mask="bidirectional")
    assert "pre 7, post 11" in session.prose, "the models are trained under a causal mask"
    assert "pre 7, post 11" in Session(PAGE, **NOW, train_depth=4, seed=3).prose, "kept for all"

    session.set(train_depth=2)
    assert "Press *Train two models*" in session.prose, "nothing was trained at this depth"
    session.set(train_depth=4, with_none=True)
    session.press("Train three models")
    assert "pre 7, post 11, none no longer a number; pre has the lowest." in session.prose
    assert len(curve(session, "short_training", "none")) == 55
    session.set(with_none=False)
    assert "pre 7, post 11; pre" in session.prose
    assert calls == [(4, 2), (4, 3)]


@each("other", [{"train_depth": 2}, {"seed": 4}, {"heads": 8}, {"with_none": True}, {"positions": "none"}])
def test_a_training_is_shown_only_if_it_is_about_what_the_link_asks(other: dict[str, Any]) -> None:
    asked = Asked(PAGE, **NOW, train_depth=4, seed=3)
    made = short_training.measurement(asked.scene.switches.config, ("pre", "post"), 4, 3)
    found = tuple(invented(asked.scene.switches.config, n_layers=4, seed=3, norms=("pre", "post")))
    shown = _sheet_after(Measured(made.about, found), {"train_depth": 4, "seed": 3})
    assert shown.startswith("Over the last")
    assert _sheet_after(Measured(made.about, found), {"train_depth": 4, "seed": 3, **other}).startswith(
        "Press"
    )


def _sheet_after(kept: Measured, parameters: dict[str, Any]) -> str:
    """Return the headline where a session has kept a result, whatever it is about."""
    link = {name: [str(value).lower()] for name, value in {**NOW, **parameters}.items()}
    ask = Ask(LinkAnswers(link), measured_by=lambda what: kept)
    view, scene = scene_of(ask, page_in(PAGE))
    return str(view.sheet(ask, scene).answer)  # type: ignore[union-attr]


@each(
    ("last", "said"),
    [
        ((3, 5, 7), "pre 3, post 5, none 7; pre has the lowest."),
        ((7, 5, 6), "pre 7, post 5, none 6; post has the lowest."),
        ((7, 6, float("nan")), "pre 7, post 6, none no longer a number; post has the lowest."),
        ((float("nan"),) * 3, "pre no longer a number, post no longer a number, none no longer a number."),
    ],
)
def test_the_norm_with_the_lowest_loss_at_the_end_is_named(last: tuple[float, ...], said: str) -> None:
    found = dict(zip(NORMS, last, strict=True))
    assert short_training.training_headline(found).endswith(f"the loss in nats is {said}")


def test_only_one_visitor_trains_at_a_time() -> None:
    session = Session(PAGE, **NOW, train_depth=2)
    with measuring.MEASURING:
        session.press("Train two models")
    assert session.infos == [measuring.BUSY]


# Feed-forward


@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_the_feed_forward_layer_changes_one_word_and_attention_others(mask: str) -> None:
    session = opened("feed-forward", text=TEXT, mask=mask, layer=2, word=3)

    table = session.table("changes")
    assert [at for at, change in enumerate(table["feed-forward"]) if change != 0] == [2]
    touched = [at for at, change in enumerate(table["attention"]) if change != 0]
    assert touched == ([2, 3, 4, 5] if mask == "causal" else [0, 1, 2, 3, 4, 5])
    assert f"at no other word, the attention output at {len(touched) - 1} other words" in session.sheet.answer


def test_words_that_a_part_reaches_are_counted_and_asked_for() -> None:
    tea, both = Typed("tea"), OutputChanges(np.array([0.5, 1.0, 0.125]), np.array([0.0, 0.9, 0.25]))
    said = feed_forward.reach("tea", both, 1, 0)
    assert "feed-forward output changes at 2 other words by up to 50 %" in said
    assert said.endswith("the attention output at 1 other word by up to 25 %.")
    asked = feed_forward.reached(tea, 1, both)
    assert isinstance(asked, Estimate)
    assert (solution(asked), [value for value, _ in asked.mistaken]) == ("2 words", [1])
    alone = OutputChanges(np.array([1.0]), np.array([0.9]))
    assert "*tea* has no other word to reach" in feed_forward.reach("tea", alone, 0, 0)
    assert feed_forward.reached(tea, 0, alone) is None


@pytest.mark.parametrize("source", ["trained", "random"])
def test_two_layers_are_shown_beside_the_one_they_make(source: str) -> None:
    session = opened(**TWO, text=TEXT, model=source, head=3, mask="bidirectional")

    config = ModelConfig(vocab_size=1, mask="bidirectional")
    both = two_layers(load(source, config, words_of(TEXT), 0), head=2)
    for panel, matrix in enumerate((both.a2, both.a1, both.a2 @ both.a1)):
        np.testing.assert_allclose(session.matrix("two_layers", panel=panel), matrix, atol=1e-6)
    for other in (both.at_once(), both.with_relu(), both.factorised()):
        assert distance(largest_difference(both.in_turn(), other)) in session.prose


def test_one_layer_is_not_enough_for_two() -> None:
    session = opened(**TWO, layers=1)
    assert session.pictures == []
    assert "choose two or more" in session.infos[0]


@each(("at_once", "relu"), [(SAME / 2, 4.0), (SAME / 2, SAME / 2), (0.5, 4.0)])
def test_two_layers_are_one_up_to_rounding_or_not(at_once: float, relu: float) -> None:
    found = {feed_forward.AT_ONCE: at_once, feed_forward.RELU: relu}
    said = feed_forward.collapse(found, 2)
    assert "head 3" in said
    assert ("are one layer" in said) == (at_once < SAME)
    assert ("not the same" in said) == (at_once < SAME <= relu)
    assert answers(feed_forward.two_in_one(is_same=at_once < SAME)) == [
        "one layer" if at_once < SAME else None
    ]


def test_each_choice_has_its_own_controls() -> None:
    one, two = opened("feed-forward"), opened(**TWO)
    assert (one.has("layer"), one.has("word"), one.has("head")) == (True, True, False)
    assert (two.has("layer"), two.has("word"), two.has("head")) == (False, False, True)
    assert (opened().has("train_depth"), Asked(PAGE, **NOW).has("train_depth")) == (False, True)
