"""A decoder that is given the words before: the right ones, or one wrong word among them."""

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.decoding import after, begin, greedy
from core.learning.evaluation.translation import ends
from core.sources.translators import LoadedTranslator
from core.text import translation
from core.text.language import START
from core.text.translation import END


@torch.inference_mode()
def expected(
    loaded: LoadedTranslator, fed: Sequence[str], asked: Sequence[str]
) -> Float[np.ndarray, "target"]:
    """The probability of each word of `asked`, given the source and the words of `fed` before it.

    Row t is that of `asked[t]` after the start and `fed[:t]`: `asked` is one longer, and may end in the end.
    Teacher forcing feeds what is asked for.
    """
    known = translation.vocabulary()
    tokens = known.encode([START, *fed]).to(loaded.source.device)
    probabilities = loaded.model((loaded.source, tokens))[0].double().softmax(dim=-1)
    wanted = known.encode(list(asked))[0].to(probabilities.device)
    return array_of(probabilities.gather(1, wanted[:, None])[:, 0])


@torch.inference_mode()
def likeliest(loaded: LoadedTranslator, fed: Sequence[str], n: int) -> tuple[tuple[str, float], ...]:
    """The `n` likeliest words after the start and `fed`, with their probabilities."""
    known = translation.vocabulary()
    tokens = known.encode([START, *fed]).to(loaded.source.device)
    row = loaded.model((loaded.source, tokens))[0, -1].double().softmax(dim=-1)
    values, ids = row.cpu().sort(descending=True, stable=True)
    found = zip(ids[:n].tolist(), values[:n].tolist(), strict=True)
    return tuple((known.words[token], value) for token, value in found)


@torch.inference_mode()
def continued(loaded: LoadedTranslator, prefix: Sequence[str]) -> tuple[str, ...]:
    """What the model writes greedily after `prefix`, which it takes for its own words; `prefix` comes first.

    The end is left out.
    """
    known = translation.vocabulary()
    *read, last = known.encode([START, *prefix])[0].tolist()
    decoding = after(begin(loaded.model, loaded.source), read)
    steps = greedy(decoding, **{**ends(), "start": last})
    written = known.decode(torch.tensor([step.word for step in steps]))
    return (*prefix, *(word for word in written if word != END))
