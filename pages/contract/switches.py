"""The switches of the architecture: written once, in the sidebar of every page that has them."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.device import choose_device, describe
from core.learning.collection import MEMBERS, name_of, shipped_instead
from core.model.config import ModelConfig, setting_label
from core.sources import BY_HAND_NAME, SOURCES, Source, find
from core.sources.absent import absent
from core.sources.pretrained import is_real
from pages.contract.ask import Ask
from pages.contract.described import CHECKPOINTS, EITHER_TASK, HAND_SET, RANDOM, settings, trained_on
from pages.contract.items import Button
from pages.contract.parameters import PARAMETERS
from pages.contract.parameters.shared import NO_WINDOW
from pages.contract.real import REAL, real_source, why_fixed
from pages.contract.sheet import Text
from pages.contract.weights import ablation_label, ablations, learned, model_shown, trained_with
from words import counted

AS_A = "as A"
OWN = "mine"
"""What the visitor's own model is called among the weights, and in the link."""
ON_OFF = (True, False)
MOST_IN_SIGHT = 6
"""Greatest number of options that stand side by side in the sidebar; more are in a menu."""
NARROW = 115
"""Pixels of a menu among the switches of B."""


@dataclass(frozen=True)
class Switch:
    """One switch: its name in the link, its label, the field it sets, and what it can say.

    The field is one of ModelConfig, or `window` of Architecture.
    """

    name: str
    label: str
    field: str
    options: tuple[Any, ...]
    default: Any
    in_comparison: str = AS_A


def _switch(name: str, field: str, *, in_comparison: str = AS_A) -> Switch:
    one = PARAMETERS[name]
    options = ON_OFF if one.kind == "switch" else one.options
    assert options is not None, f"{name} is declared with its options"
    return Switch(name, one.label, field, options, one.default, in_comparison)


SWITCHES = (
    # A comparison that differs in nothing teaches nothing, so B starts without positions.
    _switch("positions", "positions", in_comparison="none"),
    _switch("mask", "mask"),
    _switch("window", "window"),
    _switch("heads", "n_heads"),
    _switch("layers", "n_layers"),
    _switch("norm", "norm"),
    _switch("scale", "scale"),
    _switch("residual", "residual"),
    _switch("mlp", "mlp"),
)
NAMES = frozenset(switch.name for switch in SWITCHES) | {"model", "seed"}
WITHOUT_WINDOW = NAMES - {"window"}
"""The switches of a page whose numbers know nothing of windows."""


@dataclass(frozen=True)
class Architecture:
    """What the switches say: the configuration, the source of the weights, their seed, and the window.

    Within a window a word may attend to so many words on either side; None is no window.
    """

    config: ModelConfig
    source: str
    seed: int
    window: int | None = None

    @property
    def weights(self) -> Source:
        """The source of the weights, and what it knows about them."""
        return find(self.source)

    def described(self, *but: str) -> str:
        """Return the model in words, as a caption of a figure has it, or the models that differ in `but`."""
        weights, said = self.weights, settings(self.config, but)
        window = "" if self.window is None else f"window of ±{counted(self.window, 'word')}"
        if (one := weights.pretrained) is not None:
            had = settings(one.config)
            trained = ", ".join(had[field] for field in weights.ablated(self.config) if field in had)
            ablated = f"trained with {trained}" if trained else ""
            window = window.replace("word", "piece")
            parts = filter(None, (*said.values(), window, ablated))
            return f"{CHECKPOINTS.get(one.name, one.name)}: {', '.join(parts)}"
        how = HAND_SET if self.source == BY_HAND_NAME else RANDOM
        if weights.trained:
            how = EITHER_TASK if "mask" in but else trained_on(self._task)
            if "n_layers" in said and "n_layers" in weights.ablated(self.config):
                said["n_layers"] = f"{self.config.n_layers} of {counted(weights.most_layers, 'layer')}"
        return f"Transformer{'s' if but else ''} {how}: {', '.join(filter(None, (*said.values(), window)))}"

    @property
    def _task(self) -> str:
        """The task of the model; of the collection's it is known without their files."""
        if self.source in SOURCES:
            return MEMBERS[name_of(self.config)].task.name
        record = self.weights.record(self.config)
        assert record is not None, "a visitor's model was trained"
        return record.task

    @property
    def ablations(self) -> list[str]:
        """What is missing of the trained model, in words; nothing is missing of one that learned nothing."""
        return ablations(self.config, self.weights, self.window)

    @property
    def ablation(self) -> str:
        """The label of a picture of an ablated model; empty where nothing is missing."""
        return self.ablated_too()

    def ablated_too(self, missing: str = "", had: str = "") -> str:
        """The label of an ablation that is no switch's: the model `had` what is `missing` in training."""
        all_missing = [*self.ablations, *[missing] * bool(missing)]
        if not all_missing:
            return ""
        return ablation_label(all_missing, trained_with(self.config, self.weights, self.window, had))


def architecture(
    ask: Ask,
    *,
    shown: Collection[str] = WITHOUT_WINDOW,
    defaults: Mapping[str, Any] | None = None,
    with_own: bool = False,
    with_real: bool = False,
    one_model: bool = True,
    says_ablations: bool = True,
    is_random: Callable[[ModelConfig], bool] = lambda _: True,
) -> Architecture:
    """The switches named in `shown`, below each other; the others keep their defaults.

    `defaults` replaces the defaults of some switches on this page, by their names. What a source does not
    have is not offered: layers that its models lack, a seed where nothing is drawn. A page that does not
    ask for the weights is not about them: it has all layers, no word on training, and a seed where its model
    `is_random`. `with_own` adds the model that the visitor has trained, while there is one, and `with_real`
    the real ones: the switches then show what such a model has, and what it cannot be given is not offered. A
    page that shows several models is not `one_model`, and says itself what they have learned; one that
    `says_ablations` not has more of them to say than the switches know. Where a source has no model at all no
    other switch is shown.
    """
    own = [replace(one, default=(defaults or {}).get(one.name, one.default)) for one in SWITCHES]
    asks_weights = "model" in shown
    source, seed = next(iter(SOURCES)), 0
    if asks_weights:
        source = _source(ask, with_own=with_own, with_real=with_real)
        if find(source).why_not is not None:
            return _architecture({one.field: one.default for one in own}, source, seed)
        own = [_offered(one, find(source)) for one in own]
    if shown:
        model = find(source).pretrained
        ask.answers.belong_to(model.name if model else None, {one.name: one.default for one in own})
    values = {
        one.field: _sidebar_value(one, find(source), ask) if one.name in shown else one.default for one in own
    }
    chosen = _architecture(values, source, seed)
    if "seed" in shown and (find(source).seeded if asks_weights else is_random(chosen.config)):
        chosen = replace(chosen, seed=ask.number("seed"))
    said = []
    if asks_weights and one_model:
        if chosen.source == next(iter(SOURCES)) and (named := model_shown(chosen.config, chosen.weights)):
            said.append(named)
        if not is_real(chosen.source):
            said.append(learned(chosen.config, chosen.weights, chosen.window))
        if says_ablations and chosen.ablations:
            ask.note(Text(chosen.ablation))
    if shown:
        said.append(f"Computed on {describe(choose_device())}.")
        ask.caption("\n\n".join(said))
    return chosen


def to_shipped(chosen: Architecture, shown: Collection[str]) -> Button | None:
    """A button to the switches of a model that comes with the app, where the one that is chosen does not.

    None where somebody has trained that one, or where a switch that has to change is not `shown`.
    """
    if chosen.source != "trained":
        return None
    config, there = chosen.config, shipped_instead(chosen.config)
    fields = ((one.name, one.field) for one in SWITCHES if one.field != "window")
    changes = {
        name: getattr(there, field)
        for name, field in fields
        if getattr(there, field) != getattr(config, field)
    }
    if not changes or not changes.keys() <= set(shown):
        return None
    label = f"Show {there.n_heads} heads in {there.norm}-norm"
    return Button(label, changes, key="shipped") if absent([name_of(config)]) else None


DIFFERS, AS_IN_A = "variant", "variant_rest"
"""The spots of the switches in which the second architecture differs, and of the others."""


def variant(ask: Ask, base: Architecture) -> Architecture:
    """A second architecture B, switch by switch as A or otherwise; its parameters are prefixed `b_`.

    The switches in which B differs stand apart from the others.
    """
    # A real model reads pieces of its own: no other model has a matrix for the same ones.
    others = () if base.weights.pretrained else SOURCES
    with ask.at(DIFFERS if _says(ask, "b_model", AS_A) != AS_A else AS_IN_A):
        answer = ask.menu("b_model", options=(AS_A, *others), width=NARROW)
    source = base.source if answer == AS_A else answer
    weights, seed, answers = find(source), base.seed, {}
    for one in SWITCHES:
        with ask.at(DIFFERS if _says(ask, f"b_{one.name}", one.in_comparison) != AS_A else AS_IN_A):
            answers[one.field] = _variant_value(_offered(one, weights), ask)
    if weights.seeded:
        with ask.at(DIFFERS if _says(ask, "b_seed", "") != "" else AS_IN_A):
            chosen = ask.number("b_seed", unchosen=AS_A, width=NARROW)
        seed = base.seed if chosen is None else chosen
    changes = {field: value for field, value in answers.items() if value is not None}
    return _architecture(_values(base, weights, ask) | changes, source, seed)


def differences(a: Architecture, b: Architecture) -> list[tuple[str, str, str]]:
    """The labels of the switches in which two architectures differ, each with what both say."""
    pairs = ((one.label, _setting(one, a), _setting(one, b)) for one in SWITCHES)
    return [(label, of_a, of_b) for label, of_a, of_b in pairs if of_a != of_b]


def _setting(one: Switch, architecture: Architecture) -> str:
    """What a switch says of an architecture."""
    if one.field == "window":
        return NO_WINDOW if architecture.window is None else str(architecture.window)
    return setting_label(getattr(architecture.config, one.field))


def _says(ask: Ask, name: str, default: str) -> str:
    """What a control will say that has not been asked for yet."""
    said = ask.answers.spelling(name)
    return default if said is None else said


def _source(ask: Ask, *, with_own: bool, with_real: bool) -> str:
    """The name of the source chosen, which is another for every state of the visitor's own model."""
    mine = ask.answers.own_model() if with_own else None
    offered = [*SOURCES, *[REAL] * with_real, *[OWN] * bool(mine)]
    chosen = ask.choice("model", options=offered)
    if chosen == REAL:
        return real_source(ask)
    return mine if mine and chosen == OWN else chosen


def _values(base: Architecture, weights: Source, ask: Ask) -> dict[str, Any]:
    """What the switches of A say, as far as the weights of B can follow."""
    fields = [one.field for one in SWITCHES if one.field != "window"]
    values: dict[str, Any] = {field: getattr(base.config, field) for field in fields}
    values["window"] = NO_WINDOW if base.window is None else base.window
    if values["n_layers"] > weights.most_layers:
        most = f"Models with B's weights have at most {weights.most_layers} layers, so B has that many."
        ask.note(Text(most, "info"))
        values["n_layers"] = weights.most_layers
    return values


def _architecture(values: Mapping[str, Any], source: str, seed: int) -> Architecture:
    window = values["window"]
    fields = {field: value for field, value in values.items() if field != "window"}
    one = find(source).pretrained
    config = ModelConfig.of_switches(**fields) if one is None else replace(one.config, **fields)
    return Architecture(config, source, seed, None if window == NO_WINDOW else window)


def _offered(one: Switch, weights: Source) -> Switch:
    """The switch with the options that these weights have a model for, as the only model there is has it."""
    if weights.pretrained is not None and one.field in weights.pretrained.options:
        options, own = weights.pretrained.options[one.field], getattr(weights.pretrained.config, one.field)
        return replace(one, options=options, default=own)
    if one.field == "window" and weights.pretrained is not None:
        return replace(one, label="Window ± pieces")
    if one.field != "n_layers":
        return one
    return replace(one, options=tuple(n for n in one.options if n <= weights.most_layers))


def _sidebar_value(one: Switch, weights: Source, ask: Ask) -> Any:
    if one.options == ON_OFF:
        return ask.switch(one.name, default=one.default)
    asked: dict[str, Any] = {"label": one.label, "options": one.options, "default": one.default}
    if len(one.options) > MOST_IN_SIGHT:
        return ask.menu(one.name, width="stretch", **asked)
    if len(one.options) == 1 and weights.pretrained is not None:
        return ask.choice(one.name, help=why_fixed(weights.pretrained, one.field), is_fixed=True, **asked)
    return ask.choice(one.name, **asked)


def _variant_value(one: Switch, ask: Ask) -> Any:
    meanings = {setting_label(option): option for option in one.options}
    name, options = f"b_{one.name}", (AS_A, *meanings)
    answer = ask.menu(name, label=one.label, options=options, default=one.in_comparison, width=NARROW)
    return meanings.get(answer)
