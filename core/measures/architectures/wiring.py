"""The graph of a forward pass, from the pass itself: inputs, operations and lines of code."""

import linecache
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from core.model.trace import Trace

ROOT = Path(__file__).parents[3]

BOOK = frozenset(
    f"core/model/{name}.py"
    for name in ("models", "blocks", "attention", "recurrent", "recurrent_pair", "alignment")
)
"""The files that define a model in reading order: every part has its place in one of them."""

FORM_ALONE = frozenset({"zeros_like", "ones_like", "full_like"})
"""Operations whose result has only the form of their inputs."""


class Place(NamedTuple):
    """A line of the program: its file, its number and its text."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, eq=False)
class Operation:
    """One call of torch; `at` counts its results, and `places` are lines of the book, innermost first."""

    name: str
    inputs: tuple[Tensor, ...]
    numbers: tuple[float, ...]
    places: tuple[Place, ...]
    at: int = 0


class Recording(Trace):
    """A trace that also records the lines in which every name was recorded, the innermost first."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, tuple[Place, ...]] = {}

    def __call__(self, name: str, value: Tensor) -> Tensor:
        self.places[name] = _lines()
        return super().__call__(name, value)


class ComputationGraph(TorchFunctionMode):
    """Record of a forward pass in this thread; it keeps all tensors, so no two have the same `id`."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.recorded = Recording()
        self._made: dict[int, tuple[Tensor, Operation]] = {}
        self._parameters = {id(parameter): name for name, parameter in model.named_parameters()}

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        results = [one for one in _flat(result) if isinstance(one, Tensor)]
        if results:
            given = list(_flat((args, kwargs or {})))
            self._note(getattr(func, "__name__", str(func)), given, results)
        return result

    def _note(self, name: str, given: list[Any], results: list[Tensor]) -> None:
        inputs = tuple(one for one in given if isinstance(one, Tensor))
        numbers = tuple(float(one) for one in given if type(one) in (int, float))
        if name in FORM_ALONE:
            inputs = ()
        elif name == "to":  # another tensor gives only type and device, and no numbers
            inputs = inputs[:1]
        places = _lines()
        for at, made in enumerate(results):
            if all(made is not one for one in inputs):  # an operation that changes nothing returns its input
                self._made[id(made)] = made, Operation(name, inputs, numbers, places, at)

    def maker(self, tensor: Tensor) -> Operation | None:
        """Return the operation that made a tensor; None for parameters and the model's inputs."""
        return self._made.get(id(tensor), (None, None))[1]

    def pieces(self, tensor: Tensor) -> dict[int, int]:
        """Return the pieces that this tensor was cut into, by identity, with the place of each."""
        return {
            key: made.at
            for key, (_, made) in self._made.items()
            if made.name == "unbind" and made.inputs[0] is tensor
        }

    def stacked(self, tensor: Tensor) -> tuple[Tensor, ...]:
        """Return the tensors that this one was stacked from, in order; none if it was made otherwise."""
        made = self.maker(tensor)
        return made.inputs if made is not None and made.name == "stack" else ()

    def module_of(self, operation: Operation) -> str | None:
        """Return the path of the module whose parameters an operation uses; None without parameters."""
        names = [self._parameters[id(one)] for one in operation.inputs if id(one) in self._parameters]
        return names[0].rpartition(".")[0] if names else None

    def sources(self, tensor: Tensor, known: Mapping[int, str]) -> tuple[str, ...]:
        """Return the nearest `known` tensors that a tensor was made of, by identity, in order."""
        found: dict[str, None] = {}
        met: set[int] = set()
        ahead = list(reversed(self._inputs(tensor)))
        while ahead:
            one = ahead.pop()
            if id(one) in known:
                found[known[id(one)]] = None
            elif id(one) not in met:
                met.add(id(one))
                ahead += reversed(self._inputs(one))
        return tuple(found)

    def operations(self, tensor: Tensor, known: Collection[int]) -> frozenset[str]:
        """Return the names of all operations between the `known` tensors and this one."""
        maker = self.maker(tensor)
        if maker is None or id(tensor) in known:
            return frozenset()
        return frozenset({maker.name}).union(*(self.operations(one, known) for one in maker.inputs))

    def _inputs(self, tensor: Tensor) -> tuple[Tensor, ...]:
        maker = self.maker(tensor)
        return () if maker is None else maker.inputs


@contextmanager
def record_operations(model: nn.Module) -> Iterator[ComputationGraph]:
    """Record the operations of `model` while this is open; its trace is the wiring's `recorded`."""
    wiring = ComputationGraph(model)
    with torch.inference_mode(), wiring:
        yield wiring


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        for one in value:
            yield from _flat(one)
    elif isinstance(value, dict):
        yield from _flat(list(value.values()))
    else:
        yield value


def _lines() -> tuple[Place, ...]:
    """Return the lines of the book in execution, the innermost first."""
    found, frame = [], sys._getframe(1)
    at: FrameType | None = frame
    while at is not None:
        file = at.f_code.co_filename.removeprefix(f"{ROOT}/")
        if file in BOOK:
            text = linecache.getline(at.f_code.co_filename, at.f_lineno).strip()
            found.append(Place(file, at.f_lineno, text))
        at = at.f_back
    return tuple(found)
