"""How alike sentences are: as written out by hand, and for MiniLM as transformers has it."""

from pathlib import Path

import numpy as np
import pytest
import torch

from core.measures.similarity import similarities
from core.pretrained import read
from core.pretrained.fetched import MINILM
from core.sources import load
from core.sources.pretrained import BOTH_WAYS, source_name
from tests.real import SOURCE, needs_minilm, one_model

TEXTS = ("the cat saw the other cats", "the other cats saw the cat", "i don't think", "running")
RANKED = (
    # A sentence, one that says the same in other words, one about the same, and one about something else.
    (
        "A man is playing the guitar.",
        "Someone plays a guitar.",
        "The guitar is made of wood.",
        "The bus is late.",
    ),
    ("How do I reset my password?", "I forgot my login code.", "Is my account safe?", "Bananas are yellow."),
    (
        "The film was a waste of time.",
        "I hated that movie.",
        "The cinema opens at nine.",
        "Mix the flour with milk.",
    ),
    ("Stocks fell sharply today.", "Share prices dropped.", "The bank is closed.", "My cat likes to sleep."),
)


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


@pytest.mark.long("that the real model ranks by meaning; what it computes is compared in every run")
@needs_minilm
def test_minilm_is_as_transformers_has_it_and_ranks_by_meaning() -> None:
    import transformers

    source = source_name(BOTH_WAYS)
    one = one_model(source)
    theirs = transformers.AutoModel.from_pretrained(str(MINILM.folder)).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(MINILM.folder))
    for texts in RANKED:
        with torch.inference_mode():
            states = [theirs(**tokenizer(text, return_tensors="pt"))[0][0].mean(dim=0) for text in texts]
        expected = [torch.cosine_similarity(states[0], other, dim=0).item() for other in states[1:]]
        words = [one.split(text).texts for text in texts]
        cosines = similarities(
            load(source, one.config, words[0], 0), [load(source, one.config, other, 0) for other in words[1:]]
        )
        np.testing.assert_allclose(cosines, expected, atol=1e-4)
        assert list(cosines) == sorted(cosines, reverse=True), texts
