"""Our modules with foreign weights: built without numbers, filled by parameter name, and guarded."""

import math
import re
from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.initialisation import DrawingNothing
from core.model.models import EncoderDecoder, Stack, Transformer
from core.pretrained.errors import FolderError, NumbersError, ReplacedError
from core.pretrained.family import Configs, Family, Names, is_pair
from core.pretrained.weights import HEADS, Weights
from core.unavailable import UnavailableError

Model = Stack | EncoderDecoder

_PARAMETERS = {"gain": "weight", "table": "weight"}
"""Names of our parameters in folders, if they differ from ours."""

_SHOWN = 6
"""Number of problems listed in full; the folder of another model would have hundreds."""


def outline(configs: Configs, *, has_output: bool) -> Model:
    """Return a model whose parameters have names and shapes, and no numbers."""
    with torch.device("meta"), DrawingNothing():  # asked to draw on no device, torch would load its compiler
        if is_pair(configs):
            return EncoderDecoder(*configs)
        return Transformer(configs[0]) if has_output else Stack(configs[0])


def convert(model: Model, weights: Weights, family: Family) -> dict[str, str]:
    """Fill every parameter; return the unused weights with reasons. Raises FolderError with all problems."""
    problems = weights.problems.copy()
    found: dict[str, Tensor] = {}

    def find(name: str, parameter: Tensor) -> Tensor:
        source = source_of(name, family.names)
        if source in found:  # encoder and decoder share their word vectors
            return found[source]
        try:
            tensor = weights.use(source, parameter.shape)
        except (NumbersError, ReplacedError):
            raise
        except FolderError as error:
            problems.append(str(error))
        if problems:  # nothing is copied for a model that is refused
            return parameter
        found[source] = tensor.contiguous()
        return found[source]

    _fill(model, find)
    reasons = {**family.left_out, HEADS: "the head for another task"}
    left_out = {
        name: why
        for name in weights.unused()
        for pattern, why in reversed(reasons.items())  # the first matching pattern wins
        if re.fullmatch(pattern, name)
    }
    problems += [f"{name} is not known" for name in weights.unused() if name not in left_out]
    if problems:
        more = f"; and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        raise FolderError(f"not the weights of {family.title}: {'; '.join(problems[:_SHOWN])}{more}")
    return left_out


def with_configs(model: Model, *configs: ModelConfig) -> Model:
    """Return an ablation that shares the weights of `model`; raises ValueError for untrained weights."""
    other = outline(configs, has_output=isinstance(model, Transformer))
    own = dict(model.named_parameters(remove_duplicate=False))
    missing = [
        name
        for name, parameter in other.named_parameters()
        if name not in own or own[name].shape != parameter.shape
    ]
    if missing:
        raise ValueError(f"the model was trained without {', '.join(missing)}")
    _fill(other, lambda name, _: own[name])
    return other.eval()


def _fill(model: Model, find: Callable[[str, Tensor], Tensor]) -> None:
    """Replace each parameter by the result of `find`; shared parameters and tensors stay shared."""
    made: dict[int, nn.Parameter] = {}
    filled: dict[int, tuple[Tensor, nn.Parameter]] = {}
    for name, parameter in list(model.named_parameters(remove_duplicate=False)):
        if id(parameter) not in made:
            value = find(name, parameter)
            new = value, nn.Parameter(value, requires_grad=False)
            _, made[id(parameter)] = filled.setdefault(id(value), new)
        path, _, own = name.rpartition(".")
        setattr(model.get_submodule(path), own, made[id(parameter)])


def source_of(name: str, names: Names) -> str:
    """Return the name in a folder of one of our parameters."""
    path, _, parameter = name.rpartition(".")
    layer = re.search(r"\bblocks\.(\d+)", path)
    place = re.sub(r"\bblocks\.\d+", "blocks.{i}", path)
    theirs = names[place].format(i=layer[1] if layer else "")
    return f"{theirs}.{_PARAMETERS.get(parameter, parameter)}"


M = TypeVar("M", bound=nn.Module)

LARGEST_COMPUTED = 1e15
"""The largest number that a part of a model may compute: sums of its square are finite too."""


def guarded(model: M) -> M:
    """Make every part of a model raise UnavailableError, with a sentence, if its output is too large.

    An `Identity` returns its input, which another part has checked.
    """
    for part in model.modules():
        if not isinstance(part, nn.Identity):
            part.register_forward_hook(_check_numbers)
    return model


def _check_numbers(part: nn.Module, given: object, found: object) -> None:
    if not (isinstance(found, Tensor) and found.is_floating_point() and found.numel()):
        return
    largest = _largest(found.detach())
    if found.dtype == torch.float16 and not math.isfinite(largest):
        raise UnavailableError(
            "From this text the model computes numbers beyond 65,504, the largest that its 16 bits can hold. "
            "Choose another text or another model."
        )
    if not largest <= LARGEST_COMPUTED:  # NaN compares with nothing
        raise UnavailableError(
            "From this text the model computes numbers beyond 10¹⁵, too large to be shown: its weights may "
            "be damaged. Choose another model."
        )


def _largest(numbers: Tensor) -> float:
    """Return the largest absolute value; NaN if one of the numbers is NaN.

    On a CPU, torch 2.13 finds the smallest and the largest several times as fast as the maximum norm. A GPU
    computes the norm in one step.
    """
    if numbers.device.type != "cpu":
        return float(torch.linalg.vector_norm(numbers, ord=torch.inf))
    least, most = numbers.aminmax()
    return max(-float(least), float(most))
