"""An interrupted training of the collection continues where it was kept, and gives the same model."""

from contextlib import suppress
from pathlib import Path

import pytest
import torch

from core.learning.checkpoints import load, read_record
from core.learning.collection import member_training, path_of
from core.learning.collection.member_training import train
from core.learning.training import Training, TrainingStep
from tests.full_disk import full_disk

NAME = "recall-rnn"
pytestmark = pytest.mark.usefixtures("one_thread", "little_asked")


@pytest.fixture(autouse=True)
def keeping_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(member_training, "KEPT_EVERY", 2)


def steps_taken(folder: Path, monkeypatch: pytest.MonkeyPatch, steps: int = 5, *, most: int = 9) -> list[int]:
    """Train to the end, or until the interruption after some steps; return the numbers of the steps."""
    take, taken = Training._take, list[int]()

    def counted(self: Training) -> TrainingStep:
        if len(taken) == most:
            raise KeyboardInterrupt
        taken.append(self.step + 1)
        return take(self)

    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(Training, "_take", counted)
        train(NAME, folder, steps=steps)
    return taken


def test_a_training_resumes_after_an_interruption_and_a_full_disk_and_gives_the_same_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    for folder in (whole, cut):
        folder.mkdir()
    train(NAME, whole, steps=5)
    steps_taken(cut, monkeypatch, most=3)
    with full_disk(), pytest.raises(OSError, match="cannot be written"):
        train(NAME, cut, steps=5)
    assert [path.suffix for path in cut.iterdir()] == [".unfinished"]
    assert steps_taken(cut, monkeypatch) == [3, 4, 5]
    ours, theirs = (load(path_of(NAME, folder)).state_dict() for folder in (whole, cut))
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    assert read_record(path_of(NAME, whole)) == read_record(path_of(NAME, cut))
    assert [path.name for path in cut.iterdir()] == [path_of(NAME).name]


def test_the_state_of_another_training_and_a_damaged_one_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps_taken(tmp_path, monkeypatch, steps=3, most=2)
    assert steps_taken(tmp_path, monkeypatch, steps=2) == [1, 2]
    steps_taken(tmp_path, monkeypatch, steps=3, most=2)
    (kept,) = tmp_path.glob("*.unfinished")
    kept.write_bytes(kept.read_bytes()[:-9])
    assert steps_taken(tmp_path, monkeypatch, steps=3) == [1, 2, 3]
