"""The changed entries: in the link, where each is one `edit`, and nowhere else."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from core.measures.stages import CHANGEABLE, MOST_CHANGES, Change, parse, spelt
from pages.contract.answers import Refusal
from pages.contract.ask import Ask
from pages.contract.sheet import Changes, Link
from pages.controls.prose import Typed
from pages.shell import Scene

NAME = "edit"
FORGET: Changes = {NAME: None}
"""Have everything as it was computed."""


def ask_changes(ask: Ask, scene: Scene) -> tuple[Change, ...]:
    """What the link changes; what is impossible is left out with a note."""
    asked = ask.answers.spellings(NAME)
    possible: list[Change] = []
    refused: list[Refusal] = []
    for text in asked[:MOST_CHANGES]:
        try:
            change = parse(text)
            change.check(n_words=len(scene.words), d_head=scene.switches.config.d_head)
        except ValueError as error:
            reason = f"The link asks for {NAME} = {Typed(text)}, but {Typed(error):200}\\."
            refused.append(Refusal(reason, "Showing no such change."))
        else:
            possible.append(change)
    if len(asked) > MOST_CHANGES:
        reason = f"At most {MOST_CHANGES} entries can be changed: the others are left as they were."
        refused.append(Refusal(reason))
    ask.answers.accept(NAME, list(map(spelt, possible)), refused)
    return tuple(possible)


def add(asked: Mapping[str, Any], link: Link) -> Changes:
    """Put a change that the browser reports into the link; a second one of an entry replaces the first."""
    change = Change(str(asked["matrix"]), int(asked["row"]), int(asked["column"]), float(asked["value"]))
    assert change.matrix in CHANGEABLE
    entry = _entry(spelt(change))
    others = [text for text in link.get(NAME, []) if _entry(text) != entry and _is_change(text)]
    return {NAME: tuple([*others, spelt(change)][-MOST_CHANGES:])}


def _entry(text: str) -> list[str]:
    """The matrix, the row and the column of a change as the link has it."""
    return text.split(".")[:3]


def _is_change(text: str) -> bool:
    with suppress(ValueError):
        parse(text)
        return True
    return False
