"""The load generator reads the controls of a page as Streamlit's own simulated browser does."""

import json

import pytest
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from bench.load.tab import FIELDS, Control, control_of, states
from tests.covering import each


def every_control() -> None:
    """A script with every control that a page may have."""
    import streamlit as st

    words = ["a", "b", "c"]
    st.pills("pills", words, selection_mode="multi", default=["a", "c"], key="pills")
    st.segmented_control("segments", words, default="b", key="segments", disabled=True)
    st.toggle("toggle", value=True, key="toggle", bind="query-params")
    st.selectbox("menu", words, index=1, key="menu")
    st.selectbox("empty menu", words, index=None, key="empty_menu")
    st.multiselect("many", words, default=["c"], key="many")
    st.select_slider("slider", words, value="c", key="slider")
    st.number_input("whole", value=3, key="whole")
    st.number_input("fraction", value=0.5, key="fraction")
    st.text_input("line", value="so it is", key="line")
    st.text_area("area", value="so", key="area")
    st.button("button", key="button")
    for name, value in st.query_params.items():
        st.session_state[f"put_{name}"] = value if name in ("menu", "line") else [value]
    st.selectbox("put menu", words, key="put_menu")
    st.text_input("put line", key="put_line")
    st.multiselect("put many", words, key="put_many")


@pytest.fixture(scope="module")
def widgets() -> dict[str, Widget]:
    """All controls of the script by their names, as the simulated browser has them."""
    app = AppTest.from_function(every_control)
    app.query_params.update({"menu": "c", "line": "put", "many": "b"})
    app.run()
    assert not app.exception
    return {widget.key: widget for widget in app.main if isinstance(widget, Widget) and widget.key}


def control(widget: Widget) -> Control:
    """The control that a browser finds in the message of a widget."""
    (kind,) = (one for one in FIELDS if type(getattr(Element(), one)) is type(widget.proto))
    element = Element()
    getattr(element, kind).CopyFrom(widget.proto)
    found = control_of(element, "part")
    assert found is not None
    return found


NAMES = ["pills", "segments", "toggle", "menu", "empty_menu", "many", "slider", "fraction", "line", "area"]
PUT = ("put_menu", "put_line", "put_many")


@each("name", [*NAMES, *PUT])
def test_a_control_is_sent_as_streamlit_itself_sends_it(widgets: dict[str, Widget], name: str) -> None:
    one, state = control(widgets[name]), WidgetState()
    assert (one.name, one.is_put) == (name, name in PUT)
    states(one, one.put if one.is_put else one.default, state)
    assert state == widgets[name]._widget_state


def test_a_whole_number_is_sent_as_one_as_browsers_do_and_the_simulated_one_does_not(
    widgets: dict[str, Widget],
) -> None:
    one, state = control(widgets["whole"]), WidgetState()
    states(one, one.default, state)
    assert (state.WhichOneof("value"), state.int_value) == ("int_value", 3)


def test_the_options_of_the_listener_to_clicks_are_its_charts() -> None:
    element = Element()
    element.bidi_component.id = "$$ID-hash-clicks"
    element.bidi_component.json = json.dumps({"charts": {"matrix": {"drags": False}}})
    found = control_of(element, "")
    assert found is not None
    assert (found.name, found.options, found.default) == ("clicks", ("matrix",), None)
