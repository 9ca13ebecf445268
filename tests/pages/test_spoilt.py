"""Pages that show several models leave out a damaged one, and name its file once."""

from collections.abc import Callable

import pytest

from core.learning.collection import FOLDER
from core.learning.collection.checkpoint_store import INDEX
from core.learning.probes.probe_store import INDEX as INDEX_OF_PROBES
from tests.pages.asked import Asked
from tests.shelf import SPOIL, SpoiltShelf

SPOILT = [
    ("explorer", "compare", "causal-none-4-pre"),
    ("interaction-distance", "long range", "next-word-rnn"),
    ("order-invariance", "who did what to whom", "causal-rotary-4-pre"),
    ("translation", "bottleneck", "probe-lstm-none"),
    ("positions", "all schemes", "causal-alibi-4-pre"),
]
"""Views that draw several models, one of each kind of page, and one of their files."""

WAYS = list(SPOIL.items())

UNTRAINED = ("Not trained", "not trained yet", "not been trained", "not there yet")


@pytest.mark.parametrize(
    ("address", "view", "name", "said", "spoil"),
    [(*one, *WAYS[at % len(WAYS)]) for at, one in enumerate(SPOILT)],
    ids=[f"{address} {view} {name}" for address, view, name in SPOILT],
)
def test_a_spoilt_file_is_named_once(
    spoilt_shelf: SpoiltShelf,
    address: str,
    view: str,
    name: str,
    said: str,
    spoil: Callable[[SpoiltShelf, str], None],
) -> None:
    spoil(spoilt_shelf, name)
    asked = Asked(address, view=view)
    index = INDEX_OF_PROBES if name.startswith("probe") else INDEX
    (told,) = (*asked.warnings, *asked.infos)
    assert f"`checkpoints/{name}.safetensors` {said.format(index=index)}: " in told
    assert [word for word in UNTRAINED if word in asked.prose] == []


def test_a_file_that_is_restored_is_read_again(spoilt_shelf: SpoiltShelf) -> None:
    spoilt_shelf.flip("causal-alibi-4-pre")
    assert len(Asked("positions").warnings) == 1
    spoilt_shelf.restore("causal-alibi-4-pre.safetensors")
    assert Asked("positions").warnings == []


NUMBERS: list[tuple[str, str, dict[str, str], list[str]]] = [
    ("findings.json", "masking", {"view": "the future"}, []),
    ("findings.json", "translation", {"view": "bottleneck", "shows": "accuracy by length"}, []),
    ("findings.json", "classification", {"view": "one review"}, []),
    ("trainings.json", "blocks", {"view": "residual"}, ["blocks", "added"]),
    ("trainings.json", "blocks", {"view": "pre and post", "shows": "warm-up"}, ["blocks"]),
]
"""Files of measured numbers, the views that show them, and the pictures there that need none of them."""


@pytest.mark.parametrize(
    ("at", "file", "address", "link", "left"), [(at, *one) for at, one in enumerate(NUMBERS)]
)
def test_numbers_that_are_not_those_measured_are_not_shown(
    spoilt_shelf: SpoiltShelf, at: int, file: str, address: str, link: dict[str, str], left: list[str]
) -> None:
    content = (FOLDER / file).read_bytes()
    spoilt_shelf.put(file, content[: len(content) // 2] if at % 2 else content.replace(b"2.", b"1."))
    asked = Asked(address, **link)
    (said,) = [*asked.warnings, *asked.infos]
    assert f"`checkpoints/{file}`" in said
    assert "restore it, or " in said
    assert asked.pictures == left
