"""References of whole models: forward passes, traces and edits, gradients, decoding, training, families."""

from copy import deepcopy
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import Tensor, nn

from bench.gpu.checking import (
    GRADIENTS,
    MODEL,
    SINGLE,
    Pairs,
    Place,
    Reference,
    SkippedError,
    borrowed,
)
from core.decoding import beams, decode, likeliest, start_text, start_translation
from core.learning.checkpoints import build
from core.learning.collection.members import MEMBERS, Member
from core.learning.training import Recipe, Training, predictions
from core.model.config import NORMS
from core.model.forward import attention_again, forward_pass, masked_with, states_from
from core.model.initialisation import initialise
from core.model.masks import MASKS
from core.model.masks.combining import padding, window
from core.model.models import EncoderDecoder, Stack, Transformer
from core.model.positions import SCHEMES
from core.model.trace import Trace, silence
from core.pretrained import read

ours = borrowed("tests/core/references.py")
folders = borrowed("tests/core/pretrained/folders.py")

STEPS = 12
"""Steps of a compared training: by then rounding has not grown to a difference."""

WRITTEN = 12
"""Number of words that each model writes."""

NEVER = -1
"""An end that no model writes."""


def kinds() -> tuple[Member, ...]:
    """Return a member of the collection for each task and kind of model."""
    found = {(member.task.name, type(member.config)): member for member in MEMBERS.values()}
    return tuple(found.values())


def compare_transformers(place: Place) -> Pairs:
    """Yield logits and patterns of every mask, scheme and norm."""
    tokens = ours.tokens_of()
    for mask, positions, norm in product(MASKS, SCHEMES, NORMS):
        config = ours.config(mask=mask, positions=positions, norm=norm)
        there, here = place.both(ours.noisy(Transformer(config)))
        found, expected = forward_pass(there, place.put(tokens)), forward_pass(here, tokens)
        yield found.logits, expected.logits
        yield found.patterns(), expected.patterns()
        yield found.last_states, expected.last_states


def compare_kinds(place: Place) -> Pairs:
    """Yield logits of every kind of model that the app trains, for a batch of its task."""
    for member in kinds():
        model = build(member.config)
        initialise(model, seed=1)
        there, here = place.both(model)
        batch = member.task.batch(0, 0, 5)
        yield predictions(there, batch.to(place.device)), predictions(here, batch)


def compare_traces(place: Place) -> Pairs:
    """Yield traced, edited or partial passes, and whole ones."""
    tokens = ours.tokens_of()
    for positions in SCHEMES:
        config = ours.config(positions=positions)
        there, here = place.both(ours.noisy(Transformer(config)))
        put = place.put(tokens)
        whole, expected = forward_pass(there, put), forward_pass(here, tokens)
        yield there(put), expected.logits
        yield torch.tensor(len(whole._trace)), torch.tensor(len(expected._trace))
        head = {"blocks.0.attention.z": silence(head=1)}
        less = deepcopy(here)
        with torch.no_grad():
            less.blocks[0].attention.output.weight[:, less.blocks[0].attention.slice_of(1)] = 0
        yield forward_pass(there, put, edits=head).logits, less(tokens)
        near = window(ours.WORDS, ours.WORDS, width=1) & expected.allowed()
        edits = masked_with(place.put(near), config)
        yield forward_pass(there, put, edits=edits).logits, here(tokens, allowed=near)
        allowed = whole.allowed()
        yield states_from(there, 1, whole.entering(1), allowed=allowed), expected.last_states
        again = attention_again(there, 1, whole.attention_input(1), allowed=allowed)
        yield again.pattern(1), expected.pattern(1)


def compare_gradients(place: Place) -> Pairs:
    """Yield the gradient of the loss by every parameter, for each scheme and norm."""
    tokens = ours.tokens_of()
    for positions, norm in product(SCHEMES, NORMS):
        there, here = place.both(ours.noisy(Transformer(ours.config(positions=positions, norm=norm))))
        for model, given in ((there, place.put(tokens)), (here, tokens)):
            logits = model(given)[:, :-1]
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), given[:, 1:].flatten())
            torch.autograd.backward(loss)
        # All parameters at once: the gradient of a key bias is only rounding.
        yield _gradient(there), _gradient(here)


def _gradient(model: nn.Module) -> Tensor:
    there = (parameter.grad for parameter in model.parameters())
    return torch.cat([one.flatten() for one in there if one is not None])


def compare_decoding(place: Place) -> Pairs:
    """Yield the words that models write, with and without a cache, beside the CPU's."""
    for positions in SCHEMES:
        config = ours.config(positions=positions, max_len=2 * WRITTEN)
        there, here = place.both(ours.noisy(Transformer(config)))
        given = ours.tokens_of(1)
        for cached in (True, False):
            yield (
                _written(start_text(there, given, cached=cached)),
                _written(start_text(here, given, cached=cached)),
            )
    encoder = ours.config(positions="rotary", mask="bidirectional")
    there, here = place.both(ours.noisy(EncoderDecoder(encoder, replace(encoder, mask="causal"))))
    source = ours.tokens_of(1)
    for cached in (True, False):
        yield (
            _written(start_translation(there, place.put(source), cached=cached)),
            _written(start_translation(here, source, cached=cached)),
        )
        searches = [
            [
                *beams(
                    start_translation(model, tokens, cached=cached),
                    width=3,
                    start=1,
                    ends=(NEVER,),
                    longest=5,
                )
            ]
            for model, tokens in ((there, place.put(source)), (here, source))
        ]
        found, expected = (torch.tensor(beam.words(beam.best)) for *_, beam in searches)
        yield found, expected


def _written(decoding: Any) -> Tensor:
    steps = decode(decoding, likeliest, start=1, ends=(NEVER,), longest=WRITTEN)
    return torch.tensor([step.word for step in steps])


def compare_trainings(place: Place) -> Pairs:
    """Yield the losses of the first steps of every kind of training."""
    for member in kinds():
        yield from compare_training(place, member)


def compare_training(place: Place, member: Member) -> Pairs:
    """Yield the losses of the first steps of a training beside the CPU's."""
    recipe = Recipe(steps=STEPS, batch_size=8, warm_up=2)
    losses = []
    for device in (place.device, torch.device("cpu")):
        model = build(member.config)
        initialise(model, seed=0)
        training = Training(model.to(device), member.task, recipe)
        losses.append(torch.tensor([step.loss for step in training.steps()]))
    yield losses[0], losses[1]


@torch.inference_mode()
def compare_families(place: Place) -> Pairs:
    """Yield logits and patterns of every family, from folders that transformers has written."""
    if find_spec("transformers") is None:
        raise SkippedError("transformers is not installed")
    import_module("transformers").utils.logging.disable_progress_bar()
    for case in folders.CASES.values():
        yield from compare_family(place, case)


def compare_family(place: Place, case: Any) -> Pairs:
    """Yield logits and patterns of one model and of transformers in single precision on the CPU."""
    theirs = case.build()
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.copy_(parameter.to(place.dtype))
    with TemporaryDirectory() as folder:
        theirs.save_pretrained(folder)
        model = read(Path(folder)).model.to(place.device, place.dtype)
    tokens, allowed, trace = folders.tokens_of(11, seed=1), padding(folders.LENGTHS, 11), Trace()
    given = {"attention_mask": folders.attended(), "output_attentions": True}
    if isinstance(model, EncoderDecoder):
        target = folders.tokens_of(5, seed=2)
        expected = theirs(tokens, decoder_input_ids=target, **given)
        pair = place.put(tokens), place.put(target)
        yield model(pair, source_allowed=place.put(allowed), trace=trace), expected.logits
        listed = [
            ("encoder.blocks.{}.attention", expected.encoder_attentions),
            ("decoder.blocks.{}.attention", expected.decoder_attentions),
            ("decoder.blocks.{}.cross_attention", expected.cross_attentions),
        ]
    else:
        assert isinstance(model, Stack)
        expected = theirs(tokens, **given)
        out = model(place.put(tokens), allowed=place.put(allowed), trace=trace)
        logits = getattr(expected, "logits", getattr(expected, "prediction_logits", None))
        yield _of_sentences(out), _of_sentences(expected.last_hidden_state if logits is None else logits)
        listed = [("blocks.{}.attention", expected.attentions)]
    for name, patterns in listed:
        for layer, pattern in enumerate(patterns):
            found = trace[f"{name.format(layer)}.pattern"]
            yield (
                (_of_sentences(found), _of_sentences(pattern)) if pattern.shape[2] == 11 else (found, pattern)
            )


def _of_sentences(states: Tensor) -> Tensor:
    """Return the numbers of the sentences' tokens; families differ on padding."""
    return torch.cat([states[at, ..., :n, :].flatten() for at, n in enumerate(folders.LENGTHS.tolist())])


MODELS = (
    Reference("Transformers of every mask, position scheme and norm: the CPU's", MODEL, compare_transformers),
    Reference("every kind of model that is trained, on a batch: the CPU's", MODEL, compare_kinds),
    Reference("traces, edits, ablated heads, parts of a pass: whole passes", MODEL, compare_traces),
    Reference("gradients of all parameters: the CPU's", GRADIENTS, compare_gradients),
    Reference(
        "words written greedily and by beam, cached and anew: the CPU's",
        {torch.float32: 0.0},
        compare_decoding,
    ),
    Reference("the first steps of training: the CPU's", SINGLE, compare_trainings),
    Reference("families of pretrained models: transformers", MODEL, compare_families),
)
