"""The program behind a page: what is on the screen, computed again in a few lines of PyTorch."""

from collections.abc import Callable

import streamlit as st

from core.programs import Subject
from pages.controls.link import bind_switch
from pages.controls.switches import Architecture


def code(write: Callable[[], str], *, prints: str = "what is shown here") -> None:
    """The program that `write` gives, written only when the reader opens it; once on a page, at its end.

    `prints` ends the sentence that says what the program does: "it prints …".
    """
    bind = bind_switch("code", False, st.empty())
    expander = st.expander("Code", key="code", on_change="rerun", bind=bind, type="compact")
    if expander.open:
        expander.caption(f"Run it in the app's folder: it prints {prints}.")
        expander.code(write(), language="python")


def subject(words: tuple[str, ...], switches: Architecture, *, layer: int = 0, head: int = 0) -> Subject:
    """What a program about this sentence and this model is about; layer and head count from 0."""
    return Subject(
        words=words,
        config=switches.config,
        source=switches.source,
        seed=switches.seed,
        window=switches.window,
        layer=layer,
        head=head,
    )
