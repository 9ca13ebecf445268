"""python -m core.learning.collection trains what is missing, one or several at once, and lists it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.learning.checkpoints import build, load, read_record, save
from core.learning.collection import MEMBERS, path_of
from core.learning.collection.__main__ import main
from core.learning.collection.checkpoint_store import altered
from core.learning.tasks import RECALL
from core.learning.training import measure
from core.model.initialisation import initialise

NAMES = ["recall-rnn", "recall-transformer"]
"""Two that are soon measured: nobody asks them a question for every phenomenon."""


def weights(path: Path) -> dict[str, list[float]]:
    """Every weight of a checkpoint, to the bit."""
    return {name: tensor.flatten().tolist() for name, tensor in load(path).state_dict().items()}


def train(*names: str, folder: Path, jobs: int = 1) -> None:
    """Train for three steps only."""
    main([*names, "--steps", "3", "--jobs", str(jobs), "--folder", str(folder)])


@pytest.mark.usefixtures("little_asked")
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


@pytest.mark.usefixtures("little_asked")
def test_what_is_damaged_is_trained_again(tmp_path: Path) -> None:
    path_of(NAMES[0], tmp_path).write_bytes(b"cut short")
    train(NAMES[0], folder=tmp_path)
    assert read_record(path_of(NAMES[0], tmp_path)).recipe.steps == 3


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
    assert altered(NAMES, tmp_path) == [spoilt]
    path.write_bytes(b"cut short")
    train(other, folder=tmp_path)
    path.write_bytes(whole)
    assert altered(NAMES, tmp_path) == [], "it was restored"
    path.write_bytes(whole[:-96] + bytes(96))
    train(spoilt, folder=tmp_path)
    assert altered(NAMES, tmp_path) == []
    trained = weights(path)
    path.write_bytes(whole)
    assert trained == weights(path)


@pytest.mark.usefixtures("little_asked")
def test_what_was_trained_and_not_listed_before_a_fall_is_listed_and_not_trained_again(
    tmp_path: Path,
) -> None:
    train(*NAMES, folder=tmp_path)
    before = [path_of(name, tmp_path).stat().st_mtime_ns for name in NAMES]
    for left in ("{}", "{"):
        (tmp_path / "index.json").write_text(left, "utf-8")
        train(*NAMES, folder=tmp_path)
        assert altered(NAMES, tmp_path) == []
        assert [path_of(name, tmp_path).stat().st_mtime_ns for name in NAMES] == before


@pytest.mark.long("what only happens in processes beside this one, each of which loads torch first")
@pytest.mark.usefixtures("one_thread")
def test_several_at_once_are_trained_as_one_after_the_other(tmp_path: Path) -> None:
    for jobs in (1, 2):
        train(*NAMES, folder=tmp_path / str(jobs), jobs=jobs)
    one, two = tmp_path / "1", tmp_path / "2"
    assert {path.name for path in two.iterdir()} == {"index.json", *(f"{n}.safetensors" for n in NAMES)}
    for name in NAMES:
        assert read_record(path_of(name, two)) == read_record(path_of(name, one))
        assert weights(path_of(name, two)) == weights(path_of(name, one))


@pytest.mark.usefixtures("little_asked")
def test_what_is_there_is_measured_again_and_keeps_its_weights(tmp_path: Path) -> None:
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
def test_a_file_that_is_not_the_one_listed_is_told(tmp_path: Path) -> None:
    train(NAMES[0], folder=tmp_path)
    path, check = path_of(NAMES[0], tmp_path), [NAMES[0], "--check", "--folder", str(tmp_path)]
    main(check)
    whole = path.read_bytes()
    path.write_bytes(whole[:-96] + bytes(96))  # it loads, and nothing else would tell
    load(path)
    with pytest.raises(SystemExit, match=rf"not as the index.*lists them: {NAMES[0]}$"):
        main(check)
    assert path.read_bytes() == whole[:-96] + bytes(96)
    path.unlink()
    with pytest.raises(SystemExit, match=NAMES[0]):
        main(check)
    assert list(tmp_path.iterdir()) == [tmp_path / "index.json"]


def test_a_model_that_does_not_exist_is_refused_with_those_that_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        train("telepathy", folder=tmp_path)
    assert "causal-rotary-4-pre" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
