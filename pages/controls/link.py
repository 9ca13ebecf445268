"""Parameters kept in the address bar: each control is bound to one, and says so when a link is wrong.

A parameter at its default is absent from the link. A value the control cannot take is ignored with a
sentence above the page.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

from pages.controls.history import is_walking_back
from pages.controls.notes import complain, repeat
from pages.controls.parameters import declared, is_parameter
from pages.controls.parameters.declared import COMPUTED, Kind
from pages.controls.prose import Typed

T = TypeVar("T", bound=str | int)
Binding = Literal["query-params"] | None

MOST_STOPS = 16
"""So many stops are listed where a link asks for another; of more, a few stand for all."""

UNBOUND = "unbound"
"""Where a session remembers that this run has found something impossible in the link."""


class Control(NamedTuple):
    """What a control shows on this page: its label, its options if it has some, and its value at first."""

    name: str
    label: str
    options: list[Any]
    default: Any
    bounds: tuple[int, int | None] | None


def choice(
    name: str,
    *,
    notes: DeltaGenerator,
    options: Sequence[Any] | None = None,
    default: Any = COMPUTED,
    label: str | None = None,
    hide_label: bool = False,
    on_change: Callable[[], None] | None = None,
    fixed: str | None = None,
) -> Any:
    """One of a few options, all in sight. The option is at once label and value in the link.

    What its declaration says is left out here. `fixed` is the reason why it cannot be changed.
    """
    one = control(name, "one of", label=label, options=options, default=default)
    return st.segmented_control(
        one.label,
        one.options,
        default=one.default,
        required=True,
        key=name,
        bind=_bind_option(one, notes),
        label_visibility="collapsed" if hide_label else "visible",
        on_change=on_change,
        disabled=fixed is not None,
        help=fixed,
    )


def menu(
    name: str,
    *,
    notes: DeltaGenerator,
    options: Sequence[Any] | None = None,
    default: Any = COMPUTED,
    label: str | None = None,
    width: int | Literal["stretch"] = 150,
) -> Any:
    """One of several options, in a menu: for what is chosen less often or from more."""
    one = control(name, "one of", label=label, options=options, default=default)
    index = one.options.index(one.default)
    bind = _bind_option(one, notes)
    return st.selectbox(one.label, one.options, index=index, key=name, bind=bind, width=width)


def slide(
    name: str, *, notes: DeltaGenerator, options: Sequence[Any] | None = None, default: Any = COMPUTED
) -> Any:
    """One of many stops in a row, such as numbers, on a slider."""
    one = control(name, "one of", options=options, default=default)
    return st.select_slider(
        one.label,
        one.options,
        one.default,
        key=name,
        bind=_bind_option(one, notes, possible=_in_short(one.options)),
        label_visibility="collapsed",
    )


def several(name: str, options: Sequence[str], *, notes: DeltaGenerator, many: bool = False) -> list[str]:
    """Any number of options, none at first; each stands in the link under the same name.

    All are in sight, unless they are too `many` for that.
    """
    label = control(name, "several").label
    bind = _bind(name, lambda raw: raw in options, ", ".join(options), [], notes, shown="none", many=True)
    if many:
        return st.multiselect(label, options, key=name, bind=bind, placeholder="none")
    return st.pills(label, options, selection_mode="multi", key=name, bind=bind)


def switch(
    name: str,
    *,
    notes: DeltaGenerator,
    default: Any = COMPUTED,
    help: str | None = None,
    on_change: Callable[[], None] | None = None,
) -> bool:
    """On or off."""
    one = control(name, "switch", default=default)
    bind = bind_switch(name, notes, default=one.default)
    return st.toggle(one.label, value=one.default, key=name, bind=bind, help=help, on_change=on_change)


def bind_switch(name: str, notes: DeltaGenerator, *, default: Any = COMPUTED) -> Binding:
    """What binds something that is on or off, or open or shut, to the link."""
    one = control(name, "switch", default=default)
    return _bind(name, lambda raw: raw.lower() in ("true", "false"), "true or false", one.default, notes)


def number(
    name: str,
    *,
    notes: DeltaGenerator,
    largest: int | None = None,
    default: Any = COMPUTED,
    label: str | None = None,
    unchosen: str = "none",
    width: int | Literal["stretch"] = "stretch",
) -> Any:
    """A whole number between two bounds; without a default none is chosen at first, shown as `unchosen`."""
    one = control(name, "number", label=label, default=default)
    assert one.bounds is not None, "every number is declared with its bounds"
    low, high = one.bounds[0], one.bounds[1] if largest is None else largest
    assert high is not None, f"the largest {name} depends on the page, which has to say it"
    shown = unchosen if one.default is None else one.default
    bind = _bind(name, _is_between(low, high), f"{low} to {high}", one.default, notes, shown=shown)
    return st.number_input(
        one.label, low, high, one.default, key=name, bind=bind, placeholder=unchosen, width=width
    )


def control(
    name: str,
    kind: Kind,
    *,
    label: str | None = None,
    options: Sequence[Any] | None = None,
    default: Any = COMPUTED,
) -> Control:
    """What a control of this name shows: what its declaration says, and what only the page knows.

    The first option stands where neither says another.

    A control that means something else than the declaration needs a name of its own: two that shared one
    would take over each other's value from page to page.
    """
    one = declared(name)
    assert one is not None, f"{name} is missing among the parameters"
    assert one.kind == kind, f"{name} is declared as {one.kind}, not as {kind}: {one.meaning}"
    called = one.label if label is None else label
    assert one.is_called(called), f"{name} is declared as {one.label!r}, not as {called!r}: {one.meaning}"
    stops = list(one.options or ()) if options is None else list(options)
    assert one.allows(tuple(stops)), f"{name} has other options than declared: {stops}"
    at_first = one.default if default is COMPUTED else default
    if at_first is COMPUTED and stops:
        at_first = stops[0]
    return Control(name, called, stops, at_first, one.bounds)


def only(name: str, value: str, *, notes: DeltaGenerator) -> str:
    """A parameter without a control: this page has nothing else to choose."""
    asked = st.query_params.get_all(name)
    if asked and asked != [value]:
        _refuse(name, asked, value, value, notes)
        del st.query_params[name]
    else:
        repeat(name, value, notes)
    return value


def _in_short(stops: Sequence[T]) -> str:
    """The stops in a row; of more than one reads, the first two and the last two."""
    if len(stops) <= MOST_STOPS:
        return ", ".join(map(str, stops))
    return f"{stops[0]}, {stops[1]}, …, {stops[-2]} or {stops[-1]}"


def put(name: str, value: object) -> None:
    """Set a parameter to something else than its default, even one whose control is not on the page yet."""
    st.session_state[name] = value
    with suppress(StreamlitAPIException):  # bound: the control itself writes it into the link
        st.query_params[name] = value if isinstance(value, list) else spelt(value)


def forget(name: str) -> None:
    """Bring a parameter back to its default, even one whose control is not on the page."""
    st.session_state.pop(name, None)
    with suppress(StreamlitAPIException, KeyError):  # bound, or not in the link
        del st.query_params[name]


def arrive(name: str, default: object, *, fits: Callable[[object], bool] = lambda value: True) -> None:
    """On arrival at a page bring a parameter along, unless nobody has touched it: then it takes this default.

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


def _bind_option(one: Control, notes: DeltaGenerator, *, possible: str | None = None) -> Binding:
    shown = [str(option) for option in one.options]
    assert one.default in one.options, f"{one.name} is {one.default} at first, which is none of {shown}"
    return _bind(one.name, lambda raw: raw in shown, possible or ", ".join(shown), one.default, notes)


def _bind(
    name: str,
    is_possible: Callable[[str], bool],
    possible: str,
    default: object,
    notes: DeltaGenerator,
    *,
    shown: object = None,
    many: bool = False,
) -> Binding:
    """What binds the control to the link: nothing in the run that finds something impossible there.

    Streamlit would make something of it: 1 of 1.5, the first of two, nothing at all of nothing. A note is
    about what somebody has written into the link, not about what the visitor has chosen on another page.
    """
    assert is_parameter(name), f"{name} is missing in parameters.py"
    arrive(name, default, fits=lambda value: all(map(is_possible, _spelt_in_link(value))))
    raw = st.query_params.get_all(name)
    if not raw or ((many or len(raw) == 1) and all(map(is_possible, raw))):
        repeat(name, st.session_state.get(name, default), notes)
        return "query-params"
    if raw != _spelt_in_link(set_aside(name)):
        _refuse(name, raw, possible, default, notes, shown=shown)
    try:
        del st.query_params[name]
    except StreamlitAPIException:  # bound since an earlier run: another control took the value away
        return "query-params"
    st.session_state[UNBOUND] = True
    return None


def _refuse(
    name: str,
    asked: Sequence[str],
    possible: str,
    default: object,
    notes: DeltaGenerator,
    *,
    shown: object = None,
) -> None:
    """Say that the link asks for what a parameter cannot be here, and what is shown in its place."""
    complain(
        name,
        f"The link asks for {Typed(name)} = {Typed(', '.join(asked))}, but here it can be {possible}. "
        f"Showing {spelt(default if shown is None else shown)}.",
        default,
        notes,
    )


def bind_all() -> None:
    """Run the app again where a control is not bound yet: its next change would be missing in the link."""
    if st.session_state.pop(UNBOUND, False):
        st.rerun()


def _is_between(smallest: int, largest: int) -> Callable[[str], bool]:
    most_digits = len(str(largest))
    return lambda raw: (
        raw.isascii() and raw.isdigit() and len(raw) <= most_digits and smallest <= int(raw) <= largest
    )


def _spelt_in_link(value: object) -> list[str]:
    """A value, or each of several, as the link has it."""
    return [spelt(one) for one in value] if isinstance(value, list) else [spelt(value)]


def spelt(value: object) -> str:
    """A value as it stands in a link."""
    return str(value).lower() if isinstance(value, bool) else str(value)
