"""python -m core.learning.collection trains missing models, one or several at once, and lists them."""

import json
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from core.learning.checkpoints import build, load, read_record, save
from core.learning.collection import MEMBERS, path_of
from core.learning.collection.__main__ import _each, main
from core.learning.collection.checkpoint_store import altered_members
from core.learning.tasks import RECALL
from core.learning.training import measure
from core.model.initialisation import initialise

NAMES = ["recall-rnn", "recall-transformer"]
"""Two models that are quickly measured, because they are asked about no phenomenon."""


def weights(path: Path) -> dict[str, list[float]]:
    """Return every weight of a checkpoint, to the bit."""
    return {name: tensor.flatten().tolist() for name, tensor in load(path).state_dict().items()}


def train(*names: str, folder: Path) -> None:
    """Train for three steps only."""
    main([*names, "--steps", "3", "--folder", str(folder)])


@pytest.mark.usefixtures("little_asked")
def test_the_command_trains_the_models_named_and_measures_them(tmp_path: Path) -> None:
    train(*NAMES, folder=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"index.json", *(f"{n}.safetensors" for n in NAMES)}
    for name in NAMES:
        record = read_record(path_of(name, tmp_path))
        assert record.config == MEMBERS[name].config
        assert record.recipe.steps == 3
        assert "recall 1–2" in record.accuracies
        untrained = build(record.config)
        initialise(untrained, seed=record.recipe.seed)
        assert not untrained.embed.weight.equal(load(path_of(name, tmp_path)).embed.weight)
        # Measured as it comes back from disk: in full precision the loss differs in the fourth digit.
        measured = measure(load(path_of(name, tmp_path)), RECALL, n_batches=1, size=5)
        assert (record.loss, record.accuracy) == pytest.approx(measured, rel=1e-7)
    assert set(json.loads((tmp_path / "index.json").read_text("utf-8"))) == set(NAMES)


@pytest.mark.usefixtures("little_asked")
def test_another_file_than_the_one_listed_is_trained_again_and_not_listed_for_another_ones_sake(
    tmp_path: Path,
) -> None:
    spoilt, other = NAMES
    train(spoilt, folder=tmp_path)
    path = path_of(spoilt, tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-96] + bytes(96))
    train(other, folder=tmp_path)
    assert altered_members(NAMES, tmp_path) == [spoilt]
    path.write_bytes(b"cut short")
    train(other, folder=tmp_path)
    path.write_bytes(whole)
    assert altered_members(NAMES, tmp_path) == [], "it was restored"
    path.write_bytes(whole[:-96] + bytes(96))
    train(spoilt, folder=tmp_path)
    assert altered_members(NAMES, tmp_path) == []
    trained = weights(path)
    path.write_bytes(whole)
    assert trained == weights(path)


@pytest.mark.usefixtures("little_asked")
def test_models_trained_but_not_listed_before_a_crash_are_listed_and_not_trained_again(
    tmp_path: Path,
) -> None:
    train(*NAMES, folder=tmp_path)
    before = [path_of(name, tmp_path).stat().st_mtime_ns for name in NAMES]
    for left in ("{}", "{"):
        (tmp_path / "index.json").write_text(left, "utf-8")
        train(*NAMES, folder=tmp_path)
        assert altered_members(NAMES, tmp_path) == []
        assert [path_of(name, tmp_path).stat().st_mtime_ns for name in NAMES] == before


@pytest.mark.long("what only happens in processes beside this one, each of which loads torch first")
def test_parallel_trainings_give_the_same_models_as_serial_ones(tmp_path: Path) -> None:
    several, one = (Namespace(jobs=jobs, folder=tmp_path) for jobs in (2, 1))
    assert set(_each(NAMES, path_of, several)) == set(_each(NAMES, path_of, one)) != set()


@pytest.mark.usefixtures("little_asked")
def test_existing_models_are_measured_again_and_keep_their_weights(tmp_path: Path) -> None:
    train(NAMES[0], folder=tmp_path)
    path = path_of(NAMES[0], tmp_path)
    record, before = read_record(path), weights(path)
    stale = replace(record, loss=99.0, accuracy=0.0, accuracies={"telepathy": 1.0}, device="another machine")
    save(path, load(path), stale)
    main(["--measure", "--folder", str(tmp_path)])
    assert read_record(path) == replace(record, device="another machine")
    assert weights(path) == before
    index = json.loads((tmp_path / "index.json").read_text("utf-8"))
    assert list(index) == NAMES[:1]
    assert index[NAMES[0]]["loss"] == record.loss


@pytest.mark.usefixtures("little_asked")
def test_a_file_that_differs_from_the_list_is_named(tmp_path: Path) -> None:
    train(NAMES[0], folder=tmp_path)
    path, check = path_of(NAMES[0], tmp_path), [NAMES[0], "--check", "--folder", str(tmp_path)]
    main(check)
    whole = path.read_bytes()
    path.write_bytes(whole[:-96] + bytes(96))  # it loads, and nothing else would tell
    load(path)
    with pytest.raises(SystemExit, match=f"not as the index lists it: {NAMES[0]}$"):
        main(check)
    assert path.read_bytes() == whole[:-96] + bytes(96)
    path.unlink()
    with pytest.raises(SystemExit, match=NAMES[0]):
        main(check)
    assert list(tmp_path.iterdir()) == [tmp_path / "index.json"]


def test_an_unknown_model_is_refused_with_the_existing_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        train("telepathy", folder=tmp_path)
    assert "causal-rotary-4-pre" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
