"""Losses of the shipped trainings, and colours of the three placements of layer norm."""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from core.learning.tasks import NEXT_WORD, chance
from core.measures.blocks.norms import (
    AVERAGED,
    BATCH,
    D_MODEL,
    N_BLOCKS,
    RATE,
    SETTINGS,
    STEPS,
    read_shipped_losses,
)
from pages.contract.model_descriptions import trained_on
from pages.contract.sheet import Caption, PicturePart, Text
from viz.curves import Curves
from viz.theme import Role
from words import magnitude

Losses = Mapping[str, Sequence[float]]

ALIKE, APART = 0.15, 0.4
"""Nats up to which two losses are about the same, and from which they differ."""

FREQUENCIES = "word frequencies alone"
"""Name of the level of a model that knows only word frequencies."""


MISSING = Text(
    "The file `checkpoints/trainings.json` is missing or altered: restore it, "
    "or `python -m core.measures.blocks.norms` trains the models again.",
    "warning",
)

CAPTION = Caption(
    models=lambda: (
        f"Transformers {trained_on(NEXT_WORD.name)}: {N_BLOCKS} layers, width {D_MODEL}, {STEPS} steps of "
        f"{BATCH} sentences, learning rate {RATE:g}",
    ),
    notes=(f"points: means of {AVERAGED} steps",),
    chosen=False,
)

SETTING = (
    f"Each model has {N_BLOCKS} blocks of width {D_MODEL} and learns next-word prediction in a small "
    f"artificial English. All learn from the same {STEPS} batches of {BATCH} sentences. The learning rate "
    f"starts at {RATE:g} and falls along a cosine. The models were trained once, and the losses come with "
    "the app: `python -m core.measures.blocks.norms` trains them again. A point is the mean loss of "
    f"{AVERAGED} steps."
)


ROLES: Mapping[str, Role] = {"pre": "attention", "post": "value", "none": "recurrence"}
"""The roles of the colours of the three placements of the norm, in the order in which they are named."""


def frequencies_loss() -> float:
    """Return the loss of a model that knows only word frequencies."""
    return chance(NEXT_WORD).loss


def kept_losses() -> Losses | None:
    """Return the shipped losses, by the names of their settings; None without the file."""
    try:
        return read_shipped_losses()
    except OSError:
        return None


def loss_curves(
    key: str,
    losses: Losses,
    names: Mapping[str, str],
    own: Mapping[str, Role],
    *,
    title: str,
    ends: Collection[str] | None = None,
) -> PicturePart:
    """Return losses against steps: `names` of curves and `own` colours, both by the name of the setting.

    The last losses of the settings `ends`, or of all, are marked.
    """
    rows = [
        {"model": names[setting], "steps": AVERAGED * (at + 1), "loss": loss}
        for setting in names
        for at, loss in enumerate(losses[setting])
    ]
    marked = names if ends is None else ends
    points = [
        (float(AVERAGED * len(losses[one])), losses[one][-1], f"{losses[one][-1]:.2f}") for one in marked
    ]
    picture = Curves(
        rows=pd.DataFrame(rows),
        title=title,
        x="steps",
        y="loss",
        by="model",
        say=magnitude,
        colours={names[setting]: own[setting] for setting in names},
        dashed=[names[setting] for setting in names if SETTINGS[setting].warm_up > 1],
        x_title="training steps",
        y_title="loss, nats per word",
        level=(frequencies_loss(), FREQUENCIES),
        points=points,
    )
    return PicturePart(key, picture, caption=CAPTION)
