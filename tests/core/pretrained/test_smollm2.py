"""SmolLM2, as set-up converts it, computes what transformers computes."""

import pytest
import torch

from core.model.models import Transformer
from core.model.trace import Trace
from core.pretrained import Pretrained, read
from core.pretrained.fetched import SMOLLM2
from tests.core.pretrained.test_tokenizer import HARD
from tests.real import needs_smollm2

pytestmark = needs_smollm2

NEXT = {
    "The capital of France is": ("ĠParis", 0.773),
    "Once upon a time there was a little": ("Ġgirl", 0.442),
}
"""Beginnings of texts, each with the likeliest next piece and its probability, from transformers."""


@pytest.fixture(scope="module")
def found() -> Pretrained:
    return read(SMOLLM2.folder)


@torch.inference_mode()
def test_it_goes_on_as_in_transformers(found: Pretrained) -> None:
    assert found.tokenizer is not None
    for text, (piece, probability) in NEXT.items():
        likely = found.model(found.tokenizer.encode(text).tokens)[0, -1].softmax(-1)
        assert found.tokenizer.piece(int(likely.argmax())) == piece
        assert float(likely.max()) == pytest.approx(probability, abs=6e-4)


@pytest.mark.long("transformers reads the model once more")
@torch.inference_mode()
def test_its_logits_and_attentions_agree_with_transformers(found: Pretrained) -> None:
    import transformers

    theirs = transformers.AutoModelForCausalLM.from_pretrained(SMOLLM2.folder, attn_implementation="eager")
    assert found.tokenizer is not None
    for text in (*NEXT, "In 1984, the trophy didn't fit into the suitcase because it was too big."):
        tokens, trace = found.tokenizer.encode(text).tokens, Trace()
        expected = theirs.eval()(tokens, output_attentions=True)
        torch.testing.assert_close(found.model(tokens, trace=trace), expected.logits, rtol=0, atol=1e-4)
        for layer in range(30):
            pattern = trace[f"blocks.{layer}.attention.pattern"]
            torch.testing.assert_close(pattern, expected.attentions[layer], rtol=1e-4, atol=1e-5)


def test_it_has_thirty_layers_of_nine_heads_and_an_output_layer(found: Pretrained) -> None:
    (config,) = found.configs
    assert type(found.model) is Transformer
    assert (config.n_layers, config.n_heads, config.n_key_heads) == (30, 9, 3)
    assert (config.d_model, config.vocab_size, config.max_len) == (576, 49_152, 8192)
    assert not found.left_out


def test_its_tokenizer_reads_hard_text_as_transformers_does(found: Pretrained) -> None:
    import transformers

    theirs = transformers.AutoTokenizer.from_pretrained(SMOLLM2.folder)
    assert found.tokenizer is not None
    for text in (*HARD, "12345 a1b2", "<|im_start|>user\nHi<|im_end|>"):
        assert found.tokenizer.encode(text).tokens[0].tolist() == theirs(text)["input_ids"]
        assert theirs.decode(theirs(text)["input_ids"]) == text
