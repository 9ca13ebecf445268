"""Weights and effects of the default real model over a hundred sentences, measured and stored.

`python -m core.measures.findings.over_sentences` measures them, and keeps the results beside the checkpoints.
"""

from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from core.learning.collection import FOLDER
from core.learning.collection.checkpoint_store import HASH, write_numbers
from core.measures.beginnings import BEGINNINGS
from core.measures.findings import entries
from core.measures.over_sentences import WeightEffectComparison, compare_at_last
from core.model.config import ModelConfig
from core.pretrained.fetched import SMOLLM2
from core.sources import UnavailableError, find, load
from core.sources.pretrained import source_name

FILE = "hiding.json"

OWN = 6
"""Number of entries of a comparison, without a nested comparison after them."""

AGAIN = "`python -m core.measures.findings.over_sentences` measures it again"


def kept(
    source: str, config: ModelConfig, folder: Path = FOLDER
) -> tuple[WeightEffectComparison, ...] | None:
    """Return the shipped results of a real model as it is, None for any other; raises UnavailableError."""
    one = find(source).pretrained
    if one is None or source != source_name(SMOLLM2.folder.name) or config != one.config:
        return None
    entry = entries(FILE, AGAIN, folder).get(SMOLLM2.folder.name, {})
    if entry.get(HASH) != _hash() or entry["sizes"] != _sizes(config):
        return None
    return tuple(_read(each) for each in entry["sentences"])


def measure_real() -> dict[str, object]:
    """Return the results of the real model with the hash of its weights and the settings."""
    source = source_name(SMOLLM2.folder.name)
    found = [compare_real(source, text) for text in tqdm(BEGINNINGS, unit="sentence")]
    model = find(source).pretrained
    assert model is not None, "the sentences were read by it"
    settings = {"sizes": _sizes(model.config), "position": "last", "window": None}
    return {HASH: _hash(), **settings, "sentences": list(map(astuple, found))}


def compare_real(source: str, text: str) -> WeightEffectComparison:
    """Compare weights and changes of a real model for the piece that it predicts next."""
    one = find(source).pretrained
    if one is None:
        raise UnavailableError("{title} is no real model.", title=source)
    return compare_at_last(text, load(source, one.config, one.split(text).texts, 0))


def main() -> None:
    """Measure the default real model, and write the results."""
    write_numbers(FILE, {SMOLLM2.folder.name: measure_real()})
    entries.cache_clear()


def _read(each: Sequence[Any]) -> WeightEffectComparison:
    """Return a comparison from its kept numbers, with its nested comparison."""
    own, later = each[:OWN], each[OWN:]
    return replace(WeightEffectComparison(*own), later=_read(later[0]) if later and later[0] else None)


def _hash() -> str:
    """Return the hash of the weights file, with which set-up verified it."""
    return next(iter(SMOLLM2.hashes.values()))


def _sizes(config: ModelConfig) -> list[int]:
    """Return the sizes that distinguish another model in a folder of the same name."""
    return [config.vocab_size, config.d_model, config.n_heads, config.n_layers]


if __name__ == "__main__":
    main()
