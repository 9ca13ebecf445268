"""Five short trainings, measured once and shipped: with and without residual connections and warm-up.

`python -m core.measures.blocks.trainings` trains them again and writes the file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import fmean

from core.learning.collection import FOLDER
from core.learning.collection.measured_numbers import read_numbers, write_numbers
from core.learning.tasks import NEXT_WORD
from core.learning.training import Recipe, Training
from core.measures.blocks.short_training import small
from core.model.config import ModelConfig, Norm
from core.model.initialisation import initialise
from core.model.models import Transformer

FILE = "trainings.json"
N_BLOCKS, STEPS, WARM_UP, AVERAGED = 6, 200, 80, 10
"""What all of them have, the steps of a warm-up, and over how many steps losses are averaged."""

RATE, BATCH = 0.005, 16


@dataclass(frozen=True)
class Setting:
    """What one of the trainings has; `warm_up` in steps, of which 1 is none."""

    norm: Norm
    warm_up: int
    residual: bool = True

    @property
    def recipe(self) -> Recipe:
        """How it is trained."""
        return Recipe(steps=STEPS, batch_size=BATCH, learning_rate=RATE, warm_up=self.warm_up)

    @property
    def config(self) -> ModelConfig:
        """The model that is trained."""
        one = small(ModelConfig.of_switches(), self.norm, n_layers=N_BLOCKS)
        return replace(one, residual=self.residual)


PRE, POST, PRE_WARM, POST_WARM, PRE_BARE = (
    "pre",
    "post",
    "pre, warm-up",
    "post, warm-up",
    "no residual",
)
SETTINGS: Mapping[str, Setting] = {
    PRE: Setting("pre", 1),
    POST: Setting("post", 1),
    PRE_WARM: Setting("pre", WARM_UP),
    POST_WARM: Setting("post", WARM_UP),
    PRE_BARE: Setting("pre", 1, residual=False),
}


def train(setting: Setting) -> Iterator[float]:
    """The loss of every step in nats, before the weights move; on the CPU."""
    model = Transformer(setting.config)
    initialise(model, seed=setting.recipe.seed)
    for step in Training(model, NEXT_WORD, setting.recipe).steps():
        yield step.loss


def means(losses: Iterator[float]) -> Iterator[float]:
    """The mean of each `AVERAGED` steps."""
    while some := list(islice(losses, AVERAGED)):
        yield round(fmean(some), 4)


@cache
def measured(folder: Path = FOLDER) -> Mapping[str, list[float]]:
    """Mean losses of every training, by its name; raises OSError where the file is missing or another one."""
    return read_numbers(FILE, folder)


def main() -> None:
    """Train all of them, and write the file."""
    write_numbers(FILE, {name: list(means(train(setting))) for name, setting in SETTINGS.items()})


if __name__ == "__main__":
    main()
