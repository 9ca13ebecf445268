"""The head of a model that stands out: chosen on one half of the sample, and rated on the other."""

import pandas as pd

from core.measures.heads.head_scores import above_chance


def chosen_and_rated(table: pd.DataFrame) -> pd.Series:
    """The row of `head_scores` whose share is furthest above equal weights on the half that is to choose by.

    Who had chosen it where it is rated would have praised it for its luck too.
    """
    shares = above_chance(table).dropna(subset=["choosing", "rated"])
    found: pd.Series = shares.loc[shares["choosing"].idxmax()]
    return found
