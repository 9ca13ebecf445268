"""Recurrent models that write word by word: their states are all that they keep of the words before."""

from dataclasses import dataclass

from core.decoding.decoding import Logits, Words
from core.device import device_of
from core.model.recurrent import Memory, RecurrentLanguageModel, last_memories, rows_of
from core.model.recurrent_pair import Encoded, RecurrentEncoderDecoder


@dataclass(frozen=True, eq=False)
class Recurring:
    """A recurrent encoder–decoder after some words: what its decoder's layers hand on."""

    model: RecurrentEncoderDecoder
    encoded: Encoded
    memories: tuple[Memory, ...]

    def read(self, words: Words) -> tuple[Logits, "Recurring"]:
        layers = self.model.decoder(words[:, None].to(device_of(self.model)), starts=self.memories)
        logits = self.model.read_out(layers[-1][0], self.encoded)[:, -1]
        return logits, Recurring(self.model, self.encoded, last_memories(layers))

    def rows(self, chosen: Words) -> "Recurring":
        return Recurring(self.model, self.encoded.rows(chosen), rows_of(self.memories, chosen))


@dataclass(frozen=True, eq=False)
class Remembering:
    """A recurrent language model after some words: what its layers hand on, nothing before the first word."""

    model: RecurrentLanguageModel
    memories: tuple[Memory, ...] | None = None

    def read(self, words: Words) -> tuple[Logits, "Remembering"]:
        tokens = words[:, None].to(device_of(self.model))
        logits, memories = self.model.continued(tokens, starts=self.memories)
        return logits[:, -1], Remembering(self.model, memories)

    def rows(self, chosen: Words) -> "Remembering":
        return Remembering(self.model, None if self.memories is None else rows_of(self.memories, chosen))
