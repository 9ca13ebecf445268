"""The state of a session: what it takes from an address, keeps, refuses, and writes there again."""

from contextlib import suppress
from threading import Thread
from typing import Any

import pytest
import streamlit as st

from pages.contract.link_parameters import Refusal
from pages.contract.parameters import in_view
from pages.state import link
from pages.state.link import State, drawing, part_of_page


def opened(**link: str) -> State:
    state = State()
    state.open("explorer", {name: [value] for name, value in link.items()})
    return state


def follow(state: State, **needed: bool) -> None:
    """Draw a page that follows these parameters, and needs some of them in its address."""
    state.shown["page"] = needed
    state.changed.clear()


def test_a_link_stays_unchanged_until_the_page_has_asked() -> None:
    state = opened(mask="causal", scale="1", evil="2")
    assert state.link == {"mask": ["causal"], "scale": ["true"], "evil": ["2"]}
    follow(state, mask=False, scale=True)
    assert state.link == {"scale": ["true"], "evil": ["2"]}


def test_an_act_is_in_the_address_at_once_and_a_default_leaves_it() -> None:
    state = opened(mask="prefix")
    follow(state, mask=True)
    state.change({"heads": 2, "mask": None, "silenced": ["1.1", "2.1"], "edit": ("q.1.1.0",)})
    assert state.link == {"heads": ["2"], "silenced": ["1.1", "2.1"], "edit": ["q.1.1.0"]}
    assert state.came == set()


def test_an_act_that_gives_a_parameter_its_default_leaves_the_address_alone() -> None:
    state = opened(mask="causal")
    state.usual["inside"] = ["weights"]
    follow(state, mask=True, inside=False)
    state.change({"inside": "weights"})
    assert state.link == {"mask": ["causal"]}
    state.change({"inside": "scores"})
    assert state.link == {"mask": ["causal"], "inside": ["scores"]}
    follow(state, mask=True, inside=True)
    state.change({"inside": "weights"})
    assert state.link == {"mask": ["causal"]}


def test_nothing_brings_a_parameter_back_to_its_default() -> None:
    for value in (None, ()):
        state = opened(edit="q.1.1.0")
        state.change({"edit": value})
        assert state.chosen == {}


def test_the_menu_keeps_shared_parameters_and_a_link_none() -> None:
    state = opened(text="hot tea", layers="3", cells="ff", stop="2", evil="1")
    state.refuse("heads", Refusal("No."))
    state.move("masking", {"mask": ["prefix"]})
    assert state.chosen == {"text": ["hot tea"], "layers": ["3"], "mask": ["prefix"]}
    assert state.came == {"mask"}, "a note is about a link, not about earlier choices"
    assert state.refused == {}

    follow(state, text=True, mask=True)
    assert state.link == {"text": ["hot tea"], "mask": ["prefix"]}, "layers wait until a page has them"
    state.open("masking", {"view": ["paint"]})
    assert state.chosen == {"view": ["paint"]}


def test_a_refusal_stays_until_its_parameter_is_changed() -> None:
    state = opened(heads="zz", layers="9")
    state.refuse("heads", Refusal("No."))
    state.refuse("layers", Refusal("No."))
    assert state.link == {}
    state.change({"heads": 2})
    assert set(state.refused) == {"layers"}


def test_another_view_drops_parameters_that_the_view_before_did_not_follow() -> None:
    state = opened(view="heads", real="t5")
    state.without_effect = {"real": ["t5"]}
    assert "real" in state.link
    state.change({"view": "compare"})
    assert (state.without_effect, state.link) == ({}, {"view": ["compare"]})


def test_a_run_that_is_interrupted_leaves_the_next_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    state = opened(mask="causal")
    monkeypatch.setattr(link, "current_state", lambda: state)
    monkeypatch.setattr(link, "correct_address", lambda: None)

    def interrupted() -> None:
        with suppress(KeyboardInterrupt), part_of_page("page"), part_of_page("view"):
            drawing().follow("scale", needed=True)
            raise KeyboardInterrupt

    with part_of_page("page") as is_whole:
        drawing().follow("mask", needed=True)
        is_whole()
        other = Thread(target=interrupted)
        other.start()
        other.join()
        drawing().follow("heads", needed=False)
    assert state.shown == {"page": {"mask": True, "heads": False}}


class RanAgainError(Exception):
    """Stands for the end of a run."""


def test_a_control_that_differs_from_the_address_is_a_lost_act(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_again() -> None:
        raise RanAgainError

    state, written = opened(mask="prefix"), list[Any]()
    monkeypatch.setattr(link, "current_state", lambda: state)
    monkeypatch.setattr(link, "_write", written.append)
    monkeypatch.setattr(st, "rerun", run_again)
    mask = in_view("mask")

    link.show_value(mask, "prefix", lambda given: given["value"], is_typed=False)
    assert written == [], "an opened page agrees with its address"
    with pytest.raises(RanAgainError):
        link.show_value(mask, "prefix", lambda given: "bidirectional", is_typed=False)
    assert written == [{"mask": ["bidirectional"]}]
    with pytest.raises(RanAgainError):
        link.show_value(mask, "bidirectional", lambda given: mask.default, is_typed=False)
    assert written[1:] == [{}]


def test_a_box_that_the_browser_has_not_drawn_yet_begins_with_its_text_in_every_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state, text = opened(text="hot tea"), in_view("text")
    monkeypatch.setattr(link, "current_state", lambda: state)
    monkeypatch.setattr(st, "session_state", {})
    given: list[dict[str, Any]] = []

    def draw(look: dict[str, Any]) -> Any:
        given.append(look)
        st.session_state["text"] = look.get("value", st.session_state.get("text"))
        return st.session_state["text"]

    link.show_value(text, "hot tea", draw, is_typed=True)
    state.is_arriving = False
    link.show_value(text, "hot tea", draw, is_typed=True)
    assert given == [{"value": "hot tea"}] * 2
    link.show_value(text, "cold tea", draw, is_typed=True)
    assert (given[2:], st.session_state["text"]) == ([{}], "cold tea"), (
        "it is set: a value beside that is one too many"
    )
