"""Every tensor of a forward pass, in the order in which a model computes them."""

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from core.model.trace import Trace
from core.programs.calling import Call, measure_program
from core.text import translation
from core.text.language import encode


def tensors(model: Any, given: Any) -> dict[str, dict[str, str | float]]:
    """Return the shape and mean length of every tensor of a forward pass."""
    trace = Trace()
    model(given, trace=trace)
    return {
        name: {"shape": " × ".join(map(str, value.shape)), "norm": float(value.float().norm(dim=-1).mean())}
        for name, value in trace.items()
    }


def tensors_program(model: Call, given: Call | tuple[Call, Call]) -> str:
    """Return a program that prints the shape and mean length of every tensor of one forward pass."""
    title = "Every tensor of one forward pass, in the order in which the model computes them."
    return measure_program(title, tensors, model, given)


def read_and_fed(words: Sequence[str], target: Sequence[str]) -> tuple[Call, Call]:
    """Return the calls that give the tokens of an encoder and of a decoder."""
    return Call(encode, words, part=".tokens"), Call(encode_target, target)


def encode_target(target: Sequence[str]) -> Tensor:
    """Return the token ids of words of the second language."""
    return translation.vocabulary().encode(target)
