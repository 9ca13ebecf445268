"""How the controls of a form are drawn; each is bound to the link under its name."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from pages.contract.ask import numbered
from pages.contract.items import (
    Action,
    Asked,
    Button,
    Caption,
    Download,
    Hub,
    Item,
    LoadButton,
    Name,
    PageLink,
    Pick,
    Slider,
    Walk,
)
from pages.contract.parameters.declared import POSITION
from pages.contract.prose import JOINER, literal
from pages.contract.real import REAL
from pages.controls.arrival import forget, put
from pages.controls.buttons import action_button, button, download_button, load_button
from pages.controls.hub import draw_hub
from pages.controls.navigation import navigation_page
from pages.controls.page_answers import SET_FOR, PageAnswers
from pages.controls.page_rerun import change_link, rerun_page
from pages.controls.walk import walk_buttons

MENU = "_word"
"""How the key of a menu of words ends: it begins with the parameter that it sets."""

On = Callable[[], None] | None


def draw(item: Item, answers: PageAnswers) -> None:
    """Draw one item of a form where the page is being drawn."""
    match item:
        case Caption(markdown):
            st.caption(markdown)
        case Name(markdown):
            st.markdown(markdown, width="content")
        case Button():
            button(item)
        case Walk(name, n):
            walk_buttons(name, n)
        case LoadButton(name):
            load_button(name)
        case Slider():
            _slider(item, answers)
        case Hub():
            draw_hub()
        case Action():
            action_button(item)
        case PageLink(label, entry, parameters):
            # Streamlit (1.67) takes the values of shared controls along to a page, whatever the link says.
            st.page_link(navigation_page(entry), label=label, icon=item.icon, query_params=dict(parameters))
        case Download():
            download_button(item)
        case Pick():
            _pick(item)
        case Asked():
            call_back: On = partial(_clear, item.clears) if item.clears else None
            if item.answers_above:
                call_back = _rerun_if_real_changed
            _ASKED[item.widget](item, answers.bindings[item.control.name], call_back)


BAR = 760
"""Pixels of a slider with what it says at both ends."""


def _slider(item: Slider, answers: PageAnswers) -> None:
    with st.container(horizontal=True, vertical_alignment="center", width=BAR, key="one_line"):
        st.markdown(item.before, width="content")
        with st.container():
            draw(item.asked, answers)
        st.markdown(item.after, width="content")


def _pick(item: Pick) -> None:
    def act() -> None:
        picked = st.session_state.get(item.key)
        if picked is not None:
            st.session_state[item.key] = None
            change_link(lambda link: item.on_pick(picked, link))

    st.selectbox(
        item.label,
        item.options,
        index=None,
        placeholder=item.placeholder,
        key=item.key,
        label_visibility="collapsed",
        on_change=act,
    )


def _rerun_if_real_changed() -> None:
    """Mark the examples above the switches anew where a real model is chosen or left."""
    was_real = st.session_state.get(SET_FOR) is not None
    if (st.session_state.get("model") == REAL) != was_real:
        rerun_page()


def _clear(names: Sequence[str]) -> None:
    for name in names:
        forget(name)


def _choice(item: Asked, bind: Any, on_change: On) -> None:
    one = item.control
    st.segmented_control(
        one.label,
        one.options,
        default=one.default,
        required=True,
        key=one.name,
        bind=bind,
        label_visibility=_visibility(item),
        on_change=on_change,
        disabled=item.is_fixed,
        help=item.help,
    )


def _menu(item: Asked, bind: Any, on_change: On) -> None:
    one = item.control
    st.selectbox(
        one.label,
        one.options,
        index=one.options.index(one.default),
        key=one.name,
        bind=bind,
        width=_wide(item),
        help=item.help,
        on_change=on_change,
    )


def _slide(item: Asked, bind: Any, on_change: On) -> None:
    one = item.control
    st.select_slider(
        one.label,
        one.options,
        one.default,
        key=one.name,
        bind=bind,
        label_visibility="collapsed",
        on_change=on_change,
    )


def _pills(item: Asked, bind: Any, on_change: On) -> None:
    one = item.control
    st.pills(
        one.label,
        one.options,
        selection_mode="multi",
        key=one.name,
        bind=bind,
        help=item.help,
        on_change=on_change,
    )


def _multiselect(item: Asked, bind: Any, on_change: On) -> None:
    one = item.control
    st.multiselect(
        one.label,
        one.options,
        key=one.name,
        bind=bind,
        placeholder="none",
        help=item.help,
        on_change=on_change,
    )


def _switch(item: Asked, bind: Any, on_change: On) -> None:
    one = item.control
    st.toggle(one.label, value=one.default, key=one.name, bind=bind, help=item.help, on_change=on_change)


def _number(item: Asked, bind: Any, on_change: On) -> None:
    one = item.control
    assert one.bounds is not None, "every number is declared with its bounds"
    st.number_input(
        one.label,
        *one.bounds,
        one.default,
        key=one.name,
        bind=bind,
        placeholder=one.unchosen,
        width=_wide(item),
        help=item.help,
        on_change=on_change,
    )


def _word(item: Asked, bind: Any, on_change: On) -> None:
    """Streamlit (1.67) writes the label of a bound menu into the link, so the number has a box of its own.

    frame.css hides that.
    """
    one, name = item.control, item.control.name
    _number(item, bind, on_change)
    menu = f"{name}{MENU}"
    # In every run, also where it is so already: a browser that has skipped the run before would take the menu
    # for empty, and say so at the next click.
    st.session_state[menu] = item.value
    st.selectbox(
        one.label.removesuffix(POSITION),
        range(1, len(item.words) + 1),
        index=None,
        format_func=lambda at: numbered(item.words, at - 1),
        key=menu,
        placeholder=one.unchosen,
        on_change=lambda: put(name, st.session_state[menu]),
        width=_wide(item),
    )


def _word_row(item: Asked, bind: Any, on_change: On) -> None:
    one, name = item.control, item.control.name
    _number(item, bind, on_change)
    row, labels = f"{name}{MENU}", _apart(item.words)
    st.session_state[row] = item.value  # in every run, as in `_word`
    st.segmented_control(
        one.label.removesuffix(POSITION),
        range(1, len(item.words) + 1),
        format_func=lambda at: labels[at - 1],
        required=True,
        key=row,
        on_change=lambda: put(name, st.session_state[row]),
    )


def _lines(item: Asked, bind: Any, on_change: On) -> None:
    one = item.control
    st.text_area(one.label, one.default, key=one.name, bind=bind, height="content", on_change=on_change)


def _entry(item: Asked, bind: Any, on_change: On) -> None:
    one = item.control
    st.text_input(
        one.label,
        one.default,
        key=one.name,
        bind=bind,
        live=True,
        placeholder=item.placeholder,
        width=_wide(item),
        on_change=on_change,
    )


def _apart(words: Sequence[str]) -> list[str]:
    """The words, equal ones apart by signs that nobody sees: Streamlit (1.67) knows options by labels."""
    return [literal(word) + JOINER * words[:at].count(word) for at, word in enumerate(words)]


def _visibility(item: Asked) -> Any:
    return "collapsed" if item.hide_label else "visible"


def _wide(item: Asked) -> Any:
    return "stretch" if item.width is None else item.width


_ASKED: dict[str, Callable[[Asked, Any, On], None]] = {
    "choice": _choice,
    "menu": _menu,
    "slide": _slide,
    "pills": _pills,
    "multiselect": _multiselect,
    "switch": _switch,
    "number": _number,
    "word": _word,
    "word row": _word_row,
    "lines": _lines,
    "entry": _entry,
}
