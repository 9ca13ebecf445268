"""The controls of a page, as a browser finds them in the server's messages."""

import json
from dataclasses import dataclass
from typing import Any

from streamlit.proto.Element_pb2 import Element
from streamlit.proto.WidgetStates_pb2 import WidgetState

Value = str | bool | float | list[str] | None

FIELDS = {
    "button_group": "string_array_value",
    "checkbox": "bool_value",
    "selectbox": "string_value",
    "text_input": "string_value",
    "text_area": "string_value",
    "number_input": "double_value",
    "slider": "string_array_value",
    "multiselect": "string_array_value",
    "button": "trigger_value",
    "bidi_component": "json_trigger_value",
}
"""Fields of Streamlit's protocol that hold the value of each kind; whole numbers are elsewhere."""
TRIGGERS = ("trigger_value", "json_trigger_value")
"""Fields of values that are sent once and then dropped."""


@dataclass(frozen=True)
class Control:
    """A control: its name, its possible values, and its part of the page.

    `name` is its key in the app, `field` the field of the widget's state in Streamlit's protocol, `parameter`
    its name in the link, if it has one. `put` is the value set by the server, which overrides `default`. The
    options of the listener to clicks are the charts that it listens to.
    """

    id: str
    name: str
    kind: str
    field: str
    fragment: str
    options: tuple[str, ...] = ()
    default: Value = None
    put: Value = None
    is_put: bool = False
    parameter: str = ""
    is_disabled: bool = False


def control_of(element: Element, fragment: str) -> Control | None:
    """Return the control of an element; None for an element that only shows something."""
    kind = element.WhichOneof("type") or ""
    if kind not in FIELDS:
        return None
    widget = getattr(element, kind)
    options = tuple(getattr(one, "content", one) for one in getattr(widget, "options", ()))
    if kind == "bidi_component" and widget.json:
        options = tuple(json.loads(widget.json).get("charts", ()))
    return Control(
        id=widget.id,
        name=widget.id.split("-", 2)[-1],  # the end of `$$ID-hash-key`
        kind=kind,
        field="int_value" if kind == "number_input" and widget.data_type == widget.INT else FIELDS[kind],
        fragment=fragment,
        options=options,
        default=_default(widget, options),
        put=_value(widget, *(("raw_values", "raw_value") if options else ("value",))),
        is_put=getattr(widget, "set_value", False),
        parameter=getattr(widget, "query_param_key", ""),
        is_disabled=getattr(widget, "disabled", False),
    )


def states(control: Control, value: Value, state: WidgetState) -> None:
    """Write `value` into `state` as a browser does; an empty choice has no value."""
    state.id = control.id
    if isinstance(value, list):
        getattr(state, control.field).data.extend(value)
        if not value:
            getattr(state, control.field).SetInParent()
    elif value is not None:
        setattr(state, control.field, int(value) if control.field == "int_value" else value)


def _default(widget: Any, options: tuple[str, ...]) -> Value:
    """Return the initial choice; the message numbers the options."""
    default = _value(widget, "default")
    if isinstance(default, list):
        return [options[int(number)] for number in default]
    return options[default] if options and default is not None else default


def _value(widget: Any, *names: str) -> Any:
    """Return the first of these fields that the message's kind has; None if it is not set."""
    name = next((name for name in names if name in widget.DESCRIPTOR.fields_by_name), None)
    if name is None:
        return None
    field = widget.DESCRIPTOR.fields_by_name[name]
    if field.is_repeated:
        return list(getattr(widget, name))
    return getattr(widget, name) if not field.has_presence or widget.HasField(name) else None
