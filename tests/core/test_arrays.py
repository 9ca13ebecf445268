"""What a result holds in memory is counted once, whole, and wherever it lies in the result."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import nn

from core.arrays import array_of, bytes_held
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


@each(
    ("found", "expected"),
    [
        (None, 0),
        (("the", 3, True), 0),
        (NUMBERS, 308),
        (NUMBERS[0], 308),
        (array_of(NUMBERS), 308),
        (array_of(NUMBERS)[2:5], 308),
        (np.zeros((5, 3)), 120),
        (np.zeros((5, 3))[1:2, ::2], 120),
        ([NUMBERS, NUMBERS[3], NUMBERS.clone()], 616),
        ({"a": NUMBERS, "b": {"c": np.zeros(13)}}, 412),
        (Found(("cat",), Found((), (NUMBERS,))), 308),
        (nn.Linear(3, 5), 80),
    ],
)
def test_every_piece_of_memory_counts_once_and_whole(found: Any, expected: int) -> None:
    assert expected <= bytes_held(found) < expected + OF_OBJECTS


def test_a_table_counts_with_its_words() -> None:
    table = pd.DataFrame({"number": np.zeros(17), "word": ["something long"] * 17})
    assert bytes_held({"table": table}) >= 17 * (8 + len("something long"))


def test_what_holds_itself_is_counted_too() -> None:
    found: dict[str, Any] = {"weights": NUMBERS}
    found["itself"] = found
    assert 308 <= bytes_held(found) < 308 + OF_OBJECTS


def test_objects_count_too() -> None:
    words = [f"word {n}" for n in range(1000)]
    assert bytes_held(words) >= 1000 * len("word 999")
    assert bytes_held(np.array(words, dtype=object)) > 1000 * len("word 999")


def test_what_may_hold_more_later_counts_as_much_as_it_says() -> None:
    assert bytes_held([SimpleNamespace(most_bytes=7000, now=np.zeros(3))]) in range(7000, 7000 + OF_OBJECTS)
