"""A Transformer, an LSTM and an RNN over long ranges: what they get right, and what influences them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.device import device_of
from core.learning.checkpoints import Record
from core.learning.collection import name_of
from core.learning.evaluation import recall
from core.learning.evaluation.baselines import baseline, is_no_better
from core.learning.evaluation.phenomena import DISTANCES
from core.learning.training import Model
from core.measures.distance.influence import influence
from core.model.config import ModelConfig
from core.model.models import Tokens
from core.model.recurrent import Network

TRANSFORMER = "Transformer"
RECURRENT: Mapping[str, Network] = MappingProxyType({"LSTM": "lstm", "RNN": "rnn"})
N_LAYERS = 2
"""How deep all three are."""

EVEN_WITHIN = 0.05
"""Accuracies that are no further apart count as alike: they come from a few hundred answers each."""

ROUNDING = 1e-9
"""A margin larger than another by less than this is that of the same counts."""


def rivals(what: str, config: ModelConfig) -> dict[str, str]:
    """The names in the collection of the three networks that are compared on `recall` or `agreement`.

    For agreement the Transformer is the causal one with the positions, heads and norm of `config`.
    """
    if what == "recall":
        return {TRANSFORMER: "recall-transformer"} | {
            name: f"recall-{one}" for name, one in RECURRENT.items()
        }
    language_models = {name: f"next-word-{network}" for name, network in RECURRENT.items()}
    return {TRANSFORMER: name_of(replace(config, mask="causal"))} | language_models


def accuracy_table(what: str, records: Mapping[str, Record]) -> pd.DataFrame:
    """The share of right answers of every network by distance: columns network, group, words, accuracy.

    `group` counts the groups of distances, from 0, and `words` says which they are.
    """
    rows = [
        (network, group, f"{first}–{last}", record.accuracies[f"{what} {first}–{last}"])
        for network, record in records.items()
        for group, (first, last) in enumerate(DISTANCES)
    ]
    return pd.DataFrame(rows, columns=["network", "group", "words", "accuracy"])


def baselines(what: str) -> tuple[float, ...]:
    """The share of right answers of who remembers nothing, for each group of distances.

    For `recall` that is to name the digit seen most often, for `agreement` one form of the verb or always the
    more frequent one.
    """
    names = [f"{what} {first}–{last}" for first, last in DISTANCES]
    return tuple(recall.baselines()[name] if what == "recall" else baseline(name) for name in names)


@dataclass(frozen=True)
class Standing:
    """One network beside the Transformer, group for group of distances, the shortest first.

    `margins` are its accuracies less the Transformer's. It is `ahead` and `behind` in the groups, counted
    from 0, where a margin is more than `EVEN_WITHIN`, and `guesses` where it is no better than the baseline.
    """

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
    """How each network of an `accuracy_table` stands; `baselines` are the groups' without reading."""
    found = {str(name): list(rows["accuracy"]) for name, rows in table.groupby("network", sort=False)}
    return {name: _standing(shares, found[TRANSFORMER], baselines) for name, shares in found.items()}


def _standing(shares: Sequence[float], others: Sequence[float], baselines: Sequence[float]) -> Standing:
    margins = [share - other for share, other in zip(shares, others, strict=True)]
    is_guess = [is_no_better(share, level) for share, level in zip(shares, baselines, strict=True)]
    guesses = tuple(group for group, guess in enumerate(is_guess) if guess)
    return Standing(tuple(shares), tuple(margins), guesses)


@dataclass(frozen=True, eq=False)
class Influences:
    """The influence of every word on one state of each network."""

    norms: Mapping[str, Float[np.ndarray, "position"]]

    def shares(self) -> Float[np.ndarray, "network position"]:
        """Each word's share of the whole, so that networks whose vectors are of another length compare.

        Not a number in a network whose norms no float can hold, or are all 0.
        """
        return np.stack([_shares(norms) for norms in self.norms.values()])

    def mean_distances(self, target: int) -> Float[np.ndarray, "network"]:
        """How many words away the influence on the state of word `target` comes from, the mean by share."""
        shares = self.shares()
        return np.asarray(shares @ np.abs(np.arange(shares.shape[1]) - target))


def _shares(norms: Float[np.ndarray, "position"]) -> Float[np.ndarray, "position"]:
    whole = norms.sum(dtype=np.float64)
    return norms / whole if 0 < whole < np.inf else np.full(norms.shape, np.nan)


def influences(models: Mapping[str, Model], tokens: Tokens, target: int) -> Influences:
    """The influence of every word on the state of the word at `target`, as `influence` defines it."""
    return Influences(
        {
            name: influence(model, tokens.to(device_of(model)), target).cpu().numpy()
            for name, model in models.items()
        }
    )
