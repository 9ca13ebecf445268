"""The first screen of a stop shows few switches; all others stand in one closed fold and still work."""

from dataclasses import replace

import pytest

from pages.contract.items import (
    Action,
    Button,
    Control,
    ControlNote,
    Hub,
    InlineLabel,
    LoadButton,
    StepButtons,
)
from pages.contract.parameters import PARAMETERS
from pages.path import bar, stops
from pages.path.stops import STOPS, StopView
from pages.sheet import build_sheet
from pages.shell import stop as stop_of_page
from pages.shell.first_screen import MORE, MORE_KEY, NO_SWITCHES, kept_of
from tests.covering import each
from tests.pages.session import Session

TEXTS = {"text", "other"}
"""Boxes for sentences, which are always in sight."""

MOST = 4
"""Most controls on the first screen of a stop."""

VIEWS_OF_STOPS = [(number, one) for number, stop in enumerate(STOPS, 1) for one in stop.views]


def asked(name: str) -> Control:
    return Control(PARAMETERS[name], "menu", None)


@pytest.mark.long("the switches of all stops")
@each(("number", "one"), VIEWS_OF_STOPS)
def test_a_stop_names_a_few_switches_of_its_view(number: int, one: StopView) -> None:
    names = {item.parameter.name for item in build_sheet(one.link.path).ask.asked()}
    assert set(one.switches) <= names | TEXTS, f"stop {number}, {one.link.path}"
    assert len({*one.switches} - TEXTS) <= MOST, f"stop {number}, {one.link.path}"


def test_a_spot_keeps_the_named_controls_with_their_parts() -> None:
    seed, d, step = asked("seed"), asked("d"), asked("step")
    name, walk, shuffle, said = (
        InlineLabel("d"),
        StepButtons("step", 3),
        Button("Shuffle", {}),
        ControlNote("CPU"),
    )
    items = [seed, name, d, shuffle, said, step, walk]
    assert list(kept_of(items, {"d"})) == [name, d, shuffle, said]
    assert list(kept_of(items, {"step"})) == [shuffle, said, step, walk]
    assert list(kept_of(items, {"text"})) == [], "buttons of a spot go along with its controls"
    assert list(kept_of([shuffle, said], set())) == [shuffle, said], "there is no control to go along with"
    start, load = Action("Train", lambda: None, "start"), LoadButton("gpt2")
    assert list(kept_of([seed, start, load, Hub()], set())) == [start, load]


def with_switches(monkeypatch: pytest.MonkeyPatch, number: int, name: str, switches: tuple[str, ...]) -> None:
    """Have a view of a stop show these switches first."""
    stop = STOPS[number - 1]
    views = tuple(replace(one, switches=switches) if one.link.view == name else one for one in stop.views)
    changed = (*STOPS[: number - 1], replace(stop, views=views), *STOPS[number:])
    for module in (stops, bar, stop_of_page):
        monkeypatch.setattr(module, "STOPS", changed)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The view "paint" with two chosen switches: one of the sidebar, one of the row."""
    switches = ("heads", "beside")
    with_switches(monkeypatch, 4, "paint", switches)
    return switches


def controls(session: Session) -> tuple[set[str], set[str]]:
    """Return the keys of the controls in sight, and of those in the fold."""
    app = session.app
    names = {item.parameter.name for item in build_sheet("/masking?view=paint").ask.asked()}
    (fold,) = [one for one in app.sidebar.get("expander") if one.label == MORE]
    inside = {one.key for one in fold if getattr(one, "key", None) in names}
    everywhere = {
        one.key for part in (app.main, app.sidebar) for one in part if getattr(one, "key", None) in names
    }
    return everywhere - inside, inside


def test_the_others_stand_in_a_closed_fold_and_work(made: tuple[str, ...]) -> None:
    session = Session("masking", view="paint", stop=4)
    in_sight, folded = controls(session)
    assert in_sight == {*made, "view"}
    assert {"positions", "layers", "preset", "layer", "head", "query", "key"} <= folded
    (fold,) = [one for one in session.app.sidebar.get("expander") if one.label == MORE]
    assert not fold.proto.expanded
    session.set(preset="window", mlp=False)
    assert session.link == {"stop": "4", "preset": "window", "mlp": "false"}
    assert controls(session) == (in_sight, folded)


def test_a_page_off_the_path_and_a_detour_have_no_such_fold(made: tuple[str, ...]) -> None:
    for at in ({}, {"stop": 5}):
        assert not Session("masking", view="paint", **at).has(MORE_KEY)


def test_a_live_part_has_a_separate_fold() -> None:
    session = Session("training", stop=3)
    shown = STOPS[2].views[1].switches
    assert [one.label for one in session.app.main.get("expander") if one.label == MORE] == (
        [] if {"layer", "head", "at"} <= set(shown) else [MORE]
    )


def test_all_views_of_a_stop_have_a_sidebar_so_they_are_equally_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    with_switches(monkeypatch, 5, "sinusoidal", ("positions_shown",))
    session = Session("positions", view="sinusoidal", stop=5)
    assert [one.value for one in session.app.sidebar.caption] == [NO_SWITCHES]
    assert session.app.session_state["beside the sidebar"] is True
    assert [one.value for one in Session("positions", view="sinusoidal").app.sidebar.caption] == []
