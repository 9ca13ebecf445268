"""Records of checkpoints, for tests that train nothing."""

from functools import partial
from typing import Any

import pytest

from core.learning.checkpoints import Config, Record
from core.learning.evaluation import recall
from core.learning.training import Recipe, measure


@pytest.fixture
def little_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure models trained by tests on few sentences, if the numbers do not matter."""
    ask_little(monkeypatch)


def ask_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the same for a fixture that many tests share."""
    monkeypatch.setattr(recall, "accuracies", partial(recall.accuracies, n_batches=16))
    for module in ("core.learning.collection.member_training", "core.live.run"):
        monkeypatch.setattr(f"{module}.measure", partial(measure, n_batches=1, size=5))


def record_of(config: Config, **known: Any) -> Record:
    """Return a record of a model of `config`: the values in `known`, and invented numbers for the rest."""
    invented = {
        "task": "next word",
        "recipe": Recipe(),
        "loss": 1.25,
        "accuracy": 0.5,
        "accuracies": {},
        "versions": {"torch": "2.13.0"},
        "device": "CPU, 1 thread",
    }
    return Record(config=config, **(invented | known))
