"""What a checkpoint says about itself, for tests that train nothing."""

from typing import Any

from core.learning.checkpoints import Config, Record
from core.learning.training import Recipe


def record_of(config: Config, **known: Any) -> Record:
    """A record of a model of `config`: what is `known`, and invented numbers for the rest."""
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
