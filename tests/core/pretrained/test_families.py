"""Every family gives the logits, hidden states and attentions of transformers, for padded batches too."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from core.model.masks.combining import padding
from core.model.models import EncoderDecoder, Stack, Transformer
from core.model.trace import Trace
from core.pretrained import FAMILIES, read
from tests.core.pretrained.folders import CASES, LENGTHS, attended, saved, tokens_of, written

N, TARGET = 11, 5
SOURCE_ALLOWED = padding(LENGTHS, N)


def close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-5, atol=1e-5)


def of_sentences(states: Tensor) -> Tensor:
    """Return the states at tokens of sentences, without padding: RoBERTa gives padding another position."""
    return torch.cat([states[at, ..., :n, :].flatten() for at, n in enumerate(LENGTHS.tolist())])


def states_of(trace: Mapping[str, Tensor], stack: Stack, place: str = "") -> list[Tensor]:
    """Return the hidden states as transformers lists them; a final norm is applied to the last ones."""
    first = "embed_norm" if stack.config.embed_norm else "positions"
    last = stack.config.n_layers - 1
    names = [first, *(f"blocks.{i}.out" for i in range(last)), "norm"]
    return [trace[place + name] for name in names]


def patterns_of(
    trace: Mapping[str, Tensor], stack: Stack, name: str = "attention", place: str = ""
) -> list[Tensor]:
    return [trace[f"{place}blocks.{i}.{name}.pattern"] for i in range(stack.config.n_layers)]


@torch.inference_mode()
def compare_one(ours: Stack, theirs: nn.Module) -> None:
    tokens, types, trace = tokens_of(N, seed=1), tokens_of(N, seed=2) % max(1, ours.config.n_types), Trace()
    given = {"token_type_ids": types} if ours.config.n_types else {}
    expected = theirs(
        tokens, attention_mask=attended(), output_attentions=True, output_hidden_states=True, **given
    )
    given = {"types": types} if ours.config.n_types else {}
    out = ours(tokens, allowed=SOURCE_ALLOWED, trace=trace, **given)
    logits = getattr(expected, "logits", getattr(expected, "prediction_logits", None))
    close(of_sentences(out), of_sentences(expected.last_hidden_state if logits is None else logits))
    assert ("logits" in trace) == (logits is not None)
    for mine, their in zip(states_of(trace, ours), expected.hidden_states, strict=True):
        close(of_sentences(mine), of_sentences(their))
    for mine, their in zip(patterns_of(trace, ours), expected.attentions, strict=True):
        close(of_sentences(mine), of_sentences(their))


@torch.inference_mode()
def compare_pair(ours: EncoderDecoder, theirs: nn.Module) -> None:
    source, target, trace = tokens_of(N, seed=1), tokens_of(TARGET, seed=2), Trace()
    expected = theirs(
        source,
        attention_mask=attended(),
        decoder_input_ids=target,
        output_attentions=True,
        output_hidden_states=True,
    )
    logits = ours((source, target), source_allowed=SOURCE_ALLOWED, trace=trace)
    close(logits, expected.logits)
    encoder, decoder = ours.encoder, ours.decoder
    for mine, their in zip(
        states_of(trace, encoder, "encoder."), expected.encoder_hidden_states, strict=True
    ):
        close(of_sentences(mine), of_sentences(their))
    for mine, their in zip(
        states_of(trace, decoder, "decoder."), expected.decoder_hidden_states, strict=True
    ):
        close(mine, their)
    for patterns, listed in [
        (patterns_of(trace, encoder, place="encoder."), expected.encoder_attentions),
        (patterns_of(trace, decoder, place="decoder."), expected.decoder_attentions),
        (patterns_of(trace, decoder, "cross_attention", "decoder."), expected.cross_attentions),
    ]:
        for mine, their in zip(patterns, listed, strict=True):
            close(mine, their)


@pytest.mark.parametrize("name", CASES)
def test_a_family_agrees_with_transformers(name: str, tmp_path: Path) -> None:
    theirs, found = written(name, tmp_path), read(tmp_path)
    if isinstance(found.model, EncoderDecoder):
        compare_pair(found.model, theirs)
    else:
        assert type(found.model) is (Stack if "without-output" in name else Transformer)
        compare_one(found.model, theirs)


@torch.inference_mode()
def test_an_output_layer_of_t5_that_is_written_out_and_is_the_word_vectors_is_one_with_them(
    tmp_path: Path,
) -> None:
    theirs, tokens = written("t5", tmp_path), tokens_of(N, seed=1)
    tensors = load_file(tmp_path / "model.safetensors")
    tensors["lm_head.weight"] = tensors["shared.weight"].clone()
    save_file(tensors, tmp_path / "model.safetensors")
    found = read(tmp_path)
    assert found.configs[-1].tied
    assert isinstance(found.model, EncoderDecoder)
    assert found.model.decoder.unembed.weight is found.model.decoder.embed.weight
    close(found.model((tokens, tokens)), theirs(tokens, decoder_input_ids=tokens).logits)


@torch.inference_mode()
@pytest.mark.parametrize(
    ("name", "tables"),
    [("distilbert", ("word_embeddings", "position_embeddings")), ("bart", ("shared", "embed_positions"))],
)
def test_an_epsilon_that_stands_in_no_field_is_that_of_the_family(
    name: str, tables: tuple[str, ...], tmp_path: Path
) -> None:
    def shrink(model: nn.Module) -> None:
        for own, parameter in model.named_parameters():
            if any(table in own for table in tables):
                parameter.data /= 100  # so that another epsilon would show beside the variance

    theirs, found, tokens = saved(CASES[name], tmp_path, shrink), read(tmp_path), tokens_of(N, seed=1)
    if isinstance(found.model, EncoderDecoder):
        close(found.model((tokens, tokens)), theirs(tokens, decoder_input_ids=tokens).logits)
    else:
        close(found.model(tokens), theirs(tokens).logits)


def test_the_document_on_models_names_every_family() -> None:
    document = " ".join(Path("docs/models.md").read_text("utf-8").split())
    titles = [family.title for family in FAMILIES.values()]
    assert f"the {', '.join(titles[:-1])} or {titles[-1]} family" in document
