"""Every mask has all that the app asks of it: visibility, and separately its training objective.

The tests of this file also run over made-up masks: see `tests/test_made_up.py`.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.decoding.begin import start_text
from core.decoding.decoding import read_words
from core.learning.collection import MEMBERS, name_of
from core.learning.collection.members import HEADS, SHIPPED
from core.learning.evaluation.phenomena import Question, correct
from core.learning.tasks import IGNORED, MASKED_WORD, NEXT_WORD, REVIEW, TASKS, NextWordBatch
from core.learning.training import evaluate_batch, given_words, scored_positions
from core.measures.heads.sample import read_sample, sample_sentences
from core.measures.masking.painting import mask_of
from core.measures.prediction import predict
from core.model.config import NORMS, POSITIONS, ModelConfig
from core.model.forward import PATTERNS, forward_pass
from core.model.initialisation import initialise
from core.model.masks import MASKS, freest_first
from core.model.models import Transformer
from core.model.trace import Trace
from core.sources import load
from core.text.language import vocabulary
from tests.covering import each

WORDS = ("the", "oven", "cooked", "the", "bread", "so", "it", "was", "warm")
N = len(WORDS)
SIZES = range(1, 12, 2)
CONFIG = ModelConfig(vocab_size=1, d_model=20, n_heads=2, d_mlp=17)

every_mask = pytest.mark.parametrize("mask", MASKS)
for_next_words = pytest.mark.parametrize(
    "mask", [name for name, mask in MASKS.items() if mask.objective == "next word"]
)

BY_HAND: dict[str, Callable[[int, int, int], bool]] = {
    "causal": lambda i, j, n: j <= i,
    "bidirectional": lambda i, j, n: True,
    "prefix": lambda i, j, n: j <= i or j < n // 2,
}
"""Whether query i may attend to key j of n words, for the masks of the app."""


def model_of(mask: str, **fields: Any) -> Transformer:
    """Return a small model of the language."""
    model = Transformer(ModelConfig(vocab_size=len(vocabulary()), d_model=12, n_heads=2, mask=mask, **fields))
    initialise(model, seed=3)
    return model


def reaches(allowed: Tensor, n_layers: int) -> Tensor:
    """Return which query depends on which word after some layers: along residual connections and the mask."""
    step = (allowed | torch.eye(len(allowed), dtype=torch.bool)).double()
    return torch.linalg.matrix_power(step, n_layers) > 0


@every_mask
def test_its_program_draws_the_same_mask_as_its_rule_and_every_word_sees_itself(mask: str) -> None:
    for n in SIZES:
        found = MASKS[mask].allowed(n)
        assert (tuple(found.shape), found.dtype) == ((1, 1, n, n), torch.bool)
        assert torch.equal(found[0, 0], eval(MASKS[mask].program, {"torch": torch, "n": n}))
        np.testing.assert_array_equal(mask_of(replace(CONFIG, mask=mask), n), found[0, 0].numpy())
        assert found[0, 0].diagonal().all(), "or the model could not read it"


@pytest.mark.parametrize("mask", [name for name in MASKS if not name.startswith("made-up")])
def test_the_masks_of_the_app_agree_with_rules_by_hand(mask: str) -> None:
    for n in SIZES:
        expected = [[BY_HAND[mask](i, j, n) for j in range(n)] for i in range(n)]
        assert MASKS[mask].allowed(n)[0, 0].tolist() == expected


@every_mask
def test_whether_it_looks_ahead_and_hides_anything_is_read_off_its_matrix(mask: str) -> None:
    later = any(MASKS[mask].allowed(n)[0, 0].triu(1).any() for n in SIZES)
    hidden = any((~MASKS[mask].allowed(n)).any() for n in SIZES)
    with torch.device("meta"):  # on any default device
        anew = replace(MASKS[mask])
        assert (anew.looks_ahead, anew.hides) == (later, hidden)
    assert replace(CONFIG, mask=mask).looks_ahead == later
    assert MASKS[mask].says
    for two_sided, expected in ((None, later), (True, True), (False, False)):
        assert replace(CONFIG, mask=mask, two_sided=two_sided).knows_both_sides == expected


def test_the_freest_mask_stands_first_in_tables() -> None:
    shares = [int(MASKS[name].allowed(16).sum()) for name in freest_first()]
    assert sorted(freest_first()) == sorted(MASKS)
    assert shares == sorted(shares, reverse=True)
    assert (freest_first()[0], set(freest_first()[:1])) == ("bidirectional", {"bidirectional"})


@every_mask
@each(("positions", "layers"), [("relative", 1), ("rotary", 2)])
def test_gradients_flow_from_a_word_to_those_that_may_see_it_and_no_others(
    mask: str, positions: str, layers: int
) -> None:
    model = model_of(mask, positions=positions, n_layers=layers).double()
    tokens = torch.arange(5, 5 + N)[None]
    leaves: list[Tensor] = []

    def leaf(x: Tensor) -> Tensor:
        leaves.append(x.detach().requires_grad_())
        return leaves[-1]

    states = model.states(tokens, trace=Trace(edits={"embed": leaf}))[0]
    depends = torch.zeros(N, N, dtype=torch.bool)
    for query, state in enumerate(states):
        weights = torch.linspace(1, 2, len(state), dtype=torch.double)
        (gradient,) = torch.autograd.grad((state * weights).sum(), leaves[-1], retain_graph=True)
        depends[query] = gradient[0].abs().amax(dim=-1) > 0
    assert torch.equal(depends, reaches(MASKS[mask].allowed(N)[0, 0], layers))


@every_mask
def test_given_words_are_counted_for_each_row(mask: str) -> None:
    given = torch.tensor([0, 4, N])
    rows = MASKS[mask].allowed(N, given=given).expand(3, 1, N, N)
    for row, length in zip(rows, given.tolist(), strict=True):
        assert torch.equal(row, MASKS[mask].allowed(N, given=length)[0])
    usual = MASKS[mask].given(N)
    assert torch.equal(MASKS[mask].allowed(N), MASKS[mask].allowed(N, given=usual))
    model, tokens = model_of(mask).double(), torch.arange(5, 5 + N).repeat(3, 1)
    together = model(tokens, given=given)
    for row, length in zip(together, given.tolist(), strict=True):
        torch.testing.assert_close(row, model(tokens[:1], given=length)[0])


@every_mask
def test_its_objective_is_a_task_that_fits_the_mask(mask: str) -> None:
    task = TASKS[MASKS[mask].objective]
    assert replace(CONFIG, mask=mask).objective == task.name
    assert mask in task.masks
    assert (mask in NEXT_WORD.masks) != (mask in MASKED_WORD.masks)
    assert mask in REVIEW.masks
    loaded = load("random", replace(CONFIG, mask=mask), WORDS, 0)
    assert loaded.objective == task.name
    for trained_for in ("next word", "masked word"):  # also if its mask is taken away
        other = replace(loaded, trained_for=trained_for)
        assert (other.objective, other.predicts_next) == (trained_for, trained_for == "next word")


def asked_by_hand(mask: str, batch: NextWordBatch) -> Tensor:
    """Return the places with a target that the mask of their row hides from the query before it."""
    wanted = batch.targets != IGNORED
    for row, length in enumerate(batch.allowed[:, 0, 0].sum(dim=1).tolist()):
        given = MASKS[mask].given(length) if batch.given is None else int(batch.given[row])
        allowed = MASKS[mask].allowed(length, given=given)[0, 0]
        for position in range(length - 1):
            wanted[row, position] &= not allowed[position, position + 1]
    return wanted


@for_next_words
@each(("task", "split"), [("next word", "train"), ("agreement", "test")])
def test_the_loss_counts_the_next_words_that_are_hidden_and_no_others(
    mask: str, split: Any, task: str
) -> None:
    model, batch = model_of(mask, positions="rotary").double(), TASKS[task].batch(2, 0, 13, split=split)
    assert isinstance(batch, NextWordBatch)
    expected = asked_by_hand(mask, batch)
    assert torch.equal(scored_positions(model, batch), expected)
    answers = evaluate_batch(model, batch)
    assert answers.n_scored == int(expected.sum())
    loss = torch.zeros((), dtype=torch.double)
    for row, length in enumerate(batch.allowed[:, 0, 0].sum(dim=1).tolist()):
        given = MASKS[mask].given(length) if batch.given is None else int(batch.given[row])
        logits, there = model(batch.tokens[row : row + 1, :length], given=given)[0], expected[row, :length]
        loss += cross_entropy(logits[there], batch.targets[row, :length][there], reduction="sum")
    torch.testing.assert_close(answers.loss, loss)


@every_mask
def test_some_words_are_given_of_each_row_but_never_all_and_the_same_for_the_same_seed(mask: str) -> None:
    batch, again = NEXT_WORD.batch(1, 2, 64), NEXT_WORD.batch(1, 2, 64)
    lengths = batch.allowed[:, 0, 0].sum(dim=1)
    given = given_words(MASKS[mask], batch)
    assert torch.equal(given, given_words(MASKS[mask], again))
    assert (given < lengths).all()
    assert (given >= 0).all()
    shares = given / lengths
    assert shares.min() < 0.1
    assert shares.max() > 0.8
    assert not torch.equal(given, NEXT_WORD.batch(1, 3, 64).given)
    tested = NEXT_WORD.batch(1, 2, 64, split="test")
    lengths = tested.allowed[:, 0, 0].sum(dim=1)
    expected = [MASKS[mask].given(length) for length in lengths.tolist()]
    assert given_words(MASKS[mask], tested).tolist() == expected


@every_mask
def test_the_collection_has_its_models_and_hands_them_out_as_the_switches_begin_or_all(mask: str) -> None:
    for norm, positions, heads in product(NORMS, POSITIONS[:2], HEADS):
        name = name_of(replace(CONFIG, d_model=48, mask=mask, norm=norm, positions=positions, n_heads=heads))
        assert MEMBERS[name].task.name == MASKS[mask].objective
        assert (name in SHIPPED) == (mask in ("causal", "bidirectional") or (heads, norm) == (4, "pre"))


@every_mask
def test_a_question_is_asked_of_a_model_without_its_answer(mask: str) -> None:
    words, place = ("the", "chefs", "who", "cook", "are", "warm", "."), 4
    known, model = vocabulary(), model_of(mask, n_layers=1)
    pairs = list(pairwise(known.words[20:80]))
    asked_of = [Question(words, place, frozenset({yes}), frozenset({no})) for yes, no in pairs]
    tokens = known.encode(words)
    if MASKS[mask].objective == "next word":
        logits = model(tokens[:, :place], given=place)[0, -1]
    else:
        tokens[0, place] = known.encode(["<mask>"]).item()
        logits = model(tokens)[0, place]
    expected = [bool(logits[yes] > logits[no]) for yes, no in (known.encode(pair)[0] for pair in pairs)]
    assert correct(model, asked_of).tolist() == expected


@every_mask
def test_sentences_of_a_sample_are_read_in_rows_as_each_is_alone(mask: str) -> None:
    model, sample = model_of(mask), sorted(sample_sentences()[:7], key=lambda one: len(one.words))
    patterns, allowed = read_sample(model, sample)
    for at, sentence in enumerate(sample):
        n = len(sentence.words)
        alone = forward_pass(model, vocabulary().encode(sentence.words), keep=PATTERNS)
        np.testing.assert_allclose(patterns[:, :, at, :n, :n], alone.patterns()[:, 0], atol=1e-6)
        assert np.array_equal(allowed[at, :n, :n], MASKS[mask].allowed(n)[0, 0].numpy())


@for_next_words
def test_visible_words_are_not_predicted_and_all_others_are(mask: str) -> None:
    found = predict(load("random", replace(CONFIG, mask=mask), WORDS, 3))
    allowed = MASKS[mask].allowed(N)[0, 0]
    in_sight = tuple(at for at in range(N - 1) if allowed[at, at + 1])
    assert (found.ahead, found.in_sight) == (1, in_sight)
    assert [found.target(at) is None for at in range(N)] == [at in (*in_sight, N - 1) for at in range(N)]
    assert np.isnan(found.losses()).nonzero()[0].tolist() == [0, *(at + 1 for at in in_sight)]
    assert found.n_scored == N - 1 - len(in_sight)


@every_mask
@each("positions", ["sinusoidal", "relative"])
def test_a_model_writes_after_the_words_given_the_same_with_a_cache_and_without(
    mask: str, positions: str
) -> None:
    model = model_of(mask, positions=positions).double()
    given = torch.arange(5, 9).repeat(2, 1)
    if MASKS[mask].objective == "masked word":
        with pytest.raises(ValueError, match=f"got {mask}, which is for a masked word"):
            start_text(model)
        return
    begun = read_words(start_text(model), [5, 6, 7]).step(torch.tensor([8]))[0]
    torch.testing.assert_close(begun[0], model(torch.tensor([[5, 6, 7, 8]]), given=0)[0, -1])
    cached, anew = (start_text(model, given, cached=cached) for cached in (True, False))
    for word in (11, 12, 13):
        words = torch.tensor([word, word + 3])
        (one, cached), (other, anew) = cached.step(words), anew.step(words)
        torch.testing.assert_close(one, other)
    tokens = torch.cat([given[:1], torch.tensor([[11, 12, 13]])], dim=1)
    torch.testing.assert_close(one[0], model(tokens, given=4)[0, -1])
