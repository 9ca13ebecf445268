"""Kinds of attention heads with a name in the literature, recognised by the scores of a model's heads."""

from collections.abc import Mapping
from types import MappingProxyType

import pandas as pd

from core.measures.heads.scores import INDUCTION, SPECIAL
from core.measures.heads.sinks import LEAST, MOST

KINDS: Mapping[str, str] = MappingProxyType(
    {
        INDUCTION: "induction",
        "previous word": "previous token",
        "next word": "next token",
        "first word": "first-token sink",
        SPECIAL: "special-token sink",
    }
)
"""The name of a kind, by the score of its heads."""


def kinds_of_heads(scores: pd.DataFrame) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return the scores for which heads have a name, by layer and head from 1; most heads have none.

    `scores` is a table of `head_scores`. A head is of a kind if it gives on average more than half of its
    attention to the word that the score is about: half is the threshold of an attention sink, too. In a
    narrow window half may be no more than chance, so it also has to be clearly above equal weights.
    """
    is_above = scores["value"] - scores["baseline"] >= LEAST * (1 - scores["baseline"])
    high = scores[scores["score"].isin(list(KINDS)) & (scores["value"] > MOST) & is_above]
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for kind in KINDS:
        of_kind = high[high["score"] == kind]
        for head in zip(of_kind["layer"].tolist(), of_kind["head"].tolist(), strict=True):
            found[head] = (*found.get(head, ()), kind)
    return found
