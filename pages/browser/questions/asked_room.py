"""A question of a view asked to everybody in the hall. The server opens the room: it has the questions."""

import os
import secrets
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware

from pages.contract.parameters import PARAMETERS
from pages.shell.base import base
from pages.state.link import here
from rooms import leading
from rooms.browsers import COOKIE as BROWSER
from rooms.browsers import Shares, client_of
from rooms.http import middleware
from rooms.lecturer import COOKIE as LECTURER
from rooms.lecturer import is_lecturer, lecturer_key
from rooms.opened import shared
from rooms.store import StoreError

HERE = Path(__file__).parent
FIELDS = ("prose", "fields", "resolution")
"""The scripts that a phone has of this folder: it asks and resolves a question as the page does."""

SAID = "said_of_room"
"""The key under which a session keeps what its browser is told of the room."""

LONGEST = 200
"""Characters of a code, a token or a setting."""

NOT_OF_MODEL = frozenset({"view", "predict", "stop", "lecture", "cover"})
"""Parameters of the link that set nothing of what is asked about."""

ON_OFF = {"true": "on", "false": "off"}

OPENED = Shares(browser=(3, 1 / 1200), address=(10, 1 / 800))
"""Rooms that a browser and its address open: they cannot have all of the server's."""

WITH_KEY = " Lecturers enter their key at {}/room/lecturer and load this page again."


def phones() -> Middleware:
    """What answers phones, for the app. A key of the lecturers that cannot be one ends the process."""
    try:
        key = lecturer_key(os.environ)
    except ValueError as error:
        sys.exit(str(error))
    script = "\n".join((HERE / f"{name}.js").read_text("utf-8") for name in FIELDS)
    look = (HERE / "questions.css").read_text("utf-8")
    return middleware(shared, fields=script, look=look, key=key)


def said_of_room() -> Mapping[str, str] | None:
    """What the browser of this session is to hear of the room: who leads it, or why it was not asked."""
    said: Mapping[str, str] | None = st.session_state.get(SAID)
    return said


def ask_room(asked: Any, cover: str, questions: Sequence[Mapping[str, Any]]) -> None:
    """Ask one of the questions, as the browser wants; what it says is believed as far as it makes sense."""
    if not isinstance(asked, Mapping):
        return
    at = asked.get("at")
    if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at < len(questions):
        return
    code, token = (str(asked.get(name) or "")[:LONGEST] for name in ("code", "token"))
    key, cookies = lecturer_key(os.environ), st.context.cookies
    try:
        store = shared()
        secret = store.secret()
        client = client_of(secret, cookies.get(BROWSER, ""), st.context.ip_address or "", time.time())
        led = leading.ask(
            store,
            questions[at],
            about=f"{cover} {at}",
            settings=_settings(),
            code=code,
            token=token,
            may_open=lambda: OPENED.take(client),
            has_key=is_lecturer(key, secret, cookies.get(LECTURER, "")),
        )
        said = {"code": led.code, "token": led.token}
    except leading.OpeningError as error:
        said = {"refused": f"{error}{WITH_KEY.format(base()) if key else ''}"}
    except leading.LeadingError as error:
        said = {"refused": str(error)}
    except StoreError:
        said = {"refused": "Rooms cannot be kept."}
    st.session_state[SAID] = {**said, "made": secrets.token_hex(8)}


def _settings() -> dict[str, str]:
    """What the link sets of the model and the sentence, by the labels of the controls."""
    return {
        label: ", ".join(ON_OFF.get(value, value) for value in values)[:LONGEST]
        for name, values in here().link.items()
        if name in PARAMETERS and name not in NOT_OF_MODEL
        if (label := PARAMETERS[name].label.replace("{}", "").strip())
    }
