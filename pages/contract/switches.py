"""The switches of the architecture, written once for the sidebar of every page that has them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.device import choose_device, describe
from core.learning.collection import MEMBERS, name_of, shipped_instead
from core.model.config import ModelConfig, setting_label
from core.sources import BY_HAND_NAME, SOURCES, Source, find
from core.sources.missing_models import absent
from core.sources.pretrained import BOTH_WAYS, USUAL, is_real
from pages.contract.ask import Ask, ControlOptions
from pages.contract.items import Button
from pages.contract.model_descriptions import CHECKPOINTS, EITHER_TASK, HAND_SET, RANDOM, settings, trained_on
from pages.contract.parameter import Parameter
from pages.contract.parameters import FIELDS, OF_B, PARAMETERS, SWITCHES
from pages.contract.parameters.shared import NO_WINDOW
from pages.contract.real import REAL, real_source, why_fixed
from pages.contract.sheet import Text
from pages.contract.weights import ablations, learned, model_shown, trained_with
from words import counted

AS_A = "as A"
OWN = "mine"
"""Name of the visitor's own model among the weights and in the link."""
MOST_IN_SIGHT = 6
"""Greatest number of options that stand side by side in the sidebar; more are in a menu."""
NARROW = 115
"""Width in pixels of a menu among the switches of B."""


IN_COMPARISON = {"positions": "none"}
"""Switches of B that differ from A at first: a comparison without a difference teaches nothing."""

WITHOUT_WINDOW = SWITCHES - {"window"}
"""Switches of a page that does not support windows."""


@dataclass(frozen=True)
class Architecture:
    """Values of the switches; a word attends to at most `window` words on either side, None to any."""

    config: ModelConfig
    source: str
    seed: int
    window: int | None = None

    @property
    def weights(self) -> Source:
        """Return the source of the weights, and what it knows about them."""
        return find(self.source)

    def setting(self, switch: str) -> Any:
        """Return the value of a switch."""
        if switch == "window":
            return NO_WINDOW if self.window is None else self.window
        return getattr(self.config, FIELDS[switch])

    def described(self, *but: str) -> str:
        """Return the model in words for a caption, or the models that differ in `but`."""
        weights, said = self.weights, settings(self.config, but)
        window = "" if self.window is None else f"window of ±{counted(self.window, 'word')}"
        if (one := weights.pretrained) is not None:
            had = settings(one.config)
            trained = ", ".join(had[field] for field in weights.ablated(self.config) if field in had)
            ablated = f"trained with {trained}" if trained else ""
            window = window.replace("word", "token")
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
        """Return the task of the model; for models of the collection without reading their files."""
        if self.source in SOURCES:
            return MEMBERS[name_of(self.config)].task.name
        record = self.weights.record(self.config)
        assert record is not None, "a visitor's model was trained"
        return record.task

    @property
    def ablations(self) -> list[str]:
        """Return the missing parts of the trained model, in words; nothing for an untrained one."""
        return ablations(self.config, self.weights, self.window)

    @property
    def ablation(self) -> str:
        """Return the label of a picture of an ablated model; empty if nothing is missing."""
        return self.ablated_too()

    def ablated_too(self, missing: str = "", had: str = "") -> str:
        """Return the label of an ablation by the view: the model `had` in training the part now `missing`."""
        all_missing = [*self.ablations, *[missing] * bool(missing)]
        if not all_missing:
            return ""
        trained = trained_with(self.config, self.weights, self.window, had)
        return f":orange-badge[ablation] {', '.join(all_missing)}. {trained}"


@dataclass(frozen=True, kw_only=True)
class SwitchOptions:
    """Declaration of a view about its switches.

    `switches` names the controls in the sidebar, and `defaults` their values at first, layer and head
    included, if they differ from the usual ones. A view that shows several models is not of `one_model`, and
    says itself what they have learned. A view offers the `sources` of weights. A view that takes `own` models
    can show the model that the visitor trained. A view of pretrained models reads at most `pieces` pieces. If
    it is about attention `both_ways`, its usual real model attends in both directions; in all other views
    that model continues a text.
    """

    switches: frozenset[str] = frozenset()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    one_model: bool = True
    own: bool = False
    pieces: int = 0
    sources: tuple[str, ...] = tuple(SOURCES)
    both_ways: bool = False

    @property
    def real(self) -> bool:
        """Return whether its weights can come from a pretrained model."""
        return self.pieces > 0

    @property
    def usual_real(self) -> str:
        """Return the pretrained model used if the visitor names none; empty if the view takes none."""
        return (BOTH_WAYS if self.both_ways else USUAL) if self.real else ""


def architecture(
    ask: Ask,
    view: SwitchOptions,
    *,
    says_ablations: bool = True,
    is_random: Callable[[ModelConfig], bool] = lambda _: True,
) -> Architecture:
    """Return the values of a view's switches, drawn below each other; the others keep their defaults.

    Switches without effect are not offered: layers that the models of the source lack, a seed without random
    numbers, and settings that a real model fixes. A view that does not ask for the weights is not about them:
    it has all layers, no word on training, and a seed if its model `is_random`. With `says_ablations=False`
    the view names the ablations itself, because some of them are not switches. If a source has no model at
    all, no other switch is shown.
    """
    shown, asks_weights = view.switches, "model" in view.switches
    declared = (PARAMETERS[name] for name in FIELDS)
    own = [replace(one, default=view.defaults.get(one.name, one.default)) for one in declared]
    source, seed = next(iter(SOURCES)), 0
    if asks_weights:
        source = _source(ask, view)
        if find(source).why_not is not None:
            return _architecture({one.name: one.default for one in own}, source, seed)
        own = [_offered(one, find(source)) for one in own]
    if shown:
        model = find(source).pretrained
        ask.parameters.reset_if_changed("model", model.name if model else None, FIELDS)
    values = {
        one.name: _sidebar_value(one, find(source), ask) if one.name in shown else one.default for one in own
    }
    chosen = _architecture(values, source, seed)
    if "seed" in shown and (find(source).seeded if asks_weights else is_random(chosen.config)):
        chosen = replace(chosen, seed=ask.number("seed"))
    said = []
    if asks_weights and view.one_model:
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
    """Return a button to the switches of a model that comes with the app, if the chosen one does not.

    None if the chosen model has been trained, or if a switch that has to change is not `shown`.
    """
    if chosen.source != "trained":
        return None
    config = shipped_instead(chosen.config)
    there = replace(chosen, config=config)
    changes = {name: there.setting(name) for name in FIELDS if there.setting(name) != chosen.setting(name)}
    if not changes or not changes.keys() <= set(shown):
        return None
    label = f"Show {config.n_heads} heads in {config.norm}-norm"
    return Button(label, changes, key="shipped") if absent([name_of(chosen.config)]) else None


DIFFERS, AS_IN_A = "variant", "variant_rest"
"""Spots of the switches in which the second architecture differs, and of the others."""


def variant(ask: Ask, base: Architecture) -> Architecture:
    """Return a second architecture B, switch by switch as A or otherwise; its parameters start with `b_`.

    The switches in which B differs stand apart from the others.
    """
    # A real model has its own vocabulary: no other model has a matrix for the same pieces.
    model = _variant_choice(ask, "model", () if base.weights.pretrained else SOURCES)
    source, seed = base.source if model == AS_A else model, base.seed
    weights = find(source)
    values = {name: base.setting(name) for name in FIELDS}
    if values["layers"] > weights.most_layers:
        most = f"Models with B's weights have at most {weights.most_layers} layers, so B has that many."
        ask.note(Text(most, "info"))
        values["layers"] = weights.most_layers
    for name in FIELDS:
        one = _offered(PARAMETERS[name], weights)
        meanings = {setting_label(option): option for option in one.options}
        values[name] = meanings.get(_variant_choice(ask, name, meanings, label=one.label), values[name])
    if weights.seeded:
        with ask.at(DIFFERS if ask.parameters.spelling("b_seed") else AS_IN_A):
            chosen = ask.number("b_seed", unchosen=AS_A, width=NARROW)
        seed = seed if chosen is None else chosen
    return _architecture(values, source, seed)


def _variant_choice(ask: Ask, name: str, options: Iterable[str], **given: Any) -> str:
    """Return the option of a switch of B, drawn apart from the others if B differs in it."""
    name, usual = f"{OF_B}{name}", IN_COMPARISON.get(name, AS_A)
    said = ask.parameters.spelling(name)
    with ask.at(AS_IN_A if (usual if said is None else said) == AS_A else DIFFERS):
        chosen: str = ask.menu(name, options=(AS_A, *options), default=usual, width=NARROW, **given)
    return chosen


def _source(ask: Ask, view: SwitchOptions) -> str:
    """Return the name of the chosen source; a new name for every state of the visitor's own model."""
    mine = ask.parameters.own_model() if view.own else None
    offered = [*view.sources, *[REAL] * view.real, *[OWN] * bool(mine)]
    chosen = ask.choice("model", options=offered)
    if chosen == REAL:
        return real_source(ask, view.usual_real)
    return mine if mine and chosen == OWN else chosen


def _architecture(values: Mapping[str, Any], source: str, seed: int) -> Architecture:
    fields = {FIELDS[name]: value for name, value in values.items() if name in FIELDS}
    window = fields.pop("window")
    one = find(source).pretrained
    config = ModelConfig.of_switches(**fields) if one is None else replace(one.config, **fields)
    return Architecture(config, source, seed, None if window == NO_WINDOW else window)


def _offered(one: Parameter, weights: Source) -> Parameter:
    """Return the switch with the options for which these weights have a model."""
    real, field = weights.pretrained, FIELDS[one.name]
    if real is not None and field in real.options:
        return replace(one, options=real.options[field], default=getattr(real.config, field))
    if real is not None and field == "window":
        return replace(one, label="Window ± tokens")
    if field != "n_layers":
        return one
    return replace(one, options=[n for n in one.options if n <= weights.most_layers])


def _sidebar_value(one: Parameter, weights: Source, ask: Ask) -> Any:
    given = ControlOptions(label=one.label, options=one.options, default=one.default)
    if one.kind == "switch":
        return ask.switch(one.name, **given)
    if len(one.options) > MOST_IN_SIGHT:
        return ask.menu(one.name, **given | ControlOptions(width="stretch"))
    if len(one.options) == 1 and (real := weights.pretrained) is not None:
        given |= ControlOptions(help=why_fixed(real, FIELDS[one.name]), is_fixed=True)
    return ask.choice(one.name, **given)
