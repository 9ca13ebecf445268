"""The Llama in a GGUF file, written as a folder of Hugging Face: weights, configuration and tokenizer."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import tokenizers
import torch
from einops import rearrange
from safetensors.torch import save_file
from tokenizers import decoders, models, pre_tokenizers
from tqdm import tqdm

from core.pretrained.errors import FetchError
from core.pretrained.tokenizer import ROLES, TOKENIZER
from core.pretrained.weights import WEIGHTS

NORMAL, CONTROL = 1, 3
"""Kinds of pieces: parts of a text, and control signs."""

ROLE_NUMBERS = {
    "bos": "bos_token_id",
    "eos": "eos_token_id",
    "unk": "unknown_token_id",
    "pad": "padding_token_id",
}
"""Fields with the numbers of the special tokens, by role."""

OF_MODEL = {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}
OF_BLOCK = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
"""Names of the tensors of the model and of each block, with Hugging Face's names."""


class Fields(dict[str, Any]):
    """Fields of a GGUF file by name; a missing name raises FetchError."""

    def __missing__(self, name: str) -> Any:
        raise FetchError(f"the file has no {name}")


class Reader(gguf.GGUFReader):
    """A reader that raises ValueError if a file ends before the bytes that it announces."""

    def _get(self, offset: int, dtype: Any, count: Any = 1, override_order: Any = None) -> Any:
        found = super()._get(offset, dtype, count, override_order)
        if len(found) < int(count):
            raise ValueError(f"it ends before byte {offset + int(count) * found.itemsize:,}")
        return found


def convert(path: Path, folder: Path) -> None:
    """Write the Llama in a GGUF file into `folder`, in single precision; raises FetchError."""
    try:
        file = Reader(path)
        fields = Fields({name: field.contents() for name, field in file.fields.items()})
        config, pieces = _config(fields), _tokenizer(fields)
        tensors, roles = _tensors(file.tensors, config), _roles(fields, config)
    except FetchError:
        raise
    except Exception as error:  # the reader raises many kinds of errors for damaged bytes
        raise FetchError(f"{path.name} is damaged: {error}") from error
    (folder / "config.json").write_text(json.dumps(config, indent=2), "utf-8")
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})
    (folder / WEIGHTS).chmod((folder / "config.json").stat().st_mode)  # only its owner could read it
    pieces.save(str(folder / TOKENIZER))
    (folder / ROLES).write_text(json.dumps(roles, indent=2), "utf-8")


def _config(fields: Fields) -> dict[str, Any]:
    """Return the content of `config.json`; raises FetchError unless the model is a plain Llama."""
    if (kind := fields["general.architecture"]) != "llama":
        raise FetchError(f"only models of the architecture llama are converted, and this one is {kind}")
    if other := [name for name in fields if name.startswith("llama.rope.scaling")]:
        raise FetchError(f"{other[0]} is not converted: rotary positions must be of the default type")
    width, n_heads = fields["llama.embedding_length"], fields["llama.attention.head_count"]
    head_width = fields.get("llama.attention.key_length", width // max(1, n_heads))
    if (turned := fields.get("llama.rope.dimension_count", head_width)) != head_width:
        raise FetchError(f"rotary positions must turn all {head_width} dimensions of a head, not {turned}")
    return {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "vocab_size": len(fields["tokenizer.ggml.tokens"]),
        "hidden_size": width,
        "num_hidden_layers": fields["llama.block_count"],
        "num_attention_heads": n_heads,
        "num_key_value_heads": fields.get("llama.attention.head_count_kv", n_heads),
        "head_dim": head_width,
        "intermediate_size": fields["llama.feed_forward_length"],
        "max_position_embeddings": fields["llama.context_length"],
        "rms_norm_eps": _short(fields["llama.attention.layer_norm_rms_epsilon"]),
        "rope_theta": _short(fields.get("llama.rope.freq_base", 10_000.0)),
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": True,
        "torch_dtype": "float32",
        **{f"{role}_token_id": number for role, number in _numbers(fields).items() if role != "unk"},
    }


def _short(number: float) -> float:
    """Return the shortest decimal that rounds to this number in single precision."""
    return float(str(np.float32(number)))


def _numbers(fields: Fields) -> dict[str, int]:
    """Return the number of each special token by its role."""
    named = {role: fields.get(f"tokenizer.ggml.{name}") for role, name in ROLE_NUMBERS.items()}
    return {role: number for role, number in named.items() if number is not None}


def _roles(fields: Fields, config: Mapping[str, Any]) -> dict[str, Any]:
    tokens = fields["tokenizer.ggml.tokens"]
    return {
        **{f"{role}_token": tokens[number] for role, number in _numbers(fields).items()},
        "model_max_length": config["max_position_embeddings"],
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,
    }


def _tokenizer(fields: Fields) -> tokenizers.Tokenizer:
    """Return the tokenizer, a byte-level BPE; raises FetchError for any other."""
    kind, cutting = fields["tokenizer.ggml.model"], fields.get("tokenizer.ggml.pre", "gpt-2")
    digits = {"smollm": [pre_tokenizers.Digits(individual_digits=True)], "gpt-2": []}
    if kind != "gpt2" or cutting not in digits:
        raise FetchError(f"the tokenizer {kind} that cuts a text as {cutting} is not converted")
    if fields.get("tokenizer.ggml.add_bos_token", False) or fields.get("tokenizer.ggml.add_eos_token", False):
        raise FetchError("a tokenizer that puts tokens around a text is not converted")
    tokens, kinds = fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"]
    if other := sorted(set(kinds) - {NORMAL, CONTROL}):
        raise FetchError(f"tokens of the kind {other[0]} are not converted")
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"]]
    made = tokenizers.Tokenizer(models.BPE({token: at for at, token in enumerate(tokens)}, merges))
    in_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.pre_tokenizer = pre_tokenizers.Sequence([*digits[cutting], in_bytes])
    made.decoder = decoders.ByteLevel()
    special = [token for token, own in zip(tokens, kinds, strict=True) if own == CONTROL]
    made.add_special_tokens([tokenizers.AddedToken(token, special=True) for token in special])
    return made


def _tensors(found: Sequence[gguf.ReaderTensor], config: dict[str, Any]) -> dict[str, torch.Tensor]:
    """Return the tensors by their names in the folder; `config` gets whether the table has a copy."""
    tensors: dict[str, torch.Tensor] = {}
    for one in tqdm(found, desc="Dequantizing", unit=" tensors", disable=None):
        name = _name(one.name)
        numbers = gguf.dequantize(one.data, one.tensor_type).astype(np.float32)
        tensors[name] = torch.from_numpy(_in_order(one.name, numbers, config))
    config["tie_word_embeddings"] = "lm_head.weight" not in tensors
    return tensors


def _name(name: str) -> str:
    """Return Hugging Face's name of a tensor; raises FetchError if a plain Llama has no such tensor."""
    match name.split("."):
        case ["blk", block, part, "weight"] if part in OF_BLOCK and block.isdecimal():
            return f"model.layers.{int(block)}.{OF_BLOCK[part]}.weight"
        case ["output", "weight"]:
            return "lm_head.weight"
        case [part, "weight"] if part in OF_MODEL:
            return f"{OF_MODEL[part]}.weight"
    raise FetchError(f"the tensor {name} is not converted")


def _in_order(name: str, numbers: np.ndarray, config: Mapping[str, Any]) -> np.ndarray:
    """Return a tensor with the rows of queries and keys in Hugging Face's order, which GGUF interleaves."""
    heads = {"attn_q": "num_attention_heads", "attn_k": "num_key_value_heads"}
    part = name.split(".")[-2]
    if part not in heads:
        return np.ascontiguousarray(numbers)
    rows = "(head pair half) column -> (head half pair) column"
    return np.ascontiguousarray(rearrange(numbers, rows, head=config[heads[part]], half=2))
