"""The visitor's own model in the explorer: there for them alone, and only while it exists."""

import json
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest
from numpy.testing import assert_allclose
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.context import ContextProxy
from streamlit.util import calc_hash

from core.live import Plan
from core.model.trace import Trace
from pages.browser.owner import COOKIE, TRAINED, training_queue
from pages.contract.switches import OWN
from pages.training.planning import LOST
from tests.core.live.plans import Turnstile
from tests.covering import each
from tests.pages.session import Session
from tests.pages.test_training import PAGE, TINY, trained

pytestmark = pytest.mark.usefixtures("noise_shelf", "measured_briefly")

OPEN = "Open in the explorer"
GONE = "There is no model of your own here"
KEY = "k" * 43


def link(session: Session) -> dict[str, str]:
    """Return the parameters behind the link to the explorer."""
    (one,) = [link for link in session.app.get("page_link") if link.proto.label == OPEN]
    return {name: values[0] for name, values in parse_qs(one.proto.query_string).items()}


def explore(session: Session, parameters: dict[str, str]) -> None:
    """Follow a link from one page of the session to the explorer."""
    session.app._page_hash = calc_hash("explorer")
    session.app.query_params = dict(parameters)
    session.run(WidgetStates())


def weights(plan: Plan, session: Session, layer: int, head: int) -> np.ndarray:
    """One head of the visitor's model on the watched sentence, computed from the model itself."""
    model, trace = training_queue().model(session.app.session_state["owner"]), Trace()
    assert model is not None
    model(plan.task.vocabulary().encode(plan.words), trace=trace)
    return np.where(plan.allowed(), trace[f"blocks.{layer}.attention.pattern"][0, head].numpy(), np.nan)


def test_it_opens_with_its_switches_and_its_sentence_for_nobody_else_until_a_reset() -> None:
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
    assert "ablation" not in session.prose
    assert list(session.element("layers").options) == ["1", "2", "3"]

    stranger = Session(**asked, view="heads")
    assert stranger.value("model") == "trained"
    refused = "The link asks for layers = 3, but here it can be 1, 2. Showing 2."
    assert (GONE in stranger.warnings[0], stranger.warnings[1:]) == (True, [refused])
    assert "model" not in stranger.link
    assert list(stranger.element("model").options) == ["trained", "random", "real"]

    training_queue().reset(session.app.session_state["owner"])
    session.run()
    assert GONE in session.warnings[0]
    assert session.value("model") == "trained"
    session.set(model="random")
    assert not [said for said in session.warnings if GONE in said]


def test_ablated_parts_are_named_and_other_options_are_not_offered() -> None:
    session = Session(PAGE, **TINY)
    trained(session)
    explore(session, link(session))
    session.set(mlp=False, layers=1)
    assert "no second layer, no feed-forward layers." in session.prose
    assert session.pictures != []
    session.set(positions="none")
    assert session.pictures == []
    said = "Set the switches to that, train another one, or choose other weights."
    assert session.warnings == [f"Your model was trained with positions sinusoidal. {said}"]
    session.set(positions="sinusoidal", text="a word")
    assert "nothing but single letters and digits" in session.warnings[0]


def test_while_it_trains_the_explorer_asks_for_patience(turns: Turnstile) -> None:
    session = Session(PAGE, **TINY)
    session.press("Start")
    turns.let(1)
    explore(session, {"model": OWN})
    assert "still training: pause it on the page Training" in session.warnings[0]
    turns.open()
    training_queue().reset(session.app.session_state["owner"])


def sent(session: Session, cookie: str) -> Any:
    """Return the data of the script of a cookie."""
    return json.loads(session.element(cookie).proto.json)


@each(("cookie", "kept"), [(KEY, True), (f"{KEY}<b>", False), ("../../etc/passwd", False)])
def test_the_key_of_a_visitor_comes_from_the_browser_and_forged_ones_do_not_count(
    cookie: str, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ContextProxy, "cookies", {COOKIE: cookie})
    session = Session(PAGE)
    owner = session.app.session_state["owner"]
    assert (owner == cookie) == kept


def test_a_training_of_an_ended_process_is_reported_as_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Session(PAGE, **TINY).infos == [], "there was none"
    monkeypatch.setattr(ContextProxy, "cookies", {COOKIE: KEY, TRAINED: "here"})
    session = Session(PAGE, **TINY)
    assert session.infos == [LOST]
    assert not sent(session, "training_cookie")["seconds"]
    trained(session)
    assert session.infos == Session(PAGE, **TINY).infos == [], "it is still there after a reload"
    assert sent(session, "training_cookie")["seconds"], "the browser remembers that it has one"
    session.press("Reset")
    assert session.infos == [], "put away by the visitor"
    assert not sent(session, "training_cookie")["seconds"]
