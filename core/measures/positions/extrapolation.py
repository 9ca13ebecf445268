"""Trained causal models on sentences longer than any in training, scheme by scheme."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

import pandas as pd
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.learning.collection import name_of
from core.learning.evaluation.phenomena import Question, correct, questions
from core.learning.tasks.sentences import rows
from core.learning.training import Model
from core.measures.findings import stored_measurement
from core.model.config import POSITIONS, ModelConfig
from core.text.language import sentences

LENGTH = 240
"""Words of the measured sentences: four times the longest in training, and within every learned table."""

N_SENTENCES = 32
STEP = 16
"""Number of positions that are averaged into one number."""

DISTANCES = (16, 48, 96, 160, 240)
"""Distances from a subject to its verb, in words; training goes to 48."""

N_QUESTIONS = 48

GUESSING = 0.5

Losses = Float[Tensor, "sentence later_position"]


Load = Callable[[str], Model]
"""A loader of a member of the collection by its name; raises OSError if it is missing."""


def losses(config: ModelConfig, load: Load) -> pd.DataFrame:
    """Return the mean loss in nats of every position scheme on long sentences.

    Columns: positions, position (the middle of STEP of them, counted from 1), loss. A missing model has no
    rows.
    """
    middles = [at + (STEP + 1) / 2 for at in range(0, LENGTH, STEP)]
    return _by_scheme(config, load, LOSS_BY_PLACE, middles, ["positions", "position", "loss"])


def verbs(config: ModelConfig, load: Load) -> pd.DataFrame:
    """Return how often each scheme gets verbs right, in the form of `losses`.

    Columns: positions, distance, accuracy, low and high (± 1 standard error of `N_QUESTIONS` verbs).
    """
    table = _by_scheme(config, load, RIGHT_VERBS, DISTANCES, ["positions", "distance", "accuracy"])
    error = (table["accuracy"] * (1 - table["accuracy"]) / N_QUESTIONS) ** 0.5
    return table.assign(low=table["accuracy"] - error, high=table["accuracy"] + error)


def loss_by_place(model: Model) -> list[float]:
    """Return the mean loss in nats of every STEP positions of long sentences."""
    found = word_losses(model, long_sentences())
    # The first word has no loss, so found[:, 0] is about the second word.
    return [float(found[:, max(0, at - 1) : at + STEP - 1].mean()) for at in range(0, LENGTH, STEP)]


def right_verbs(model: Model) -> list[float]:
    """Return the share of verbs in the number of their subject, for every one of DISTANCES."""
    return [float(correct(model, verb_questions(distance)).float().mean()) for distance in DISTANCES]


def measured_of(config: ModelConfig) -> list[ModelConfig]:
    """Return the configurations of the measured models: causal, with every position scheme."""
    return [replace(config, mask="causal", positions=positions) for positions in POSITIONS]


LOSS_BY_PLACE, RIGHT_VERBS = "loss by place", "right verbs"
MEASURES = {LOSS_BY_PLACE: loss_by_place, RIGHT_VERBS: right_verbs}
"""The measures of a model, by their names in the findings."""


def before_and_after(table: pd.DataFrame, place: str, reach: int) -> list[tuple[str, float, float]]:
    """Return the mean loss of each scheme within `reach` and in the last quarter of column `place`."""
    within, at_end = table[table[place] + STEP / 2 <= reach], table[table[place] > 3 * LENGTH / 4]
    means = [part.groupby("positions", sort=False)["loss"].mean() for part in (within, at_end)]
    return [(str(name), float(means[0][name]), float(means[1][name])) for name in means[0].index]


@torch.inference_mode()
def word_losses(model: Model, tokens: Int[Tensor, "sentence position"]) -> Losses:
    """Return the loss in nats of each word after the first, given all words before it."""
    tokens = tokens.to(next(model.parameters()).device)
    logits, targets = model(tokens)[:, :-1], tokens[:, 1:]
    return cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").view(targets.shape)


@cache
def long_sentences() -> Int[Tensor, "sentence position"]:
    """Return token ids of test sentences of `LENGTH` words."""
    drawn = sentences(0, split="test", constructions=["agreement"], distance={LENGTH: 1.0})
    tokens, _ = rows([sentence.words[:LENGTH] for sentence in islice(drawn, N_SENTENCES)])
    return tokens


@cache
def verb_questions(distance: int) -> tuple[Question, ...]:
    """Return questions about verbs at a distance from their subject."""
    return tuple(islice(questions("agreement", distance={distance: 1.0}), N_QUESTIONS))


def _by_scheme(
    config: ModelConfig, load: Load, what: str, places: Sequence[float], columns: list[str]
) -> pd.DataFrame:
    found = []
    for each in measured_of(config):
        name, positions = name_of(each), each.positions
        try:
            values = stored_measurement(name, what) or MEASURES[what](load(name))
        except OSError:
            continue
        found += [(positions, at, value) for at, value in zip(places, values, strict=True)]
    return pd.DataFrame(found, columns=columns)
