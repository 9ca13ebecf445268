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
N = 8
"""Words of TEXT, each of one piece but the last."""

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
    match kind:
        case "gpt2":
            config = GPT2Config(
                vocab_size=size,
                n_embd=20,
                n_layer=2,
                n_head=5,
                n_positions=128,
                bos_token_id=0,
                eos_token_id=0,
            )
            made = GPT2LMHeadModel(config)
        case "bert":
            made = BertForMaskedLM(
                BertConfig(
                    vocab_size=size,
                    hidden_size=20,
                    num_hidden_layers=2,
                    num_attention_heads=5,
                    intermediate_size=24,
                    max_position_embeddings=32,
                )
            )
        case "t5":
            made = T5ForConditionalGeneration(
                T5Config(vocab_size=size, d_model=20, d_kv=4, d_ff=24, num_layers=2, num_heads=5, **pair)
            )
        case "bart":
            sizes = {f"{side}_{what}": n for side in ("encoder", "decoder") for what, n in BART_SIZES.items()}
            made = BartForConditionalGeneration(
                BartConfig(
                    vocab_size=size,
                    d_model=20,
                    max_position_embeddings=32,
                    bos_token_id=0,
                    forced_eos_token_id=0,
                    **sizes,
                    **pair,
                )
            )
        case _:
            made = GPTNeoXForCausalLM(
                GPTNeoXConfig(
                    vocab_size=size,
                    hidden_size=20,
                    num_hidden_layers=2,
                    num_attention_heads=5,
                    intermediate_size=24,
                )
            )
    made.set_attn_implementation("eager")
    return made.eval()


BART_SIZES = {"layers": 2, "attention_heads": 5, "ffn_dim": 24}


@torch.no_grad()
def outputs(kind: str, text: str = TEXT, **given: Any) -> tuple[Any, list[str]]:
    """Return what a model gives for a text, with its attention, and the raw pieces of the text."""
    encoded = tokenizer()(text, return_tensors="pt")
    found = model(kind)(input_ids=encoded["input_ids"], output_attentions=True, **given)
    return found, tokenizer().convert_ids_to_tokens(encoded["input_ids"][0])
