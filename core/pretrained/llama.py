from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import torch
from einops import rearrange

from core.model.config import ModelConfig
from core.pretrained.errors import FolderError
from core.pretrained.family import TAGGED, Configs, Family, attention_names, block_names
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights

_QKV, _ATTENTION = ("q_proj", "k_proj", "v_proj"), ("q_proj", "k_proj", "v_proj", "o_proj")
_MLP = ("gate_proj", "up_proj", "down_proj")


def _llama(fields: Fields) -> frozenset[str]:
    """The linear maps that have biases, as the fields say."""
    fields.expect("rope_interleaved", False)
    attention = _ATTENTION if fields.take("attention_bias", default=False) else ()
    return frozenset([*attention, *(_MLP if fields.take("mlp_bias", default=False) else ())])


def _qwen2(fields: Fields) -> frozenset[str]:
    fields.expect("use_sliding_window", False)
    if any(kind != "full_attention" for kind in fields.take("layer_types", default=[])):
        raise FolderError("config.json: layer_types must all be full_attention to be read here")
    fields.pass_over("sliding_window", "max_window_layers", "use_mrope")
    return frozenset(_QKV)


def _mistral(fields: Fields) -> frozenset[str]:
    fields.expect("sliding_window", None)
    return frozenset()


def _convert(fields: Fields, weights: Weights, *, biased_maps: Callable[[Fields], frozenset[str]]) -> Configs:
    biased = biased_maps(fields)
    n_heads = fields.size("num_attention_heads")
    config = ModelConfig(
        vocab_size=fields.size("vocab_size"),
        d_model=fields.size("hidden_size"),
        n_heads=n_heads,
        head_width=fields.size("head_dim", default=None),
        n_kv_heads=fields.size("num_key_value_heads", default=n_heads),
        n_layers=fields.size("num_hidden_layers"),
        d_mlp=fields.size("intermediate_size"),
        max_len=fields.size("max_position_embeddings"),
        positions="rotary",
        rotary_base=_rotary_base(fields),
        bias=bool(biased),
        tied=fields.take("tie_word_embeddings", default=False),
        embed_scale=1.0,
        activation=fields.activation("hidden_act", default="silu"),
        gated=True,
        norm_kind="rms",
        epsilon=fields.epsilon("rms_norm_eps", default=1e-6),
    )
    for layer in range(config.n_layers):
        for path, shape in _maps(config, layer):
            part = path.rpartition(".")[2]
            if biased and part not in biased:
                weights.put(f"{path}.bias", torch.zeros(()).expand(shape[0]))
            if part in ("q_proj", "k_proj"):
                _pair_neighbours(weights, path, shape, config, bias=bool(biased))
    return (config,)


def _rotary_base(fields: Fields) -> float:
    """The base of the wavelengths, which folders have written in two ways."""
    said = fields.take("rope_parameters", "rope_scaling", default={})
    kind = said.get("rope_type", said.get("type", "default"))
    if kind != "default" or set(said) - {"rope_type", "type", "rope_theta"}:
        raise FolderError(f"config.json: rotary positions must be of the default type to be read, got {said}")
    base = Fields(said).take("rope_theta", default=fields.take("rope_theta", default=10_000.0))
    if base <= 0:
        raise FolderError(f"config.json: rope_theta must be above 0, got {base}")
    return float(base)


def _maps(config: ModelConfig, layer: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Every linear map of a layer, by its name in the folder, and its shape."""
    assert config.d_mlp is not None, "the configuration fills d_mlp in"
    d, width, shared = config.d_model, config.n_heads * config.d_head, config.n_key_heads * config.d_head
    shapes = dict(zip(_ATTENTION, [(width, d), (shared, d), (shared, d), (d, width)], strict=True))
    yield from ((f"layers.{layer}.self_attn.{part}", shape) for part, shape in shapes.items())
    shapes = dict(zip(_MLP, [(config.d_mlp, d), (config.d_mlp, d), (d, config.d_mlp)], strict=True))
    yield from ((f"layers.{layer}.mlp.{part}", shape) for part, shape in shapes.items())


def _pair_neighbours(
    weights: Weights, path: str, shape: tuple[int, int], config: ModelConfig, *, bias: bool
) -> None:
    """Llama turns dimension i with i + d_head/2, ours 2i with 2i + 1: so queries and keys are reordered."""
    rows = "(head half pair) ... -> (head pair half) ..."
    for kind in ("weight", "bias") if bias else ("weight",):
        tensor = weights.take(f"{path}.{kind}", shape if kind == "weight" else shape[:1])
        weights.put(f"{path}.{kind}", rearrange(tensor, rows, half=2, pair=config.d_head // 2))


LLAMA = Family(
    title="Llama",
    architectures={"LlamaForCausalLM": True, "LlamaModel": False},
    convert=partial(_convert, biased_maps=_llama),
    prefix="model.",
    names={
        "embed": "embed_tokens",
        **block_names(
            "layers",
            {
                "attention_norm": "input_layernorm",
                **attention_names("self_attn", " ".join(_ATTENTION)),
                "mlp_norm": "post_attention_layernorm",
                "mlp.gate": "mlp.gate_proj",
                "mlp.expand": "mlp.up_proj",
                "mlp.contract": "mlp.down_proj",
            },
        ),
        "norm": "norm",
        "unembed": "lm_head",
    },
    left_out={r"layers\.\d+\.self_attn\.rotary_emb\.inv_freq": "wavelengths, which are computed here"},
    special=TAGGED,
)

QWEN2 = replace(
    LLAMA,
    title="Qwen2",
    architectures={"Qwen2ForCausalLM": True, "Qwen2Model": False},
    convert=partial(_convert, biased_maps=_qwen2),
    special=dict.fromkeys(("eos", "unk", "pad"), "<|endoftext|>"),
)

MISTRAL = replace(
    LLAMA,
    title="Mistral",
    architectures={"MistralForCausalLM": True, "MistralModel": False},
    convert=partial(_convert, biased_maps=_mistral),
)
