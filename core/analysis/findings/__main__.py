"""Measure what pages show at once: python -m core.analysis.findings [--folder checkpoints].

What was measured of a checkpoint that is still the same is kept. The model that cheats is trained if it is
not there yet.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from tqdm import tqdm

from core.analysis.classification.forgetting import BY_PLACE, by_place
from core.analysis.findings import FILE, write
from core.analysis.masking.future import CHEAT, UNSEEN, ship, with_mask_and_without
from core.analysis.positions.extrapolation import MEASURES
from core.classifier import SequenceClassifier
from core.config import ModelConfig
from core.device import choose_device
from core.learning.checkpoints import load
from core.learning.collection import FOLDER, MEMBERS, Member, path_of
from core.learning.collection.shelf import HASH, digest, is_there
from core.learning.tasks import CLASSIFICATION, NEXT_WORD
from core.models import Transformer

Entry = dict[str, object]

DECIMALS = 5


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is not measured yet, and write all of it."""
    parser = argparse.ArgumentParser(prog="python -m core.analysis.findings", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the checkpoints are")
    folder = parser.parse_args(arguments).folder
    write(entries(folder), folder)


def entries(folder: Path) -> dict[str, Entry]:
    """What there is to say of the models in `folder`: the one that cheats, those that pages ask."""
    asked = [name for name, member in MEMBERS.items() if is_asked_for(member) and is_there(name, folder)]
    before, found = _before(folder), {}
    for name in tqdm([CHEAT, *asked], unit="model"):
        entry = dict(before.get(name, {}))
        if not entry or entry[HASH] != digest(path_of(name, folder)):
            measured = ship(folder) if name == CHEAT else _measured(name, folder)
            rounded = {what: np.round(values, DECIMALS).tolist() for what, values in measured.items()}
            entry = {HASH: digest(path_of(name, folder)), **rounded}
        found[name] = entry
    return found


def is_asked_for(member: Member) -> bool:
    """Whether pages show at once what it does.

    A Transformer that goes on writing is asked for long sentences and for the future, a classifier for what
    it still knows some sentences later.
    """
    writes = isinstance(member.config, ModelConfig) and member.task is NEXT_WORD
    return writes or member.task is CLASSIFICATION


def _measured(name: str, folder: Path) -> dict[str, list[float]]:
    model = load(path_of(name, folder)).to(choose_device())
    if isinstance(model, SequenceClassifier):
        return {BY_PLACE: by_place(model)}
    assert isinstance(model, Transformer)
    of_long_sentences = {what: measure(model) for what, measure in MEASURES.items()}
    return {UNSEEN: with_mask_and_without(model), **of_long_sentences}


def _before(folder: Path) -> Mapping[str, Mapping[str, object]]:
    path = folder / FILE
    found: Mapping[str, Mapping[str, object]] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


if __name__ == "__main__":
    main()
