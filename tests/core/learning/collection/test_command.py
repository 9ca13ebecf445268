"""python -m core.learning.collection trains what is missing, one or several at once, and lists it."""

import json
from pathlib import Path

import pytest
import torch

from core.initialisation import initialise
from core.learning.checkpoints import build, load, read_record
from core.learning.collection import MEMBERS, path_of
from core.learning.collection.__main__ import main
from core.learning.tasks import RECALL
from core.learning.training import measure

NAMES = ["recall-rnn", "causal-none-1-pre"]


def train(*names: str, folder: Path, jobs: int = 1) -> None:
    """Train for three steps only."""
    main([*names, "--steps", "3", "--jobs", str(jobs), "--folder", str(folder)])


def test_the_command_trains_the_models_named_and_measures_them(tmp_path: Path) -> None:
    train(*NAMES, folder=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"index.json", *(f"{n}.safetensors" for n in NAMES)}
    for name in NAMES:
        record = read_record(path_of(name, tmp_path))
        assert record.config == MEMBERS[name].config
        assert record.recipe.steps == 3
        assert ("recall 1–2" in record.accuracies) == (record.task == "recall")
        untrained = build(record.config)
        initialise(untrained, seed=record.recipe.seed)
        assert not untrained.embed.weight.equal(load(path_of(name, tmp_path)).embed.weight)
    assert set(json.loads((tmp_path / "index.json").read_text("utf-8"))) == set(NAMES)


def test_a_record_is_of_the_model_as_it_comes_back_from_disk(tmp_path: Path) -> None:
    train(NAMES[0], folder=tmp_path)
    path = path_of(NAMES[0], tmp_path)
    record = read_record(path)
    # In full precision the loss differs in the fourth or fifth digit.
    assert (record.loss, record.accuracy) == pytest.approx(measure(load(path), RECALL), rel=1e-7)


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    train(NAMES[0], folder=tmp_path)
    written = path_of(NAMES[0], tmp_path).stat().st_mtime_ns
    train(NAMES[0], folder=tmp_path)
    assert path_of(NAMES[0], tmp_path).stat().st_mtime_ns == written


def test_what_is_damaged_is_trained_again(tmp_path: Path) -> None:
    path_of(NAMES[0], tmp_path).write_bytes(b"cut short")
    train(NAMES[0], folder=tmp_path)
    assert read_record(path_of(NAMES[0], tmp_path)).recipe.steps == 3


def test_the_same_seed_gives_the_same_model(tmp_path: Path) -> None:
    paths = [path_of(NAMES[1], tmp_path / folder) for folder in ("one", "two")]
    for path in paths:
        train(NAMES[1], folder=path.parent)
    one, two = (load(path).state_dict() for path in paths)
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert read_record(paths[0]) == read_record(paths[1])


def test_several_at_once_are_trained_as_one_after_the_other(tmp_path: Path) -> None:
    train(*NAMES, folder=tmp_path, jobs=2)
    assert {path.name for path in tmp_path.iterdir()} == {"index.json", *(f"{n}.safetensors" for n in NAMES)}


def test_a_model_that_does_not_exist_is_refused_with_those_that_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        train("telepathy", folder=tmp_path)
    assert "causal-rotary-4-pre" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
