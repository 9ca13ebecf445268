"""The visitor's own model in the explorer: there for them alone, and only while it exists."""

import json
from urllib.parse import parse_qs

import numpy as np
import pytest
from numpy.testing import assert_allclose
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.context import ContextProxy
from streamlit.util import calc_hash

from core.live import Plan
from core.model.trace import Trace
from pages.controls.own import COOKIE, OWN, TRAINED, slot
from pages.training.planning import LOST
from tests.core.live.plans import wait_for
from tests.pages.session import Session
from tests.pages.test_training import PAGE, TINY, run_of, trained

pytestmark = pytest.mark.usefixtures("noise_shelf", "measured_briefly")

OPEN = "Open in the explorer"
GONE = "There is no model of your own here"


def link(session: Session) -> dict[str, str]:
    """The parameters behind the link to the explorer."""
    (one,) = [link for link in session.app.get("page_link") if link.proto.label == OPEN]
    return {name: values[0] for name, values in parse_qs(one.proto.query_string).items()}


def explore(session: Session, parameters: dict[str, str]) -> None:
    """Follow a link from one page of the session to the explorer."""
    session.app._page_hash = calc_hash("explorer")
    session.app.query_params = parameters
    session.run(WidgetStates())


def weights(plan: Plan, session: Session, layer: int, head: int) -> np.ndarray:
    """One head of the visitor's model on the watched sentence, computed from the model itself."""
    model, trace = slot().model(session.app.session_state["owner"]), Trace()
    assert model is not None
    model(plan.task.vocabulary().encode(plan.words), trace=trace)
    return np.where(plan.allowed(), trace[f"blocks.{layer}.attention.pattern"][0, head].numpy(), np.nan)


def test_it_opens_with_its_switches_and_its_sentence() -> None:
    session = Session(PAGE, **TINY, positions="rotary", heads=2, layers=3, residual=False)
    plan = trained(session).plan
    asked = link(session)
    explore(session, asked)

    assert session.warnings == session.infos == []
    assert (session.value("model"), session.value("text")) == (OWN, "d 4 k 7 a 2 k 7 d 4")
    assert {name: str(session.value(name)).lower() for name in asked} == asked
    session.set(view="heads", layer=3, head=2)
    assert_allclose(session.matrix("matrix"), weights(plan, session, 2, 1), atol=1e-6)
    assert "Trained on the task recall with letters and digits" in session.prose
    assert "on newly drawn examples." in session.prose
    assert "ablation" not in session.prose
    assert list(session.element("layers").options) == ["1", "2", "3"]


def test_what_is_taken_out_of_it_is_said_and_what_it_is_not_cannot_be_had() -> None:
    session = Session(PAGE, **TINY)
    trained(session)
    explore(session, link(session))
    session.set(mlp=False, layers=1)
    assert "no second layer, no feed-forward layers." in session.prose
    assert session.pictures != []

    session.set(positions="none")
    assert session.pictures == []
    assert session.warnings == [
        "Your model was trained with positions sinusoidal. Set the switches to that, train another one, or "
        "choose other weights."
    ]
    session.set(positions="sinusoidal", text="a word")
    assert "nothing but single letters and digits" in session.warnings[0]


def test_nobody_else_sees_it() -> None:
    session = Session(PAGE, **TINY)
    trained(session)
    stranger = Session(**link(session), view="heads")
    assert stranger.value("model") == "trained"
    assert GONE in stranger.infos[0]
    assert stranger.warnings == []
    assert "model" not in stranger.link
    assert list(stranger.element("model").options) == ["trained", "random", "real"]


def test_it_goes_with_a_reset_and_the_explorer_says_so_once() -> None:
    session = Session(PAGE, **TINY)
    trained(session)
    asked = link(session)
    explore(session, asked)
    slot().reset(session.app.session_state["owner"])
    session.run()
    assert GONE in session.infos[0]
    assert session.value("model") == "trained"
    session.run()
    assert session.infos == []


def test_while_it_trains_the_explorer_asks_for_patience() -> None:
    session = Session(PAGE, task="recall", steps=5000, batch=4, layers=6)
    session.press("Start")
    wait_for(lambda: run_of(session).steps)
    explore(session, {"model": OWN})
    assert "still being trained: pause it on the page Training" in session.infos[0]
    slot().reset(session.app.session_state["owner"])


def test_it_is_linked_only_while_the_controls_describe_it() -> None:
    session = Session(PAGE, **TINY)
    assert not session.has("inline_result")
    trained(session)
    assert session.has("inline_result")
    session.set(positions="none")
    assert not session.has("inline_result")


def test_the_key_of_a_visitor_is_kept_by_the_browser_and_nothing_else_is_taken_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = "k" * 43
    for cookie, kept in ((key, True), ("k" * 42, False), (f"{key}<b>", False), ("../../etc/passwd", False)):
        monkeypatch.setattr(ContextProxy, "cookies", {COOKIE: cookie})
        session = Session("training")
        assert (session.app.session_state["owner"] == cookie) == kept
        assert (
            json.loads(session.element("owner_cookie").proto.json)["value"]
            == session.app.session_state["owner"]
        )


def kept_of_training(session: Session) -> bool:
    """Whether the browser is told to remember that it has a training."""
    return bool(json.loads(session.element("training_cookie").proto.json)["seconds"])


def test_the_browser_remembers_a_training_for_as_long_as_there_is_one() -> None:
    session = Session(PAGE, **TINY)
    assert not kept_of_training(session)
    trained(session)
    assert kept_of_training(session)
    session.press("Reset")
    assert not kept_of_training(session)


def test_a_training_whose_process_has_ended_is_said_to_be_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ContextProxy, "cookies", {COOKIE: "k" * 43, TRAINED: "here"})
    session = Session(PAGE, **TINY)
    assert session.infos == [LOST]
    trained(session)
    assert session.infos == []
    session.press("Reset")
    assert session.infos == [], "put away by the visitor"


def test_a_training_that_is_still_there_after_a_reload_is_not_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ContextProxy, "cookies", {COOKIE: "k" * 43, TRAINED: "here"})
    trained(Session(PAGE, **TINY))
    assert Session(PAGE, **TINY).infos == []


def test_without_a_training_before_nothing_is_gone() -> None:
    assert Session(PAGE, **TINY).infos == []
