"""The models that set-up fetches compute what transformers computes."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from core.model.models import Stack, Transformer
from core.model.trace import Trace
from core.pretrained import Pretrained, read
from core.pretrained.fetched import MINILM, SMOLLM2, Fetched
from tests.core.pretrained.test_tokenizer import HARD
from tests.covering import each
from tests.real import needs_minilm, needs_smollm2

EACH = [
    pytest.param(MINILM, "AutoModel", marks=needs_minilm, id="minilm"),
    pytest.param(
        *(SMOLLM2, "AutoModelForCausalLM"),
        marks=[needs_smollm2, pytest.mark.long("transformers reads the model once more")],
        id="smollm2",
    ),
]


@cache
def found_in(folder: Path) -> Pretrained:
    return read(folder)


@torch.inference_mode()
@pytest.mark.parametrize(("one", "kind"), EACH)
def test_its_numbers_agree_with_transformers(one: Fetched, kind: str) -> None:
    import transformers

    theirs: Any = getattr(transformers, kind).from_pretrained(one.folder, attn_implementation="eager").eval()
    found, trace = found_in(one.folder), Trace()
    assert found.tokenizer is not None
    tokens = found.tokenizer.encode("In 1984, the trophy didn't fit because it was too big.").tokens
    expected = theirs(tokens, output_attentions=True)
    torch.testing.assert_close(found.model(tokens, trace=trace), expected[0], rtol=1e-4, atol=1e-4)
    for layer in range(found.configs[0].n_layers):
        pattern = trace[f"blocks.{layer}.attention.pattern"]
        torch.testing.assert_close(pattern, expected.attentions[layer], rtol=1e-4, atol=1e-5)


@needs_smollm2
@torch.inference_mode()
def test_smollm2_goes_on_as_in_transformers() -> None:
    found = found_in(SMOLLM2.folder)
    assert found.tokenizer is not None
    likely = found.model(found.tokenizer.encode("The capital of France is").tokens)[0, -1].softmax(-1)
    assert found.tokenizer.piece(int(likely.argmax())) == "ĠParis"
    assert float(likely.max()) == pytest.approx(0.773, abs=6e-4)


@needs_smollm2
@needs_minilm
def test_they_have_the_layers_and_heads_that_pages_and_documents_name() -> None:
    minilm, smollm2 = found_in(MINILM.folder), found_in(SMOLLM2.folder)
    (config,) = minilm.configs
    assert (config.n_layers, config.n_heads, config.d_model, config.vocab_size) == (6, 12, 384, 30_522)
    assert type(minilm.model) is Stack
    assert set(minilm.left_out) == {"embeddings.position_ids", "pooler.dense.bias", "pooler.dense.weight"}
    (config,) = smollm2.configs
    assert (config.n_layers, config.n_heads, config.n_key_heads) == (30, 9, 3)
    assert (config.d_model, config.vocab_size, config.max_len) == (576, 49_152, 8192)
    assert (type(smollm2.model), dict(smollm2.left_out)) == (Transformer, {})


@needs_smollm2
@needs_minilm
@each("one", [MINILM, SMOLLM2])
def test_its_tokenizer_reads_hard_text_as_transformers_does(one: Fetched) -> None:
    import transformers

    theirs, ours = transformers.AutoTokenizer.from_pretrained(one.folder), found_in(one.folder).tokenizer
    assert ours is not None
    for text in (*HARD, "12345 a1b2", "<|im_start|>user\nHi<|im_end|>"):
        assert ours.encode(text).tokens[0].tolist() == theirs(text)["input_ids"]
