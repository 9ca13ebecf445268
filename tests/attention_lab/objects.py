"""Tiny random models of transformers, with a tokenizer that marks blanks as GPT-2 does."""

from functools import cache
from typing import Any

import tokenizers
import torch
from tokenizers import decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    GPTNeoXConfig,
    GPTNeoXForCausalLM,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

TEXT = "The trophy does not fit into the suitcase"
TARGET = "the chef ran"

LEARNED = f"{TEXT} . the chef ran the trophy the suit the suit the chef not fit".split()


@cache
def tokenizer() -> PreTrainedTokenizerFast:
    """Return a tokenizer in bytes that has `suitcase` in pieces."""
    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.ByteLevel(trim_offsets=False)
    words = [word for word in LEARNED if word != "suitcase"] * 9
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        show_progress=False,
        special_tokens=["<|end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    made.train_from_iterator([" ".join(words), " suit case"] * 9, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|end|>", bos_token="<|end|>")


@cache
def model(kind: str) -> Any:
    """Return a model of one family whose weights are random."""
    torch.manual_seed(0)
    size = len(tokenizer())
    pair = {"decoder_start_token_id": 0, "eos_token_id": 0, "pad_token_id": 0}
    made: Any
    layered = {"hidden_size": 20, "num_hidden_layers": 2, "num_attention_heads": 5, "intermediate_size": 24}
    match kind:
        case "gpt2":
            sizes = {"n_embd": 20, "n_layer": 2, "n_head": 5, "n_positions": 128}
            made = GPT2LMHeadModel(GPT2Config(vocab_size=size, bos_token_id=0, eos_token_id=0, **sizes))
        case "bert":
            made = BertForMaskedLM(BertConfig(vocab_size=size, max_position_embeddings=32, **layered))
        case "t5":
            sizes = {"d_model": 20, "d_kv": 4, "d_ff": 24, "num_layers": 2, "num_heads": 5}
            made = T5ForConditionalGeneration(T5Config(vocab_size=size, **sizes, **pair))
        case "bart":
            own = {"layers": 2, "attention_heads": 5, "ffn_dim": 24}
            sizes = {f"{side}_{name}": n for side in ("encoder", "decoder") for name, n in own.items()}
            sizes |= {
                "d_model": 20,
                "max_position_embeddings": 32,
                "bos_token_id": 0,
                "forced_eos_token_id": 0,
            }
            made = BartForConditionalGeneration(BartConfig(vocab_size=size, **sizes, **pair))
        case _:
            made = GPTNeoXForCausalLM(GPTNeoXConfig(vocab_size=size, **layered))
    made.set_attn_implementation("eager")
    return made.eval()


@torch.no_grad()
def outputs(kind: str, text: str = TEXT, **given: Any) -> tuple[Any, list[str]]:
    """Return what a model gives for a text, with its attention, and the raw pieces of the text."""
    encoded = tokenizer()(text, return_tensors="pt")
    found = model(kind)(input_ids=encoded["input_ids"], output_attentions=True, **given)
    return found, tokenizer().convert_ids_to_tokens(encoded["input_ids"][0])
