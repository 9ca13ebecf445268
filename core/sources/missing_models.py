"""Reasons why models and probes of the collection cannot be loaded, as sentences that name their files."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.learning.collection import MEMBERS, checkpoint_store, shipped_instead
from core.learning.collection.checkpoint_store import INDEX, AlteredError, IndexMissingError, UnlistedError
from core.learning.probes.probe_store import INDEX as INDEX_OF_PROBES
from core.learning.probes.probe_store import StaleError
from core.model.config import ModelConfig

TRAINER = "python -m core.learning.collection"


@dataclass(frozen=True)
class Kind:
    """A kind of trained file: its name, its index, the command that trains it, and how long that takes."""

    name: str
    index: str
    trainer: str
    duration: str


MODEL = Kind("model", INDEX, TRAINER, "a few minutes")
PROBE = Kind("probe", INDEX_OF_PROBES, "python -m core.learning.probes", "a minute")

UNREADABLE_INDEX = (
    f"The list of the collection's files, `checkpoints/{INDEX}`, is missing or damaged: restore it, or "
    f"`{TRAINER}` writes it anew"
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


def missing_reason(reason: type[OSError], *names: str, kind: Kind = MODEL) -> str:
    """Return why these files cannot be loaded and what to do, without a full stop."""
    s, has, are, them, do = (
        ("s", "have", "are", "them", "do") if names[1:] else ("", "has", "is", "it", "does")
    )
    some = f"The {kind.name}{s} {join_names(names)}"
    files = f"The file{s} {join_names(f'`checkpoints/{name}.safetensors`' for name in names)}"
    listed, command = f"`checkpoints/{kind.index}`", f"`{kind.trainer} {' '.join(names)}`"
    again = f"restore {them}, or {command} trains {them} again in {kind.duration}"
    if issubclass(reason, StaleError):
        return f"{some} {are} for another model. {command} trains {them} anew"
    if issubclass(reason, FileNotFoundError):
        why = f"{has} not been trained yet"
        if shipped := come_with_the_app(names):
            some = f"{len(names)} models" if names[1:] else some
            why = f"{do} not come with the app: {shipped}"
        return f"{some} {why}. {command} trains {them} in {kind.duration}"
    if issubclass(reason, IndexMissingError) and kind is MODEL:
        return UNREADABLE_INDEX
    if issubclass(reason, UnlistedError | IndexMissingError):
        return f"{files} {are} not in the list {listed}: {command} adds {them}"
    if issubclass(reason, AlteredError):
        return f"{files} {do} not match {listed}: {again}"
    return f"{files} {are} damaged: {again}"


def come_with_the_app(names: Sequence[str]) -> str:
    """Return which models with the same mask are shipped, if none of these members is; else empty."""
    members = [MEMBERS[name] for name in names if name in MEMBERS]
    if len(members) < len(names) or any(member.shipped for member in members):
        return ""
    config = members[0].config
    assert isinstance(config, ModelConfig), "a member with the mask of a switch"
    one = shipped_instead(config)
    return f"with the {config.mask} mask, only models with {one.n_heads} heads and {one.norm}-norm do"


def join_names(names: Iterable[str]) -> str:
    """Return names as a sentence lists them: `a, b and c`."""
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last
