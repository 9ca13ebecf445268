"""Training: every number of a step is what it says, and learning really happens."""

import pytest
import torch
from torch.nn.functional import cross_entropy
from torch.optim import AdamW

from core.learning.tasks import IGNORED, NEXT_WORD, TRANSLATION, Batch, PairBatch, Task
from core.learning.tasks.task import generator
from core.learning.training import Recipe, Training, evaluate_batch, measure
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.models import Transformer
from core.model.recurrent_pair import RecurrentEncoderDecoder, RecurrentPairConfig
from core.text.language import Split
from core.text.tokenizer import Vocabulary

pytestmark = pytest.mark.usefixtures("one_thread")

VOCAB = 7
QUESTION = 6


def first_of_two(seed: int, step: int, size: int, split: Split) -> Batch:
    """Two different words and a question mark, at which the first of the two is wanted."""
    pair = torch.rand(size, QUESTION, generator=generator(split, seed, step)).argsort(dim=1)[:, :2]
    tokens = torch.cat([pair, torch.full((size, 1), QUESTION)], dim=1)
    targets = torch.full_like(tokens, IGNORED)
    targets[:, 2] = pair[:, 0]
    return Batch(tokens, targets, torch.ones(size, 1, 1, 3, dtype=torch.bool))


FIRST = Task("first of two", lambda: Vocabulary([str(i) for i in range(VOCAB)]), first_of_two)


def transformer(mask: str = "causal", **fields: object) -> Transformer:
    model = Transformer(ModelConfig(vocab_size=VOCAB, d_model=32, n_heads=8, mask=mask, **fields))
    initialise(model, seed=1)
    return model


def test_a_pair_is_asked_for_each_word_of_the_reference_given_those_before() -> None:
    """Loss and hits of a pair are those of its logits for source and reference, padding left out."""
    batch = TRANSLATION.batch(0, 0, 5)
    assert isinstance(batch, PairBatch)
    sizes = {"source_vocab_size": int(batch.source.max()) + 1, "d_model": 5}
    pair = RecurrentEncoderDecoder(RecurrentPairConfig(vocab_size=len(TRANSLATION.vocabulary()), **sizes))
    initialise(pair, seed=1)
    answers, loss, n_right = evaluate_batch(pair, batch), 0.0, 0
    for i in range(5):
        n_source, n = (int(allowed[i].sum()) for allowed in (batch.source_allowed, batch.allowed))
        logits = pair((batch.source[i : i + 1, :n_source], batch.tokens[i : i + 1, :n]))[0]
        wanted = batch.targets[i, :n]
        loss -= logits.log_softmax(dim=-1)[torch.arange(n), wanted].sum().item()
        n_right += int((logits.argmax(dim=-1) == wanted).sum())
    assert answers.loss.item() == pytest.approx(loss, rel=1e-4)
    assert (answers.n_right, answers.n_scored) == (n_right, int(batch.allowed.sum()))


def test_a_model_with_positions_learns_a_task_of_order() -> None:
    recipe, running = Recipe(steps=300, batch_size=32, learning_rate=0.01, warm_up=10), 0
    training = Training(transformer("bidirectional", positions="learned"), FIRST, recipe)
    for step in training.steps():
        running = running + 1 if step.loss < 0.05 else 0
        if running == 10:
            break
    assert measure(training.model, FIRST)[1] == 1


def test_a_batch_in_two_parts_weighs_every_word_alike() -> None:
    recipe = Recipe(steps=1, batch_size=24, clip=1e9)
    model = Transformer(ModelConfig(vocab_size=len(NEXT_WORD.vocabulary()), d_model=14, n_heads=2))
    initialise(model, seed=2)
    batch = NEXT_WORD.batch(recipe.seed, 0, recipe.batch_size)
    asked = [int((part.targets != IGNORED).sum()) for part in batch.parts()]
    assert len(asked) == 2
    assert asked[0] != asked[1]
    whole = cross_entropy(model(batch.tokens).flatten(0, 1), batch.targets.flatten(), ignore_index=IGNORED)
    gradients = torch.autograd.grad(whole, list(model.parameters()))

    (step,) = Training(model, NEXT_WORD, recipe).steps()

    assert step.loss == pytest.approx(whole.item(), rel=1e-5)
    assert step.gradient_norm == pytest.approx(
        torch.cat([gradient.flatten() for gradient in gradients]).norm().item(), rel=1e-4
    )


def test_the_rate_warms_up_and_comes_down_to_a_twentieth() -> None:
    recipe = Recipe(steps=1000, warm_up=10, learning_rate=2.0)
    assert recipe.learning_rate_at(0) == pytest.approx(0.2)
    assert recipe.learning_rate_at(4) == pytest.approx(1.0, rel=1e-3)
    assert recipe.learning_rate_at(500) == pytest.approx(2.0 * (0.05 + 0.95 / 2))
    assert recipe.learning_rate_at(1000) == pytest.approx(0.1)
    rates = [recipe.learning_rate_at(step) for step in range(10, 1000)]
    assert rates == sorted(rates, reverse=True)


def test_the_weights_move_as_torch_moves_them_and_a_step_reports_the_loss_before_its_update() -> None:
    recipe = Recipe(steps=7, batch_size=5, learning_rate=0.02, warm_up=3, weight_decay=0.3, clip=0.5, seed=2)
    model, ours = transformer(), Training(transformer(), FIRST, recipe)
    optimiser = AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.3)
    for number, step in enumerate(ours.steps()):
        batch = FIRST.batch(2, number, 5)
        logits, wanted = model(batch.tokens)[:, 2], batch.targets[:, 2]
        loss, rate = cross_entropy(logits, wanted), recipe.learning_rate_at(number)
        optimiser.param_groups[0]["lr"] = rate
        optimiser.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimiser.step()
        assert (step.step, step.learning_rate) == (number + 1, rate)
        assert (step.loss, step.gradient_norm) == pytest.approx((loss.item(), norm.item()), rel=1e-4)
        assert step.accuracy == (logits.argmax(dim=-1) == wanted).double().mean().item()
    found, expected = ours.model.state_dict(), model.state_dict()
    for state in (
        found,
        expected,
    ):  # softmax cancels this bias: its gradient is rounding, which Adam scales up
        for name in [name for name in state if name.endswith("attention.key.bias")]:
            del state[name]
    torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-4)


def test_measuring_uses_held_out_data_and_weighs_every_word_alike() -> None:
    model = transformer()
    loss, accuracy = measure(model, FIRST, n_batches=3, size=5)
    tokens, wanted = zip(
        *((b.tokens, b.targets[:, 2]) for b in (FIRST.batch(0, i, 5, split="test") for i in range(3))),
        strict=True,
    )
    logits = model(torch.cat(tokens))[:, 2]
    assert loss == pytest.approx(cross_entropy(logits, torch.cat(wanted)).item())
    assert accuracy == pytest.approx((logits.argmax(-1) == torch.cat(wanted)).double().mean().item())


def test_a_recipe_that_cannot_be_followed_is_refused_by_name() -> None:
    for field in ("steps", "batch_size", "learning_rate", "warm_up", "clip"):
        with pytest.raises(ValueError, match=f"{field} must be above 0, got -1"):
            Recipe(**{field: -1})
