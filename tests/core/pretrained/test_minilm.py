"""MiniLM, as set-up fetches it, computes what transformers computes."""

import pytest
import torch
from torch.nn import Module

from core.model.models import Stack
from core.model.trace import Trace
from core.pretrained import Pretrained, read
from core.pretrained.fetched import MINILM
from tests.core.pretrained.test_tokenizer import HARD
from tests.real import needs_minilm


@pytest.fixture(scope="module")
def found() -> Pretrained:
    return read(MINILM.folder)


@pytest.fixture(scope="module")
def theirs() -> Module:
    import transformers

    return transformers.BertModel.from_pretrained(MINILM.folder, attn_implementation="eager").eval()


@needs_minilm
@torch.inference_mode()
def test_its_states_and_attentions_agree_with_transformers(found: Pretrained, theirs: Module) -> None:
    text = "I don't think the animal didn't cross the street because it was too tired, did it?"
    assert found.tokenizer is not None
    tokens, trace = found.tokenizer.encode(text).tokens, Trace()
    expected = theirs(tokens, output_attentions=True, output_hidden_states=True)
    states = found.model(tokens, trace=trace)
    torch.testing.assert_close(states, expected.last_hidden_state, rtol=1e-4, atol=1e-5)
    for layer in range(6):
        pattern = trace[f"blocks.{layer}.attention.pattern"]
        torch.testing.assert_close(pattern, expected.attentions[layer], rtol=1e-4, atol=1e-5)
        out = trace[f"blocks.{layer}.out"]
        torch.testing.assert_close(out, expected.hidden_states[layer + 1], rtol=1e-4, atol=1e-5)


@needs_minilm
def test_it_has_six_layers_of_twelve_heads_and_no_output_layer(found: Pretrained) -> None:
    (config,) = found.configs
    assert type(found.model) is Stack
    assert not found.has_output
    assert (config.n_layers, config.n_heads, config.d_model, config.vocab_size) == (6, 12, 384, 30_522)
    assert found.tokenizer is not None
    assert len(found.tokenizer) == 30_522
    assert set(found.left_out) == {"embeddings.position_ids", "pooler.dense.bias", "pooler.dense.weight"}


@needs_minilm
def test_its_tokenizer_reads_hard_text_as_transformers_does(found: Pretrained) -> None:
    import transformers

    theirs = transformers.AutoTokenizer.from_pretrained(MINILM.folder)
    assert found.tokenizer is not None
    for text in HARD:
        assert found.tokenizer.encode(text).tokens[0].tolist() == theirs(text)["input_ids"]
