"""A GGUF file becomes a folder that computes what the model computed from which it was made."""

import json
import re
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
import transformers
from gguf.quants import dequantize, quantize
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from core.pretrained import read
from core.pretrained.errors import FetchError
from core.pretrained.gguf_folder import OF_BLOCK, convert

TEXT = "The trophy does not fit into the suitcase of 1984, because it is too big."
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
N_HEADS, N_KEY_HEADS, D_MODEL = 4, 2, 64

Q4_1, F32 = (gguf.GGMLQuantizationType[name] for name in ("Q4_1", "F32"))


def tokenizer_like(cutting: str) -> Tokenizer:
    made = Tokenizer(models.BPE())
    digits = [pre_tokenizers.Digits(individual_digits=True)] if cutting == "smollm" else []
    made.pre_tokenizer = pre_tokenizers.Sequence([*digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator([TEXT] * 3, trainer)
    return made


def llama(vocab_size: int, *, tied: bool = True) -> Any:
    torch.manual_seed(3)
    config = transformers.LlamaConfig(
        vocab_size=vocab_size,
        hidden_size=D_MODEL,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=N_HEADS,
        num_key_value_heads=N_KEY_HEADS,
        max_position_embeddings=50,
        rms_norm_eps=1e-5,
        rope_theta=100_000.0,
        initializer_range=0.4,
        tie_word_embeddings=tied,
    )
    return transformers.LlamaForCausalLM(config).eval()


def interleaved(rows: np.ndarray, n_heads: int) -> np.ndarray:
    """Return rows of queries or keys as llama.cpp's converter, `LlamaModel.permute`, puts them."""
    halves = rows.reshape(n_heads, 2, rows.shape[0] // n_heads // 2, *rows.shape[1:])
    return halves.swapaxes(1, 2).reshape(rows.shape)


def write(
    path: Path,
    model: Any,
    tokenizer: Tokenizer,
    *,
    cutting: str = "smollm",
    kind: gguf.GGMLQuantizationType = F32,
    without: str = "",
    more: dict[str, Any] | None = None,
    tensors: dict[str, np.ndarray] | None = None,
) -> None:
    """Write a Llama as GGUF, its matrices as a kind of numbers, which the model then has too."""
    config = model.config
    writer = gguf.GGUFWriter(path, "llama")
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    vocabulary = sorted(tokenizer.get_vocab(), key=tokenizer.token_to_id)
    fields: dict[str, Any] = {
        "llama.block_count": config.num_hidden_layers,
        "llama.context_length": config.max_position_embeddings,
        "llama.embedding_length": config.hidden_size,
        "llama.feed_forward_length": config.intermediate_size,
        "llama.attention.head_count": config.num_attention_heads,
        "llama.attention.head_count_kv": config.num_key_value_heads,
        "llama.rope.dimension_count": config.hidden_size // config.num_attention_heads,
        "llama.rope.freq_base": 100_000.0,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": cutting,
        "tokenizer.ggml.tokens": vocabulary,
        "tokenizer.ggml.token_type": [3 if token in SPECIAL else 1 for token in vocabulary],
        "tokenizer.ggml.merges": [" ".join(pair) for pair in merges],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
        **(more or {}),
    }
    for name, value in fields.items():
        if name != without:
            add(writer, name, value)
    theirs = {ours: f"blk.{{}}.{part}" for part, ours in OF_BLOCK.items()}
    for name, tensor in model.state_dict().items():
        parts = name.removesuffix(".weight").split(".")
        short = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
        own = short.get(".".join(parts)) or theirs[".".join(parts[3:])].format(parts[2])
        if own == "output" and config.tie_word_embeddings:
            continue
        numbers, is_matrix = tensor.numpy().copy(), tensor.ndim == 2
        if is_matrix and kind != F32:
            coarse = quantize(numbers, kind)
            with torch.no_grad():
                tensor.copy_(torch.from_numpy(dequantize(coarse, kind).astype(np.float32)))
        for part, n_heads in (("attn_q", N_HEADS), ("attn_k", N_KEY_HEADS)):
            if own.endswith(part):
                numbers = interleaved(numbers, n_heads)
        if is_matrix and kind != F32:
            writer.add_tensor(f"{own}.weight", quantize(numbers, kind), raw_dtype=kind)
        else:
            writer.add_tensor(f"{own}.weight", numbers)
    for name, numbers in (tensors or {}).items():
        writer.add_tensor(name, numbers)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add(writer: gguf.GGUFWriter, name: str, value: Any) -> None:
    kinds = {str: writer.add_string, float: writer.add_float32, bool: writer.add_bool, list: writer.add_array}
    kinds.get(type(value), writer.add_uint32)(name, value)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tiny.gguf"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    return made


@torch.inference_mode()
@pytest.mark.parametrize(("kind", "tied"), [(F32, False), (Q4_1, True)])
def test_it_agrees_with_transformers(
    kind: gguf.GGMLQuantizationType, tied: bool, path: Path, folder: Path
) -> None:
    tokenizer = tokenizer_like("smollm")
    model = llama(tokenizer.get_vocab_size(), tied=tied)
    write(path, model, tokenizer, kind=kind)
    convert(path, folder)
    found = read(folder)
    assert found.configs[0].tied is tied
    assert found.tokenizer is not None
    tokens = found.tokenizer.encode(TEXT).tokens
    torch.testing.assert_close(found.model(tokens), model(tokens).logits, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("cutting", ["smollm", "gpt-2"])
def test_its_tokenizer_cuts_a_text_as_the_one_it_was_made_of(cutting: str, path: Path, folder: Path) -> None:
    tokenizer = tokenizer_like(cutting)
    write(path, llama(tokenizer.get_vocab_size()), tokenizer, cutting=cutting)
    convert(path, folder)
    found, theirs = read(folder).tokenizer, transformers.AutoTokenizer.from_pretrained(folder)
    assert found is not None
    assert found.special == {"bos": 1, "eos": 2, "unk": 0}
    for text in (TEXT, "1984", "  a\n\tb", "naïve 💩 अपने", "<|im_start|>user 12<|im_end|>"):
        numbers = tokenizer.encode(text).ids
        assert found.encode(text).tokens[0].tolist() == theirs(text)["input_ids"] == numbers
        assert found.decode(found.encode(text).tokens[0], special=True) == text


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"more": {"general.architecture": "qwen2"}}, "architecture llama"),
        ({"more": {"llama.rope.scaling.type": "linear"}}, "llama.rope.scaling.type is not converted"),
        ({"more": {"llama.rope.dimension_count": 8}}, "must turn all 16 dimensions of a head, not 8"),
        ({"more": {"tokenizer.ggml.add_bos_token": True}}, "puts tokens around a text"),
        ({"cutting": "qwen2"}, "that cuts a text as qwen2 is not converted"),
        ({"without": "tokenizer.ggml.merges"}, "the file has no tokenizer.ggml.merges"),
        ({"more": {"tokenizer.ggml.merges": ["a b c"]}}, "tiny.gguf is damaged"),
        ({"more": {"tokenizer.ggml.eos_token_id": 10_000}}, "tiny.gguf is damaged"),
        ({"more": {"tokenizer.ggml.token_type": [1]}}, "tiny.gguf is damaged"),
        ({"tensors": {"rope_freqs.weight": np.zeros(8, np.float32)}}, "the tensor rope_freqs.weight is not"),
    ],
)
def test_unsupported_conversions_are_refused(
    facts: dict[str, Any], reason: str, path: Path, folder: Path
) -> None:
    tokenizer = tokenizer_like("smollm")
    write(path, llama(tokenizer.get_vocab_size()), tokenizer, **facts)
    with pytest.raises(FetchError, match=reason):
        convert(path, folder)
    assert list(folder.iterdir()) == []


def test_a_file_that_ends_too_early_or_is_another_is_damaged(path: Path, folder: Path) -> None:
    tokenizer = tokenizer_like("smollm")
    write(path, llama(tokenizer.get_vocab_size()), tokenizer)
    content = path.read_bytes()
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 98362432\n"
    for damaged in (pointer, *(content[: int(share * len(content))] for share in (0, 0.001, 0.1, 0.9999))):
        path.write_bytes(damaged)
        with pytest.raises(FetchError, match=re.escape("tiny.gguf is damaged: ")):
            convert(path, folder)


def test_a_count_beyond_the_end_of_the_file_takes_no_memory(path: Path, folder: Path) -> None:
    header = np.array([0x46554747, 3], np.uint32).tobytes() + np.array([1, 1], np.uint64).tobytes()
    name = np.array([1], np.uint64).tobytes() + b"a"
    array = np.array([9, 0], np.uint32).tobytes() + np.array([2**60], np.uint64).tobytes()
    path.write_bytes(header + name + array)
    with pytest.raises(FetchError, match="it ends before byte"):
        convert(path, folder)
