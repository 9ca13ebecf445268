"""A real model for tests: a folder with a tiny random BERT, so that nothing is fetched."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tokenizers
import torch
from cachetools import TTLCache, cached
from safetensors.torch import save_file
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
from torch import Tensor

from core.model.config import ModelConfig
from core.model.models import EncoderDecoder, Stack, Transformer
from core.pretrained import library
from core.pretrained.bart import BART
from core.pretrained.bert import BERT
from core.pretrained.converting import source_of
from core.pretrained.fetched import MINILM, SMOLLM2, Fetched, is_there
from core.pretrained.gpt2 import GPT2
from core.sources import PretrainedInfo, find
from core.sources.pretrained import BOTH_WAYS
from tests.core.references import noisy

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PIECES = (
    *SPECIAL,
    *("the", "cat", "cats", "saw", "don", "'", "t", "think", "run", "##ning", "other", ".", "?", "i"),
)
HOSTILE_NAME = "<i>model"
HOSTILE_SIGNS = ("<pad>", "<unk>", "<s>", "</s>", "<mask>")
"""The name of a model that contains markup, and special tokens with markup, as in many models."""

N_LAYERS, N_HEADS, D_MODEL, D_MLP, MAX_LEN = 2, 3, 21, 23, 37
SIZES: dict[str, Any] = {"d_model": D_MODEL, "n_heads": N_HEADS, "n_layers": N_LAYERS, "d_mlp": D_MLP}
LONG = 311
END_OF_TEXT = "<|endoftext|>"


def _needs(one: Fetched) -> pytest.MarkDecorator:
    """Return a mark for a test of a real model that set-up fetches."""
    return pytest.mark.skipif(
        not is_there(one), reason=f"{one.title} is not there: `make pretrained` fetches it"
    )


needs_minilm, needs_smollm2 = _needs(MINILM), _needs(SMOLLM2)

NAME = "tiny"
SOURCE = f"real/{NAME}"


def bert_folder(
    folder: Path,
    *,
    predicts: bool = False,
    pieces: tuple[str, ...] = PIECES,
    special: tuple[str, ...] = SPECIAL,
    max_len: int = MAX_LEN,
) -> Stack:
    """Write a random BERT into `folder`, and return it as our own modules."""
    folder.mkdir(parents=True)
    config = ModelConfig(
        vocab_size=len(pieces),
        **SIZES,
        max_len=max_len,
        positions="learned",
        mask="bidirectional",
        norm="post",
        embed_norm=True,
        n_types=2,
        tied=predicts,
        embed_scale=1.0,
        activation="gelu",
        output_transform=predicts,
        output_bias=predicts,
    )
    model = noisy(Transformer(config) if predicts else Stack(config))
    tensors = {source_of(name, BERT.names): value.detach() for name, value in model.named_parameters()}
    save_file(tensors, folder / "model.safetensors")
    said = {
        "model_type": "bert",
        "architectures": ["BertForMaskedLM" if predicts else "BertModel"],
        "vocab_size": len(pieces),
        "hidden_size": D_MODEL,
        "num_hidden_layers": N_LAYERS,
        "num_attention_heads": N_HEADS,
        "intermediate_size": D_MLP,
        "max_position_embeddings": max_len,
        "type_vocab_size": 2,
        "layer_norm_eps": config.epsilon,
    }
    (folder / "config.json").write_text(json.dumps(said), "utf-8")
    write_tokenizer(folder, pieces, special)
    return model.eval()


def write_tokenizer(folder: Path, pieces: tuple[str, ...], special: tuple[str, ...] = SPECIAL) -> None:
    """Write a tokenizer like BERT's with these pieces into `folder`; the `special` ones come first."""
    _tokenizer(pieces, special).save(str(folder / "tokenizer.json"))
    roles = dict(zip(("pad", "unk", "cls", "sep", "mask"), special, strict=True))
    roles = {role: text for role, text in roles.items() if text in pieces}
    written = {f"{role}_token": text for role, text in roles.items()}
    (folder / "tokenizer_config.json").write_text(json.dumps(written), "utf-8")


def with_hole(folder: Path, *missing: str) -> None:
    """Remove pieces from a tokenizer; the numbers of the later ones stay."""
    path = folder / "tokenizer.json"
    said = json.loads(path.read_text("utf-8"))
    for piece in missing:
        del said["model"]["vocab"][piece]
    path.write_text(json.dumps(said), "utf-8")


def without_mask(folder: Path) -> None:
    """Take the mask token out of a folder: its row of the table stays, and is a hole."""
    with_hole(folder, "[MASK]")
    path = folder / "tokenizer.json"
    said = json.loads(path.read_text("utf-8"))
    said["added_tokens"] = [one for one in said["added_tokens"] if one["content"] != "[MASK]"]
    path.write_text(json.dumps(said), "utf-8")
    (folder / "tokenizer_config.json").unlink()


def gpt2_folder(folder: Path, *, trained_on: str, max_len: int = MAX_LEN) -> Transformer:
    """Write a random GPT-2 into `folder`, and return it as our own modules.

    Its byte-pair tokenizer is trained on a text.
    """
    folder.mkdir(parents=True)
    tokenizer = _byte_pairs(trained_on)
    config = ModelConfig(
        vocab_size=tokenizer.get_vocab_size(),
        **SIZES,
        max_len=max_len,
        positions="learned",
        tied=True,
        embed_scale=1.0,
        activation="gelu_tanh",
    )
    model = noisy(Transformer(config))
    save_file(_as_gpt2(model), folder / "model.safetensors")
    said = {
        "model_type": "gpt2",
        "architectures": ["GPT2LMHeadModel"],
        "vocab_size": config.vocab_size,
        "n_embd": D_MODEL,
        "n_head": N_HEADS,
        "n_layer": N_LAYERS,
        "n_inner": D_MLP,
        "n_positions": max_len,
    }
    (folder / "config.json").write_text(json.dumps(said), "utf-8")
    tokenizer.save(str(folder / "tokenizer.json"))
    roles = {f"{role}_token": END_OF_TEXT for role in ("bos", "eos", "unk")}
    (folder / "tokenizer_config.json").write_text(json.dumps(roles), "utf-8")
    return model.eval()


def bart_folder(
    folder: Path, *, tokenizer_of: Path, n_layers: int = N_LAYERS, n_heads: int = N_HEADS, **said: Any
) -> None:
    """Write a random BART into `folder`, with the tokenizer of another folder.

    Its decoder has as many layers and heads; `said` adds to its configuration.
    """
    folder.mkdir(parents=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((tokenizer_of / name).read_bytes())
    encoder = ModelConfig(
        vocab_size=len(PIECES),
        **SIZES,
        max_len=MAX_LEN,
        positions="learned",
        mask="bidirectional",
        norm="post",
        embed_norm=True,
        embed_scale=1.0,
        activation="gelu",
    )
    decoder = replace(encoder, mask="causal", tied=True, output_bias=True, n_layers=n_layers, n_heads=n_heads)
    model = noisy(EncoderDecoder(encoder, decoder))
    tensors = {source_of(name, BART.names): value.detach() for name, value in model.named_parameters()}
    tensors["final_logits_bias"] = tensors.pop("lm_head.bias")[None]
    for part in ("encoder", "decoder"):  # whose tables have two rows that no position has
        table = tensors[f"{part}.embed_positions.weight"]
        tensors[f"{part}.embed_positions.weight"] = torch.cat([table[:2], table])
    save_file({f"model.{name}": value for name, value in tensors.items()}, folder / "model.safetensors")
    config = {
        "model_type": "bart",
        "architectures": ["BartForConditionalGeneration"],
        "vocab_size": len(PIECES),
        "d_model": D_MODEL,
        "max_position_embeddings": MAX_LEN,
        "decoder_start_token_id": PIECES.index("[SEP]"),
        "eos_token_id": PIECES.index("[SEP]"),
        "forced_bos_token_id": PIECES.index("[CLS]"),
        "encoder_layers": N_LAYERS,
        "decoder_layers": n_layers,
        "encoder_attention_heads": N_HEADS,
        "decoder_attention_heads": n_heads,
        **{f"{part}_ffn_dim": D_MLP for part in ("encoder", "decoder")},
    }
    (folder / "config.json").write_text(json.dumps(config | said), "utf-8")


def _as_gpt2(model: Transformer) -> dict[str, Tensor]:
    """Return the tensors of a GPT-2: transposed matrices, with queries, keys and values in one."""
    tensors = {}
    for name, value in model.named_parameters():
        is_map = value.ndim == 2 and name.startswith("blocks.")
        tensors[source_of(name, GPT2.names)] = (value.T if is_map else value).detach().contiguous()
    for layer in range(N_LAYERS):
        fused = f"h.{layer}.attn.c_attn"
        for kind in ("weight", "bias"):
            parts = [tensors.pop(f"{fused}.{part}.{kind}") for part in ("query", "key", "value")]
            tensors[f"{fused}.{kind}"] = torch.cat(parts, dim=-1)
    return {f"transformer.{name}": value for name, value in tensors.items()}


def _byte_pairs(text: str) -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=[END_OF_TEXT], initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator([text] * 3, trainer)
    return made


def _tokenizer(pieces: tuple[str, ...], special: tuple[str, ...]) -> tokenizers.Tokenizer:
    numbers = {piece: at for at, piece in enumerate(pieces)}
    _, unknown, first, last, _ = special
    made = tokenizers.Tokenizer(models.WordPiece(numbers, unk_token=unknown))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens([one for one in special if one in numbers])
    around = [(one, numbers[one]) for one in (first, last)]
    made.post_processor = processors.TemplateProcessing(single=f"{first} $A {last}", special_tokens=around)
    return made


@pytest.fixture
def no_real_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The folder of models before any was fetched."""
    monkeypatch.setattr(library, "FOLDER", tmp_path / "models" / library.FOLDER.name)
    monkeypatch.delenv(library.ELSEWHERE, raising=False)
    searched_anew = cached(TTLCache(1, ttl=0))(library.found_folders.__wrapped__)
    monkeypatch.setattr(library, "found_folders", searched_anew)
    library.forget_all()
    yield tmp_path / "models"
    library.forget_all()


@pytest.fixture
def without_real_models(no_real_model: Path) -> None:
    """For tests that leave the folder of models empty."""


@pytest.fixture
def tiny_model(no_real_model: Path) -> Path:
    """The folder of a real model, `tiny`, the only one there."""
    bert_folder(no_real_model / NAME)
    return no_real_model / NAME


@pytest.fixture
def long_model(no_real_model: Path) -> Path:
    """The folder of a model with positions for a long text."""
    bert_folder(no_real_model / NAME, max_len=LONG)
    return no_real_model / NAME


@pytest.fixture
def hostile_model(no_real_model: Path) -> Path:
    """The folder of a model whose name and special tokens contain markup."""
    pieces = (*HOSTILE_SIGNS, *PIECES[len(SPECIAL) :])
    bert_folder(no_real_model / HOSTILE_NAME, pieces=pieces, special=HOSTILE_SIGNS)
    return no_real_model / HOSTILE_NAME


@pytest.fixture
def usual_model(no_real_model: Path) -> Path:
    """The folder of MiniLM, which set-up fetches, with the tiny model in its place."""
    bert_folder(no_real_model / BOTH_WAYS)
    return no_real_model / BOTH_WAYS


def one_model(source: str) -> PretrainedInfo:
    """Return the only model of a source with this name."""
    one = find(source).pretrained
    assert one is not None, f"{source} has no model of its own"
    return one
