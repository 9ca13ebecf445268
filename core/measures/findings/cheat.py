"""The model that cheats, as it comes with the app: trained, measured and written to its file."""

from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from core.device import choose_device, describe
from core.learning.checkpoints import Record, halved, load, read_record, save
from core.learning.collection import path_of
from core.learning.tasks import NEXT_WORD
from core.learning.training import measure
from core.measures.masking.future import CHEAT, STEPS, UNSEEN, learn, recipe_of, with_mask_and_without
from core.model.models import Transformer


def ship(folder: Path) -> dict[str, list[float]]:
    """Learn, write the model that cheats to `folder`, and give both curves and its losses on unseen words."""
    found = learn()
    cheat = found.cheat
    halved(cheat)
    loss, accuracy = measure(cheat, NEXT_WORD)
    record = Record(
        config=cheat.config,
        task=NEXT_WORD.name,
        recipe=recipe_of(STEPS, 0),
        loss=loss,
        accuracy=accuracy,
        accuracies={},
        versions={"python": python_version(), "torch": version("torch")},
        device=describe(choose_device()),
    )
    save(path_of(CHEAT, folder), cheat, record)
    curves = {str(name): list(part["loss"]) for name, part in found.losses.groupby("model", sort=False)}
    return {**curves, UNSEEN: with_mask_and_without(cheat)}


def measure_again(folder: Path) -> list[float]:
    """Write anew what the file of the model that cheats says of it, and give its losses on unseen words."""
    path = path_of(CHEAT, folder)
    cheat, record = load(path).to(choose_device()), read_record(path)
    assert isinstance(cheat, Transformer)
    loss, accuracy = measure(cheat, NEXT_WORD)
    save(path, cheat, replace(record, loss=loss, accuracy=accuracy))
    return with_mask_and_without(cheat)
