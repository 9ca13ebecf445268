"""Making a member of the collection: train it, measure it, save it, and measure it again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from tqdm import tqdm

from core.device import choose_device, describe
from core.learning.checkpoints import Config, Record, build, load, read_record, round_to_half, save
from core.learning.collection.checkpoint_store import FOLDER, path_of
from core.learning.collection.members import MEMBERS
from core.learning.evaluation import classification, phenomena, recall, translation
from core.learning.tasks import MASKED_WORD, NEXT_WORD, RECALL, TRANSLATION, Performance, Task
from core.learning.training import Model, Pair, Recipe, Training, measure
from core.model.classifier import SequenceClassifier
from core.model.initialisation import initialise

ROUNDING = 1e-3
"""Tolerance of a loss in nats, or of an accuracy over all words, on another machine."""

TIES = 2 / 256
"""Tolerance of a share of a few hundred answers: another machine may round two ties differently."""


def train(name: str, folder: Path, *, steps: int | None = None, progress: bool = False) -> None:
    """Train one member, and write its checkpoint; `steps` shortens the training for a trial."""
    member = MEMBERS[name]
    recipe = member.recipe if steps is None else replace(member.recipe, steps=steps)
    training = new_training(member.config, member.task, recipe)
    bar = tqdm(training.steps(), total=recipe.steps, desc=name, disable=not progress, leave=False)
    for step in bar:
        bar.set_postfix(loss=f"{step.loss:.2f}")
    model = training.model
    save(path_of(name, folder), model, make_record(round_to_half(model), member.task, recipe))


def measure_again(name: str, folder: Path) -> None:
    """Measure a checkpoint again and write its record anew, for new questions. Its weights stay."""
    path = path_of(name, folder)
    model, record = load(path).to(choose_device()), read_record(path)
    found = make_record(model, MEMBERS[name].task, record.recipe)
    save(path, model, replace(found, versions=record.versions, device=record.device))


def new_training(config: Config, task: Task, recipe: Recipe) -> Training:
    """Return a training before its first step, on the device in use; one seed sets weights and batches."""
    model = build(config)
    initialise(model, seed=recipe.seed)
    return Training(model.to(choose_device()), task, recipe)


def make_record(
    model: Model, task: Task, recipe: Recipe, *, tested: Performance | None = None, in_detail: bool = True
) -> Record:
    """Return the record of a trained model, measured on sentences that it has never seen.

    `tested` is the result if it was tested before. Accuracies `in_detail` take many times as long.
    """
    loss, accuracy = tested or measure(model, task)
    return Record(
        config=model.config,
        task=task.name,
        recipe=recipe,
        loss=loss,
        accuracy=accuracy,
        accuracies=_accuracies(model, task) if in_detail else {},
        versions={"python": python_version(), "torch": version("torch")},
        device=describe(choose_device()),
    )


def _accuracies(model: Model, task: Task) -> dict[str, float]:
    """Return accuracies in more detail than one number for the whole task."""
    if task is TRANSLATION:
        assert isinstance(model, Pair), "translation has two sequences"
        return translation.accuracies(model)
    if isinstance(model, SequenceClassifier):
        return classification.accuracies(model)
    if task in (NEXT_WORD, MASKED_WORD):
        return phenomena.accuracies(model)
    return recall.accuracies(model) if task is RECALL else {}


def mismatches(name: str, folder: Path = FOLDER) -> list[str]:
    """Return a line for each number in a member's record that a new measurement does not confirm."""
    path = path_of(name, folder)
    record = read_record(path)
    again = make_record(load(path).to(choose_device()), MEMBERS[name].task, record.recipe)
    wholes = [{"loss": one.loss, "accuracy": one.accuracy} for one in (record, again)]
    shares = (record.accuracies, again.accuracies)
    return [*differences(name, *wholes, most=ROUNDING), *differences(name, *shares, most=TIES)]


def differences(
    name: str, claimed: Mapping[str, float], found: Mapping[str, float], *, most: float
) -> Iterator[str]:
    """Yield a line for each number that differs by more than `most`, or that only one of the two has."""
    nothing = float("nan")
    for what in {**claimed, **found}:
        one, other = claimed.get(what, nothing), found.get(what, nothing)
        if not abs(one - other) <= most:
            yield f"{name}: {what} is {one:.4f} in the record and {other:.4f} measured again"


def fail(lines: Sequence[str]) -> None:
    """Exit with these lines as the error, if there are any."""
    if lines:
        raise SystemExit("\n".join(lines))
