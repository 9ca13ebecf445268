"""Our modules with foreign weights: built without numbers, then filled by parameter name."""

import re
from collections.abc import Callable

import torch
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.initialisation import DrawingNothing
from core.model.models import EncoderDecoder, Stack, Transformer
from core.pretrained.errors import FolderError, NumbersError, ReplacedError
from core.pretrained.family import Configs, Family, Names, is_pair
from core.pretrained.weights import HEADS, Weights

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
