"""The probes that come with the app: which there are, where they lie, and what their files say."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import torch
from safetensors.torch import save_file

from core.device import choose_device
from core.learning.checkpoints import reading
from core.learning.collection import FOLDER, checkpoint_store
from core.learning.collection.checkpoint_store import HASH, check_listed, digest, listed_there, path_of
from core.learning.collection.translators import name_of_pair, recurrent_pair
from core.learning.evaluation.translation import Share
from core.learning.probes.probe import WordProbe
from core.learning.probes.told import Span, Told
from core.learning.probes.training import ProbeRecipe
from core.model.recurrent import Network
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentPairConfig
from core.store import stored

PAIRS: tuple[tuple[Network, str], ...] = (
    ("lstm", FIXED_VECTOR),
    ("lstm", "dot"),
    ("rnn", FIXED_VECTOR),
    ("rnn", "dot"),
)
INDEX = "probes.json"


class StaleError(OSError):
    """A probe of another model than the one that lies on the shelf under its translator's name."""


@dataclass(frozen=True, kw_only=True)
class ProbeRecord:
    """What a probe's file says about itself. `of` is the hash of the translator's file that it has read."""

    translator: str
    of: str
    recipe: ProbeRecipe
    told: Told
    versions: Mapping[str, str]
    device: str


def name_of_probe(config: RecurrentPairConfig) -> str:
    """The name of the probe of a translator."""
    return f"probe-{config.network}-{config.attention}"


PROBES: Mapping[str, str] = MappingProxyType(
    {name_of_probe(pair): name_of_pair(pair) for pair in (recurrent_pair(*each) for each in PAIRS)}
)
"""The translator of every probe."""


def save_probe(path: Path, probe: WordProbe, record: ProbeRecord) -> None:
    """Write `path` whole or not at all."""
    tensors = {name: tensor.half().contiguous().cpu() for name, tensor in probe.named_parameters()}
    part = path.with_suffix(".part")
    save_file(tensors, part, metadata=_metadata(record))
    part.replace(path)


def read_probe_record(path: Path) -> ProbeRecord:
    """What the file of a probe says. Raises FileNotFoundError and DamagedError."""
    with reading(path) as file:
        said = {name: json.loads(text) for name, text in file.metadata().items()}
        return ProbeRecord(recipe=ProbeRecipe(**said.pop("recipe")), told=_told(said.pop("told")), **said)


def load_probe(path: Path) -> WordProbe:
    """The probe at `path`, in single precision on the CPU. Raises FileNotFoundError and DamagedError."""
    with reading(path) as file:
        trained = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118, no mapping
        probe = WordProbe(trained["words.weight"].shape[1])
        with torch.no_grad():
            for name, parameter in probe.named_parameters():
                parameter.copy_(trained[name])
    return probe.eval().requires_grad_(False)


def take_probe(name: str) -> tuple[WordProbe, ProbeRecord]:
    """A probe on the device in use, with its record; shared by all visitors: nothing may change it.

    Raises what `load_probe` and `check_listed` raise, and StaleError where the translator has been trained
    again since.
    """
    probe, record = _taken(name)
    if record.of != digest(checkpoint_store.path_of(record.translator)):
        raise StaleError(f"{name} was trained on another {record.translator} than the one that is there")
    return probe, record


@stored
def _taken(name: str) -> tuple[WordProbe, ProbeRecord]:
    path = path_of(name)
    check_listed(path, INDEX)
    return load_probe(path).to(choose_device()), read_probe_record(path)


def write_probe_index(folder: Path = FOLDER, *, anew: Iterable[str] = PROBES) -> None:
    """List what the probes in `folder` say about themselves, each with its hash.

    Probes that are not to be listed `anew` keep their row, as in `shelf.write_index`.
    """
    rows = {name: row for name, row in listed_there(folder, INDEX).items() if name not in set(anew)}
    for name in PROBES:
        path = path_of(name, folder)
        if name not in rows and path.exists():
            record = read_probe_record(path)
            counts = {"told": [record.told.all.right, record.told.all.n], "of": record.of}
            rows[name] = {**asdict(record.recipe), **counts, HASH: digest(path)}
    in_order = {name: rows[name] for name in PROBES if name in rows}
    (folder / INDEX).write_text(json.dumps(in_order, indent=1) + "\n", "utf-8")


def altered_probes(folder: Path = FOLDER) -> list[str]:
    """Probes whose file is not the one that the index lists, or is missing, or is of another translator."""
    listed = listed_there(folder, INDEX)
    return [
        name
        for name, translator in PROBES.items()
        if name not in listed
        or listed[name][HASH] != digest(path_of(name, folder))
        or listed[name]["of"] != digest(path_of(translator, folder))
    ]


def _metadata(record: ProbeRecord) -> dict[str, str]:
    """Every field as JSON: safetensors keeps nothing but text."""
    said: dict[str, Any] = {name: getattr(record, name) for name in ("translator", "of", "device")}
    told = {"false_alarms": _count(record.told.false_alarms)}
    told |= {f"{first}–{last}": _count(share) for (first, last), share in record.told.by_distance.items()}
    said |= {"recipe": asdict(record.recipe), "versions": dict(record.versions), "told": told}
    return {name: json.dumps(value) for name, value in said.items()}


def _count(share: Share) -> list[int]:
    return [share.right, share.n]


def _told(said: dict[str, list[int]]) -> Told:
    false_alarms = Share(*said.pop("false_alarms"))
    return Told(by_distance={_span(name): Share(*n) for name, n in said.items()}, false_alarms=false_alarms)


def _span(name: str) -> Span:
    first, last = map(int, name.split("–"))
    return first, last
