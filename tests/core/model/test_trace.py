"""A trace records one call, changes it where asked, and is never mixed up with another's."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import Tensor

from core.model.models import EncoderDecoder, Transformer
from core.model.trace import Trace, silence
from tests.core.references import (
    BATCH,
    D_HEAD,
    N_HEADS,
    SOURCE,
    WORDS,
    close,
    config,
    noise,
    noisy,
    tokens_of,
)
from tests.covering import each


def double(value: Tensor) -> Tensor:
    return 2 * value


@each("name", ["pattern", "z"])
@each("head", range(N_HEADS))
def test_silencing_a_head_is_zeroing_its_columns_of_the_output_map(name: str, head: int) -> None:
    model = noisy(Transformer(config(positions="alibi")))
    edited = Trace(edits={f"blocks.0.attention.{name}": silence(head=head)})
    logits = model(tokens_of(), trace=edited)
    assert edited.unused_edits == frozenset()
    assert bool((edited[f"blocks.0.attention.{name}"][:, head] == 0).all())
    assert (logits - model(tokens_of())).abs().max() > 1e-3
    with torch.no_grad():
        model.blocks[0].attention.output.weight[:, head * D_HEAD : (head + 1) * D_HEAD] = 0
    close(logits, model(tokens_of()))


def test_only_chosen_names_are_recorded() -> None:
    model, trace = noisy(Transformer(config())), Trace(keep=["blocks.*.attention.pattern", "logits"])
    everything = Trace()
    assert torch.equal(model(tokens_of(), trace=trace), model(tokens_of(), trace=everything))
    names = ["blocks.0.attention.pattern", "blocks.1.attention.pattern", "logits"]
    assert list(trace) == names
    assert all(torch.equal(trace[name], everything[name]) for name in names)
    parts = Trace(keep={"*.pattern": lambda pattern: pattern.amax(dim=1)})
    assert torch.equal(model(tokens_of(), trace=parts), everything["logits"])
    assert all(torch.equal(parts[name], everything[name].amax(dim=1)) for name in names[:2])
    with pytest.raises(
        KeyError, match=r"embed was not recorded; recorded are: blocks\.0\.attention\.pattern"
    ):
        trace["embed"]


def test_an_edit_is_recorded_and_takes_effect_and_unused_edits_are_listed() -> None:
    edits = {"blocks.0.z": double, "blocks.9.z": double, "z": double}
    trace, value = Trace(edits=edits), noise(3)
    edits.clear()  # they are taken as they were when the trace was made
    assert trace.unused_edits == {"blocks.0.z", "blocks.9.z", "z"}
    result = trace.at("blocks.0")("z", value)
    assert torch.equal(result, 2 * value)
    assert trace["blocks.0.z"] is result
    assert trace.unused_edits == {"blocks.9.z", "z"}
    unkept = Trace(edits={"z": double}, keep=["out"])
    assert torch.equal(unkept("z", value), 2 * value)
    assert len(unkept) == 0
    with pytest.raises(ValueError, match="z is already recorded: a Trace records one forward pass"):
        unkept("z", value)


def test_an_edit_that_cannot_be_made_is_refused_and_none_changes_the_tensor_it_is_given() -> None:
    value = noise(BATCH, N_HEADS, WORDS, WORDS)
    before = value.clone()
    for head in (-1, N_HEADS):
        with pytest.raises(ValueError, match=f"head must be between 0 and 2, got {head}"):
            silence(head=head)(value)
    assert not torch.equal(silence(head=1)(value), before)
    assert torch.equal(value, before)


@pytest.fixture
def impatient_threads() -> Iterator[None]:
    """Threads switch after every few instructions, so that races show."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("impatient_threads")
def test_four_threads_with_one_model_never_see_each_others_tensors() -> None:
    model = noisy(Transformer(config(positions="rotary", n_layers=3)), dtype=torch.float32)
    sentences = [tokens_of(1, 2 + seed % 11, seed=seed) for seed in range(8)]

    def traced(tokens: Tensor) -> dict[str, Tensor]:
        trace = Trace()
        with torch.inference_mode():
            model(tokens, trace=trace)
        return dict(trace)

    alone = [traced(tokens) for tokens in sentences]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(traced, sentences * 3))
    assert len(together) == 24
    for number, trace in enumerate(together):
        expected = alone[number % len(sentences)]
        assert list(trace) == list(expected)
        torch.testing.assert_close(trace, expected, rtol=0, atol=1e-6)


def test_a_forward_pass_leaves_nothing_in_the_model() -> None:
    model = EncoderDecoder(config(positions="alibi"), config(positions="learned"))
    before = [dict(vars(module)) for module in model.modules()]
    model((tokens_of(words=SOURCE), tokens_of()), trace=Trace())
    for module, attributes in zip(model.modules(), before, strict=True):
        assert vars(module).keys() == attributes.keys()
        assert all(value is attributes[name] for name, value in vars(module).items())
