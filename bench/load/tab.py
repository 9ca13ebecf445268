"""A browser's state of a page and its messages to the server: the protocol of Streamlit 1.67.

Recorded from Chromium with the app in it. Nothing here waits or sends: bytes go in and come out.
"""

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

Path = tuple[int, ...]
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


@dataclass
class Answer:
    """The messages of one run of the script: their bytes, the texts and errors on the page.

    `n_changed` counts new elements on the page; pictures and components count, other controls do not.
    """

    n_bytes: int = 0
    n_changed: int = 0
    texts: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Shown:
    hash: str
    run: str
    fragment: str
    widget: str | None


class Tab:
    """One page of the app in one tab of a browser, from the server's view.

    `width` is the width in pixels that the page has sent; 0 before it sends any. `timers` are the seconds
    after which a part of the page asks to be drawn again.
    """

    def __init__(self, origin: str, path: str = "", query: str = "") -> None:
        self.origin, self.path = origin, path.strip("/")
        self.query = parse_qs(query, keep_blank_values=True)
        self.pages: dict[str, str] = {}
        self.controls: dict[str, Control] = {}
        self.width = 0
        self.timers: dict[str, float] = {}
        self._page = ""
        self._values: dict[str, Value] = {}
        self._screen: str | None = None
        self._shown: dict[Path, _Shown] = {}
        self._kept: dict[str, tuple[ForwardMsg, int]] = {}  # messages by hash, with the run that used them
        self._max_age, self._n_runs = 2, 0
        self._run, self._fragments = "", frozenset[str]()
        self._ran: set[str] = set()
        self._before: set[str] = set()
        self._answer = Answer()

    # Messages from the server.

    def receive(self, payload: bytes) -> Answer | None:
        """Take one message; return the whole answer after its last one, unless the script begins again."""
        message = ForwardMsg.FromString(payload)
        self._answer.n_bytes += len(payload)
        kind = message.WhichOneof("type")
        if kind == "delta":
            self._take_delta(message)
        elif kind == "ref_hash":
            self._take_reference(message)
        elif kind == "new_session":
            self._begin(message)
        elif kind == "page_info_changed":
            self.query = parse_qs(message.page_info_changed.query_string, keep_blank_values=True)
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
            self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        elif kind == "page_not_found":
            self._answer.problems.append("page not found")
        elif kind == "auto_rerun":
            self.timers[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self.timers.pop(fragment, None)
        elif kind == "script_finished":
            return self._finish(message)
        return None

    def _begin(self, message: ForwardMsg) -> None:
        run = message.metadata.run
        self._run, self._fragments = run.script_run_id, frozenset(run.fragment_ids)
        self._ran = set(self._fragments)
        self._before = {shown.hash for shown in self._shown.values()}
        if not self._fragments:
            self.timers.clear()
            self._page = self._page or message.new_session.page_script_hash
            self._max_age = message.new_session.config.max_cached_message_age

    def _take_delta(self, message: ForwardMsg) -> None:
        if message.metadata.cacheable:
            self._kept[message.hash] = message, self._n_runs
        self._ran.add(message.delta.fragment_id)
        path, kind = tuple(message.metadata.delta_path), message.delta.WhichOneof("type")
        if kind == "add_block":
            self._shown.pop(path, None)
        elif kind == "new_element":
            self._take_element(path, message)

    def _take_reference(self, message: ForwardMsg) -> None:
        if message.ref_hash not in self._kept:
            self._answer.problems.append("a message that the server wrongly takes to be cached")
            return
        known, _ = self._kept[message.ref_hash]
        self._kept[message.ref_hash] = known, self._n_runs
        known.metadata.CopyFrom(message.metadata)
        self._ran.add(known.delta.fragment_id)
        self._take_element(tuple(message.metadata.delta_path), known)

    def _take_element(self, path: Path, message: ForwardMsg) -> None:
        element, fragment = message.delta.new_element, message.delta.fragment_id
        kind, control = element.WhichOneof("type"), control_of(element, fragment)
        if control is not None:
            self._take_control(control, element.bidi_component.json)
        if kind == "exception":
            self._answer.problems.append(f"exception: {element.exception.type}")
        elif message.hash not in self._before and (control is None or kind == "bidi_component"):
            self._answer.n_changed += 1
        if kind in ("markdown", "alert"):
            self._answer.texts.append(getattr(element, kind).body)
        self._shown[path] = _Shown(message.hash, self._run, fragment, control.id if control else None)

    def _take_control(self, control: Control, data: str) -> None:
        if control.name == "screen":
            self._screen, self.width = control.id, self.width or json.loads(data)["known"]
        is_known = control.id in self._values
        self.controls[control.id] = control
        if control.field not in TRIGGERS and (control.is_put or not is_known):
            self._values[control.id] = control.put if control.is_put else control.default

    def _finish(self, message: ForwardMsg) -> Answer | None:
        status = message.script_finished
        if status == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return None
        if status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            self._answer.problems.append("a script that does not compile")
        self._forget_stale()
        answer, self._answer = self._answer, Answer()
        return answer

    def _forget_stale(self) -> None:
        """Drop what this run could have drawn and did not, and messages unused for more runs than allowed.

        As in Streamlit's frontend, only the messages of the parts that ran get older.
        """
        self._n_runs += 1
        parts, everything = self._fragments, not self._fragments
        self._kept = {
            hash: (message, used)
            for hash, (message, used) in self._kept.items()
            if (parts and message.delta.fragment_id not in parts) or self._n_runs - used <= self._max_age
        }
        self._shown = {
            path: shown
            for path, shown in self._shown.items()
            if shown.run == self._run or not (everything or shown.fragment in self._ran)
        }
        here = {shown.widget for shown in self._shown.values()}
        self.controls = {id: control for id, control in self.controls.items() if id in here}
        self._values = {id: value for id, value in self._values.items() if id in here}

    # Acts of the visitor: each is a message for the server.

    def open(self) -> bytes:
        """Open the page that the link asks for."""
        return self._message(page_name=self.path)

    def tell_width(self, pixels: int) -> bytes:
        """Send the width of the page with everything else, after which the app is drawn again."""
        if self._screen is None:
            raise ValueError("the page has no component that watches the screen")
        self.width = pixels
        self._values[self._screen] = pixels
        return self._message()

    def choose(self, control: Control, value: Value) -> bytes:
        """Give a control another value, in the link too if it is there."""
        self._values[control.id] = value
        if control.parameter and value in (control.default, None):
            self.query.pop(control.parameter, None)
        elif control.parameter:
            values = value if isinstance(value, list) else [value]
            self.query[control.parameter] = [
                str(one).lower() if isinstance(one, bool) else str(one) for one in values
            ]
        if control.parameter:
            self.query = dict(sorted(self.query.items()))
        return self._message(fragment=control.fragment)

    def press(self, control: Control) -> bytes:
        """Press a button."""
        return self._message(WidgetState(id=control.id, trigger_value=True), fragment=control.fragment)

    def trigger(self, control: Control, event: str, value: Any) -> bytes:
        """Send an event of a component, such as a click on a picture or a stroke of a brush."""
        payload = json.dumps([{"event": event, "value": value}], separators=(",", ":"))
        name = f"$$STREAMLIT_INTERNAL_KEY_{control.id}__events"
        return self._message(WidgetState(id=name, json_trigger_value=payload), fragment=control.fragment)

    def turn_to(self, path: str) -> bytes:
        """Follow the menu to another page; the server keeps the values of the old controls."""
        kept = {control.parameter for control in self.controls.values()}
        self.query = {name: values for name, values in sorted(self.query.items()) if name in kept}
        self._values = {id: value for id, value in self._values.items() if id == self._screen}
        self._shown.clear()
        self.controls, self.path, self._page = {}, path, self.pages[path]
        return self._message()

    def tick(self, fragment: str) -> bytes:
        """Send the request of a part that redraws itself from time to time."""
        return self._message(fragment=fragment, is_timer=True)

    def value(self, control: Control) -> Value:
        """Return the present value of a control."""
        return self._values.get(control.id)

    def named(self, *names: str) -> list[Control]:
        """Return the usable controls of these names on the page."""
        return [one for one in self.controls.values() if one.name in names and not one.is_disabled]

    def _message(
        self, *triggers: WidgetState, fragment: str = "", page_name: str = "", is_timer: bool = False
    ) -> bytes:
        message = BackMsg()
        request = message.rerun_script
        request.query_string = urlencode(self.query, doseq=True)
        request.page_script_hash, request.page_name = self._page, page_name
        request.fragment_id, request.is_auto_rerun = fragment, is_timer
        request.cached_message_hashes.extend(self._kept)
        about = request.context_info
        about.timezone, about.locale, about.color_scheme = "UTC", "en-US", "light"
        about.url = f"{self.origin}/{self.path}"
        request.widget_states.SetInParent()
        for id, value in self._values.items():
            if id == self._screen:
                payload = json.dumps({"room": value}, separators=(",", ":"))
                request.widget_states.widgets.add(id=id, json_value=payload)
            elif id in self.controls:
                states(self.controls[id], value, request.widget_states.widgets.add())
        request.widget_states.widgets.extend(triggers)
        return message.SerializeToString()
