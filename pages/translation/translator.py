"""The switches of the translators, in place of the explorer's switches."""

from contextlib import suppress
from dataclasses import dataclass

from core.device import choose_device, describe
from core.learning.collection.translators import (
    ATTENTIONS_OF,
    HEADS,
    LAYERS,
    TranslatorConfig,
    recurrent_pair,
    transformer_pair,
)
from core.model.config import ModelConfig, PairConfig
from core.model.recurrent import Network
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentPairConfig
from core.sources import Source, UnavailableError, find
from core.sources.pairs import NONE_THERE, available_pairs, configs_of
from core.sources.pretrained import source_name
from core.sources.trained import record_of_translator
from core.text.translation import NAME
from pages.contract.ask import Ask
from pages.contract.items import Hub
from pages.contract.model_descriptions import in_words, settings, trained_on
from pages.contract.real import REAL, note_kept_elsewhere, real_model
from pages.contract.switches import Architecture
from pages.contract.view import View
from pages.contract.weights import not_there
from pages.translation.kinds import ENCODER
from words import per_cent

TRANSFORMER = "Transformer"
NETWORKS: dict[str, Network] = {"LSTM": "lstm", "RNN": "rnn"}
TRANSLATOR = "translator"
"""Switch of a view whose numbers belong to one translator."""


USUAL = transformer_pair(HEADS[-2], LAYERS[-1])


@dataclass(frozen=True)
class Translator(Architecture):
    """A model of the collection that translates; the fields of an architecture are those of its decoder."""

    pair: TranslatorConfig = USUAL

    def described(self, *but: str) -> str:
        """Return the translator in words."""
        return in_words(self.pair, trained_on("translation"), but=but)

    @property
    def name(self) -> str:
        """Return the model in words."""
        return name_of(self.pair)

    @property
    def is_transformer(self) -> bool:
        """Return whether both sides are Transformers."""
        return isinstance(self.pair, PairConfig)

    @property
    def signed(self) -> bool:
        """Return whether its weights may be negative, as without a softmax."""
        return isinstance(self.pair, RecurrentPairConfig) and self.pair.attention == "linear"

    @property
    def attends(self) -> bool:
        """Return whether its decoder attends to the source."""
        return isinstance(self.pair, PairConfig) or self.pair.attention != FIXED_VECTOR


def name_of(pair: TranslatorConfig) -> str:
    """Return a translator in words: the network, and its attention."""
    if isinstance(pair, PairConfig):
        return TRANSFORMER
    network = pair.network.upper()
    if pair.attention == FIXED_VECTOR:
        return f"{network} without attention"
    return f"{network} with {pair.attention} attention"


@dataclass(frozen=True)
class RealPair(Architecture):
    """An encoder–decoder from the folder of this `name`, which is empty if there is none.

    The fields of an architecture are those of the side whose heads are shown.
    """

    name: str = ""

    def described(self, *but: str) -> str:
        """Return the pair in words: the folder, and the side whose heads are shown."""
        return f"{self.name}: {', '.join(settings(self.config, but).values())}"

    @property
    def weights(self) -> Source:
        """Return the source whose model reads the sentence; without one it says what to do."""
        return find(self.source) if self.name else NONE_THERE


def choose_translator(ask: Ask, view: View) -> Architecture:
    """Return the translator of the switches, or a real model; a view that shows several has none."""
    if TRANSLATOR not in view.switches:
        return translator_of(USUAL)
    offered = [TRANSFORMER, *NETWORKS, *[REAL] * view.real]
    network = ask.choice(TRANSLATOR, options=offered)
    if network == REAL:
        return _real_pair(ask)
    if not view.real and ask.parameters.spelling("model") != REAL:
        note_kept_elsewhere(ask, TRANSLATOR)
    chosen = translator_of(_transformer(ask) if network == TRANSFORMER else _recurrent(ask, network))
    ask.caption(_learned(chosen))
    ask.caption(f"Computed on {describe(choose_device())}.")
    return chosen


def _real_pair(ask: Ask) -> RealPair:
    """Return the pretrained encoder–decoder chosen in a menu of the available ones."""
    offered, name = available_pairs(), ""
    if offered:
        name = real_model(ask, offered)
    ask.add(Hub())
    config = ModelConfig.of_switches()  # the configuration of no model
    with suppress(UnavailableError):  # the page says why
        if name:
            configs = configs_of(name)
            config = configs.encoder if ask.parameters.spelling("kind") == ENCODER else configs.decoder
            ask.caption(f"Computed on {describe(choose_device())}.")
    return RealPair(config=config, source=source_name(name), seed=0, name=name)


def translator_of(pair: TranslatorConfig) -> Translator:
    """Return a translator as a model for pages."""
    decoder = pair.decoder if isinstance(pair, PairConfig) else _recurrent_decoder(pair)
    return Translator(config=decoder, source="trained", seed=0, pair=pair)


def _transformer(ask: Ask) -> TranslatorConfig:
    heads = ask.choice("heads")
    layers = ask.choice("layers", label="Layers on each side", options=LAYERS)
    return transformer_pair(heads, layers)


def _recurrent(ask: Ask, network: str) -> TranslatorConfig:
    offered = ATTENTIONS_OF[NETWORKS[network]]
    attention = ask.choice("attention", options=offered)
    return recurrent_pair(NETWORKS[network], attention)


def _recurrent_decoder(pair: RecurrentPairConfig) -> ModelConfig:
    """Return a configuration with as many layers as a recurrent decoder has, each with one head."""
    return ModelConfig(
        vocab_size=pair.vocab_size, d_model=pair.d_model, n_layers=pair.n_layers, n_heads=1, positions="none"
    )


def _learned(chosen: Translator) -> str:
    """Return a sentence on the accuracy of the model."""
    try:
        record = record_of_translator(chosen.pair)
    except UnavailableError as error:
        return not_there(error)
    return (
        f"Trained to translate a small artificial English into {NAME}. It translates "
        f"{per_cent(record.accuracies['sentences'])} of unseen sentences with every word right."
    )
