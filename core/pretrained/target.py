"""The beginning and the end of an encoder–decoder's target, from its folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from core.pretrained.weights import read_json

GENERATION = "generation_config.json"
"""The file in which newer folders repeat these fields; transformers writes with its values."""


MOST_TASKS, LONGEST_TASK = 32, 100
"""Greatest number of tasks that are offered, and of characters of each."""


class Target(NamedTuple):
    """Tokens around a target: `start` is read first, some must write `first`, and `ends` end it."""

    start: int | None
    first: int | None
    ends: frozenset[int]
    tasks: tuple[str, ...] = ()


def target_of(folder: Path, raw_config: Mapping[str, object], vocab_size: int) -> Target:
    """Return the tokens around a target, from the folder; the default start is the padding."""
    beside = folder / GENERATION
    raw_config = {**raw_config, **read_json(beside)} if beside.is_file() else raw_config

    def known(name: str) -> tuple[int, ...]:
        found = raw_config.get(name)
        listed: list[object] = found if isinstance(found, list) else [found]
        numbers = (one for one in listed if isinstance(one, int) and not isinstance(one, bool))
        return tuple(one for one in numbers if 0 <= one < vocab_size)

    starts = (*known("decoder_start_token_id"), *known("pad_token_id"), None)
    first, ends = (*known("forced_bos_token_id"), None), known("eos_token_id")
    return Target(starts[0], first[0], frozenset(ends), _tasks(raw_config))


def _tasks(raw_config: Mapping[str, object]) -> tuple[str, ...]:
    named = raw_config.get("task_specific_params")
    settings = named.values() if isinstance(named, dict) else ()
    prefixes = (one.get("prefix") for one in settings if isinstance(one, dict))
    texts = (one.strip() for one in prefixes if isinstance(one, str))
    return tuple(dict.fromkeys(one for one in texts if 0 < len(one) <= LONGEST_TASK))[:MOST_TASKS]
