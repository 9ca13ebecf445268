"""A linear probe: from the vector that an encoder hands over to the words of the sentence it has read."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.device import device_of
from core.learning.tasks.translation import pair_batch
from core.model.recurrent_pair import RecurrentEncoderDecoder
from core.text import language

Vectors = Float[Tensor, "sentence d_vector"]
Words = Sequence[str]

AT_ONCE = 512
"""Number of sentences that are read together."""


class WordProbe(nn.Module):
    """The logit of "this word was in the sentence" for each word of the source language: W v + b.

    One linear map, so that what it tells lies open in the vector: nothing is worked out on the way.
    """

    def __init__(self, d_vector: int) -> None:
        super().__init__()
        self.words = nn.Linear(d_vector, len(language.vocabulary()))

    def forward(self, vectors: Vectors) -> Float[Tensor, "sentence vocab"]:
        """Logits; their sigmoids are probabilities of one word each, and do not sum to 1."""
        return self.words(vectors)


@torch.inference_mode()
def fixed_vectors(model: RecurrentEncoderDecoder, sentences: Sequence[Words]) -> Vectors:
    """What the decoder begins with after each sentence: the encoder's last state, [h; cell] in an LSTM.

    Raises KeyError naming words that are not of the language.
    """
    found = []
    for first in range(0, len(sentences), AT_ONCE):
        batch = pair_batch([(words, ()) for words in sentences[first : first + AT_ONCE]]).to(device_of(model))
        encoded = model.encode(batch.source, source_allowed=batch.source_allowed)
        found.append(torch.cat(encoded.ends[-1], dim=-1))
    return torch.cat(found)


def words_in(sentences: Sequence[Words]) -> Float[Tensor, "sentence vocab"]:
    """1 for every word of the source language that a sentence has, 0 for the others."""
    known = language.vocabulary()
    found = torch.zeros(len(sentences), len(known))
    for row, words in zip(found, sentences, strict=True):
        row[known.encode(words)[0]] = 1
    return found
