"""What becomes of a parameter on the way from page to page, and from view to view."""

from collections.abc import Callable, Sequence
from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.contract.control import spelt
from pages.contract.parameters import declared
from pages.controls.history import is_walking_back


def put(name: str, value: object) -> None:
    """Set a parameter to something else than its default, even one whose control is not on the page yet."""
    st.session_state[name] = value
    with suppress(StreamlitAPIException):  # bound: the control itself writes it into the link
        st.query_params[name] = value if isinstance(value, list) else spelt(value)


def put_spelt(name: str, spelling: Sequence[str]) -> None:
    """Set what a view spells itself, which has no control."""
    if spelling:
        st.query_params[name] = list(spelling)
    elif name in st.query_params:
        del st.query_params[name]


def forget(name: str) -> None:
    """Bring a parameter back to its default, even one whose control is not on the page."""
    one = declared(name)
    if one is not None and one.default is None and name in st.session_state:
        st.session_state[name] = None  # a control on the page would hold on to what it shows
    else:
        st.session_state.pop(name, None)
    with suppress(StreamlitAPIException, KeyError):  # bound, or not in the link
        del st.query_params[name]


def arrive(name: str, default: object, *, fits: Callable[[object], bool] = lambda value: True) -> None:
    """Bring a parameter along on arrival at a page; one that nobody has touched takes this default.

    So it does where another view of the page has another default. By itself Streamlit (1.67) brings along
    only what was changed by hand, and not what a link has set. What does not fit another page or view than
    the one where it was chosen is set aside.
    """
    here, remembered = (st.context.url, st.session_state.get("view"), default), f"arrival of {name}"
    last_page, last_view, last_default = st.session_state.get(remembered, here)
    st.session_state[remembered] = here
    if is_walking_back():
        st.session_state.pop(_aside(name), None)
        return
    if name not in st.session_state:
        return
    value = st.session_state[name]
    if value in (default, last_default):
        _take_up(name, default, fits)
    elif not fits(value) and (last_page, last_view) == here[:2]:  # another control has taken it away
        st.session_state[name] = list(filter(fits, value)) if isinstance(value, list) else default
    elif not fits(value):
        st.session_state[_aside(name)], st.session_state[name] = value, default
    else:
        st.session_state.pop(_aside(name), None)  # the visitor has chosen since
        if last_page != st.context.url:
            put(name, value)


def set_aside(name: str) -> object:
    """What the visitor had chosen elsewhere and cannot have here; None where there is nothing.

    It comes back where it fits, unless the visitor chooses something else before.
    """
    return st.session_state.get(_aside(name))


def has_arrived(name: str) -> bool:
    """Whether a control, not drawn yet in this run, is about to be drawn on its page for the first time."""
    last_page, *_ = st.session_state.get(f"arrival of {name}", (None,))
    return last_page != st.context.url and not is_walking_back()


def _aside(name: str) -> str:
    return f"set aside of {name}"


def _take_up(name: str, default: object, fits: Callable[[object], bool]) -> None:
    """Give an untouched parameter what was set aside of it, if that fits, or else its default."""
    kept = set_aside(name)
    if kept is not None and fits(kept):
        del st.session_state[_aside(name)]
        put(name, kept)
    elif st.session_state[name] != default:
        st.session_state[name] = default
