"""The Transformer and its recurrent rivals, to be read as a book.

Read in this order: `config`, `positions`, `masks`, `norm`, `attention`, `blocks`, `models`. Beside them are
`recurrent`, and `alignment` and `recurrent_pair` for two networks that translate. `family_options` has the
parts that only models read from folders by `core.pretrained` have. A `trace` records what a model computes,
and `forward` looks results up by meaning.
"""

from core.model.config import ModelConfig
from core.model.models import EncoderDecoder, Transformer
from core.model.trace import Trace

__all__ = ["EncoderDecoder", "ModelConfig", "Trace", "Transformer"]
