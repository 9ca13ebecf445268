"""The guard of a model: NaN and infinity are noticed in whichever part computes them."""

import math

import pytest
import torch
from torch import Tensor, nn

from core.pretrained.converting import LARGEST_COMPUTED, guarded
from core.unavailable import UnavailableError
from tests.covering import each

BAD = (math.nan, math.inf, -math.inf, 1.1 * LARGEST_COMPUTED, -1.1 * LARGEST_COMPUTED)


class Giving(nn.Module):
    """A part that gives fixed numbers, within another."""

    def __init__(self, numbers: Tensor) -> None:
        super().__init__()
        self.numbers = numbers

    def forward(self) -> Tensor:
        return self.numbers


class Hiding(nn.Module):
    """A model that returns zeros, whatever its part returns."""

    def __init__(self, numbers: Tensor) -> None:
        super().__init__()
        self.part = Giving(numbers)

    def forward(self) -> Tensor:
        self.part()
        return torch.zeros(2)


@each("kind", [torch.float32, torch.bfloat16, torch.float64])
@each("bad", BAD)
@each("at", [0, 99])
def test_a_bad_number_anywhere_in_a_parts_output_is_noticed(kind: torch.dtype, bad: float, at: int) -> None:
    numbers = torch.linspace(-3, 3, 100, dtype=kind)
    numbers[at] = bad
    with pytest.raises(UnavailableError, match="numbers beyond 10¹⁵"):
        guarded(Hiding(numbers))()


def test_in_16_bits_the_sentence_names_their_largest_number() -> None:
    with pytest.raises(UnavailableError, match=r"beyond 65,504"):
        guarded(Hiding(torch.tensor([1.0, math.inf, -1.0], dtype=torch.float16)))()


@each("most", [0.9 * LARGEST_COMPUTED, -0.9 * LARGEST_COMPUTED])
def test_large_numbers_pass_and_so_do_whole_and_no_numbers(most: float) -> None:
    for numbers in (torch.tensor([1.0, most]), torch.tensor([2**62]), torch.zeros(0)):
        assert guarded(Hiding(numbers))().eq(0).all()
    assert guarded(Hiding(torch.tensor(most, requires_grad=True)))().eq(0).all()
