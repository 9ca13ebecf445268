"""How alike sentences are: as written out by hand, and for MiniLM as transformers has it."""

from pathlib import Path

import numpy as np
import torch

from core.measures.similarity import similarities
from core.pretrained import read
from core.sources import load
from tests.real import SOURCE, one_model

TEXTS = ("the cat saw the other cats", "the other cats saw the cat", "i don't think", "running")


def test_it_is_the_cosine_of_the_means_of_the_states(tiny_model: Path) -> None:
    one, found = one_model(SOURCE), read(tiny_model)
    assert found.tokenizer is not None
    first, *others = (
        found.model(found.tokenizer.encode(text).tokens)[0].double().sum(dim=0) for text in TEXTS
    )
    expected = [torch.cosine_similarity(first, other, dim=0).item() for other in others]
    words = [one.split(text).texts for text in TEXTS]
    cosines = similarities(
        load(SOURCE, one.config, words[0], 0), [load(SOURCE, one.config, other, 0) for other in words[1:]]
    )
    np.testing.assert_allclose(cosines, expected, rtol=1e-5)
