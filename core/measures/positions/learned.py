"""A learned position table after training, and how much of it training has reached."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.model.initialisation import initialise
from core.model.models import Transformer
from core.model.positions.learned import Learned

UNTOUCHED = 0.1
"""Degrees: a row that weights at half precision make look turned by less than this has not been turned."""

Table = Float[np.ndarray, "position d_model"]


@dataclass(frozen=True)
class LearnedTable:
    """The rows of a position table before training and after it."""

    before: Table
    after: Table

    def turned(self) -> Float[np.ndarray, "position"]:
        """Degrees between each row as it was before training and as it is after."""
        cosines = (_unit(self.before) * _unit(self.after)).sum(axis=1)
        return np.degrees(np.arccos(np.clip(cosines, -1, 1)))

    @property
    def reach(self) -> int:
        """How many positions training has reached.

        A row that no sentence asks for has no gradient: weight decay makes it shorter, nothing turns it.
        Under the causal mask the last word of the longest sentence has none either: no word follows it.
        """
        return int(np.flatnonzero(self.turned() > UNTOUCHED)[-1]) + 1

    @property
    def longest_sentence(self) -> int:
        """Words of the longest training sentence of a model that predicts next words.

        Its last word is predicted from the row before, and nothing is predicted from its own.
        """
        return self.reach + 1


def learned_table(model: Transformer, *, seed: int) -> LearnedTable:
    """The table of a model with learned positions, whose training began with the weights of this seed."""
    untrained = Transformer(model.config)
    initialise(untrained, seed=seed)
    return LearnedTable(_rows(untrained), _rows(model))


def _rows(model: Transformer) -> Table:
    assert isinstance(model.positions, Learned)
    return model.positions.table.detach().cpu().double().numpy()


def _unit(rows: Table) -> Table:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
