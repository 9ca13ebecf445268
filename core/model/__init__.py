"""The Transformer and its recurrent rivals, to be read as a book.

It reads in this order: `config`, `positions`, `masks`, `norm`, `attention`, `blocks`, `models`, and beside
them `recurrent`, with `alignment` and `recurrent_pair` for two networks that translate; `details` are what
the models of `pretrained`, which are read from folders, have besides. A `trace` records what a model
computes, and `forward` lets one ask that record by meaning.
"""

from core.model.config import ModelConfig
from core.model.models import EncoderDecoder, Transformer
from core.model.trace import Trace

__all__ = ["EncoderDecoder", "ModelConfig", "Trace", "Transformer"]
