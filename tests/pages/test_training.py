"""The training page: it trains the model of its controls, and the pictures show the results."""

import math
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.learning.tasks import TASKS, chance
from core.learning.training import Recipe
from core.live import MOST_STEPS, Plan, Progress
from core.live.run import Curves
from core.model.config import ModelConfig
from core.model.masks import MASKS
from pages.browser.owner import training_queue
from pages.training.planning import differences
from pages.training.status import measured_on, pace, status
from pages.training.watching import bare_loop
from tests.core.live.plans import Turnstile, wait_for
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, fields_of, numbers, settings

pytestmark = pytest.mark.usefixtures("measured_briefly")

PAGE = "training"
TINY = {"task": "recall", "steps": 3, "batch": 4}


def planned(*, task: str = "recall", seed: int = 0, rate: float = 0.005, **fields: Any) -> Plan:
    """Return the training that the controls describe with these values and TINY."""
    recipe = Recipe(steps=3, batch_size=4, learning_rate=rate, warm_up=1, seed=seed)
    return Plan(architecture=ModelConfig(vocab_size=1, **fields), task_name=task, recipe=recipe)


def run_of(session: Session) -> Progress | None:
    return training_queue().progress(session.app.session_state["owner"])


def at_rest(session: Session) -> Progress:
    """Return the visitor's run once it has stopped, and the page at that time."""

    def rests() -> bool:
        progress = run_of(session)
        return progress is not None and not progress.is_active

    wait_for(rests)
    session.run()
    progress = run_of(session)
    assert progress is not None
    return progress


def trained(session: Session) -> Progress:
    session.press("Start")
    return at_rest(session)


def test_another_length_is_named_alone_though_the_warm_up_follows_from_it() -> None:
    longer = replace(planned(), recipe=replace(planned().recipe, steps=300, warm_up=30))
    assert differences(longer, planned()) == ["steps 300"]
    assert differences(planned(), planned()) == []


@cache
def losses(plan: Plan) -> list[float]:
    return [step.loss for step in plan.begin().steps()]


def curve(session: Session, panel: int) -> np.ndarray:
    """Return the thin line of a panel, counted from 0: the steps themselves."""
    axis = f"y{panel + 1}" if panel else "y"
    return next(numbers(t["y"]) for t in session.figure("curves")["data"] if t.get("yaxis", "y") == axis)


def disabled(session: Session) -> dict[str, bool]:
    return {button.label: button.disabled for button in session.app.button if button.key in KEYS}


KEYS = ("start", "pause", "step", "reset")


def test_the_switches_reach_the_training() -> None:
    """The mask decides on the tasks as well."""
    session = Session(PAGE, **TINY)
    of_models = settings("mask", "window", "seed", heads=(1, 2, 8), layers=(1, 3))
    for at, setting in enumerate(of_models[1::4]):
        session.set(**setting)
        session.press("Start anew" if at else "Start")
        assert at_rest(session).plan == planned(**fields_of(setting))


def test_the_row_of_controls_reaches_the_training() -> None:
    session = Session(PAGE, **{**TINY, "task": "agreement"})
    session.set(mask="bidirectional", rate="0.02", seed=7)
    assert session.value("task") == "masked word", "another mask takes the task with it"
    assert "task" not in session.link
    session.set(task="review")
    fields: dict[str, Any] = {"rate": 0.02, "seed": 7, "task": "review", "mask": "bidirectional"}
    progress = trained(session)
    assert progress.plan == planned(**fields)


def test_a_training_from_start_to_end_with_its_attention_and_other_controls() -> None:
    session = Session(PAGE, **TINY, layer=2, head=3, curves_table=True)
    assert "Nothing is trained yet." in session.prose
    assert disabled(session) == {"Start": False, "Step": False, "Reset": True}
    assert not session.has("inline_result")
    untrained = session.matrix("trained_attention")

    progress = trained(session)

    assert_allclose(curve(session, 0), losses(planned()), rtol=1e-5)
    assert_allclose(curve(session, 1), progress.curves.accuracy)
    table = session.table("curves")
    for column in ("step", "loss", "accuracy", "gradient_norm", "learning_rate"):
        assert_allclose(table[column], getattr(progress.curves, column))
    assert progress.tested is not None
    accuracy, loss = progress.tested.accuracy, progress.tested.loss
    assert (
        f"Finished after 3 steps. On newly drawn examples: accuracy {100 * accuracy:.0f} %, loss {loss:.2f} "
        "nats. They have up to 16 pairs of letter and digit; in training there were up to 2 so far."
    ) in session.prose
    assert disabled(session) == {"Start": True, "Step": True, "Reset": False}
    assert session.has("inline_result")
    assert "Training after 3 of 3 steps." in session.alt("curves")

    allowed, snapshots = planned().allowed(), progress.snapshots
    assert_allclose(untrained, np.where(allowed, snapshots[0].patterns[1, 2], np.nan), atol=1e-6)
    for snapshot in (snapshots[-1], snapshots[1]):
        session.set(at="newest" if snapshot is snapshots[-1] else snapshot.step)
        shown = np.where(allowed, snapshot.patterns[1, 2], np.nan)
        assert_allclose(session.matrix("trained_attention"), shown)
        assert f"layer 2, head 3, after step {snapshot.step}" in session.alt("trained_attention")

    session.set(positions="none", rate="0.02", residual=False)
    assert session.infos == [
        "The training below was started with **positions sinusoidal, residual on, learning rate 0.005**, and "
        "is finished. Set the controls back to open or download its model, or start a new training with the "
        "present settings."
    ]
    assert_allclose(curve(session, 0), progress.curves.loss)
    assert not session.has("inline_result")
    assert disabled(session) == {"Start anew": False, "Step": False, "Reset": False}
    session.set(positions="sinusoidal", rate="0.005", residual=True)
    assert session.infos == []

    session.press("Reset")
    assert "Nothing is trained yet." in session.prose
    assert run_of(session) is None
    assert disabled(session) == {"Start": False, "Step": False, "Reset": True}


def test_step_by_step() -> None:
    session = Session(PAGE, **TINY)
    session.press("Step")
    at_rest(session)
    assert "Paused at step 1 of 3." in session.prose
    assert_allclose(curve(session, 0), losses(planned())[:1], rtol=1e-5)
    assert disabled(session) == {"Go on": False, "Step": False, "Reset": False}
    session.press("Step")
    at_rest(session)
    session.press("Go on")
    at_rest(session)
    assert_allclose(curve(session, 0), losses(planned()), rtol=1e-5)


def test_a_pause_and_a_page_change_lose_nothing() -> None:
    session = Session(PAGE, task="recall", steps=MOST_STEPS, batch=4, layers=6)
    session.press("Start")
    assert disabled(session) == {"Pause": False, "Step": True, "Reset": False}
    session.go("exam")
    wait_for(lambda: run_of(session).steps >= 2)
    session.go("training")
    session.press("Pause")
    progress = run_of(session)
    assert progress is not None
    assert progress.state == "paused"
    assert progress.steps >= 2
    every = math.ceil(progress.steps / 600)
    assert len(curve(session, 0)) == math.ceil(progress.steps / every)


def test_only_a_training_that_can_go_on_is_said_to(turns: Turnstile) -> None:
    session = Session(PAGE, **TINY)
    session.press("Start")
    session.set(seed=7)
    assert session.infos == [
        "The training goes on as it was started, with **seed 0**. To train with the present settings, pause "
        "it and start a new one."
    ]
    turns.open()
    session.press("Reset")
    session.press("Step")
    at_rest(session)
    session.set(seed=0)
    assert session.infos == [
        "The training below was started with **seed 7**. Set the controls back to go on with it, or start a "
        "new training with the present settings."
    ]


@each("mask", MASKS)
def test_tasks_are_those_that_the_mask_allows(mask: str) -> None:
    session = Asked(PAGE, mask=mask)
    possible = [name for name, task in TASKS.items() if mask in task.masks]
    assert list(session.options("task")) == possible
    assert session.value("task") == possible[0]
    not_offered = {
        "next word": "*masked word* is not offered here.",
        "masked word": "*next word* and *agreement* are not offered here.",
    }[MASKS[mask].objective]
    assert f"so {not_offered}" in session.prose
    assert all(f"*{name}*" in not_offered for name in TASKS if name not in possible)


def test_a_step_shows_the_attention_after_it_however_seldom_it_is_recorded() -> None:
    session, allowed = Session(PAGE, task="recall", steps=200, batch=4, code=True), planned().allowed()
    for n in (1, 2):
        session.press("Step")
        pattern = at_rest(session).snapshots[-1].patterns[0, 0]
        assert_allclose(session.matrix("trained_attention"), np.where(allowed, pattern, np.nan))
        assert f"the attention after step {n}." in session.prose
        assert f"last = {n}  #" in session.app.code[0].value
    assert 2 not in session.element("at").options
    session.set(at=4)
    assert "after step 2" in session.alt("trained_attention"), "the newest before it"


def test_chance_and_the_shipped_model_are_drawn_where_they_belong(monkeypatch: pytest.MonkeyPatch) -> None:
    guess, shipped = chance(TASKS["recall"]), SimpleNamespace(loss=0.25, accuracy=0.75)
    monkeypatch.setattr(Plan, "shipped", lambda plan: shipped if plan.architecture.residual else None)
    for residual, loss, accuracy in ((True, [0.25], [0.75]), (False, [], [])):
        layout = Asked(PAGE, task="recall", residual=residual).figure("curves")["layout"]
        lines = {
            panel: [one["y0"] for one in layout["shapes"] if one["yref"] == panel] for panel in ("y", "y2")
        }
        assert lines == {"y": [guess.loss, *loss], "y2": [guess.accuracy, *accuracy]}
        named = [note["text"] for note in layout["annotations"]]
        assert (named.count("guess"), named.count("trained")) == (2, 2 * len(loss))


def test_a_refusal_is_shown_once_to_its_visitor(turns: Turnstile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_queue(), "_kept", 1)
    first, refused = Session(PAGE, **TINY, seed=1), Session(PAGE, **TINY, seed=2)
    first.press("Start")
    refused.press("Start")
    assert refused.warnings == ["1 other visitor trains or waits already: try again in some minutes."]
    first.run()
    assert first.warnings == []
    assert run_of(refused) is None
    refused.run()
    assert refused.warnings == []


def test_a_reset_ends_the_run_and_a_model_that_trains_is_not_offered(turns: Turnstile) -> None:
    session, other = Session(PAGE, **TINY), Session(PAGE, **TINY, seed=5)
    session.press("Start")
    turns.let(1)
    session.run()
    assert "At step" in session.prose or "Beginning" in session.prose
    assert not session.has("inline_result"), "it has a model, but the next step changes that"
    assert training_queue().model(session.app.session_state["owner"]) is None
    other.press("Start")
    assert "1 other comes first" in other.prose
    turns.open()
    at_rest(other)
    session.press("Reset")
    assert run_of(session) is None
    assert not session.has("inline_result")
    assert other.has("inline_result")


def test_a_failure_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(plan: Plan, training: object) -> None:
        raise RuntimeError("disk full")

    session = Session(PAGE, **TINY)
    with monkeypatch.context() as patched:
        patched.setattr(Plan, "snapshot", broken)
        session.press("Start")
        assert at_rest(session).state == "failed"
    said = "Failed at step 0 of 3. An error ended the training: RuntimeError. The server's log says more."
    assert said in session.prose
    assert disabled(session) == {"Start anew": False, "Step": False, "Reset": False}
    session.set(seed=7)
    assert session.infos == [
        "The training below was started with **seed 0**, and has failed. Start a new training with the "
        "present settings."
    ]
    session.press("Start anew")
    assert at_rest(session).state == "finished"
    assert session.infos == []


def test_only_held_out_words_are_called_unseen() -> None:
    unseen = {name for name in TASKS if measured_on(name) == "unseen examples"}
    assert unseen == {*TASKS} - {"recall"}


def test_the_program_of_a_training_has_its_plan_and_the_shown_head() -> None:
    chosen = {"steps": 2, "batch": 4, "rate": "0.02", "seed": 3, "heads": 2, "layer": 2, "head": 1}
    session = Asked(PAGE, **chosen)

    plan = Plan(
        architecture=ModelConfig(vocab_size=1, n_heads=2),
        task_name="next word",
        recipe=Recipe(steps=2, batch_size=4, learning_rate=0.02, seed=3, warm_up=1),
    )
    assert session.code == bare_loop(plan, layer=1, head=0, last=0).rstrip()


def test_a_headline_which_files_repeat_says_the_step_and_no_time_that_is_left() -> None:
    numbers = np.arange(3.0)
    running = Progress(
        number=1,
        plan=Plan(architecture=ModelConfig.of_switches(), task_name="next word", recipe=Recipe(steps=9)),
        state="running",
        place=0,
        curves=Curves(numbers.astype(int), numbers, numbers, numbers, numbers),
        snapshots=(),
        per_second=382.0,
        seconds_left=81.9,
        tested=None,
        message="",
    )
    assert status(running) == status(running, 2) == "At step 3 of 9."
    assert status(None, 1) == "Nothing is trained yet. If you start now, 1 other comes first."
    paused = replace(running, state="paused")
    assert status(paused, 3) == "Paused at step 3 of 9. If you start now, 3 others come first."
    assert status(None) == "Nothing is trained yet."
    assert pace(running) == "382 examples a second, about 81.9 s left"
    assert pace(replace(running, state="paused")) == pace(None) == ""
