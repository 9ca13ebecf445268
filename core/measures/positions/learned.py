"""A learned position table after training, and how much of it training has reached."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Float

from core.learning.collection import name_of
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.models import Transformer
from core.model.positions.learned import Learned
from core.sources.trained import load_member, record_of_member

UNTOUCHED = 0.1
"""Degrees: a row that weights at half precision make look turned by less than this has not been turned."""

Table = Float[np.ndarray, "position d_model"]


@dataclass(frozen=True)
class LearnedTable:
    """The rows of a position table before training and after it."""

    before: Table
    after: Table

    def similarities(self, n_positions: int) -> Float[np.ndarray, "position other"]:
        """The cosine between the trained rows of any two of the first positions."""
        unit = _unit(self.after[:n_positions])
        return unit @ unit.T

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


def learned_table(config: ModelConfig) -> LearnedTable:
    """The table of the model trained with learned positions and the mask, heads and norm of `config`.

    Raises UnavailableError as `load_member` does.
    """
    name = name_of(replace(config, positions="learned"))
    model, record = load_member(name), record_of_member(name)
    untrained = Transformer(record.config)  # type: ignore[arg-type]
    initialise(untrained, seed=record.recipe.seed)
    return LearnedTable(_rows(untrained), _rows(model))


def _rows(model: torch.nn.Module) -> Table:
    assert isinstance(model, Transformer)
    assert isinstance(model.positions, Learned)
    return model.positions.table.detach().cpu().double().numpy()


def _unit(rows: Table) -> Table:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
