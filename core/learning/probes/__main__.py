"""Train the missing probes: python -m core.learning.probes [NAME …], some seconds for each.

With --check nothing is trained: the files are compared with the hashes in the index, and with their
translators. With --claims their records are measured again.
"""

import argparse
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from tqdm import tqdm

from core.device import choose_device, compute_on_one_thread, describe
from core.learning.checkpoints import load, round_to_half
from core.learning.collection import FOLDER, path_of
from core.learning.collection.checkpoint_store import digest, is_as_listed
from core.learning.collection.member_training import TIES, differences, fail
from core.learning.probes.probe import ProbeCounts, ProbeRecipe, measure_probe, train_probe
from core.learning.probes.probe_store import (
    INDEX,
    PROBES,
    ProbeRecord,
    altered_probes,
    load_probe,
    read_probe_record,
    save_probe,
    write_probe_index,
)
from core.model.recurrent_pair import RecurrentEncoderDecoder


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the requested probes that are missing for the present translators, then write the index."""
    parser = argparse.ArgumentParser(prog="python -m core.learning.probes", description=__doc__)
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", choices=[*PROBES, []], help="one probe; all by default")
    add("--check", action="store_true", help="only compare files with the index and with their translators")
    add("--claims", action="store_true", help="only measure the records again")
    add("--folder", type=Path, default=FOLDER, help="folder of translators and probes")
    options = parser.parse_args(arguments)
    compute_on_one_thread()
    names = options.names or list(PROBES)
    if options.check:
        fail([f"not as the index lists it: {name}" for name in altered_probes(options.folder)])
    elif options.claims:
        fail([line for name in names for line in untrue(name, options.folder)])
    else:
        for name in tqdm([each for each in names if not is_up_to_date(each, options.folder)], unit="probe"):
            make(name, options.folder, ProbeRecipe())
        write_probe_index(options.folder, anew=names)


def make(name: str, folder: Path, recipe: ProbeRecipe) -> None:
    """Train a probe, measure it as read back from disk, and write its file."""
    model = _translator(name, folder)
    probe = round_to_half(train_probe(model, recipe))
    record = ProbeRecord(
        translator=PROBES[name],
        of=str(digest(path_of(PROBES[name], folder))),
        recipe=recipe,
        counts=measure_probe(probe, model),
        versions={"python": python_version(), "torch": version("torch")},
        device=describe(choose_device()),
    )
    save_probe(path_of(name, folder), probe, record)


def is_up_to_date(name: str, folder: Path) -> bool:
    """Return whether there is a probe of the present translator, and the listed one if a list has it."""
    if not is_as_listed(path_of(name, folder), INDEX):
        return False
    try:
        return read_probe_record(path_of(name, folder)).of == digest(path_of(PROBES[name], folder))
    except OSError:
        return False


def untrue(name: str, folder: Path = FOLDER) -> list[str]:
    """Return a line for each share in a probe's record that a new measurement does not confirm."""
    path = path_of(name, folder)
    found = measure_probe(load_probe(path).to(choose_device()), _translator(name, folder))
    return list(differences(name, _shares(read_probe_record(path).counts), _shares(found), most=TIES))


def _shares(counts: ProbeCounts) -> dict[str, float]:
    shares = {f"found, followed by {a}–{b}": share.value for (a, b), share in counts.by_distance.items()}
    return {**shares, "false alarms": counts.false_alarms.value}


def _translator(name: str, folder: Path) -> RecurrentEncoderDecoder:
    model = load(path_of(PROBES[name], folder)).to(choose_device())
    assert isinstance(model, RecurrentEncoderDecoder), "probes are of recurrent translators"
    return model


if __name__ == "__main__":
    main()
