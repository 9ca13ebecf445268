"""How a probe is trained: logistic regression on sentences that translators learn from."""

from dataclasses import dataclass
from itertools import islice

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.optim import Adam

from core.device import device_of
from core.learning.probes.probe import Vectors, WordProbe, fixed_vectors, words_in
from core.model.recurrent_pair import RecurrentEncoderDecoder
from core.text import translation

SMALLEST_DEVIATION = 1e-3
"""A number of the vector that hardly varies is not blown up beyond this."""


@dataclass(frozen=True, kw_only=True)
class ProbeRecipe:
    """Training of a probe: sentences, passes over them in batches, and a rate that falls in a line to 0.

    Ten seconds of one core.
    """

    n_sentences: int = 40_000
    passes: int = 15
    batch_size: int = 512
    learning_rate: float = 0.02
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("n_sentences", "passes", "batch_size", "learning_rate"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)}")
        if self.batch_size > self.n_sentences:
            raise ValueError(
                f"batch_size must be at most n_sentences, got {self.batch_size} and {self.n_sentences}"
            )

    @property
    def steps(self) -> int:
        """Batches in all; what does not fill one is left out of a pass."""
        return self.passes * (self.n_sentences // self.batch_size)


def train_probe(model: RecurrentEncoderDecoder, recipe: ProbeRecipe) -> WordProbe:
    """The probe of a translator, which is left as it is: binary cross-entropy over every word there is."""
    drawn = islice(translation.sentences(recipe.seed, split="train"), recipe.n_sentences)
    # Those of one length together, or most of what is read would be padding.
    sentences = sorted((each.words for each in drawn), key=len)
    vectors, present = fixed_vectors(model, sentences).clone(), words_in(sentences).to(device_of(model))
    return fitted(vectors, present, recipe)


def fitted(vectors: Vectors, present: Tensor, recipe: ProbeRecipe) -> WordProbe:
    """The probe for these vectors and the words that were `present`, (sentence, vocab) of 0 and 1.

    Every number of the vector is brought to mean 0 and deviation 1 while it learns, and the map to that is
    then multiplied into its own.
    """
    mean, deviation = vectors.mean(dim=0), vectors.std(dim=0).clamp(min=SMALLEST_DEVIATION)
    probe = WordProbe(vectors.shape[1]).to(vectors.device)
    with torch.no_grad():
        probe.words.weight.zero_()
        # It begins by knowing how frequent words are, and has to learn from the vector what goes beyond.
        probe.words.bias.copy_(torch.logit((present.sum(dim=0) + 0.5) / (len(present) + 1)))
    _descend(probe, (vectors - mean) / deviation, present, recipe)
    with torch.no_grad():
        probe.words.weight.div_(deviation)
        probe.words.bias.sub_(probe.words.weight @ mean)
    return probe.eval().requires_grad_(False)


def _descend(probe: WordProbe, vectors: Vectors, present: Tensor, recipe: ProbeRecipe) -> None:
    """Gradient descent on the mean over sentences of the cross-entropy summed over words."""
    generator = torch.Generator().manual_seed(recipe.seed)
    optimiser = Adam(probe.parameters(), lr=recipe.learning_rate)
    step = 0
    for _ in range(recipe.passes):
        order = torch.randperm(len(vectors), generator=generator).to(vectors.device)
        for rows in torch.split(order, recipe.batch_size)[: len(vectors) // recipe.batch_size]:
            for group in optimiser.param_groups:
                group["lr"] = recipe.learning_rate * (1 - step / recipe.steps)
            optimiser.zero_grad()
            losses = binary_cross_entropy_with_logits(probe(vectors[rows]), present[rows], reduction="none")
            torch.autograd.backward(losses.sum(dim=1).mean())
            optimiser.step()
            step += 1
