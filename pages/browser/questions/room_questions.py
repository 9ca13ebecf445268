"""Questions for a room: the server seals them, and the browser passes them on."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st
from starlette.middleware import Middleware

from pages.contract.items import Control
from pages.contract.parameter import COMPUTED, in_link
from pages.contract.parameters import PARAMETERS
from pages.state.link import current_state
from rooms.lecturer import lecturer_key
from rooms.middleware import middleware
from rooms.sealing import seal
from rooms.shared_store import shared
from rooms.store import StoreError

HERE = Path(__file__).parent
FIELDS = ("prose", "fields", "resolution")
"""Scripts of this folder that phones use, so that they ask and resolve a question as the page does."""

LONGEST = 200

NOT_OF_MODEL = frozenset({"view", "predict", "stop", "large", "cover"})
"""Parameters of the link that are no setting of a question's subject."""

ON_OFF = {"true": "on", "false": "off"}

Sealed = Mapping[str, str]
"""A question as text, with the proof that this server made it; empty if rooms cannot be kept."""


def phones() -> Middleware:
    """Return the middleware that serves phones. An invalid key of the lecturers ends the process."""
    try:
        key = lecturer_key(os.environ)
    except ValueError as error:
        sys.exit(str(error))
    script = "\n".join((HERE / f"{name}.js").read_text("utf-8") for name in FIELDS)
    look = (HERE / "questions.css").read_text("utf-8")
    listens_on = str(st.get_option("server.address") or "")
    return middleware(shared, fields=script, look=look, key=key, listens_on=listens_on)


def sealed(questions: Sequence[Mapping[str, Any]]) -> list[Sealed]:
    """Seal questions, so that a browser can pass them to a room."""
    if not questions:
        return []
    try:
        secret = shared().secret()
    except StoreError:
        return [{} for _ in questions]
    return [seal(secret, question) for question in questions]


def settings_of(
    followed: Iterable[str], asked: Sequence[Control], pinned: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Return the settings of a page by the labels of its controls, including those that the link leaves out.

    The page has `followed` parameters of the link, and its view has `asked` for others. A view has `pinned`
    those that it chooses by itself, so they are the same before and after they stand in the link.
    """
    link = current_state().link
    defaults = {name: PARAMETERS[name].default for name in followed if name in PARAMETERS}
    values = defaults | {one.parameter.name: one.value for one in asked}
    found = {}
    for name in sorted(values.keys() | link.keys() | pinned.keys()):
        if name in NOT_OF_MODEL or name not in PARAMETERS:
            continue
        label = PARAMETERS[name].label.replace("{}", "").strip()
        value = pinned.get(name, values.get(name))
        spelt = link.get(name) or ([] if value in (None, COMPUTED, "") else in_link(value))
        if label and spelt:
            found[label] = ", ".join(ON_OFF.get(one, one) for one in spelt)[:LONGEST]
    return found
