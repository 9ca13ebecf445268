"""A pretrained encoder–decoder in place of the collection's translators."""

from contextlib import suppress
from dataclasses import dataclass

from core.device import choose_device, describe
from core.model.config import ModelConfig
from core.sources import Source, UnavailableError, find
from core.sources.pairs import NONE_THERE, configs_of, pairs_there
from core.sources.pretrained import source_name
from pages.contract.ask import Ask
from pages.contract.items import Hub
from pages.controls.real import real_model
from pages.controls.switches import Architecture
from pages.translation.kinds import ENCODER


@dataclass(frozen=True)
class RealPair(Architecture):
    """An encoder–decoder read from the folder of this `name`, which is empty where there is none.

    The fields of an architecture are those of the side whose heads are shown.
    """

    name: str = ""

    @property
    def weights(self) -> Source:
        """The source whose model reads the sentence; one that says what to do where there is none."""
        return find(self.source) if self.name else NONE_THERE


def choose_real_pair(ask: Ask) -> RealPair:
    """The encoder–decoder chosen in a menu of those that there are."""
    offered, name = pairs_there(), ""
    if offered:
        name = real_model(ask, offered)
    ask.add(Hub())
    config = ModelConfig.of_switches()  # of no model
    with suppress(UnavailableError):  # the page says why
        if name:
            configs = configs_of(name)
            config = configs.encoder if ask.answers.spelling("kind") == ENCODER else configs.decoder
            ask.caption(f"Computed on {describe(choose_device())}.")
    return RealPair(config=config, source=source_name(name), seed=0, name=name)
