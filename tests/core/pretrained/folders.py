"""Folders as transformers writes them, of tiny models with noise in every parameter."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import Tensor, nn

VOCAB, LAYERS = 31, 2
LENGTHS = torch.tensor([11, 7])
"""Two sentences of these many tokens: the second is padded."""


@dataclass(frozen=True)
class Case:
    """A class of transformers and a configuration for it."""

    model: str
    config: str
    fields: Mapping[str, Any]

    def build(self) -> nn.Module:
        """Return the model with visible attention, and noise in every important parameter and buffer."""
        import transformers  # here: its import takes a second, and most processes build none

        transformers.utils.logging.set_verbosity_error()
        config = getattr(transformers, self.config)(**self.fields)
        model = getattr(transformers, self.model)._from_config(config, attn_implementation="eager").eval()
        with torch.no_grad():
            for seed, (_, tensor) in enumerate(noisy_ones(model)):
                noise = torch.randn(tensor.shape, generator=torch.Generator().manual_seed(seed))
                tensor.copy_(noise / 4)
        return model


def noisy_ones(model: nn.Module) -> list[tuple[str, Tensor]]:
    """Parameters, and the one buffer that is a parameter of its model in all but name."""
    buffers = [pair for pair in model.named_buffers() if pair[0] == "final_logits_bias"]
    return [*model.named_parameters(), *buffers]


GPT2 = {"vocab_size": VOCAB, "n_embd": 21, "n_layer": LAYERS, "n_head": 3, "n_inner": 23, "n_positions": 37,
        "layer_norm_epsilon": 0.03}  # fmt: skip
BERT = {"vocab_size": VOCAB, "hidden_size": 21, "num_hidden_layers": LAYERS, "num_attention_heads": 3,
        "intermediate_size": 23, "max_position_embeddings": 37, "type_vocab_size": 3,
        "layer_norm_eps": 0.03}  # fmt: skip
DISTILBERT = {"vocab_size": VOCAB, "dim": 21, "n_layers": LAYERS, "n_heads": 3, "hidden_dim": 23,
              "max_position_embeddings": 37}  # fmt: skip
BLOOM = {"vocab_size": VOCAB, "hidden_size": 21, "n_layer": LAYERS, "n_head": 3, "layer_norm_epsilon": 0.03}
BART = {"vocab_size": VOCAB, "d_model": 20, "encoder_layers": 2, "decoder_layers": 3,
        "encoder_attention_heads": 5, "decoder_attention_heads": 2, "encoder_ffn_dim": 23,
        "decoder_ffn_dim": 19, "max_position_embeddings": 37}  # fmt: skip
T5 = {"vocab_size": VOCAB, "d_model": 20, "d_kv": 7, "d_ff": 23, "num_layers": 2, "num_decoder_layers": 3,
      "num_heads": 3, "layer_norm_epsilon": 0.03}  # fmt: skip
LLAMA = {"vocab_size": VOCAB, "hidden_size": 42, "intermediate_size": 23, "num_hidden_layers": LAYERS,
         "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 10, "rms_norm_eps": 0.03,
         "max_position_embeddings": 37,
         "rope_parameters": {"rope_type": "default", "rope_theta": 77.0}}  # fmt: skip
LINEAR = {"rope_type": "linear", "rope_theta": 77.0, "factor": 3.0}
LLAMA_3 = {"rope_type": "llama3", "rope_theta": 77.0, "factor": 8.0, "low_freq_factor": 1.0,
           "high_freq_factor": 2.5, "original_max_position_embeddings": 29}  # fmt: skip
"""Frequencies: the first stay, the last are divided, and the middle ones are interpolated."""
SLIDING = {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 0}
QWEN2 = {**LLAMA, "hidden_size": 60, "tie_word_embeddings": True}

CASES = {
    "gpt2": Case("GPT2LMHeadModel", "GPT2Config", GPT2),
    "gpt2-unscaled": Case("GPT2LMHeadModel", "GPT2Config", {**GPT2, "scale_attn_weights": False}),
    "gpt2-relu-four-times": Case(
        "GPT2LMHeadModel", "GPT2Config", {**GPT2, "n_inner": None, "activation_function": "relu"}
    ),
    "gpt2-without-output": Case("GPT2Model", "GPT2Config", GPT2),
    "bert": Case("BertForMaskedLM", "BertConfig", BERT),
    "bert-pretraining": Case("BertForPreTraining", "BertConfig", BERT),
    "bert-without-output": Case("BertModel", "BertConfig", BERT),
    "distilbert": Case("DistilBertForMaskedLM", "DistilBertConfig", DISTILBERT),
    "roberta": Case("RobertaForMaskedLM", "RobertaConfig", {**BERT, "type_vocab_size": 1}),
    "roberta-without-output": Case("RobertaModel", "RobertaConfig", {**BERT, "type_vocab_size": 1}),
    "xlm-roberta": Case("XLMRobertaForMaskedLM", "XLMRobertaConfig", {**BERT, "type_vocab_size": 1}),
    "bloom": Case("BloomForCausalLM", "BloomConfig", BLOOM),
    "bloom-four-heads": Case("BloomForCausalLM", "BloomConfig", {**BLOOM, "hidden_size": 28, "n_head": 4}),
    "bart": Case("BartForConditionalGeneration", "BartConfig", BART),
    "bart-scaled": Case("BartForConditionalGeneration", "BartConfig", {**BART, "scale_embedding": True}),
    "t5": Case("T5ForConditionalGeneration", "T5Config", T5),
    "t5-gated": Case(
        "T5ForConditionalGeneration",
        "T5Config",
        {**T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False},
    ),
    "t5-gated-silu": Case(
        "T5ForConditionalGeneration", "T5Config", {**T5, "feed_forward_proj": "gated-silu"}
    ),
    "llama": Case("LlamaForCausalLM", "LlamaConfig", LLAMA),
    "llama-biases-everywhere": Case(
        "LlamaForCausalLM", "LlamaConfig", {**LLAMA, "attention_bias": True, "mlp_bias": True}
    ),
    "llama-biases-of-attention": Case("LlamaForCausalLM", "LlamaConfig", {**LLAMA, "attention_bias": True}),
    "llama-own-keys-tied": Case(
        "LlamaForCausalLM", "LlamaConfig", {**LLAMA, "num_key_value_heads": 6, "tie_word_embeddings": True}
    ),
    "qwen2": Case("Qwen2ForCausalLM", "Qwen2Config", {k: v for k, v in QWEN2.items() if k != "head_dim"}),
    "qwen2-window": Case("Qwen2ForCausalLM", "Qwen2Config", {**QWEN2, **SLIDING, "head_dim": 10}),
    "qwen2-wide-window-in-one-layer": Case(
        "Qwen2ForCausalLM", "Qwen2Config", {**QWEN2, **SLIDING, "sliding_window": 37, "max_window_layers": 1}
    ),
    "qwen3": Case("Qwen3ForCausalLM", "Qwen3Config", LLAMA),
    "qwen3-biases-and-window": Case(
        "Qwen3ForCausalLM", "Qwen3Config", {**LLAMA, **SLIDING, "attention_bias": True}
    ),
    "llama-linear": Case("LlamaForCausalLM", "LlamaConfig", {**LLAMA, "rope_parameters": LINEAR}),
    "llama-3": Case("LlamaForCausalLM", "LlamaConfig", {**LLAMA, "rope_parameters": LLAMA_3}),
    "mistral": Case("MistralForCausalLM", "MistralConfig", {**LLAMA, "sliding_window": None}),
    "mistral-window": Case("MistralForCausalLM", "MistralConfig", {**LLAMA, "sliding_window": 4}),
}
"""Every family and its variants."""


def tokens_of(n: int, *, seed: int) -> Tensor:
    """Two sentences of random tokens; none is the padding of any family."""
    return torch.randint(3, VOCAB, (2, n), generator=torch.Generator().manual_seed(seed))


def attended(n: int = 11) -> Tensor:
    """1 for the tokens of the sentences and 0 for what pads them, as transformers has it."""
    return (torch.arange(n) < LENGTHS[:, None]).long()


_PLACE = TemporaryDirectory(prefix="folders-")
"""The folder where each case is written once; it is deleted at the end of the tests."""


@cache
def _written(name: str) -> tuple[nn.Module, Path]:
    model, folder = CASES[name].build(), Path(_PLACE.name) / name
    model.save_pretrained(folder)
    return model, folder


def written(name: str, folder: Path) -> nn.Module:
    """Write the model of a case to `folder` and return it; tests share it, so nothing may change it."""
    model, source = _written(name)
    shutil.copytree(source, folder, dirs_exist_ok=True)
    return model


def saved(case: Case, folder: Path, change: Callable[[nn.Module], None] | None = None) -> nn.Module:
    """Write a model for one test, with a change, into `folder`."""
    model = case.build()
    if change is not None:
        change(model)
    model.save_pretrained(folder)
    return model
