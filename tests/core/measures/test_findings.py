"""Shipped findings equal new measurements, and count only for the measured files."""

import json
import shutil
from collections.abc import Collection
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
import torch

from core.learning.checkpoints import load, read_record
from core.learning.collection import FOLDER, MEMBERS, load_listed_member, path_of
from core.learning.collection.checkpoint_store import HASH
from core.learning.collection.members import SHIPPED
from core.measures import findings
from core.measures.findings import FILE, stored_measurement, write
from core.measures.findings import __main__ as command
from core.measures.masking import future
from core.measures.masking.future import (
    BLINDFOLD_OFF,
    BLINDFOLDED,
    CHEAT,
    HONEST,
    STEPS,
    TRAINED,
    UNSEEN,
    load_or_learn,
)
from core.measures.order import exchange
from core.measures.positions import extrapolation
from core.measures.positions.extrapolation import LOSS_BY_PLACE, RIGHT_VERBS

NAME = "causal-sinusoidal-4-pre"
SAMPLE, BIDIRECTIONAL = "causal-rotary-2-post", "bidirectional-alibi-2-post"
OFF = 2 * 10.0**-command.DECIMALS
"""Written numbers are rounded, and another machine adds in another order."""

EXPECTED = [CHEAT, *(name for name in SHIPPED if command.measures(MEMBERS[name]))]


def test_every_model_that_is_asked_for_was_measured_as_it_is_now() -> None:
    listed = json.loads((FOLDER / FILE).read_text("utf-8"))
    stale = [
        (name, what)
        for name in EXPECTED
        for what in ([UNSEEN] if name == CHEAT else command.measures(MEMBERS[name]))
        if stored_measurement(name, what) is None
    ]
    assert stale == [], "run python -m core.measures.findings"
    assert list(listed) == EXPECTED


@pytest.mark.long("a measure that has changed since; another model or another file is told by its hash")
def test_a_sample_measured_again_gives_the_same() -> None:
    model = load_listed_member(SAMPLE)
    assert stored_measurement(SAMPLE, LOSS_BY_PLACE) == pytest.approx(
        extrapolation.loss_by_place(model), abs=OFF
    )
    assert stored_measurement(SAMPLE, RIGHT_VERBS) == pytest.approx(extrapolation.right_verbs(model), abs=OFF)
    assert isinstance(model, future.Transformer)
    assert stored_measurement(SAMPLE, UNSEEN) == pytest.approx(future.with_mask_and_without(model), abs=OFF)
    for name, question in product((SAMPLE, BIDIRECTIONAL), exchange.QUESTIONS):
        assert stored_measurement(name, exchange.replies_key(question)) == [
            *exchange.replies(load_listed_member(name), question)
        ]


def test_the_model_that_cheats_comes_with_the_app_and_beats_the_trained_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def train() -> None:
        raise AssertionError("it was trained again")

    monkeypatch.setattr(future, "learn", train)
    found = load_or_learn(lambda: load(path_of(CHEAT)))
    assert found.losses.groupby("model")["step"].last().to_dict() == {HONEST: STEPS, CHEAT: STEPS}
    assert found.losses[found.losses["model"] == CHEAT]["loss"].iloc[-1] < found.losses["loss"].max() / 4
    known = future.tested(load_listed_member(NAME), NAME, found)
    monkeypatch.setattr(future, "stored_measurement", lambda name, what: None)
    measured = future.tested(load_listed_member(NAME), NAME, found)
    assert list(known) == list(measured) == list(future.SETTINGS)
    assert list(known.values()) == pytest.approx(list(measured.values()), abs=OFF)
    assert known[CHEAT] < known[TRAINED] < known[BLINDFOLD_OFF] < known[BLINDFOLDED]


def test_another_file_than_the_one_measured_has_no_findings(tmp_path: Path) -> None:
    path = path_of(SAMPLE, tmp_path)
    shutil.copy(path_of(SAMPLE), path)
    write({SAMPLE: {HASH: findings.digest(path), UNSEEN: [3.0, 5.0]}}, tmp_path)
    assert stored_measurement(SAMPLE, UNSEEN, tmp_path) == [3.0, 5.0]
    assert stored_measurement(SAMPLE, RIGHT_VERBS, tmp_path) is None
    assert stored_measurement("telepathy", UNSEEN, tmp_path) is None
    path.write_bytes(path.read_bytes()[:-96] + bytes(96))
    assert stored_measurement(SAMPLE, UNSEEN, tmp_path) is None


def test_the_command_measures_changed_files_and_keeps_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = "causal-alibi-2-post"
    for name in (SAMPLE, other):
        shutil.copy(path_of(name), path_of(name, tmp_path))
    asked: list[str] = []

    def measured(name: str, folder: Path, known: Collection[str]) -> dict[str, list[float]]:
        if UNSEEN in known:
            return {}
        asked.append(name)
        return {UNSEEN: [len(asked) + 0.1234567]}

    def shipped(folder: Path) -> dict[str, list[float]]:
        shutil.copy(path_of(other), path_of(CHEAT, folder))
        return measured(CHEAT, folder, ())

    monkeypatch.setattr(command, "_measured", measured)
    monkeypatch.setattr(command, "ship", shipped)
    command.main(["--folder", str(tmp_path)])
    assert asked == [CHEAT, SAMPLE, other] or asked == [CHEAT, other, SAMPLE]
    first = stored_measurement(SAMPLE, UNSEEN, tmp_path)
    shutil.copy(path_of("causal-none-2-post"), path_of(other, tmp_path))
    command.main(["--folder", str(tmp_path)])
    assert asked[3:] == [other]
    assert stored_measurement(SAMPLE, UNSEEN, tmp_path) == first
    assert stored_measurement(other, UNSEEN, tmp_path) == [4.12346]


def test_changed_questions_are_measured_again_without_new_trainings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (CHEAT, SAMPLE):
        shutil.copy(path_of(name), path_of(name, tmp_path))
    curves = {HONEST: [3.0, 2.0], CHEAT: [3.0, 1.0]}
    digest = findings.digest(path_of(CHEAT, tmp_path))
    known = {HASH: findings.digest(path_of(SAMPLE, tmp_path)), UNSEEN: [9.0]}
    write({CHEAT: {HASH: digest, **curves, UNSEEN: [7.0, 0.1]}, SAMPLE: known}, tmp_path)

    def shipped(folder: Path) -> None:
        raise AssertionError("it was trained again")

    monkeypatch.setattr(command, "ship", shipped)
    monkeypatch.setattr(command, "_measured", lambda name, folder, known: {UNSEEN: [float(len(known))]})
    monkeypatch.setattr(command, "measure", lambda *_: (7.0, 0.5))
    monkeypatch.setattr(command, "with_mask_and_without", lambda _: [3.0, 2.0])
    command.main(["--measure", "--folder", str(tmp_path)])
    assert stored_measurement(SAMPLE, UNSEEN, tmp_path) == [0.0]
    assert {name: stored_measurement(CHEAT, name, tmp_path) for name in curves} == curves
    assert stored_measurement(CHEAT, UNSEEN, tmp_path) == [3.0, 2.0]
    shipped, record = (read_record(path_of(CHEAT, folder)) for folder in (FOLDER, tmp_path))
    assert record == replace(shipped, loss=7.0, accuracy=0.5)
    weights = load(path_of(CHEAT)).state_dict()
    torch.testing.assert_close(load(path_of(CHEAT, tmp_path)).state_dict(), weights, rtol=0, atol=0)
