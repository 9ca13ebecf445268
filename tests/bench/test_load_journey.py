"""The students of the load generator do what a class does, with what is on the page."""

import json
from collections import Counter
from random import Random

import pytest

from bench.load.journey import MIXES, Journey, Plan
from bench.load.sentences import LECTURED
from bench.load.tab import Tab
from tests.bench.messages import asked, begun, box, choice, component, finished, menu, shows

MENUS = {"positions": ("none", "alibi"), "mask": ("causal", "bidirectional"), "head": ("1", "2", "3")}


@pytest.fixture
def tab() -> Tab:
    """A page with two switches, a menu of heads, a sentence and a picture to click on."""
    made = Tab("http://localhost:1")
    elements = [choice(name, options, 0, parameter=name) for name, options in MENUS.items()]
    elements += [box("text", "so it is", parameter="text"), component("matrix_clicks")]
    shown = [shows(element, 0, i, fragment="part") for i, element in enumerate(elements)]
    for message in (begun("first"), menu(), *shown, finished()):
        made.receive(message.SerializeToString())
    return made


@pytest.mark.parametrize("mix", sorted(MIXES))
def test_acts_are_of_each_kind_in_the_shares_of_the_mix(tab: Tab, mix: str) -> None:
    journey = Journey(Random(1), Plan(mix=mix))
    journey._other_page = lambda tab: ""  # type: ignore[method-assign]
    kinds = Counter[str]()
    for _ in range(1000):
        controls, values = dict(tab.controls), dict(tab._values)
        kinds[journey.next(tab).kind] += 1
        tab.controls, tab._values = controls, values
    for kind, share in MIXES[mix].items():
        assert kinds[kind] == pytest.approx(10 * share, abs=4 * (10 * share) ** 0.5)
    assert kinds.total() == sum(kinds[kind] for kind in MIXES[mix])


def test_a_head_is_chosen_in_the_menu_or_by_a_click_on_a_cell_that_may_be_attended_to(tab: Tab) -> None:
    journey = Journey(Random(1), Plan())
    acts = [journey.act("head", tab) for _ in range(50)]
    names = Counter(act.what.partition(" ")[0] for act in acts if act)
    assert set(names) == {"head", "matrix_clicks"}
    for act in acts:
        assert act is not None
        for state in asked(act.message).widget_states.widgets:
            if state.json_trigger_value:
                point = json.loads(state.json_trigger_value)[0]["value"][0]
                assert 0 <= point["x"] <= point["y"] < len(["so", "it", "is"])


def test_a_sentence_typed_with_pauses_is_asked_for_at_each_of_them_and_then_whole(tab: Tab) -> None:
    journey = Journey(Random(1), Plan(follows=True, pauses=2))
    act, asked_for = journey.act("sentence", tab), []
    while act is not None and act.kind == "typing":
        asked_for.append(str(tab.value(tab.named("text")[0])))
        act = journey.next(tab)
    whole = str(tab.value(tab.named("text")[0]))
    assert act is not None
    assert act.kind == "sentence"
    assert whole in LECTURED
    assert len(asked_for) == 2
    assert whole.startswith(asked_for[1])
    assert asked_for[1].startswith(asked_for[0])
    assert len({whole, *asked_for}) == 3
