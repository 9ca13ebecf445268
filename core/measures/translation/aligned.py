"""Words that attention links, compared with the links that the rules give."""

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.learning.evaluation import alignment
from core.learning.evaluation.translation import SENTENCES, best_head, drawn_for_testing, rates_of
from core.learning.evaluation.translation import weights as weights_of
from core.learning.training import Pair
from core.text.translation import Translation
from core.text.translation.forms import content_words


def targets_of(reference: Translation, *, content: bool) -> frozenset[int]:
    """The positions of the words of a translation, or of those that say what it is about."""
    return frozenset(at for at, word in enumerate(reference.words) if not content or word in content_words())


def n_right(weights: Float[np.ndarray, "target source"], reference: Translation, *, content: bool) -> int:
    """How many words of a translation attend most to a word that they translate."""
    links = alignment.implied(torch.tensor(weights[: len(reference.words)]))
    targets = targets_of(reference, content=content)
    return len(alignment.of_targets(links, targets) & reference.alignment)


def rates_of_test_set(model: Pair, *, n: int = SENTENCES) -> pd.DataFrame:
    """Every head's alignment error rate on test sentences, whose references it is given to write.

    Columns: layer and head, from 1; all words; content words; best, whether it is the `best_head` for content
    words, chosen on validation sentences: the record of the translator has its rate of these.
    """
    sentences, best = drawn_for_testing(n=n), best_head(model, content=True, n=n)
    found = weights_of(model, sentences)
    every, content = (array_of(rates_of(found, sentences, content=only)) for only in (False, True))
    layer, head = (indices.flatten() + 1 for indices in np.indices(every.shape))
    rates = {"all words": every.flatten(), "content words": content.flatten()}
    is_best = (layer == best[0] + 1) & (head == best[1] + 1)
    return pd.DataFrame({"layer": layer, "head": head, **rates, "best": is_best})
