"""Answers of stops 1 to 4: each number and each claim about a model is computed here in another way."""

from collections.abc import Sequence
from math import e, exp, log, sqrt
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from core.learning.tasks import NEXT_WORD
from core.learning.training import Recipe
from core.live import Plan
from core.model.config import ModelConfig
from core.model.trace import Trace
from core.sources import load
from core.text.tokenizer import words_of
from pages.contract.examples import PRAISED, TEA
from pages.contract.question import Estimate, Sketch, solution
from pages.contract.static_questions import PATH_QUESTIONS
from pages.data.links import Link
from pages.path.stops import STOPS
from tests.covering import each
from tests.pages.asked import Asked

FIRST = STOPS[0].views[0].link
"""The head that is followed by hand."""

WIDTH = 64
KEYS = 5


def question(name: str) -> Any:
    return PATH_QUESTIONS[name].asked()


def at(link: Link | None, **more: Any) -> Asked:
    """Return the sheet of a link, with more parameters."""
    assert link is not None
    return Asked(link.address, **{**link.parameters, **more})


def row(session: Asked, stage: str) -> np.ndarray:
    """Return what the strip shows of a stage for the one word that it is about."""
    found = next(one for one in session.strip.stages if one["name"] == stage)
    return np.array(found["result"]["values"], float)


def shares(*scores: float) -> np.ndarray:
    """Return exp of each score, divided by their sum."""
    powers = [exp(one) for one in scores]
    return np.array([one / sum(powers) for one in powers])


def mistaken(asked: Estimate) -> list[float]:
    return [value for value, _ in asked.mistaken]


def run(words: str, mask: Any = "causal") -> Trace:
    """Return everything that the trained model of a page computes over some words."""
    found, trace = load("trained", ModelConfig(vocab_size=1, mask="causal"), words_of(words), 0), Trace()
    with torch.inference_mode():
        found.model(found.tokens, trace=trace)
    return trace


def test_a_second_plural_noun_shares_the_attention() -> None:
    asked = question("a_second_plural")
    assert isinstance(asked, Sketch)
    before, after = at(FIRST, stage="softmax"), at(PATH_QUESTIONS["a_second_plural"].see)
    assert str(before.link["text"]).replace("lamp", "lamps") == after.link["text"]
    score = 6 / sqrt(2)
    np.testing.assert_allclose(row(after, "softmax")[0], shares(0, score, 0, 0, score, 0), atol=1e-6)
    np.testing.assert_allclose(row(after, "softmax")[0], asked.right, atol=1e-3)
    np.testing.assert_allclose(row(before, "softmax")[0], shares(0, score, 0, 0, 0, 0), atol=1e-6)
    kept, nearest, equal = (np.array(bars) for bars, _ in asked.mistaken)
    np.testing.assert_allclose(row(before, "softmax")[0], kept, atol=3e-3)
    assert (nearest.argmax(), np.ptp(equal) < 0.01) == (4, True)


def test_the_weight_by_hand_and_the_ways_to_miss_it() -> None:
    asked = question("weight_by_hand")
    query, keys = torch.tensor([0.0, 2.0]), torch.tensor([[0.0, 1.0], [0.0, 0.0]])
    scores = keys @ query
    weight = (scores / sqrt(2)).softmax(0)[0].item()
    assert asked.right == round(weight, 2)
    ways = [scores.softmax(0)[0], (scores / 2).softmax(0)[0], scores[0] / scores.sum(), 0.5]
    assert mistaken(asked) == [round(float(one), 2) for one in ways]
    assert f"{exp(sqrt(2)):.2f} / {exp(sqrt(2)) + 1:.2f}" in asked.because
    seen = at(PATH_QUESTIONS["weight_by_hand"].see)
    np.testing.assert_array_equal(row(seen, "q"), [query.tolist()])
    np.testing.assert_array_equal(row(seen, "k"), keys.numpy())
    assert row(seen, "softmax")[0, 0] == pytest.approx(weight, abs=1e-6)


def test_with_twice_the_scores_the_largest_weight_grows() -> None:
    asked = question("twice_the_scores")
    link = STOPS[0].views[1].link
    layer, head, query, key = (int(link.parameters[name]) - 1 for name in ("layer", "head", "query", "key"))
    text = str(link.parameters["text"])
    scores = run(text)[f"blocks.{layer}.attention.scores"][0, head, query]
    weight = scores.softmax(-1)[key].item()
    words = words_of(text)
    assert asked.text.startswith(f"*{words[query]}* gives *{words[key]}*")
    assert f"a weight of {weight:.2f}" in asked.text
    assert weight < (2 * scores).softmax(-1)[key].item() < 1
    assert solution(asked) == "it grows, and stays below 1"
    assert scores.argmax() == key
    about = f"a trained head in which *{words[query]}* attends to *{words[key]}*, its subject"
    assert about in question("no_grammar_given").text


def test_with_one_matrix_a_word_looks_for_words_like_itself() -> None:
    see = PATH_QUESTIONS["one_matrix_for_both"].see
    tied, three = at(see), at(see, matrices="three")
    words = list(tied.scene.words)
    near, lamp = map(words.index, ("near", "lamp"))
    scores, weights = tied.matrix("compared", panel=0), three.matrix("compared", panel=1)
    assert scores[near].argmax() == near
    assert scores[near, near] > 0
    assert weights[near].argmax() == lamp
    assert weights[lamp, near] < 0.05 < weights[near, lamp]


def test_a_changed_value_changes_the_output_and_no_weight() -> None:
    assert solution(question("what_is_mixed")) == "its output alone"
    before, after = at(FIRST), at(FIRST, edit="v.2.1.5")
    for stage in ("scores", "softmax"):
        np.testing.assert_array_equal(row(before, stage), row(after, stage))
    assert not np.allclose(row(before, "weighted sum"), row(after, "weighted sum"))


def random_scores(d: int) -> torch.Tensor:
    """Return dot products of random queries with some random keys each."""
    drawn = torch.Generator().manual_seed(1)
    queries, keys = (torch.randn(2000, n, d, generator=drawn) for n in (1, KEYS))
    return (queries * keys).sum(-1)


def test_scores_divided_by_d_leave_nearly_equal_weights() -> None:
    asked = question("divided_by_d")
    scores = random_scores(WIDTH)
    assert random_scores(4 * WIDTH).std() / scores.std() == pytest.approx(2, rel=0.05)
    assert solution(question("four_times_as_long")) == "their standard deviation doubles"
    assert f"d = {WIDTH}" in asked.text
    assert (scores / WIDTH).std().item() == pytest.approx(1 / 8, rel=0.05)
    by_d, by_root, plain = (
        (scores / by).softmax(-1).amax(-1).mean().item() for by in (WIDTH, sqrt(WIDTH), 1)
    )
    assert by_d < 1 / KEYS + 0.05 < by_root < plain
    assert plain > 0.85
    assert solution(asked) == "nearly equal"


def test_one_more_for_every_logit_changes_no_probability_and_a_word_less_changes_all() -> None:
    found = load("trained", ModelConfig(vocab_size=1), words_of(PRAISED), 0)
    with torch.inference_mode():
        logits = found.model(found.tokens)[0, -1].double()
    torch.testing.assert_close((logits + 1).softmax(0), logits.softmax(0))

    asked = question("without_the_first")
    maria, zuko = (found.vocabulary.words.index(name) for name in ("maria", "zuko"))
    before = logits.softmax(0)
    assert before.argmax().item() == maria
    assert f"{before[zuko]:.3f}" == "0.056"
    assert f"{before[maria]:.3f}" == "0.894"
    without = logits.clone()
    without[maria] = -torch.inf
    assert asked.right == round(without.softmax(0)[zuko].item(), 2)
    assert mistaken(asked) == [0.056, round((before[zuko] + before[maria]).item(), 2)]


def test_the_loss_of_a_model_that_knows_nothing() -> None:
    asked = question("loss_of_knowing_nothing")
    n_words = len(NEXT_WORD.vocabulary())
    assert f"each of {n_words} words" in asked.text
    loss = cross_entropy(torch.zeros(1, n_words), torch.tensor([3])).item()
    assert asked.right == round(loss, 2) == round(log(n_words), 2)
    plan = Plan(architecture=ModelConfig(vocab_size=1), task_name=NEXT_WORD.name, recipe=Recipe(steps=1500))
    begun = next(plan.begin().steps()).loss
    assert f"at {begun:.1f} nats" in asked.because
    assert begun > loss
    assert -log(1 / e) == 1
    assert f"1/e = {1 / e:.2f}" in dict(asked.mistaken)[1.0]


def test_the_bars_of_the_sentence_shown_copy_as_the_headline_says() -> None:
    shown = at(STOPS[3].views[0].link)
    losses = shown.table("next_words").to_numpy(float)[1:].T
    with_mask, _, cheat, masked = np.exp(-losses)
    assert "learns to copy the next word" in shown.sheet.headline
    assert (cheat > 0.5).all(), "the model without a mask copies each word"
    assert (masked < 0.1).all()
    assert (cheat >= with_mask - 0.02).all()


def rows_without_mask(scores: torch.Tensor, allowed: Sequence[Sequence[bool]]) -> torch.Tensor:
    masked = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    return (masked.softmax(-1) - scores.softmax(-1)).abs().amax(-1)


def test_without_the_mask_only_the_last_row_stays() -> None:
    scores = run(TEA)["blocks.0.attention.scores"][0, 0]
    n = len(scores)
    moved = rows_without_mask(scores, np.tri(n, dtype=bool).tolist())
    assert moved[-1] == 0
    assert (moved[:-1] > 0.01).all()
    assert moved.argmax() == 0, "the row of the first word changes most"
    before, after = (at(STOPS[3].views[1].link), at(PATH_QUESTIONS["whose_row_stays"].see))
    last = [one.matrix("painted", panel=1)[-1] for one in (before, after)]
    np.testing.assert_allclose(*last, atol=1e-6)
    assert solution(question("whose_row_stays")).startswith("the row of *tea*")


def test_a_masked_score_of_0_or_minus_two_keeps_some_weight() -> None:
    zero = question("zero_for_a_masked_score")
    assert zero.right == round(shares(1, 1, 0)[2], 3)
    assert f"{e:.2f} + {e:.2f} + 1 = {2 * e + 1:.2f}" in zero.because
    assert mistaken(zero) == [0, round(1 / 3, 2)]
    asked = question("minus_two")
    before, after = shares(1, 1, 1), shares(1, 1, -1)
    assert 0 < after[2] < before[2]
    assert f"times {exp(-2):.2f}" in asked.because


@each("matrices", ["Q = K", "three"])
def test_the_stop_names_its_three_matrices(matrices: str) -> None:
    assert "With all three, *near* looks for its noun" in STOPS[0].views[2].says
    words = list(at(STOPS[0].views[2].link, matrices=matrices).scene.words)
    weights = at(STOPS[0].views[2].link, matrices=matrices).matrix("compared", panel=1)
    finds = weights[words.index("near")].argmax() == words.index("lamp")
    assert finds == (matrices == "three"), "so it must not be claimed of the others"
    assert "view=why+three+matrices&matrices=three" in at(FIRST).prose
