"""A recurrent decoder that writes word by word: its state is all that it keeps of the words before."""

from dataclasses import dataclass

from core.decoding.decoding import Logits, Words
from core.device import device_of
from core.recurrent import Memory
from core.recurrent_pair import Encoded, RecurrentEncoderDecoder


@dataclass(frozen=True, eq=False)
class Recurring:
    """A recurrent encoder–decoder after some words: what its decoder's layers hand on."""

    model: RecurrentEncoderDecoder
    encoded: Encoded
    memories: tuple[Memory, ...]

    def read(self, words: Words) -> tuple[Logits, "Recurring"]:
        layers = self.model.decoder(words[:, None].to(device_of(self.model)), starts=self.memories)
        logits = self.model.read_out(layers[-1][0], self.encoded)[:, -1]
        memories = tuple(tuple(states[:, -1] for states in layer) for layer in layers)
        return logits, Recurring(self.model, self.encoded, memories)

    def rows(self, chosen: Words) -> "Recurring":
        return Recurring(self.model, self.encoded.rows(chosen), _rows(self.memories, chosen))


def _rows(memories: tuple[Memory, ...], chosen: Words) -> tuple[Memory, ...]:
    return tuple(tuple(state[chosen] for state in memory) for memory in memories)
