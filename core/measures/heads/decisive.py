"""The head that a prediction depends on most, and what is predicted without it."""

from dataclasses import dataclass

from core.measures.heads.head_effects import head_effects
from core.measures.prediction import Prediction, predict
from core.sources import LoadedModel


@dataclass(frozen=True, eq=False)
class DecisiveHead:
    """A head, its layer and itself counted from 0, with the predictions of all heads and of all but this.

    `divergence` is D(all ‖ all but this) in nats at the position asked about, the largest of the `n_heads`.
    """

    layer: int
    head: int
    divergence: float
    n_heads: int
    all_heads: Prediction
    without: Prediction


def decisive_head(loaded: LoadedModel, *, position: int) -> DecisiveHead:
    """The head whose knock-out moves the prediction at `position` most; the first of equals.

    Raises UnavailableError for a model without an output layer.
    """
    effects = head_effects(loaded, position=position)
    most = effects.loc[effects["divergence"].idxmax()]
    layer, head = int(most["layer"]) - 1, int(most["head"]) - 1
    return DecisiveHead(
        layer=layer,
        head=head,
        divergence=float(most["divergence"]),
        n_heads=len(effects),
        all_heads=predict(loaded),
        without=predict(loaded, silenced=[(layer, head)]),
    )
