"""Recall and agreement of trained networks over long distances."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from core.learning.checkpoints import Record
from core.learning.collection import name_of
from core.learning.evaluation import recall
from core.learning.evaluation.phenomena import DISTANCES, baseline, is_no_better
from core.model.config import ModelConfig
from core.model.recurrent import Network

TRANSFORMER = "Transformer"
RECURRENT: Mapping[str, Network] = {"LSTM": "lstm", "RNN": "rnn"}
N_LAYERS = 2

EVEN_WITHIN = 0.05
"""Accuracies within this difference count as equal: they come from a few hundred answers each."""

ROUNDING = 1e-9
"""Difference of margins that is rounding of the same counts."""


def rivals(what: str, config: ModelConfig) -> dict[str, str]:
    """Return the members of the three networks compared on `recall` or `agreement`, by their titles."""
    if what == "recall":
        return {TRANSFORMER: "recall-transformer"} | {
            name: f"recall-{one}" for name, one in RECURRENT.items()
        }
    language_models = {name: f"next-word-{network}" for name, network in RECURRENT.items()}
    return {TRANSFORMER: name_of(replace(config, mask="causal"))} | language_models


def accuracy_table(what: str, records: Mapping[str, Record]) -> pd.DataFrame:
    """Return the share of right answers by network and distance: columns network, group, words, accuracy."""
    rows = [
        (network, group, f"{first}–{last}", record.accuracies[f"{what} {first}–{last}"])
        for network, record in records.items()
        for group, (first, last) in enumerate(DISTANCES)
    ]
    return pd.DataFrame(rows, columns=["network", "group", "words", "accuracy"])


def baselines(what: str) -> tuple[float, ...]:
    """Return the accuracy without reading for each group of distances."""
    names = [f"{what} {first}–{last}" for first, last in DISTANCES]
    return tuple(recall.baselines()[name] if what == "recall" else baseline(name) for name in names)


@dataclass(frozen=True)
class Standing:
    """One network by group of distances; `margins` are its accuracies less the Transformer's."""

    accuracies: tuple[float, ...]
    margins: tuple[float, ...]
    guesses: tuple[int, ...]

    @property
    def ahead(self) -> tuple[int, ...]:
        return tuple(group for group, margin in enumerate(self.margins) if margin > EVEN_WITHIN + ROUNDING)

    @property
    def behind(self) -> tuple[int, ...]:
        return tuple(group for group, margin in enumerate(self.margins) if margin < -EVEN_WITHIN - ROUNDING)


def standings(table: pd.DataFrame, baselines: Sequence[float]) -> dict[str, Standing]:
    """Return each network's standing in an `accuracy_table`; `baselines` are accuracies without reading."""
    found = {str(name): list(rows["accuracy"]) for name, rows in table.groupby("network", sort=False)}
    return {name: _standing(shares, found[TRANSFORMER], baselines) for name, shares in found.items()}


def _standing(shares: Sequence[float], others: Sequence[float], baselines: Sequence[float]) -> Standing:
    margins = [share - other for share, other in zip(shares, others, strict=True)]
    is_guess = [is_no_better(share, level) for share, level in zip(shares, baselines, strict=True)]
    guesses = tuple(group for group, guess in enumerate(is_guess) if guess)
    return Standing(tuple(shares), tuple(margins), guesses)
