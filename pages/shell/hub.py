"""Models of the Hugging Face hub, where the server may fetch them: what one is, and how to get it."""

from threading import Lock

import streamlit as st

from core.pretrained import hub
from core.pretrained.hub import Found, HubError
from pages.contract.prose import JOINER, literal
from pages.contract.sizes import described
from pages.state.link import change_now
from words import memory

LONGEST_NAME = 96
"""Characters; the hub has no longer names."""

LONGEST_REFUSAL = 400
"""Characters of what the hub or its client says; a sentence on what to do has room in it."""

KNOWN_FOR = 600
"""Seconds for which the hub is not asked again what it has under a name."""

# Two models at once would share the line and the disk, and might be the same.
_fetching = Lock()


def draw_hub() -> None:
    """A box for the name of a model, what the hub says of it, and a button that fetches it."""
    if not hub.is_on():
        return
    with st.expander("Fetch a model from the hub", type="compact", key="hub"):
        typed = st.text_input("Name on the hub", key="hub_name", max_chars=LONGEST_NAME)
        name = typed.replace(JOINER, "").strip()  # a name that is copied from a sentence has it
        if not name:
            st.caption("For example openai-community/gpt2. Only safetensors are fetched, and no code.")
            return
        try:
            found = _found(name)
            st.markdown(f"**{literal(found.name)}**: {described(found.about)}")
            if st.button("Fetch it", icon=":material/download:", key="hub_fetch"):
                _fetch(found)
        except HubError as error:
            st.warning(literal(str(error), longest=LONGEST_REFUSAL))


@st.cache_resource(ttl=KNOWN_FOR, max_entries=64, show_spinner="Asking the hub …")
def _found(name: str) -> Found:
    return hub.find(name)


def _fetch(found: Found) -> None:
    """Fetch with the share that has come on the screen, then show the model; raises HubError."""
    if not _fetching.acquire(blocking=False):
        st.info("Another visitor is fetching a model: press the button again in a minute.")
        return
    bar = st.progress(0.0, "Fetching …")

    def report(come: int, size: int) -> None:
        bar.progress(come / size, f"{memory(come)} of {memory(size)}")

    try:
        folder = hub.fetch(found, report)
    finally:
        _fetching.release()
    change_now({"model": "real", "real": folder.name})
