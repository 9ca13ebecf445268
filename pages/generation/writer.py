"""The language model, of three, that a view is about, and the switches of the Transformer among them."""

from dataclasses import dataclass, replace

from core.measures.distance.long_range import TRANSFORMER
from core.measures.generation.writing import WRITERS
from core.model.config import ModelConfig
from pages.contract.ask import Ask
from pages.controls.switches import Architecture, architecture
from pages.shell import View
from viz.theme import Theme

OF_THE_MODEL = frozenset({"positions", "heads", "norm"})
"""Switches of the Transformer, which is causal and has two layers, as the recurrent networks have."""

WRITER = "writer"
"""The switch that a view has whose text is by one of the three."""


@dataclass(frozen=True)
class Writer(Architecture):
    """One of the three language models; the fields of an architecture are those of the Transformer.

    Of a recurrent one it has no heads to choose from.
    """

    name: str = TRANSFORMER

    @property
    def transformer(self) -> ModelConfig:
        """The Transformer among the three."""
        return self.config


def choose_writer(ask: Ask, view: View) -> Writer:
    """What the switches say; a view without that of the writer is about all three."""
    name = TRANSFORMER
    if WRITER in view.switches:
        usual = view.defaults.get(WRITER, TRANSFORMER)
        name = ask.choice(WRITER, default=usual)
    # A view of one writer has the switches of the Transformer only while that is the one.
    shown = OF_THE_MODEL if name == TRANSFORMER or view.switches >= OF_THE_MODEL else {WRITER}
    config = architecture(ask, shown=shown, one_model=False).config
    if shown != OF_THE_MODEL:
        config = replace(config, n_heads=1)  # there are none to be chosen
    return Writer(config=config, source="trained", seed=0, name=name)


def colours(look: Theme) -> dict[str, str]:
    """The three models with their colours, in the order in which they are named."""
    return dict(zip(WRITERS, (look.recurrence, look.value, look.attention), strict=True))
