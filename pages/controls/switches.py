"""The switches of the architecture: written once, in the sidebar of every page that has them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.config import MASKS, NORMS, POSITIONS, ModelConfig
from core.device import choose_device, describe
from core.sources import SOURCES
from pages.controls.link import choice, menu, number, switch

LARGEST_SEED = 9999
AS_A = "as A"
ON_OFF = (True, False)


@dataclass(frozen=True)
class Switch:
    """One switch: its name in the link, its label, the field of ModelConfig it sets, and what it can say."""

    name: str
    label: str
    field: str
    options: tuple[Any, ...]
    default: Any
    in_comparison: str = AS_A


SWITCHES = (
    # A comparison that differs in nothing teaches nothing, so B starts without positions.
    Switch("positions", "Positions", "positions", POSITIONS, "sinusoidal", in_comparison="none"),
    Switch("mask", "Mask", "mask", MASKS, "causal"),
    Switch("heads", "Heads", "n_heads", (1, 2, 4, 8), 4),
    Switch("layers", "Layers", "n_layers", (1, 2, 3, 4, 5, 6), 2),
    Switch("norm", "Layer norm", "norm", NORMS, "pre"),
    Switch("scale", "Scale by √d", "scale", ON_OFF, True),
    Switch("residual", "Residual", "residual", ON_OFF, True),
    Switch("mlp", "Feed-forward", "mlp", ON_OFF, True),
)
NAMES = frozenset(switch.name for switch in SWITCHES) | {"model", "seed"}


@dataclass(frozen=True)
class Architecture:
    """What the switches say: the configuration, the source of the weights, and the seed."""

    config: ModelConfig
    source: str
    seed: int


def architecture(
    notes: DeltaGenerator, *, shown: Collection[str] = NAMES, defaults: Mapping[str, Any] | None = None
) -> Architecture:
    """The switches named in `shown`, in the sidebar; the others keep their defaults.

    `defaults` replaces the defaults of some switches on this page, by their names.
    """
    own = [replace(one, default=(defaults or {}).get(one.name, one.default)) for one in SWITCHES]
    sources = list(SOURCES)
    source, seed = sources[0], 0
    with st.sidebar:
        if "model" in shown:
            source = choice("model", "Weights", sources, source, notes=notes)
        fields = {one.field: _sidebar_value(one, notes) if one.name in shown else one.default for one in own}
        if "seed" in shown:
            seed = number("seed", "Seed", LARGEST_SEED, 0, notes=notes)
        st.caption(f"Computed on {describe(choose_device())}.")
    return Architecture(ModelConfig(vocab_size=1, **fields), source, seed)


def variant(base: Architecture, notes: DeltaGenerator) -> Architecture:
    """A second architecture B, switch by switch as A or otherwise; its parameters are prefixed `b_`."""
    with st.container(horizontal=True, gap="xsmall", key="variant"):
        answers = {one.field: _variant_value(one, notes) for one in SWITCHES}
        seed = number("b_seed", "Seed", LARGEST_SEED, None, notes=notes, unchosen=AS_A, width=103)
    changes = {field: value for field, value in answers.items() if value is not None}
    return Architecture(replace(base.config, **changes), base.source, base.seed if seed is None else seed)


def _sidebar_value(one: Switch, notes: DeltaGenerator) -> Any:
    if one.options == ON_OFF:
        return switch(one.name, one.label, one.default, notes=notes)
    return choice(one.name, one.label, one.options, one.default, notes=notes)


def _variant_value(one: Switch, notes: DeltaGenerator) -> Any:
    meanings = {_spelt(option): option for option in one.options}
    name = f"b_{one.name}"
    answer = menu(name, one.label, (AS_A, *meanings), one.in_comparison, notes=notes, width=103)
    return meanings.get(answer)


def _spelt(option: Any) -> str:
    return ("on" if option else "off") if isinstance(option, bool) else str(option)
