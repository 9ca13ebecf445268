"""How a member of the collection comes about: trained, measured and put on the shelf."""

from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from tqdm import tqdm

from core.device import choose_device, describe
from core.learning.checkpoints import Config, Record, build, halved, load, read_record, save
from core.learning.collection.checkpoint_store import path_of
from core.learning.collection.members import MEMBERS
from core.learning.collection.unfinished import KEPT_EVERY, Unfinished
from core.learning.evaluation import classification, phenomena, recall, translation
from core.learning.tasks import MASKED_WORD, NEXT_WORD, RECALL, TRANSLATION, Task
from core.learning.training import Model, Pair, Recipe, Training, measure
from core.model.classifier import SequenceClassifier
from core.model.initialisation import initialise


def train(name: str, folder: Path, *, steps: int | None = None, progress: bool = False) -> None:
    """Train one member and write its checkpoint; `steps` other than its recipe's are for a trial.

    A training that was cut off goes on where it was last kept, and comes to the same.
    """
    member = MEMBERS[name]
    recipe = member.recipe if steps is None else replace(member.recipe, steps=steps)
    training, path = begin(member.config, member.task, recipe), path_of(name, folder)
    unfinished = Unfinished(path.with_suffix(".unfinished"), repr((member.config, recipe)))
    unfinished.resume(training)
    start, total = training.step, recipe.steps
    bar = tqdm(training.steps(), initial=start, total=total, desc=name, disable=not progress, leave=False)
    for step in bar:
        bar.set_postfix(loss=f"{step.loss:.2f}")
        if step.step % KEPT_EVERY == 0:
            unfinished.keep(training)
    model = training.model
    save(path, model, described(halved(model), member.task, recipe))
    unfinished.forget()


def measure_again(name: str, folder: Path) -> None:
    """Write anew what a checkpoint says it can do: for when something else is asked. Its weights stay."""
    path = path_of(name, folder)
    model, record = load(path).to(choose_device()), read_record(path)
    found = described(model, MEMBERS[name].task, record.recipe)
    save(path, model, replace(found, versions=record.versions, device=record.device))


def begin(config: Config, task: Task, recipe: Recipe) -> Training:
    """A training before its first step, on the device in use; its seed is that of the first weights too."""
    model = build(config)
    initialise(model, seed=recipe.seed)
    return Training(model.to(choose_device()), task, recipe)


def described(model: Model, task: Task, recipe: Recipe) -> Record:
    """What can be said of a trained model: all of it measured, on sentences it has never seen."""
    loss, accuracy = measure(model, task)
    return Record(
        config=model.config,
        task=task.name,
        recipe=recipe,
        loss=loss,
        accuracy=accuracy,
        accuracies=_accuracies(model, task),
        versions={"python": python_version(), "torch": version("torch")},
        device=describe(choose_device()),
    )


def _accuracies(model: Model, task: Task) -> dict[str, float]:
    """The shares of right answers that tell more than one number for all of the task."""
    if task is TRANSLATION:
        assert isinstance(model, Pair), "translation has two sequences"
        return translation.accuracies(model)
    if isinstance(model, SequenceClassifier):
        return classification.accuracies(model)
    if task in (NEXT_WORD, MASKED_WORD):
        return phenomena.accuracies(model)
    return recall.accuracies(model) if task is RECALL else {}
