"""The only view of the page Training: the plan, the buttons, and the results so far."""

from dataclasses import dataclass, replace
from typing import Any

from core.learning.tasks import REVIEW
from core.live import Plan, Snapshot
from core.programs import render_program
from core.sources.missing_models import absent
from pages.contract.ask import Ask
from pages.contract.question import Choose, Option, Question
from pages.contract.question_builders import choose
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Controls, Fold, Part, Program, Sheet, Text
from pages.contract.switches import WITHOUT_WINDOW
from pages.contract.view import Live, View
from pages.contract.weights import dropped_words, missing_notes
from pages.training.buttons import add_buttons, add_result
from pages.training.pictures import References, about_lines, attention, curves, references_of, untrained
from pages.training.planning import notices, planned, tasks_elsewhere
from pages.training.requests import Requests, Watched
from pages.training.status import moment, pace, status

NEWEST = "newest"
HALVES = (3, 2)
"""The weights of the curves and of the attention beside them."""


@dataclass(frozen=True)
class Choices:
    """The plan of the controls, the state of the training, and the selection shown: a head, `at` a step."""

    plan: Plan
    watched: Watched
    layer: int
    head: int
    at: int | None

    @property
    def shown_plan(self) -> Plan:
        """Return the plan of the training; before a training, the plan of the controls."""
        return self.plan if self.watched.progress is None else self.watched.progress.plan


@dataclass(frozen=True)
class TrainingResults:
    """Results of a training so far, and the attention at the chosen step."""

    choices: Choices
    references: References
    snapshot: Snapshot


def asked_plan(ask: Ask, scene: Scene) -> Plan:
    """Return the planned task, length and learning rate."""
    plan = planned(ask, scene.switches.config)
    for note in missing_notes(absent(plan.alike)):
        ask.note(note)
    return plan


def ask_again(ask: Ask, watched: Watched, plan: Plan, requests: Requests | None) -> Choices:
    """Draw the controls of the training in its present state, and return the choices."""
    progress = watched.progress
    if requests is not None:
        with ask.at("run"):
            add_buttons(ask, plan, progress, requests)
            if told := pace(progress):
                ask.caption(told)
        with ask.at("result"):
            add_result(ask, plan, progress, requests.by)
    seen = plan if progress is None else progress.plan
    with ask.at("head"):
        layer = ask.menu("layer", options=range(1, seen.architecture.n_layers + 1), width=130)
        head = ask.menu("head", options=range(1, seen.architecture.n_heads + 1), width=130)
    with ask.at("step"):
        stops: list[Any] = [*seen.recorded[:-1], NEWEST]
        at = ask.slide("at", options=stops, default=NEWEST)
    return Choices(plan, watched, layer - 1, head - 1, None if at == NEWEST else at)


def find(choices: Choices) -> TrainingResults:
    """Return the attention at the chosen step or the newest before it, and the curves' references."""
    seen, progress, at = choices.shown_plan, choices.watched.progress, choices.at
    snapshots = progress.snapshots if progress is not None else ()
    before = [one for one in snapshots or (untrained(seen),) if at is None or one.step <= at]
    return TrainingResults(choices, references_of(seen), before[-1])


def sheet(found: TrainingResults) -> Sheet:
    """Return the state of the training, its curves, and beside them the attention of one head."""
    choices, seen = found.choices, found.choices.shown_plan
    progress = choices.watched.progress
    has_result = progress is not None and progress.has_model and progress.plan == choices.plan
    result = (Controls("result"),) if has_result else ()
    about = Text(about_lines(found.references), "remark")
    course = (curves(seen, progress, found.references), about, *result)
    shown = attention(seen, found.snapshot, choices.layer, choices.head)
    head = (Controls("head"), Controls("step", "below each other"), shown)
    parts: tuple[Part, ...] = (
        *notices(choices.plan, choices.watched),
        Controls("run"),
        Columns((course, head), HALVES),
        Text(_explanation(choices.shown_plan)),
        Fold("Which tasks go with this mask?", (Text(tasks_elsewhere(choices.plan.architecture.mask)),)),
    )
    return Sheet(headline=status(progress, choices.watched.n_before), parts=parts)


def _explanation(plan: Plan) -> str:
    return (
        "The loss of a prediction is −ln of the probability that it gave to the right answer, in nats. "
        "No right answer is given for attention weights: the loss is computed from the predictions, and its "
        "gradient passes through these weights. "
        f"{dropped_words(plan.task_name)}"
    )


def questions(found: TrainingResults) -> tuple[Question | None, ...]:
    """Return the question: what does the loss compare with a target?"""
    return (compared_with_target(found.choices.shown_plan.task_name),)


def bare_loop(plan: Plan, *, layer: int, head: int, last: int) -> str:
    """Return the program that trains as planned up to the step `last`."""
    recipe = plan.recipe
    return render_program(
        "training",
        f"Training on the task {plan.task_name}: the loss of every step, and then the attention.",
        words=list(plan.words),
        layer=layer,
        head=head,
        task_name=plan.task_name,
        config=plan.config,
        seed=recipe.seed,
        steps=recipe.steps,
        last=last,
        batch_size=recipe.batch_size,
        learning_rate=recipe.learning_rate,
        warm_up=recipe.warm_up,
        weight_decay=recipe.weight_decay,
        clip=recipe.clip,
    )


def program(found: TrainingResults) -> Program:
    """Return the same training up to the step whose attention is shown."""
    choices, last = found.choices, found.snapshot.step
    return Program(
        lambda: bare_loop(choices.shown_plan, layer=choices.layer, head=choices.head, last=last),
        prints=f"the loss of every step, and the attention after step {last:,}",
    )


def watch(ask: Ask, scene: Scene) -> Live:
    """Return a training in its present state, with its controls."""
    plan = asked_plan(ask, scene)
    requests = None if ask.trainee is None else Requests(ask.trainee)

    def drawn(again: Ask, watched: Watched | None) -> Sheet:
        found = find(ask_again(again, watched or Watched(), plan, requests))
        made = sheet(found)
        return replace(made, questions=lambda: questions(found), program=lambda: program(found))

    if requests is None:
        return Live(lambda: None, lambda: False, drawn, moment)
    return Live(requests.look, requests.is_active, drawn, moment)


VIEW = View(sheet=watch, switches=WITHOUT_WINDOW - {"model", "seed"})


def compared_with_target(task_name: str) -> Choose | None:
    """Ask what the loss of this task compares with a target."""
    return choose(
        "What does the loss of this training compare with a target?",
        Option("the label predicted" if task_name == REVIEW.name else "the words predicted", True),
        Option(
            "the attention weights",
            False,
            "No right answer is given for attention weights: the training data say nothing about them.",
        ),
        Option("links between words", False, "The loss compares nothing with such a link."),
        because=(
            "The loss is computed from the predictions alone, and its gradient passes through the attention "
            "weights."
        ),
    )
