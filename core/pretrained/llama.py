"""Llama and its relatives: decoders with rotary positions, RMS norm and a gated feed-forward layer."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import torch
from einops import rearrange

from core.model.config import ModelConfig
from core.model.positions.frequencies import RotaryScaling
from core.pretrained.errors import FolderError
from core.pretrained.family import TAGGED, Configs, Family, attention_names, block_names
from core.pretrained.fields import Fields
from core.pretrained.weights import Weights

_QKV, _ATTENTION = ("q_proj", "k_proj", "v_proj"), ("q_proj", "k_proj", "v_proj", "o_proj")
_MLP = ("gate_proj", "up_proj", "down_proj")


_FULL, _SLIDING = "full_attention", "sliding_attention"
"""The kinds of layers that folders name."""


@dataclass(frozen=True)
class Variant:
    """Options in which members of Llama's family differ.

    `biased` are the linear maps with biases, and `window` is how far back a query sees, in positions. A head
    is `head_width` wide if its folder does not say otherwise.
    """

    biased: frozenset[str] = frozenset()
    qk_norm: bool = False
    window: int | None = None
    head_width: int | None = None


def _llama(fields: Fields) -> Variant:
    fields.expect("rope_interleaved", False)
    mlp = _MLP if fields.take("mlp_bias", default=False) else ()
    return Variant(frozenset([*_biased_attention(fields), *mlp]))


def _qwen3(fields: Fields) -> Variant:
    biased = frozenset(_biased_attention(fields))
    return Variant(biased, qk_norm=True, window=_window_of_qwen(fields), head_width=128)


def _biased_attention(fields: Fields) -> tuple[str, ...]:
    return _ATTENTION if fields.take("attention_bias", default=False) else ()


def _window(fields: Fields) -> int | None:
    """Return how far back a query sees; folders count its own key too, and usually have 4,096 keys."""
    n_keys: int | None = fields.size(
        "sliding_window", default=None if fields.states("sliding_window") else 4096
    )
    return None if n_keys is None else n_keys - 1


def _window_of_qwen(fields: Fields) -> int | None:
    """Return the window of all layers; raises FolderError if only some of them have one."""
    fields.pass_over("use_mrope")
    kinds = fields.take("layer_types", default=[])
    n_full = fields.take("max_window_layers", default=28)
    window = None
    if fields.take("use_sliding_window", default=False):
        window = _window(fields)
    fields.pass_over("sliding_window")
    if not isinstance(n_full, int):
        raise FolderError(f"config.json: max_window_layers must be a whole number, got {n_full!r:.60}")
    if not kinds:
        layers = range(fields.size("num_hidden_layers"))
        kinds = [_FULL if window is None or layer < n_full else _SLIDING for layer in layers]
    if all(kind == _FULL for kind in kinds):
        return None
    if window is None or any(kind not in (_FULL, _SLIDING) for kind in kinds):
        needed = f"all be {_FULL} without a sliding window" if window is None else f"be {_FULL} or {_SLIDING}"
        raise FolderError(f"config.json: layer_types must {needed}, got {kinds!r:.80}")
    if _FULL in kinds and window + 1 < fields.size("max_position_embeddings"):
        raise FolderError(
            f"config.json: some layers have a sliding window of {window + 1} keys and some have none; here "
            "all layers of a model have the same mask"
        )
    return window if _FULL not in kinds else None


def _convert(fields: Fields, weights: Weights, *, variant_of: Callable[[Fields], Variant]) -> Configs:
    variant = variant_of(fields)
    n_heads = fields.size("num_attention_heads")
    max_len = fields.size("max_position_embeddings")
    base, scaling = _rotary(fields, max_len)
    config = ModelConfig(
        vocab_size=fields.size("vocab_size"),
        d_model=fields.size("hidden_size"),
        n_heads=n_heads,
        head_width=fields.size("head_dim", default=variant.head_width),
        n_kv_heads=fields.size("num_key_value_heads", default=n_heads),
        qk_norm=variant.qk_norm,
        window=variant.window,
        n_layers=fields.size("num_hidden_layers"),
        d_mlp=fields.size("intermediate_size"),
        max_len=max_len,
        positions="rotary",
        rotary_base=base,
        rotary_scaling=scaling,
        bias=bool(variant.biased),
        tied=fields.take("tie_word_embeddings", default=False),
        embed_scale=1.0,
        activation=fields.activation("hidden_act", default="silu"),
        gated=True,
        norm_kind="rms",
        epsilon=fields.positive("rms_norm_eps", default=1e-6),
    )
    for layer in range(config.n_layers):
        _fit_layer(weights, layer, config, variant)
    return (config,)


def _rotary(fields: Fields, max_len: int) -> tuple[float, RotaryScaling | None]:
    """Return the base of the wavelengths and their scaling, which folders write in two ways."""
    scaling_fields = Fields(fields.take("rope_scaling", "rope_parameters", default={}))
    kind = scaling_fields.take("rope_type", "type", default="default")
    if kind not in ("default", "linear", "llama3"):
        raise FolderError(
            f"config.json: rope_type must be default, linear or llama3 to be read here, got {kind!r:.60}"
        )
    base = scaling_fields.positive("rope_theta", default=fields.positive("rope_theta", default=10_000.0))
    scaling = None
    if kind != "default":
        scaling = RotaryScaling(factor=scaling_fields.positive("factor"))
    if kind == "llama3":
        assert scaling is not None
        slow, fast = scaling_fields.positive("low_freq_factor"), scaling_fields.positive("high_freq_factor")
        if slow >= fast:
            raise FolderError(
                f"config.json: high_freq_factor must be above low_freq_factor, got {fast} and {slow}"
            )
        length = scaling_fields.size("original_max_position_embeddings", default=max_len)
        scaling = replace(scaling, trained_length=length, slow_turns=slow, fast_turns=fast)
    scaling_fields.none_left()
    return base, scaling


def _fit_layer(weights: Weights, layer: int, config: ModelConfig, variant: Variant) -> None:
    """Add zero biases if only some maps have biases, and reorder queries and keys for rotation."""
    for path, shape in _maps(config, layer):
        part = path.rpartition(".")[2]
        has_bias = part in variant.biased
        if part in ("q_proj", "k_proj"):
            _pair_neighbours(weights, f"{path}.weight", shape, config)
            if has_bias:
                _pair_neighbours(weights, f"{path}.bias", shape[:1], config)
        if config.bias and not has_bias:
            weights.put(f"{path}.bias", torch.zeros(()).expand(shape[0]))
    for name in ("q_norm", "k_norm") if config.qk_norm else ():
        _pair_neighbours(weights, f"layers.{layer}.self_attn.{name}.weight", (config.d_head,), config)


def _maps(config: ModelConfig, layer: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield every linear map of a layer, by its name in the folder, and its shape."""
    assert config.d_mlp is not None, "the configuration fills d_mlp in"
    d, width, shared = config.d_model, config.n_heads * config.d_head, config.n_key_heads * config.d_head
    shapes = dict(zip(_ATTENTION, [(width, d), (shared, d), (shared, d), (d, width)], strict=True))
    yield from ((f"layers.{layer}.self_attn.{part}", shape) for part, shape in shapes.items())
    shapes = dict(zip(_MLP, [(config.d_mlp, d), (config.d_mlp, d), (d, config.d_mlp)], strict=True))
    yield from ((f"layers.{layer}.mlp.{part}", shape) for part, shape in shapes.items())


def _pair_neighbours(weights: Weights, name: str, shape: tuple[int, ...], config: ModelConfig) -> None:
    """Reorder queries or keys: Llama pairs dimension i with i + d_head/2, ours 2i with 2i + 1."""
    rows = "(head half pair) ... -> (head pair half) ..."
    tensor = rearrange(weights.take(name, shape), rows, half=2, pair=config.d_head // 2)
    weights.put(name, tensor)


LLAMA = Family(
    title="Llama",
    architectures={"LlamaForCausalLM": True, "LlamaModel": False},
    convert=partial(_convert, variant_of=_llama),
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
    convert=partial(
        _convert, variant_of=lambda fields: Variant(frozenset(_QKV), window=_window_of_qwen(fields))
    ),
    special=dict.fromkeys(("eos", "unk", "pad"), "<|endoftext|>"),
)

QWEN3 = replace(
    QWEN2,
    title="Qwen3",
    architectures={"Qwen3ForCausalLM": True, "Qwen3Model": False},
    convert=partial(_convert, variant_of=_qwen3),
    names={
        **LLAMA.names,
        **block_names(
            "layers", {"attention.query_norm": "self_attn.q_norm", "attention.key_norm": "self_attn.k_norm"}
        ),
    },
)

MISTRAL = replace(
    LLAMA,
    title="Mistral",
    architectures={"MistralForCausalLM": True, "MistralModel": False},
    convert=partial(_convert, variant_of=lambda fields: Variant(window=_window(fields))),
)
