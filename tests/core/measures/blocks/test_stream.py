"""The lengths of the residual stream and what each part adds are those of the recorded vectors."""

import numpy as np
import pytest

from core.measures.blocks.parts import stream
from core.model.config import NORMS, ModelConfig
from core.model.trace import Trace
from core.sources import load

WORDS = ["the", "oven", "cooked", "the", "bread"]


@pytest.mark.parametrize("norm", NORMS)
def test_lengths_and_shares_are_those_of_the_recorded_vectors(norm: str) -> None:
    config = ModelConfig(vocab_size=1, n_layers=3, norm=norm)  # type: ignore[arg-type]
    found = stream(load("random", config, WORDS, 4))
    loaded, trace = load("random", config, WORDS, 4), Trace()
    loaded.model(loaded.tokens, trace=trace)

    vectors = [trace["positions"], *(trace[f"blocks.{i}.out"] for i in range(3))]
    expected = np.sqrt(np.stack([(one[0].double().numpy() ** 2).sum(axis=1) for one in vectors], axis=1))
    np.testing.assert_allclose(found.lengths, expected, rtol=1e-5)
    np.testing.assert_allclose(found.mean_lengths(), expected.mean(axis=0), rtol=1e-5)
    assert found.parts == tuple(f"{part} {i}" for i in (1, 2, 3) for part in ("attention", "feed-forward"))
    second = (trace["blocks.1.attention.out"].norm(dim=-1) / trace["blocks.0.out"].norm(dim=-1))[0]
    np.testing.assert_allclose(found.added[:, 2], second, rtol=1e-5)
    last = (trace["blocks.2.mlp.out"].norm(dim=-1) / trace["blocks.2.mid"].norm(dim=-1))[0]
    np.testing.assert_allclose(found.added[:, 5], last, rtol=1e-5)


def test_pre_norm_lets_the_stream_grow_and_post_norm_holds_it() -> None:
    lengths = {
        norm: stream(load("random", ModelConfig(vocab_size=1, n_layers=6, norm=norm), WORDS, 0))
        for norm in NORMS
    }
    assert (np.diff(lengths["pre"].mean_lengths()) > 0).all()
    np.testing.assert_allclose(lengths["post"].lengths[:, 1:], 8, rtol=1e-3)  # √64, the width
    assert lengths["none"].mean_lengths()[-1] > 5 * lengths["pre"].mean_lengths()[-1]


def test_a_model_without_feed_forward_layers_has_attention_alone() -> None:
    found = stream(load("random", ModelConfig(vocab_size=1, mlp=False), WORDS, 0))
    assert found.parts == ("attention 1", "attention 2")
    assert found.added.shape == (5, 2)
