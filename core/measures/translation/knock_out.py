"""Translations without a part: a source word, a head, or attention to the source."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.arrays import array_of
from core.decoding import UncachedState, decode, likeliest
from core.learning.evaluation.translation import ends
from core.learning.training import Pair
from core.model.models import EncoderDecoder
from core.model.trace import Edit, Trace, in_turn, silence
from core.sources.trained import LoadedTranslator
from core.text import translation
from core.text.language import START
from core.text.translation import END

Head = tuple[int, int]
"""A layer of the decoder and a head of its cross-attention, counted from 0."""


@dataclass(frozen=True)
class KnockOut:
    """Missing parts: a source word; heads; layers of cross-attention (a recurrent decoder has layer 0)."""

    word: int | None = None
    heads: frozenset[Head] = frozenset()
    layers: frozenset[int] = frozenset()


@torch.inference_mode()
def translate_without(loaded: LoadedTranslator, missing: KnockOut) -> tuple[str, ...]:
    """Return the greedy translation, without its end, of a model without these parts."""
    known, edits = translation.vocabulary(), _edits(loaded.model, missing)

    def logits_of(row: Tensor, target: Tensor) -> Tensor:
        logits: Tensor = loaded.model((loaded.source[row], target), trace=Trace(edits=edits, keep=[]))
        return logits

    rows = torch.zeros(1, dtype=torch.long, device=loaded.source.device)
    steps = decode(UncachedState(logits_of, rows, loaded.source.new_zeros(1, 0)), likeliest, **ends())
    return tuple(word for word in known.decode(torch.tensor([step.word for step in steps])) if word != END)


@torch.inference_mode()
def hidden_effects(loaded: LoadedTranslator, target: Sequence[str]) -> Float[np.ndarray, "target source"]:
    """Return the fall in probability of each word of `target` if a source word is hidden."""
    known, n = translation.vocabulary(), loaded.source.shape[1]
    seen = torch.cat([torch.ones(1, n), 1 - torch.eye(n)]).bool()[:, None, None].to(loaded.source.device)
    names = [f"{place}allowed" for place in _places(loaded.model)]
    trace = Trace(edits=dict.fromkeys(names, lambda allowed: allowed & seen), keep=[])
    tokens = known.encode([START, *target]).to(loaded.source.device)
    pair = loaded.source.expand(n + 1, -1), tokens.expand(n + 1, -1)
    probabilities = loaded.model(pair, trace=trace).double().softmax(dim=-1)
    asked = known.encode([*target, END]).to(probabilities.device)
    found = probabilities.gather(2, asked[..., None].expand(n + 1, -1, 1))[..., 0]
    return array_of((found[:1] - found[1:]).T)


def _places(model: Pair) -> list[str]:
    """Return the paths of a decoder's modules that attend to the source, layer by layer."""
    if not isinstance(model, EncoderDecoder):
        return [""]
    return [f"decoder.blocks.{i}.cross_attention." for i in range(model.decoder.config.n_layers)]


def _edits(model: Pair, missing: KnockOut) -> dict[str, Edit]:
    places = _places(model)
    edits: dict[str, Edit] = {}
    if missing.word is not None:
        edits |= {f"{place}allowed": _hiding(missing.word) for place in places}
    if not isinstance(model, EncoderDecoder):
        # The result of its one head is the context.
        return edits | ({"context": torch.zeros_like} if missing.heads or missing.layers else {})
    for i, place in enumerate(places):
        silenced = [silence(head=head) for layer, head in sorted(missing.heads) if layer == i]
        if silenced:
            edits[f"{place}z"] = in_turn(*silenced)
        if i in missing.layers:
            edits[f"{place}out"] = torch.zeros_like
    return edits


def _hiding(word: int) -> Edit:
    def edit(allowed: Bool[Tensor, "*rows source"]) -> Bool[Tensor, "*rows source"]:
        hidden = allowed.clone()
        hidden[..., word] = False
        return hidden

    return edit
