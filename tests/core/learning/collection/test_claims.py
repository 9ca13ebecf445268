"""The claims in the records of the collection hold for two models: `make collection-check` checks all."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.learning.checkpoints import load, read_record, save
from core.learning.collection import path_of
from core.learning.collection.__main__ import main
from core.learning.collection.member_training import ROUNDING, TIES, mismatches

NAME = "recall-rnn"


@pytest.mark.long("a record that is not of its weights, or a language that has changed under its models")
@pytest.mark.parametrize("name", ["next-word-lstm", "translation-lstm-dot"])
def test_the_claims_of_a_record_are_measured_again(name: str) -> None:
    assert mismatches(name) == []


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with one model in it, whose record is true."""
    path = path_of(NAME, tmp_path)
    path.write_bytes(path_of(NAME).read_bytes())
    return tmp_path


def claim(shelf: Path, **changes: object) -> None:
    """Have the record say something else about the same weights."""
    path = path_of(NAME, shelf)
    save(path, load(path), replace(read_record(path), **changes))


@pytest.mark.long("all claims of a model")
def test_a_number_that_differs_is_named(shelf: Path) -> None:
    assert mismatches(NAME, shelf) == []
    record = read_record(path_of(NAME, shelf))
    claim(shelf, loss=record.loss + 2 * ROUNDING, accuracy=record.accuracy - 2 * ROUNDING)
    assert [line.split(" is ")[0] for line in mismatches(NAME, shelf)] == [
        f"{NAME}: loss",
        f"{NAME}: accuracy",
    ]

    first, *others = record.accuracies
    shares = {**record.accuracies, first: record.accuracies[first] - 2 * TIES, "telepathy": 0.5}
    del shares[others[-1]]
    claim(shelf, loss=record.loss, accuracy=record.accuracy, accuracies=shares)
    before = path_of(NAME, shelf).read_bytes()
    with pytest.raises(SystemExit, match=f"{NAME}: telepathy is 0.5000 in the record and nan measured again"):
        main([NAME, "--claims", "--folder", str(shelf)])
    assert path_of(NAME, shelf).read_bytes() == before
    assert {line.split(" is ")[0] for line in mismatches(NAME, shelf)} == {
        f"{NAME}: {what}" for what in (first, others[-1], "telepathy")
    }
