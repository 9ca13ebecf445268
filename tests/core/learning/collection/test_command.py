"""python -m core.learning.collection trains missing models, one or several at once, and lists them."""

import json
import shutil
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from core.learning.checkpoints import build, load, read_record, save
from core.learning.collection import MEMBERS, path_of
from core.learning.collection.__main__ import _each, main
from core.learning.collection.checkpoint_store import altered_members
from core.learning.collection.member_training import ROUNDING, TIES, mismatches
from core.learning.tasks import RECALL
from core.learning.training import measure
from core.model.initialisation import initialise
from tests.records import ask_little

NAMES = ["recall-rnn", "recall-transformer"]
"""Two models that are quickly measured, because they are asked about no phenomenon."""


def weights(path: Path) -> dict[str, list[float]]:
    """Return every weight of a checkpoint, to the bit."""
    return {name: tensor.flatten().tolist() for name, tensor in load(path).state_dict().items()}


def train(*names: str, folder: Path) -> None:
    """Train for three steps only."""
    main([*names, "--steps", "3", "--folder", str(folder)])


@pytest.mark.long("what only happens in processes beside this one, each of which loads torch first")
def test_parallel_trainings_give_the_same_models_as_serial_ones(tmp_path: Path) -> None:
    several, one = (Namespace(jobs=jobs, folder=tmp_path) for jobs in (2, 1))
    assert set(_each(NAMES, path_of, several)) == set(_each(NAMES, path_of, one)) != set()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both models, trained by the command."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        ask_little(patch)
        train(*NAMES, folder=folder)
    return folder


@pytest.fixture
def shelf(made: Path, tmp_path: Path, little_asked: None) -> Path:
    """A copy of it."""
    return shutil.copytree(made, tmp_path, dirs_exist_ok=True)


def spoil(path: Path) -> bytes:
    """Change the last weights of a file, which still loads, and return the whole one."""
    whole = path.read_bytes()
    path.write_bytes(whole[:-96] + bytes(96))
    return whole


def test_the_command_trains_the_models_named_and_measures_them(shelf: Path) -> None:
    assert {path.name for path in shelf.iterdir()} == {"index.json", *(f"{n}.safetensors" for n in NAMES)}
    for name in NAMES:
        record = read_record(path_of(name, shelf))
        assert (record.config, record.recipe.steps) == (MEMBERS[name].config, 3)
        assert "recall 1–2" in record.accuracies
        untrained = build(record.config)
        initialise(untrained, seed=record.recipe.seed)
        assert not untrained.embed.weight.equal(load(path_of(name, shelf)).embed.weight)
        # Measured as it comes back from disk: in full precision the loss differs in the fourth digit.
        measured = measure(load(path_of(name, shelf)), RECALL, n_batches=1, size=5)
        assert (record.loss, record.accuracy) == pytest.approx(measured, rel=1e-7)
    assert set(json.loads((shelf / "index.json").read_text("utf-8"))) == set(NAMES)


def test_a_spoilt_file_is_named_by_the_check_and_trained_again_only_if_it_is_asked_for(shelf: Path) -> None:
    spoilt, other = NAMES
    path, check = path_of(spoilt, shelf), [spoilt, "--check", "--folder", str(shelf)]
    main(check)
    whole = spoil(path)
    before = path.read_bytes()
    with pytest.raises(SystemExit, match=f"not as the index lists it: {spoilt}$"):
        main(check)
    train(other, folder=shelf)
    assert altered_members(NAMES, shelf) == [spoilt]
    assert path.read_bytes() == before
    path.write_bytes(b"cut short")
    train(other, folder=shelf)
    path.write_bytes(whole)
    assert altered_members(NAMES, shelf) == [], "it was restored"
    expected = weights(path)
    spoil(path)
    train(spoilt, folder=shelf)
    assert altered_members(NAMES, shelf) == []
    assert weights(path) == expected
    path.unlink()
    with pytest.raises(SystemExit, match=spoilt):
        main(check)
    assert not path.exists()


def test_models_trained_but_not_listed_before_a_crash_are_listed_and_not_trained_again(shelf: Path) -> None:
    before = [path_of(name, shelf).stat().st_mtime_ns for name in NAMES]
    for left in ("{}", "{"):
        (shelf / "index.json").write_text(left, "utf-8")
        train(*NAMES, folder=shelf)
        assert altered_members(NAMES, shelf) == []
        assert [path_of(name, shelf).stat().st_mtime_ns for name in NAMES] == before


def test_existing_models_are_measured_again_and_keep_their_weights(shelf: Path) -> None:
    path_of(NAMES[1], shelf).unlink()
    path = path_of(NAMES[0], shelf)
    record, before = read_record(path), weights(path)
    stale = replace(record, loss=99.0, accuracy=0.0, accuracies={"telepathy": 1.0}, device="another machine")
    save(path, load(path), stale)
    main(["--measure", "--folder", str(shelf)])
    assert read_record(path) == replace(record, device="another machine")
    assert weights(path) == before
    index = json.loads((shelf / "index.json").read_text("utf-8"))
    assert list(index) == NAMES[:1]
    assert index[NAMES[0]]["loss"] == record.loss


def test_an_unknown_model_is_refused_with_the_existing_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        train("telepathy", folder=tmp_path)
    assert "causal-rotary-4-pre" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long("all claims of a model")
def test_a_number_that_differs_is_named(tmp_path: Path) -> None:
    name = NAMES[0]
    path = path_of(name, tmp_path)
    path.write_bytes(path_of(name).read_bytes())
    assert mismatches(name, tmp_path) == []
    record = read_record(path)
    first, *others = record.accuracies
    shares = {**record.accuracies, first: record.accuracies[first] - 2 * TIES, "telepathy": 0.5}
    del shares[others[-1]]
    save(path, load(path), replace(record, loss=record.loss + 2 * ROUNDING, accuracies=shares))
    before = path.read_bytes()
    with pytest.raises(SystemExit, match=f"{name}: telepathy is 0.5000 in the record and nan measured again"):
        main([name, "--claims", "--folder", str(tmp_path)])
    assert path.read_bytes() == before
    assert {line.split(" is ")[0] for line in mismatches(name, tmp_path)} == {
        f"{name}: {what}" for what in ("loss", first, others[-1], "telepathy")
    }
