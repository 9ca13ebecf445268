"""Which words attention links, compared with the links that the rules give."""

from itertools import islice

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.learning.collection.translators import TranslatorConfig
from core.learning.evaluation import alignment
from core.learning.evaluation.translation import SENTENCES, alignment_error_rates
from core.learning.weights.translators import load_translator
from core.text import translation
from core.text.language import START
from core.text.translation import Translation
from core.text.translation.forms import content_words

Rates = Float[np.ndarray, "layer head"]

SEED = 0
"""Of the test sentences that error rates are measured on."""


def rates_of_sentence(
    weights: Float[np.ndarray, "layer head target source"], reference: Translation, *, content: bool = False
) -> Rates:
    """Every head's alignment error rate on one sentence, of all its words or of its `content` words."""
    targets = targets_of(reference, content=content)
    rows = torch.tensor(weights[:, :, : len(reference.words)])
    return array_of(alignment.by_head([rows], [reference.alignment], [targets]))


def targets_of(reference: Translation, *, content: bool) -> frozenset[int]:
    """The places of the words of a translation, or of those that say what it is about."""
    return frozenset(at for at, word in enumerate(reference.words) if not content or word in content_words())


def n_right(weights: Float[np.ndarray, "target source"], reference: Translation, *, content: bool) -> int:
    """How many words of a translation attend most to a word that they translate."""
    links = alignment.implied(torch.tensor(weights[: len(reference.words)]))
    targets = targets_of(reference, content=content)
    return len(alignment.of_targets(links, targets) & reference.alignment)


def rates_of_test_set(config: TranslatorConfig, *, n: int = SENTENCES) -> pd.DataFrame:
    """Every head's alignment error rate on `n` test sentences, whose references it is given to write.

    Columns: layer and head, from 1; all words; content words. Raises UnavailableError where there is no such
    translator.
    """
    model = load_translator(config, [START]).model
    sentences = tuple(islice(translation.sentences(SEED, split="test"), n))
    every, content = (
        array_of(alignment_error_rates(model, sentences, content=only)) for only in (False, True)
    )
    layer, head = (places.flatten() + 1 for places in np.indices(every.shape))
    columns = {"layer": layer, "head": head, "all words": every.flatten(), "content words": content.flatten()}
    return pd.DataFrame(columns)
