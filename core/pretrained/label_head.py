"""The head of a sequence classifier: probabilities of labels from the state of the first token."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import linear

from core.pretrained.errors import visible_text
from core.pretrained.weights import Weights

MOST_LABELS, LONGEST_LABEL = 1000, 60
"""Greatest number of labels that are read, and of characters of each that are shown."""


class HeadNames(NamedTuple):
    """Names of the two linear maps of a head in a folder, and the function between them."""

    first: str
    last: str
    activation: Literal["tanh", "relu"]


@dataclass(frozen=True, eq=False)
class LabelHead:
    """Two linear maps, each a matrix and a bias, with an activation between them; one row per label."""

    labels: tuple[str, ...]
    first: tuple[Tensor, Tensor]
    last: tuple[Tensor, Tensor]
    activation: Literal["tanh", "relu"]

    def probabilities(self, states: Float[Tensor, "batch position d_model"]) -> Float[Tensor, "batch label"]:
        """Return the probability of each label, from the first of the model's last states."""
        hidden = linear(states[:, 0], *(one.to(states) for one in self.first))
        hidden = hidden.tanh() if self.activation == "tanh" else hidden.relu()
        return linear(hidden, *(one.to(states) for one in self.last)).double().softmax(dim=-1)


def read_label_head(
    raw_config: Mapping[str, object], weights: Weights, names: HeadNames, d_model: int
) -> LabelHead | None:
    """Return the head of a folder; None unless it has several labels that exclude each other."""
    n_labels = weights.n_rows(f"{names.last}.weight")
    if raw_config.get("problem_type") not in (None, "single_label_classification"):
        return None
    if not 2 <= n_labels <= MOST_LABELS:
        return None
    shapes = {names.first: (d_model, d_model), names.last: (n_labels, d_model)}
    first, last = (
        (weights.use(f"{name}.weight", shape), weights.use(f"{name}.bias", shape[:1]))
        for name, shape in shapes.items()
    )
    named = raw_config.get("id2label")
    texts = named if isinstance(named, dict) else {}
    labels = (str(texts.get(str(at), f"LABEL_{at}")) for at in range(n_labels))
    return LabelHead(
        tuple(visible_text(label)[:LONGEST_LABEL] for label in labels), first, last, names.activation
    )
