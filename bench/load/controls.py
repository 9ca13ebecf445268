"""The controls of a page, as a browser finds them in the messages of the server."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from streamlit.proto.Element_pb2 import Element
from streamlit.proto.WidgetStates_pb2 import WidgetState

Value = str | bool | float | list[str] | None


@dataclass(frozen=True)
class Control:
    """One control: what it is called, what it can be, and in which part of the page it stands.

    `name` is its key in the app, `field` that of the widget's state in Streamlit's protocol, `parameter` its
    name in the link, if it has one. `put` is what the server has set, which counts before `default`.
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
    """The control that `element` is; None for what only shows something."""
    kind = element.WhichOneof("type")
    read = _READERS.get(kind or "")
    if kind is None or read is None:
        return None
    widget = getattr(element, kind)
    return Control(
        id=widget.id,
        name=name_of(widget.id),
        kind=kind,
        fragment=fragment,
        parameter=getattr(widget, "query_param_key", ""),
        is_disabled=getattr(widget, "disabled", False),
        is_put=getattr(widget, "set_value", False),
        **read(widget),
    )


def name_of(id: str) -> str:
    """The key that the app has given to a widget: what follows the hash in `$$ID-hash-key`."""
    return id.split("-", 2)[2] if id.count("-") >= 2 else id


def states(control: Control, value: Value, state: WidgetState) -> None:
    """Write `value` into `state` as a browser does; a control of which nothing is chosen has no value."""
    state.id = control.id
    if value is None:
        return
    if isinstance(value, list):
        getattr(state, control.field).data.extend(value)
        if not value:
            getattr(state, control.field).SetInParent()
    else:
        setattr(state, control.field, int(value) if control.field == "int_value" else value)


def spelt(value: Value) -> list[str]:
    """A value as it stands in the link."""
    if isinstance(value, list):
        return value
    return [str(value).lower() if isinstance(value, bool) else str(value)]


def _button_group(widget: Any) -> dict[str, Any]:
    options = tuple(option.content for option in widget.options)
    return {
        "field": "string_array_value",
        "options": options,
        "default": [options[i] for i in widget.default],
        "put": list(widget.raw_values),
    }


def _checkbox(widget: Any) -> dict[str, Any]:
    return {"field": "bool_value", "default": widget.default, "put": widget.value}


def _selectbox(widget: Any) -> dict[str, Any]:
    options = tuple(widget.options)
    default = options[widget.default] if widget.HasField("default") and options else None
    put = widget.raw_value if widget.HasField("raw_value") else None
    return {"field": "string_value", "options": options, "default": default, "put": put}


def _text_input(widget: Any) -> dict[str, Any]:
    return {"field": "string_value", "default": widget.default, "put": widget.value}


def _number_input(widget: Any) -> dict[str, Any]:
    field = "int_value" if widget.data_type == widget.INT else "double_value"
    default = widget.default if widget.HasField("default") else None
    put = widget.value if widget.HasField("value") else None
    return {"field": field, "default": default, "put": put}


def _slider(widget: Any) -> dict[str, Any]:
    options = tuple(widget.options)
    if options:
        default = [options[int(place)] for place in widget.default]
        return {
            "field": "string_array_value",
            "options": options,
            "default": default,
            "put": list(widget.raw_value),
        }
    return {"field": "double_array_value", "default": list(widget.default), "put": list(widget.value)}


def _multiselect(widget: Any) -> dict[str, Any]:
    options = tuple(widget.options)
    default = [options[i] for i in widget.default]
    return {
        "field": "string_array_value",
        "options": options,
        "default": default,
        "put": list(widget.raw_values),
    }


def _trigger(field: str) -> Callable[[Any], dict[str, Any]]:
    return lambda widget: {"field": field}


_READERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "button_group": _button_group,
    "checkbox": _checkbox,
    "selectbox": _selectbox,
    "radio": _selectbox,
    "text_input": _text_input,
    "text_area": _text_input,
    "number_input": _number_input,
    "slider": _slider,
    "multiselect": _multiselect,
    "button": _trigger("trigger_value"),
    "bidi_component": _trigger("json_trigger_value"),
}
TRIGGERS = ("trigger_value", "json_trigger_value")
"""States that are told once and then forgotten."""
