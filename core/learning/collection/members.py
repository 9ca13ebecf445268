"""Models of the collection: one for every combination of the switches, and rival networks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from core.learning.checkpoints import Config
from core.learning.collection.classifiers import classifiers
from core.learning.collection.translators import translators
from core.learning.tasks import CLASSIFICATION, NEXT_WORD, RECALL, TASKS, TRANSLATION, Task
from core.learning.training import Recipe
from core.model.config import NORMS, POSITIONS, ModelConfig
from core.model.masks import MASKS
from core.model.recurrent import NETWORKS, Network, RecurrentConfig

HEADS = (1, 2, 4, 8)
SHIPPED_WHOLE = ("causal", "bidirectional")
"""Masks whose shipped models include all heads and norms; other masks have the default ones."""

RECIPES: dict[str, Recipe] = {
    "masked word": Recipe(steps=6000),
    "recall": Recipe(steps=5000, batch_size=64),
    "translation": Recipe(steps=3000, batch_size=64),
    "translation-lstm": Recipe(steps=3000, batch_size=64, learning_rate=8e-3),
    "classification": Recipe(steps=1500),
    "recall-rnn": Recipe(steps=5000, batch_size=64, learning_rate=2e-3),
}
"""Training recipes of tasks and single models; each rate was the best of two or three."""

D_MODEL = 48
"""Width of the Transformers, small enough to ship all of them."""

RECURRENT_WIDTH = 64
"""Width of the recurrent networks: two layers have up to twice as many parameters as a Transformer."""


@dataclass(frozen=True)
class Member:
    """A model of the collection. Unless it is `shipped`, it is trained only when named."""

    name: str
    config: Config
    task: Task
    shipped: bool = True

    @property
    def recipe(self) -> Recipe:
        """Training recipe of this model, or of its kind on this task, or of the task."""
        kind = f"{self.task.name}-{getattr(self.config, 'network', 'transformer')}"
        names = (self.name, kind, self.task.name)
        return next((RECIPES[name] for name in names if name in RECIPES), Recipe())


def transformer(task: Task, **fields: object) -> ModelConfig:
    """Return the configuration trained on `task` for these switches."""
    return ModelConfig(vocab_size=len(task.vocabulary()), d_model=D_MODEL, tied=True, **fields)  # type: ignore[arg-type]


def name_of(config: ModelConfig) -> str:
    """Return the name of the member trained with the positions, mask, heads and norm of `config`."""
    return f"{config.mask}-{config.positions}-{config.n_heads}-{config.norm}"


def recurrent(task: Task, network: Network) -> RecurrentConfig:
    """Return the configuration of a recurrent network trained on `task`."""
    return RecurrentConfig(
        vocab_size=len(task.vocabulary()), network=network, d_model=RECURRENT_WIDTH, n_layers=2
    )


def _members() -> Iterator[Member]:
    """Yield all members, those that visitors meet first at the beginning."""
    for norm, mask, positions, heads in product(NORMS, MASKS, POSITIONS, HEADS):
        task = TASKS[MASKS[mask].objective]
        config = transformer(task, norm=norm, mask=mask, positions=positions, n_heads=heads)
        shipped = mask in SHIPPED_WHOLE or (norm, heads) == (ModelConfig.norm, ModelConfig.n_heads)
        yield Member(name_of(config), config, task, shipped)
    for task in (NEXT_WORD, RECALL):
        for network in NETWORKS:
            yield Member(f"{task.name.replace(' ', '-')}-{network}", recurrent(task, network), task)
    yield Member(f"{RECALL.name}-transformer", transformer(RECALL), RECALL)
    for name, classifier in classifiers().items():
        yield Member(name, classifier, CLASSIFICATION)
    for name, pair in translators().items():
        yield Member(name, pair, TRANSLATION)


MEMBERS = {member.name: member for member in _members()}


def shipped_instead(config: ModelConfig) -> ModelConfig:
    """Return the nearest combination of switches whose model is shipped; this one, if it is."""
    if MEMBERS[name_of(config)].shipped:
        return config
    return replace(config, n_heads=ModelConfig.n_heads, norm=ModelConfig.norm)


SHIPPED = tuple(name for name, member in MEMBERS.items() if member.shipped)
