"""Switches of a pretrained model: all that need no other weights."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from core.model.config import NORMS, POSITIONS, ModelConfig, setting_label
from core.model.masks import MASKS
from core.pretrained.converting import outline
from core.unavailable import UnavailableError

SWITCHED = ("positions", "mask", "n_layers", "norm", "scale", "residual", "mlp")
"""Fields of a configuration that can differ from a model's training."""

_CHOICES: Mapping[str, Callable[[ModelConfig], Sequence[object]]] = MappingProxyType(
    {
        "positions": lambda config: POSITIONS,
        "mask": lambda config: tuple(MASKS),
        "n_heads": lambda config: (config.n_heads,),
        "n_layers": lambda config: range(1, config.n_layers + 1),
        "norm": lambda config: NORMS,
        "scale": lambda config: (True, False),
        "residual": lambda config: (True, False),
        "mlp": lambda config: (True, False),
    }
)


@cache
def options(own: ModelConfig, *, has_output: bool) -> Mapping[str, tuple[object, ...]]:
    """Return the values of each switch that a model can have with its weights."""
    has = _parameters(own, has_output=has_output)

    def fits(field: str, value: object) -> bool:
        try:
            other = replace(own, **{field: value})  # type: ignore[arg-type]
        except ValueError:  # such as heads of a width that does not fit
            return False
        needs = _parameters(other, has_output=has_output)
        return needs.items() <= has.items()

    return MappingProxyType(
        {
            field: tuple(value for value in choices(own) if fits(field, value))
            for field, choices in _CHOICES.items()
        }
    )


def _parameters(config: ModelConfig, *, has_output: bool) -> dict[str, tuple[int, ...]]:
    model = outline((config,), has_output=has_output)
    return {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}


def check_possible(
    config: ModelConfig, own: ModelConfig, title: str, possible: Mapping[str, tuple[object, ...]]
) -> None:
    """Raise UnavailableError unless the model can be given all these switches."""
    for field, values in possible.items():
        if (asked := getattr(config, field)) not in values:
            raise UnavailableError(
                f"{{title}} has {field} = {setting_label(getattr(own, field))}, and no weights for "
                f"{setting_label(asked)}: choose other switches, or other weights.",
                title=title,
            )
