"""Reasons why members of the collection cannot be loaded, as sentences that name their files."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.learning.checkpoints import DamagedError
from core.learning.collection import MEMBERS, checkpoint_store, shipped_instead
from core.learning.collection.checkpoint_store import INDEX, AlteredError, IndexMissingError, UnlistedError
from core.model.config import ModelConfig

TRAINER = "python -m core.learning.collection"


class _Sentences(NamedTuple):
    """Sentences for one file and for several: `{files}`, `{n}` and `{command}` are filled in."""

    one: str
    several: str


UNREADABLE_INDEX = (
    f"The list of the collection's files, `checkpoints/{INDEX}`, is missing or damaged: restore it, or "
    f"`{TRAINER}` writes it anew"
)

_OF_FILES: Mapping[type[OSError], _Sentences] = {
    DamagedError: _Sentences(
        "The file {files} is damaged: restore it, or {command} trains it again in a few minutes",
        "The files {files} are damaged: restore them, or {command} trains them again in a few minutes",
    ),
    AlteredError: _Sentences(
        f"The file {{files}} does not match `checkpoints/{INDEX}`: restore it, or {{command}} "
        "trains it again in a few minutes",
        f"The files {{files}} do not match `checkpoints/{INDEX}`: restore them, or {{command}} "
        "trains them again in a few minutes",
    ),
    UnlistedError: _Sentences(
        f"The file {{files}} is not in the list `checkpoints/{INDEX}`: {{command}} adds it",
        f"The files {{files}} are not in the list `checkpoints/{INDEX}`: {{command}} adds them",
    ),
    IndexMissingError: _Sentences(UNREADABLE_INDEX, UNREADABLE_INDEX),
}
"""Sentences for files that exist and cannot be used."""

_MISSING = _Sentences(
    "The model {names} has not been trained yet. {command} trains it in a few minutes",
    "The models {names} have not been trained yet. {command} trains them in a few minutes",
)

_NOT_SHIPPED = _Sentences(
    "The model {names} does not come with the app: {shipped}. {command} trains it in a few minutes",
    "{n} models do not come with the app: {shipped}. {command} trains them in a few minutes",
)


def absent(names: Iterable[str]) -> str:
    """Return a sentence for each reason why some of these members cannot be loaded; empty if all can."""
    reasons: dict[type[OSError], list[str]] = {}
    for name in dict.fromkeys(names):
        try:
            checkpoint_store.check_listed(checkpoint_store.path_of(name))
        except OSError as error:
            reasons.setdefault(type(error), []).append(name)
    return " ".join(f"{missing_reason(reason, *found)}." for reason, found in reasons.items())


def missing_reason(reason: type[OSError], *names: str) -> str:
    """Return why these members cannot be loaded and what to do, without a full stop."""
    said = next((said for error, said in _OF_FILES.items() if issubclass(reason, error)), None)
    if said is None:
        said = _MISSING if issubclass(reason, FileNotFoundError) else _OF_FILES[DamagedError]
    shipped = come_with_the_app(names)
    if said is _MISSING and shipped:
        said = _NOT_SHIPPED
    template = said.one if len(names) == 1 else said.several
    files, command = join_names(map(path_in_words, names)), f"`{TRAINER} {' '.join(names)}`"
    return template.format(
        files=files, names=join_names(names), n=len(names), command=command, shipped=shipped
    )


def come_with_the_app(names: Sequence[str]) -> str:
    """Return which models with the same mask are shipped, if none of these members is; else empty."""
    members = [MEMBERS[name] for name in names if name in MEMBERS]
    if len(members) < len(names) or any(member.shipped for member in members):
        return ""
    config = members[0].config
    assert isinstance(config, ModelConfig), "a member with the mask of a switch"
    one = shipped_instead(config)
    return f"with the {config.mask} mask, only models with {one.n_heads} heads and {one.norm}-norm do"


def path_in_words(name: str) -> str:
    """Return the path of the file of a member or a probe, for a reader."""
    return f"`checkpoints/{name}.safetensors`"


def join_names(names: Iterable[str]) -> str:
    """Return names as a sentence lists them: `a, b and c`."""
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last
