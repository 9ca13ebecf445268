"""The students of the load generator do what a class does, with what is on the page."""

import json
from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from bench.load.journey import HEADS, IDLE, MIXES, PAGES, PAUSE, TOGGLES, Act, Journey, Plan
from bench.load.sentences import LECTURED, own_sentence
from bench.load.tab import Tab
from core.text.language import vocabulary as known
from pages import GROUPS
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


def test_a_toggle_gives_a_switch_another_of_its_options(tab: Tab) -> None:
    journey = Journey(Random(1), Plan())
    seen = Counter[str]()
    for _ in range(50):
        before = {one.name: tab.value(one) for one in tab.named(*TOGGLES)}
        act = journey.act("toggle", tab)
        after = {one.name: tab.value(one) for one in tab.named(*TOGGLES)}
        (changed,) = (name for name in before if before[name] != after[name])
        assert act is not None
        assert act.what == f"{changed} = {after[changed][0]}"  # type: ignore[index]
        seen[changed] += 1
    assert set(seen) == {"positions", "mask"}


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


@pytest.mark.parametrize("follows", [True, False])
def test_who_follows_types_what_the_lecture_has_and_others_their_own(tab: Tab, follows: bool) -> None:
    journey = Journey(Random(1), Plan(follows=follows))
    typed = []
    for _ in range(100):
        assert journey.act("sentence", tab) is not None
        typed.append(tab.value(tab.named("text")[0]))
    assert follows is False or all(earlier != later for earlier, later in pairwise(typed))
    assert (set(typed) <= set(LECTURED)) is follows
    assert (len(set(typed)) > 90) is not follows


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


def test_a_page_that_has_nothing_for_an_act_gets_another_act(tab: Tab) -> None:
    tab.controls = {id: one for id, one in tab.controls.items() if one.name == "text"}
    assert {Journey(Random(seed), Plan(mix="plain")).next(tab).kind for seed in range(20)} == {"sentence"}
    tab.controls = {}
    assert Journey(Random(1), Plan(mix="plain")).next(tab).kind == "page"


def test_the_pause_is_that_of_the_plan_on_average_shorter_between_words_and_longer_after_idling(
    tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    journey = Journey(Random(1), Plan(between=4))
    pauses = [journey.pause() for _ in range(500)]
    assert 2 <= min(pauses) < max(pauses) <= 6
    assert sum(pauses) / len(pauses) == pytest.approx(4, abs=0.2)
    for kind, least, most in (("typing", *PAUSE), ("idle", IDLE + 2, IDLE + 6)):
        monkeypatch.setattr(journey, "_drawn", lambda tab, kind=kind: Act(kind))
        journey.next(tab)
        assert all(least <= journey.pause() <= most for _ in range(50))


def test_a_seed_makes_the_same_student(tab: Tab) -> None:
    links = [[Journey(Random(seed), Plan()).link() for _ in range(2)] for seed in (1, 1)]
    assert links[0] == links[1]
    assert len({str(Journey(Random(seed), Plan()).link()) for seed in range(40)}) > 5


def test_pages_and_controls_are_those_of_the_app() -> None:
    addresses = {entry.address for entries in GROUPS.values() for entry in entries}
    assert set(PAGES) <= addresses
    assert set(HEADS) == {"layer", "head"}


def test_models_know_every_word_of_the_own_sentences() -> None:
    random = Random(1)
    typed = [own_sentence(random) for _ in range(500)]
    assert {word.lower() for text in typed for word in text.split()} <= set(known().words)
    assert {len(text.split()) for text in typed} <= set(range(5, 16))
    assert len(set(typed)) > 450
