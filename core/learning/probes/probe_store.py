"""The probes that come with the app: their names, their files and their records."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple, dataclass
from itertools import product, starmap
from pathlib import Path
from typing import Any

from core.device import choose_device
from core.learning.checkpoints import fill_parameters, metadata_of, open_checkpoint, save_halved, tensors_of
from core.learning.collection import FOLDER, checkpoint_store
from core.learning.collection.checkpoint_store import (
    HASH,
    check_listed,
    digest,
    path_of,
    read_index,
    write_index,
)
from core.learning.collection.translators import name_of_pair, recurrent_pair
from core.learning.evaluation.translation import Share
from core.learning.probes.probe import ProbeCounts, ProbeRecipe, Span, WordProbe
from core.model.recurrent import Network
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentPairConfig
from core.store import cached

INDEX = "probes.json"


class StaleError(OSError):
    """A probe of another model than the present checkpoint of its translator."""


@dataclass(frozen=True, kw_only=True)
class ProbeRecord:
    """The record of a probe. `of` is the hash of the translator's file that it was trained on."""

    translator: str
    of: str
    recipe: ProbeRecipe
    counts: ProbeCounts
    versions: Mapping[str, str]
    device: str


def name_of_probe(config: RecurrentPairConfig) -> str:
    """Return the name of the probe of a translator."""
    return f"probe-{config.network}-{config.attention}"


NETWORKS: tuple[Network, ...] = ("lstm", "rnn")
PROBES: Mapping[str, str] = {
    name_of_probe(pair): name_of_pair(pair)
    for pair in starmap(recurrent_pair, product(NETWORKS, (FIXED_VECTOR, "dot")))
}


def save_probe(path: Path, probe: WordProbe, record: ProbeRecord) -> None:
    """Write `path` whole or not at all."""
    metadata: dict[str, Any] = {name: getattr(record, name) for name in ("translator", "of", "device")}
    counts = {"false_alarms": astuple(record.counts.false_alarms)}
    counts |= {
        f"{first}–{last}": astuple(share) for (first, last), share in record.counts.by_distance.items()
    }
    metadata |= {"recipe": asdict(record.recipe), "versions": dict(record.versions), "told": counts}
    save_halved(path, probe, metadata)


def read_probe_record(path: Path) -> ProbeRecord:
    """Return the record of a probe. Raises FileNotFoundError and DamagedError."""
    with open_checkpoint(path) as file:
        metadata = metadata_of(file)
        false_alarms = Share(*metadata["told"].pop("false_alarms"))
        by_distance = {_span(name): Share(*counts) for name, counts in metadata.pop("told").items()}
        counts = ProbeCounts(by_distance=by_distance, false_alarms=false_alarms)
        return ProbeRecord(recipe=ProbeRecipe(**metadata.pop("recipe")), counts=counts, **metadata)


def load_probe(path: Path) -> WordProbe:
    """Return the probe at `path`, in single precision on the CPU; raises as `read_probe_record`."""
    with open_checkpoint(path) as file:
        trained = tensors_of(file)
        return fill_parameters(WordProbe(trained["words.weight"].shape[1]), trained)


def take_probe(name: str) -> tuple[WordProbe, ProbeRecord]:
    """Return a probe on the device in use, and its record; raises StaleError and as `check_listed`."""
    probe, record = _taken(name)
    if record.of != digest(checkpoint_store.path_of(record.translator)):
        raise StaleError(f"{name} was trained on another {record.translator} than the one that is there")
    return probe, record


@cached
def _taken(name: str) -> tuple[WordProbe, ProbeRecord]:
    path = path_of(name)
    check_listed(path, INDEX)
    return load_probe(path).to(choose_device()), read_probe_record(path)


def write_probe_index(folder: Path = FOLDER, *, anew: Iterable[str] = PROBES) -> None:
    """List the records of the probes in `folder`, as `checkpoint_store.write_index` does."""
    write_index(folder, anew=anew, names=PROBES, row=_row, index=INDEX)


def _row(path: Path) -> dict[str, Any]:
    record = read_probe_record(path)
    return {**asdict(record.recipe), "told": astuple(record.counts.recall), "of": record.of}


def altered_probes(folder: Path = FOLDER) -> list[str]:
    """Return the probes whose file is missing, not as listed, or of another translator."""
    listed = read_index(folder, INDEX)
    return [
        name
        for name, translator in PROBES.items()
        if name not in listed
        or listed[name][HASH] != digest(path_of(name, folder))
        or listed[name]["of"] != digest(path_of(translator, folder))
    ]


def _span(name: str) -> Span:
    first, last = map(int, name.split("–"))
    return first, last
