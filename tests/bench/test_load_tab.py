"""The tab of the load generator takes what a server says as a browser does, and answers like one."""

from collections.abc import Iterable

import pytest
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from bench.load.controls import Control
from bench.load.tab import Answer, Tab
from tests.bench.messages import (
    PART,
    again,
    asked,
    begun,
    box,
    choice,
    finished,
    menu,
    shows,
    text,
    toggle,
)

ORIGIN = "http://localhost:1"
POSITIONS = choice("positions", ("none", "alibi", "rotary"), 1, parameter="positions")


def taken(tab: Tab, messages: Iterable[ForwardMsg]) -> Answer:
    """The answer that these messages are, of which the last one ends it and no other."""
    *before, last = messages
    for message in before:
        assert tab.receive(message.SerializeToString()) is None
    answer = tab.receive(last.SerializeToString())
    assert answer is not None
    return answer


def opened(*elements: Element, query: str = "") -> Tab:
    """A first page with these elements, all in the fragment `part`, and a line of text."""
    tab = Tab(ORIGIN, query=query)
    drawn = [shows(element, 0, i, fragment="part", hash=f"{i}") for i, element in enumerate(elements)]
    line = shows(text("before"), 1, 0, fragment="part", hash="a line")
    taken(tab, [begun("first"), menu(), *drawn, line, finished()])
    return tab


def control(tab: Tab, name: str) -> Control:
    """The one control of that name."""
    (found,) = tab.named(name)
    return found


def states(payload: bytes) -> dict[str, object]:
    """The values of all controls that a browser sends along, by the name of the control."""
    found = {}
    for state in asked(payload).widget_states.widgets:
        field = state.WhichOneof("value")
        value = getattr(state, field) if field else None
        found[state.id.split("-", 2)[-1]] = list(value.data) if hasattr(value, "data") else value
    return found


def test_a_choice_is_sent_with_all_other_values_to_its_fragment_and_stands_in_the_link() -> None:
    tab = opened(POSITIONS, toggle("scale", True), box("text", "so it is", parameter="text"))
    payload = tab.choose(control(tab, "positions"), ["rotary"])
    assert states(payload) == {"positions": ["rotary"], "scale": True, "text": "so it is"}
    request = asked(payload)
    assert (request.fragment_id, request.query_string) == ("part", "positions=rotary")
    assert request.page_script_hash == "hash of the first page"


def test_what_an_answer_shows_again_has_not_changed() -> None:
    tab = opened(POSITIONS)
    same = shows(text("before"), 1, 0, fragment="part", hash="a line")
    other = shows(text("after"), 1, 1, fragment="part", hash="another")
    assert taken(tab, [begun("second", "part"), same, finished(PART)]).n_changed == 0
    assert taken(tab, [begun("third", "part"), same, other, finished(PART)]).n_changed == 1


def test_a_control_that_its_fragment_does_not_draw_again_is_gone_and_one_of_another_stays() -> None:
    tab = opened(POSITIONS)
    other = shows(toggle("scale", True), 2, 0, fragment="other")
    taken(tab, [begun("second", "other"), other, finished(PART)])
    assert {one.name for one in tab.controls.values()} == {"positions", "scale"}
    taken(tab, [begun("third", "part"), finished(PART)])
    assert {one.name for one in tab.controls.values()} == {"scale"}
    taken(tab, [begun("fourth"), finished()])
    assert not tab.controls


def test_a_large_message_is_kept_and_named_to_the_server_until_it_was_not_used_for_two_runs() -> None:
    tab = Tab(ORIGIN)
    picture = shows(text("large"), 0, 0, hash="large", cacheable=True)
    taken(tab, [begun("first"), picture, finished()])
    assert list(asked(tab.open()).cached_message_hashes) == ["large"]
    answer = taken(tab, [begun("second"), again("large", 0, 0), finished()])
    assert (answer.problems, answer.n_changed) == ([], 0)
    taken(tab, [begun("third"), finished()])
    assert list(asked(tab.open()).cached_message_hashes) == ["large"]
    taken(tab, [begun("fourth"), finished()])
    assert not asked(tab.open()).cached_message_hashes


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (shows(Element(), 0, 0), None),
        (again("never sent", 0, 0), "a message that the server takes for cached and is not"),
        (ForwardMsg(page_not_found={"page_name": "nowhere"}), "page not found"),  # type: ignore[arg-type]
    ],
)
def test_what_must_not_be_in_an_answer_is_a_problem(message: ForwardMsg, problem: str | None) -> None:
    answer = taken(Tab(ORIGIN), [begun("first"), message, finished()])
    assert answer.problems == ([] if problem is None else [problem])


def test_a_part_with_a_timer_asks_for_itself_until_it_is_stopped() -> None:
    tab, timer, stop = opened(POSITIONS), ForwardMsg(), ForwardMsg()
    timer.auto_rerun.fragment_id, timer.auto_rerun.interval = "part", 0.7
    stop.stop_auto_rerun.fragment_ids.append("part")
    taken(tab, [begun("second", "part"), timer, shows(POSITIONS, 0, 0, fragment="part"), finished(PART)])
    assert tab.timers == {"part": pytest.approx(0.7)}
    request = asked(tab.tick("part"))
    assert (request.fragment_id, request.is_auto_rerun) == ("part", True)
    taken(tab, [begun("third", "part"), stop, finished(PART)])
    assert tab.timers == {}
