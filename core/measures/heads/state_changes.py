"""What the last states of a sentence owe to heads: how far they move without some, or without each alone."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.arrays import array_of
from core.measures.heads.each_head import last_states, listed
from core.measures.prediction import Head, knock_out
from core.model.forward import forward_pass
from core.model.masks.combining import window_if_any
from core.sources import LoadedModel


@dataclass(frozen=True, eq=False)
class StateChanges:
    """How the last states h of a sentence differ without some heads. Immutable, so visitors can share it.

    `moved` is ‖Δh‖ / ‖h‖ of each token, and `cosines` are those between its state before and after.
    `sentence_moved` and `sentence_cosine` say the same of the mean of all states, the vector of the sentence
    (Reimers and Gurevych 2019, section 3). A vector without length has a cosine of 0 with any other.
    """

    moved: Float[np.ndarray, "position"]
    cosines: Float[np.ndarray, "position"]
    sentence_moved: float
    sentence_cosine: float

    @property
    def mean(self) -> float:
        """The mean of `moved` over all tokens."""
        return float(self.moved.mean())


def state_changes(
    loaded: LoadedModel, *, silenced: Iterable[Head], window: int | None = None
) -> StateChanges:
    """How the states that leave the model change, those of special tokens too, without the heads `silenced`.

    The arguments are those of `core.measures.prediction.predict`, and a model needs no output layer. Raises
    ValueError for a head that the model does not have.
    """
    edits = knock_out(frozenset(silenced), loaded.model.config)
    allowed = _window(loaded, window)
    before, after = (
        forward_pass(
            loaded.model, loaded.tokens, allowed=allowed, edits=made, keep=["norm"], states_only=True
        )
        .last_states[0]
        .double()
        for made in ({}, edits)
    )
    whole, less = before.mean(dim=0), after.mean(dim=0)
    return StateChanges(
        moved=array_of(_moved(before, after)),
        cosines=array_of(torch.cosine_similarity(before, after, dim=-1)),
        sentence_moved=float(_moved(whole, less)),
        sentence_cosine=float(torch.cosine_similarity(whole, less, dim=-1)),
    )


def every_head(loaded: LoadedModel, *, window: int | None = None) -> pd.DataFrame:
    """For every head alone how far the last states move without it: the mean of ‖Δh‖ / ‖h‖ over all tokens.

    A row for each head, `layer` and `head` counted from 1, and the column `change`. `each_head.longest` says
    how long a sentence may be.
    """
    states = last_states(loaded.model, loaded.tokens, allowed=_window(loaded, window))
    before = next(states).double()
    changes = [_moved(before, after.double()).mean(dim=-1) for after in states]
    return listed(loaded.model.config).assign(change=array_of(torch.cat(changes)))


def _window(loaded: LoadedModel, width: int | None) -> Bool[Tensor, "1 1 query key"] | None:
    return window_if_any(loaded.tokens.shape[1], width=width, device=loaded.tokens.device)


def _moved(before: Float[Tensor, "*#n d_model"], after: Float[Tensor, "*n d_model"]) -> Float[Tensor, "*n"]:
    """‖after − before‖ / ‖before‖; 0 where nothing moved, even from 0."""
    change = (after - before).norm(dim=-1)
    return torch.where(change == 0, change, change / before.norm(dim=-1))
