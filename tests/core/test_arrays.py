"""The memory of a result is counted once, completely, and wherever it is in the result."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import nn

from core.arrays import array_of, bytes_held
from core.text.tokenizer import Vocabulary
from tests.covering import each


@dataclass(frozen=True)
class Found:
    """Something with fields, as results are."""

    words: tuple[str, ...]
    weights: Any


OF_OBJECTS = 2000
"""Bytes of the objects around the arrays: names, numbers, lists and mappings."""

NUMBERS = torch.zeros(7, 11)
"""77 numbers of 4 bytes."""


ITSELF: dict[str, Any] = {"weights": NUMBERS}
ITSELF["itself"] = ITSELF
WORDS = [f"word {n}" for n in range(1000)]
LATER = SimpleNamespace(most_bytes=7000, now=np.zeros(3))


@each(
    ("found", "expected"),
    [
        (("the", 3, True), 0),
        (NUMBERS[0], 308),
        (array_of(NUMBERS)[2:5], 308),
        (np.zeros((5, 3))[1:2, ::2], 120),
        ([NUMBERS, NUMBERS[3], NUMBERS.clone()], 616),
        ({"a": NUMBERS, "b": {"c": np.zeros(13)}}, 412),
        (Found(("cat",), Found((), (NUMBERS,))), 308),
        (nn.Linear(3, 5), 80),
        (ITSELF, 308),
        ([LATER], 7000),
    ],
)
def test_every_piece_of_memory_counts_once_and_whole(found: Any, expected: int) -> None:
    assert expected <= bytes_held(found) < expected + OF_OBJECTS


def test_objects_and_tables_count_with_their_words() -> None:
    size = sum(map(len, WORDS))
    for found in (WORDS, np.array(WORDS, dtype=object), pd.DataFrame({"word": WORDS})):
        assert bytes_held(found) >= size


@each("dtype", [torch.float64, torch.bfloat16, torch.bool])
def test_an_array_has_the_numbers_of_its_tensor_and_is_read_only(dtype: torch.dtype) -> None:
    tensor = torch.tensor([[0.0, 1.0, 1.0]]).to(dtype)
    array = array_of(tensor)
    assert array.tolist() == [[0, 1, 1]]
    assert not array.flags.writeable
    assert array.dtype == (np.float32 if dtype == torch.bfloat16 else tensor.numpy().dtype)


def test_the_words_of_a_vocabulary_belong_to_no_result() -> None:
    """A real model has tens of thousands; to walk through them takes longer than half a forward pass."""
    words = Vocabulary([f"word {at}" for at in range(5000)]).words
    assert bytes_held({"vocabulary": words, "numbers": NUMBERS}) < NUMBERS.nbytes + OF_OBJECTS
    assert bytes_held(tuple(words)) > 5000 * len("word 0")
    assert words == tuple(words)
