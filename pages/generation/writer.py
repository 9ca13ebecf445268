"""The three language models that write, the model of a view, and the Transformer's switches."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.decoding import LanguageModel
from core.measures.distance.long_range import TRANSFORMER
from core.measures.generation.continuation import can_generate
from core.measures.generation.writing import WRITERS, member_of
from core.model.config import ModelConfig
from core.sources import LoadedModel
from core.sources.trained import load_language_model
from pages.contract.ask import Ask
from pages.contract.examples import CHEF
from pages.contract.model_descriptions import mask_in_words, member, members
from pages.contract.prose import literal
from pages.contract.real import REAL, is_asked_for
from pages.contract.sheet import Caption
from pages.contract.switches import Architecture, architecture
from pages.contract.view import View
from viz.theme import Role

OF_THE_MODEL = frozenset({"positions", "heads", "norm"})
"""Switches of the Transformer, which is causal and has two layers, as the recurrent networks have."""

WRITER = "writer"
"""Switch of a view of the text by one of the three."""

STORES = CHEF.removesuffix(" is")
"""The verb that follows agrees with the second word, not with the last one."""

EXAMPLES = (
    STORES,
    "the",
    "near the",
    "mina lost her lamp but",
    "the key that the gardeners",
    "zuko praised maria and maria praised",
)

OF_A_PAIR = (
    "The page shows the encoder of {}. Its decoder writes: "
    "[Translation](/translation?view=cross-attention&translator=real) shows it."
)
SEES_THE_NEXT = (
    "With {} a {} attends to later ones, so the model would read the next one before it predicts it: choose "
    "the causal mask."
)

OF_ALL: dict[str, Any] = {
    "sentence": STORES,
    "examples": EXAMPLES,
    "switches": OF_THE_MODEL,
    "one_model": False,
}
"""Settings of a view of all three models."""

OF_ONE: dict[str, Any] = {**OF_ALL, "switches": OF_THE_MODEL | {WRITER}}
"""Settings of a view of the text by one of them."""


@dataclass(frozen=True)
class Writer(Architecture):
    """One of the three language models; the fields of an architecture are those of the Transformer."""

    name: str = TRANSFORMER

    def described(self, *but: str) -> str:
        """Return the writer in words."""
        return member(member_of(self.name, self.config))


def choose_writer(ask: Ask, view: View) -> Architecture:
    """Return the values of the switches; a view without a switch for the writer is about all three.

    A view of real models has their switches; a view of all three shows a real model alone.
    """
    if view.real and WRITER not in view.switches:
        return architecture(ask, view)
    if view.real and is_asked_for(ask.parameters):
        return architecture(ask, replace(view, switches=view.switches - {WRITER}, one_model=True))
    if view.real:
        ask.choice("model", options=[*view.sources, REAL])
    name = TRANSFORMER
    if WRITER in view.switches:
        name = ask.choice(WRITER, default=view.defaults.get(WRITER, TRANSFORMER))
    config = architecture(ask, replace(view, switches=OF_THE_MODEL)).config
    return Writer(config=config, source="trained", seed=0, name=name)


def model_of(writer: str, config: ModelConfig) -> LanguageModel:
    """Return a writer, which all visitors share and nothing may change; `config` is the Transformer's.

    Raises UnavailableError if it has not been trained.
    """
    return load_language_model(member_of(writer, config))


def all_models(config: ModelConfig) -> dict[str, LanguageModel]:
    """Return all three. Raises UnavailableError if one has not been trained."""
    return {writer: model_of(writer, config) for writer in WRITERS}


ROLES: Mapping[str, Role] = {"RNN": "recurrence", "LSTM": "value", TRANSFORMER: "attention"}
"""Roles of the three models' colours, in the order in which the models are named."""


def caption(config: ModelConfig, *notes: str, chosen: bool = True, measured: bool = False) -> Caption:
    """Return the caption of a picture of all three."""
    names = [member_of(writer, config) for writer in WRITERS]
    return Caption(models=lambda: members(names), notes=notes, chosen=chosen, measured=measured)


def why_not_written(model: LoadedModel, otherwise: str, *, unit: str) -> str:
    """Return why a model continues no text with these switches; empty if it does.

    `otherwise` is the reason of a model that was not trained for it.
    """
    if can_generate(model):
        return ""
    one, mask = model.pretrained, mask_in_words(model.model.config.mask)
    if one is not None and not one.whole:
        return OF_A_PAIR.format(literal(one.title))
    return SEES_THE_NEXT.format(mask, unit) if model.predicts_next else otherwise
