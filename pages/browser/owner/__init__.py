"""The visitor's own training: its key, and its model among the weights that a page offers."""

import os
import re
import secrets
from pathlib import Path

import streamlit as st

from core.live import TrainingQueue, queue_of, register_trained_model
from pages.browser.component import component

_cookie = component("owner", Path(__file__).with_name("cookie.js"))

KEY, COOKIE = "owner", "attention-lab-owner"
BYTES, IS_KEY = 32, re.compile(r"[\w-]{43}")
"""Length of a key in bytes, and its pattern."""
A_DAY = 24 * 60 * 60

TRAINED, HERE, A_TRAINING = "attention-lab-training", "here", "training seen"
"""Item that the browser keeps while it has a training here; and the session key of such an item."""


REFUSAL = "training refused"


@st.cache_resource(show_spinner=False)
def training_queue() -> TrainingQueue:
    """Return the queue in which this process trains."""
    return queue_of(os.environ)


def owner() -> str:
    """Return the visitor's key. It is in no link, so others who open the link cannot touch the training."""
    if KEY not in st.session_state:
        kept = str(st.context.cookies.get(COOKIE))
        st.session_state[KEY] = kept if IS_KEY.fullmatch(kept) else secrets.token_urlsafe(BYTES)
    key: str = st.session_state[KEY]
    return key


class Visitor:
    """The visitor of the page that is being drawn, as `Trainee` describes them."""

    def __init__(self) -> None:
        # Later, when a file is requested or a button pressed, the visitor is not known.
        self.queue, self.key = training_queue(), owner()

    def keep(self, *, is_there: bool) -> None:
        if is_there:
            st.session_state[A_TRAINING] = True
        seconds = A_DAY if is_there else 0
        _cookie(key="training_cookie", data={"name": TRAINED, "value": HERE, "seconds": seconds}, height=0)

    def is_training_lost(self) -> bool:
        was_here = st.context.cookies.get(TRAINED) == HERE and A_TRAINING not in st.session_state
        return was_here and self.queue.progress(self.key) is None

    def refuse(self, reason: str) -> None:
        st.session_state[REFUSAL] = reason

    def take_refusal(self) -> str:
        return str(st.session_state.pop(REFUSAL, ""))


def own_source() -> str | None:
    """Return the name of the source with the visitor's own trained model; None if there is none."""
    return register_trained_model(training_queue(), owner())


def why_no_own_model() -> str:
    """Return the reason why there is none."""
    progress = training_queue().progress(owner())
    if progress is not None and progress.is_active:
        return "Your own model is still training: pause it on the page Training to use it here."
    return (
        "There is no model of your own here. The server keeps one for a day for the browser that trained it, "
        "unless others need the place or the server restarts. Train one on the page Training."
    )
