"""References by name: results of `core` on a device, compared with the same numbers from elsewhere."""

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from math import inf, isfinite
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TypeVar

import torch
from torch import Tensor, nn

Module = TypeVar("Module", bound=nn.Module)

Pairs = Iterator[tuple[Tensor, Tensor]]
"""Tensors computed by `core`, each with the expected tensor."""

PRECISIONS = {torch.float32: "float32", torch.bfloat16: "bfloat16"}

Tolerances = Mapping[torch.dtype, float]
"""Largest difference allowed for each precision, divided by the largest expected number."""

EXACT: Tolerances = MappingProxyType({torch.float32: 0.0, torch.bfloat16: 0.0})
OPERATION: Tolerances = MappingProxyType({torch.float32: 2e-5, torch.bfloat16: 0.03})
MODEL: Tolerances = MappingProxyType({torch.float32: 1e-4, torch.bfloat16: 0.1})
GRADIENTS: Tolerances = MappingProxyType({torch.float32: 1e-4, torch.bfloat16: 0.3})
"""In bfloat16 a model without norms rounds its gradients by up to a sixth, with every kernel."""

SINGLE: Tolerances = MappingProxyType({torch.float32: 1e-4})
"""Tolerances of a reference in single precision only."""


class SkippedError(Exception):
    """A reference or measurement that this machine cannot make, with the reason."""


@dataclass(frozen=True)
class Place:
    """A device and a precision in which `core` computes."""

    device: torch.device
    dtype: torch.dtype

    def put(self, value: Tensor) -> Tensor:
        """Return a tensor on the device; numbers get its precision, tokens and masks keep their type."""
        return value.to(self.device, self.dtype) if value.is_floating_point() else value.to(self.device)

    def rounded(self, value: Tensor) -> Tensor:
        """Return numbers in double precision, rounded as `put` rounds them."""
        return value.to(self.dtype).double()

    def both(self, module: Module) -> tuple[Module, Module]:
        """Return copies with one set of weights: on the device, and in double precision on the CPU."""
        here = deepcopy(module).to(self.dtype)
        return deepcopy(here).to(self.device), here.double()


@dataclass(frozen=True)
class Reference:
    """One comparison, in every precision for which it has a tolerance."""

    name: str
    tolerances: Tolerances
    compare: Callable[[Place], Pairs]


@dataclass(frozen=True, kw_only=True)
class Checked:
    """Result of a reference in one precision.

    `difference` is the largest over all tensors, in the unit of tolerances. `problem` says why it could not
    be compared, and `skipped` what this machine lacks.
    """

    name: str
    dtype: torch.dtype
    tolerance: float
    n_tensors: int = 0
    difference: float = 0.0
    problem: str = ""
    skipped: str = ""

    @property
    def title(self) -> str:
        """Its name with its precision."""
        return f"{self.name} ({PRECISIONS[self.dtype]})"

    @property
    def passed(self) -> bool:
        """Whether something was compared, and all of it agreed."""
        there = self.n_tensors > 0 and not self.problem and not self.skipped
        return there and self.difference <= self.tolerance

    @property
    def failed(self) -> bool:
        """Whether the numbers differ or could not be compared; a skipped reference has not failed."""
        return not self.passed and not self.skipped


def check(reference: Reference, place: Place) -> Checked:
    """Compare all tensors of a reference; the result contains any error."""
    n_tensors, largest, problem, skipped = 0, 0.0, "", ""
    try:
        for actual, expected in reference.compare(place):
            n_tensors += 1
            largest = max(largest, difference(actual, expected))
    except SkippedError as error:
        skipped = str(error)
    except Exception as error:  # the other references still have to be compared
        problem = summary(error)
    if not (n_tensors or problem or skipped):
        problem = "nothing was compared"
    free(place.device)
    return Checked(
        name=reference.name,
        dtype=place.dtype,
        tolerance=reference.tolerances[place.dtype],
        n_tensors=n_tensors,
        difference=largest,
        problem=problem,
        skipped=skipped,
    )


def difference(actual: Tensor, expected: Tensor) -> float:
    """Return the largest difference, divided by the largest expected number unless all are 0.

    It is infinite if a number is unexpectedly NaN or infinite. Raises ValueError for different shapes.
    """
    if actual.shape != expected.shape:
        raise ValueError(f"expected the shape {tuple(expected.shape)}, got {tuple(actual.shape)}")
    if not expected.numel():
        raise ValueError("expected numbers, got none")
    one, other = (value.detach().cpu().double() for value in (actual, expected))
    largest = float((one - other).abs().max())
    scale = float(other.abs().max())
    if not isfinite(largest) or not isfinite(scale):
        return 0.0 if torch.equal(one, other) else inf
    return largest / scale if scale else largest


def summary(error: BaseException) -> str:
    """Return the kind of an error and the first line of its message."""
    first = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {first}"[:300]


def borrowed(path: str) -> ModuleType:
    """Return the module of test helpers in a file of this repository, loaded once.

    A package called `tests` of some other project may be installed on a machine, and would come first.
    """
    name = f"bench.gpu.borrowed.{Path(path).stem}"
    if name not in sys.modules:
        spec = spec_from_file_location(name, Path(__file__).parents[2] / path)
        assert spec is not None, f"{path} is a Python file"
        assert spec.loader is not None, f"{path} is a Python file"
        module = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


def free(device: torch.device) -> None:
    """Return the unused memory of tensors to a GPU."""
    if device.type == "cuda":
        gc.collect()
        torch.cuda.empty_cache()
