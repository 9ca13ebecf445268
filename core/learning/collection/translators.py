"""The models that translate: Transformers by heads and layers, and recurrent pairs by attention."""

from itertools import product

from core.learning.tasks import TRANSLATION
from core.model.config import ModelConfig, PairConfig
from core.model.recurrent import Network
from core.model.recurrent_pair import ATTENTIONS, RecurrentPairConfig
from core.text import language

HEADS, LAYERS = (1, 2, 4, 8), (1, 2)
D_MODEL, RECURRENT_WIDTH = 48, 64
"""Widths of the Transformers and of the recurrent networks: all of them take less than 5 MB."""

ATTENTIONS_OF: dict[Network, tuple[str, ...]] = {"lstm": ATTENTIONS, "rnn": ("none", "dot")}
"""Score functions are compared with LSTMs; attention helps an RNN in the same way."""


TranslatorConfig = PairConfig | RecurrentPairConfig


def transformer_pair(n_heads: int, n_layers: int) -> PairConfig:
    """Return a Transformer with this many layers and heads on each side."""
    sides = {"d_model": D_MODEL, "n_heads": n_heads, "n_layers": n_layers, "positions": "rotary"}
    source, target = len(language.vocabulary()), len(TRANSLATION.vocabulary())
    return PairConfig(
        encoder=ModelConfig(vocab_size=source, mask="bidirectional", **sides),  # type: ignore[arg-type]
        decoder=ModelConfig(vocab_size=target, tied=True, **sides),  # type: ignore[arg-type]
    )


def recurrent_pair(network: Network, attention: str) -> RecurrentPairConfig:
    """Return the configuration of a recurrent translator with an attention."""
    return RecurrentPairConfig(
        source_vocab_size=len(language.vocabulary()),
        vocab_size=len(TRANSLATION.vocabulary()),
        network=network,
        attention=attention,
        d_model=RECURRENT_WIDTH,
    )


def name_of_pair(config: TranslatorConfig) -> str:
    """Return the name of a translator in the collection."""
    if isinstance(config, PairConfig):
        return f"translation-transformer-{config.decoder.n_heads}-{config.decoder.n_layers}"
    return f"translation-{config.network}-{config.attention}"


def translators() -> dict[str, TranslatorConfig]:
    """Return the configurations of all translators by name."""
    found: list[TranslatorConfig] = [transformer_pair(n, layers) for layers, n in product(LAYERS, HEADS)]
    found += [recurrent_pair(network, one) for network, every in ATTENTIONS_OF.items() for one in every]
    return {name_of_pair(pair): pair for pair in found}
