"""Models of the Hugging Face hub, if the server may fetch them: descriptions, and a button to get them."""

from threading import Lock

import streamlit as st

from core.pretrained import hub
from core.pretrained.hub import HubError, HubModel
from pages.contract.prose import JOINER, literal
from pages.contract.real import described
from pages.state.link import change_now
from words import memory

LONGEST_NAME = 96

LONGEST_REFUSAL = 400
"""Longest message of the hub or its client, in characters; a sentence on what to do fits in."""

KNOWN_FOR = 600
"""Seconds for which the hub's response about a name is kept."""

# Two downloads at once would share the line and the disk, and might be of the same model.
_fetching = Lock()


def draw_hub() -> None:
    """Draw a box for the name of a model, the hub's description of it, and a button that fetches it."""
    if not hub.is_on():
        return
    with st.expander("Fetch a model from the hub", type="compact", key="hub"):
        typed = st.text_input("Name on the hub", key="hub_name", max_chars=LONGEST_NAME)
        name = typed.replace(JOINER, "").strip()  # a name copied from a sentence has it
        if not name:
            st.caption("For example openai-community/gpt2. Only safetensors files are fetched, no code.")
            return
        try:
            found = _found(name)
            st.markdown(f"**{literal(found.name)}**: {described(found.about)}")
            if st.button("Fetch it", icon=":material/download:", key="hub_fetch"):
                _fetch(found)
        except HubError as error:
            st.warning(literal(str(error), longest=LONGEST_REFUSAL))


@st.cache_resource(ttl=KNOWN_FOR, max_entries=64, show_spinner="Asking the hub …")
def _found(name: str) -> HubModel:
    return hub.find(name)


def _fetch(found: HubModel) -> None:
    """Fetch a model and show the progress, then show the model. Raises HubError."""
    if not _fetching.acquire(blocking=False):
        st.info("Another visitor is fetching a model: press the button again in a minute.")
        return
    bar = st.progress(0.0, "Fetching …")

    def report(received: int, size: int) -> None:
        bar.progress(received / size, f"{memory(received)} of {memory(size)}")

    try:
        folder = hub.fetch(found, report)
    finally:
        _fetching.release()
    change_now({"model": "real", "real": folder.name})
