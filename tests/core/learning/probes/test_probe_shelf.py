"""Every shipped probe belongs to the translator that is there, and its claims are true."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.learning.checkpoints import DamagedError, build, round_to_half, save
from core.learning.collection import MEMBERS, path_of
from core.learning.collection.checkpoint_store import digest
from core.learning.evaluation.translation import Share
from core.learning.probes import __main__ as command
from core.learning.probes.probe import ProbeCounts, ProbeRecipe, WordProbe
from core.learning.probes.probe_store import (
    PROBES,
    ProbeRecord,
    StaleError,
    altered_probes,
    load_probe,
    read_probe_record,
    save_probe,
    take_probe,
    write_probe_index,
)
from core.model.recurrent_pair import RecurrentPairConfig
from core.sources import UnavailableError
from core.sources import probes as weights
from tests.core.references import noisy
from tests.covering import each
from tests.records import record_of

LARGEST = 145_000
NAME = "probe-rnn-none"
COUNTS = ProbeCounts(by_distance={(1, 1): Share(3, 5), (2, 3): Share(4, 11)}, false_alarms=Share(2, 17))


@each("name", PROBES)
def test_every_probe_belongs_to_the_existing_translator(name: str) -> None:
    probe, record = take_probe(name)
    assert record.translator == PROBES[name]
    assert record.of == digest(path_of(PROBES[name]))
    assert (record.recipe, record.counts.false_alarms.n > 0) == (ProbeRecipe(), True)
    assert {"python", "torch"} <= record.versions.keys()
    assert all(parameter.isfinite().all() and not parameter.requires_grad for parameter in probe.parameters())
    assert path_of(name).stat().st_size <= LARGEST


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one translator of noise and a probe of it."""
    folder, member = tmp_path_factory.mktemp("made"), MEMBERS[PROBES[NAME]]
    model = noisy(build(member.config), dtype=torch.float32)
    save(path_of(PROBES[NAME], folder), model, record_of(member.config, task="translation"))
    command.make(NAME, folder, ProbeRecipe(n_sentences=40, passes=1, batch_size=20))
    write_probe_index(folder)
    return folder


@pytest.fixture
def shelf(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(made, tmp_path, dirs_exist_ok=True)


def test_a_probe_comes_back_from_disk_as_it_was_measured(tmp_path: Path) -> None:
    probe = round_to_half(noisy(WordProbe(7), dtype=torch.float32).requires_grad_(False))
    record = ProbeRecord(
        translator="t",
        of="abc",
        recipe=ProbeRecipe(seed=3),
        counts=COUNTS,
        versions={"torch": "1"},
        device="CPU",
    )
    path = tmp_path / "probe.safetensors"
    save_probe(path, probe, record)
    torch.testing.assert_close(load_probe(path).state_dict(), probe.state_dict(), rtol=0, atol=0)
    assert read_probe_record(path) == record
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    for content in (b"not a probe at all", path_of("recall-rnn").read_bytes()):
        path.write_bytes(content)
        with pytest.raises(DamagedError, match="is damaged"):
            load_probe(path)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        load_probe(path)


@pytest.mark.long("a probe that is trained")
def test_probes_that_do_not_fit_are_trained_again_and_wrong_claims_are_reported(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[str] = []
    monkeypatch.setattr(command, "make", lambda name, *_: trained.append(name))
    path, translator = path_of(NAME, shelf), path_of(PROBES[NAME], shelf)
    whole, read = path.read_bytes(), translator.read_bytes()
    command.main([NAME, "--folder", str(shelf)])
    command.main([NAME, "--claims", "--folder", str(shelf)])
    assert NAME not in altered_probes(shelf)
    assert trained == []
    record = read_probe_record(path)
    none = {span: Share(share.n, share.n) for span, share in record.counts.by_distance.items()}
    save_probe(path, load_probe(path), replace(record, counts=replace(record.counts, by_distance=none)))
    with pytest.raises(SystemExit, match=f"{NAME}: found, followed by 1–1 is 1.0000 in the record and"):
        command.main([NAME, "--claims", "--folder", str(shelf)])
    path.write_bytes(whole)
    for file, content in ((path, whole[:-96] + bytes(96)), (translator, read + b" "), (path, None)):
        path.write_bytes(whole)
        translator.write_bytes(read)
        file.unlink()
        if content is not None:
            file.write_bytes(content)
        write_probe_index(shelf, anew=[])
        assert NAME in altered_probes(shelf)
        with pytest.raises(SystemExit, match=f"not as the index lists it: {NAME}"):
            command.main(["--check", "--folder", str(shelf)])
        command.main([NAME, "--folder", str(shelf)])
        assert trained.pop() == NAME
        path.write_bytes(whole)
        translator.write_bytes(read)
        write_probe_index(shelf)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(), f"The probe {NAME} has not been trained yet"),
        (StaleError(), f"The probe {NAME} is for another model"),
        (DamagedError(), rf"The file `checkpoints/{NAME}\.safetensors` is damaged: restore it"),
    ],
)
def test_a_missing_probe_is_an_error_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    def take(name: str) -> None:
        raise error

    monkeypatch.setattr(weights, "take_probe", take)
    config = RecurrentPairConfig(source_vocab_size=2, vocab_size=3, network="rnn")
    with pytest.raises(UnavailableError, match=f"{said}.*python -m core.learning.probes {NAME}"):
        weights.load_probe(config)


@pytest.mark.usefixtures("noise_shelf")
def test_a_probe_is_not_taken_for_one_of_another_model() -> None:
    name = "probe-lstm-none"
    with pytest.raises(StaleError, match=f"{name} was trained on another {PROBES[name]}"):
        take_probe(name)
