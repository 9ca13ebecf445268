"""A folder with a tiny Llama of noise: a decoder with rotary positions and grouped keys, as SmolLM2 is."""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from tests.real import _byte_pairs

N_LAYERS, N_HEADS, N_KEY_HEADS, D_MODEL, D_MLP, MAX_LEN = 5, 6, 2, 36, 23, 64
D_HEAD = D_MODEL // N_HEADS


def llama_folder(folder: Path, *, trained_on: str, seed: int = 0) -> None:
    """Write a Llama whose parameters are noise into `folder`; its pairs of bytes are trained on a text."""
    folder.mkdir(parents=True)
    tokenizer = _byte_pairs(trained_on)
    n_words, generator = tokenizer.get_vocab_size(), torch.Generator().manual_seed(seed)

    def noise(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator) * shape[-1] ** -0.5

    tensors = {"model.embed_tokens.weight": noise(n_words, D_MODEL), "model.norm.weight": torch.ones(D_MODEL)}
    shared = N_KEY_HEADS * D_HEAD
    maps = {
        "self_attn.q_proj": (D_MODEL, D_MODEL),
        "self_attn.k_proj": (shared, D_MODEL),
        "self_attn.v_proj": (shared, D_MODEL),
        "self_attn.o_proj": (D_MODEL, D_MODEL),
        "mlp.gate_proj": (D_MLP, D_MODEL),
        "mlp.up_proj": (D_MLP, D_MODEL),
        "mlp.down_proj": (D_MODEL, D_MLP),
    }
    for layer in range(N_LAYERS):
        at = f"model.layers.{layer}"
        tensors |= {f"{at}.{name}.weight": noise(*shape) for name, shape in maps.items()}
        for norm in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"{at}.{norm}.weight"] = torch.ones(D_MODEL)
    save_file(tensors, folder / "model.safetensors")
    said = {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "vocab_size": n_words,
        "hidden_size": D_MODEL,
        "intermediate_size": D_MLP,
        "num_hidden_layers": N_LAYERS,
        "num_attention_heads": N_HEADS,
        "num_key_value_heads": N_KEY_HEADS,
        "max_position_embeddings": MAX_LEN,
        "tie_word_embeddings": True,
    }
    (folder / "config.json").write_text(json.dumps(said), "utf-8")
    tokenizer.save(str(folder / "tokenizer.json"))
