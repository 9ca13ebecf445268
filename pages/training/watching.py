"""The only view of the page Training: the plan, the buttons, and the results so far."""

from typing import Any

from core.learning.tasks import REVIEW
from core.live import Plan, Progress
from core.programs import render_program
from core.sources.missing_models import absent
from pages.contract.ask import Ask
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Controls, Fold, Program, Sheet, Text
from pages.contract.switches import WITHOUT_WINDOW
from pages.contract.view import Live, View
from pages.contract.weights import dropped_words, missing_notes
from pages.training.buttons import add_buttons, add_result
from pages.training.pictures import about_lines, attention, curves, references_of, untrained
from pages.training.planning import notices, planned, tasks_elsewhere
from pages.training.requests import Requests, Watched
from pages.training.status import moment, pace, status

NEWEST = "newest"
HALVES = (3, 2)
"""The weights of the curves and of the attention beside them."""


def watch(ask: Ask, scene: Scene) -> Live:
    """Return a training in its present state, with its controls."""
    plan = planned(ask, scene.switches.config)
    for note in missing_notes(absent(plan.alike)):
        ask.note(note)
    requests = None if ask.trainee is None else Requests(ask.trainee)

    def drawn(again: Ask, watched: Watched | None) -> Sheet:
        return sheet(again, watched or Watched(), plan, requests)

    if requests is None:
        return Live(lambda: None, lambda: False, drawn, moment)
    return Live(requests.look, requests.is_active, drawn, moment)


def sheet(ask: Ask, watched: Watched, plan: Plan, requests: Requests | None) -> Sheet:
    """Show the state of the training, its curves, and beside them the attention of one head."""
    progress = watched.progress
    if requests is not None:
        _ask_run(ask, plan, progress, requests)
    seen = plan if progress is None else progress.plan
    layer, head, at = _ask_attention(ask, seen)
    snapshots = progress.snapshots if progress is not None else ()
    snapshot = [one for one in snapshots or (untrained(seen),) if at is None or one.step <= at][-1]
    references = references_of(seen)
    has_result = progress is not None and progress.has_model and progress.plan == plan
    result = (Controls("result"),) if has_result else ()
    course = (curves(seen, progress, references), Text(about_lines(references), "remark"), *result)
    beside = (
        Controls("head"),
        Controls("step", "below each other"),
        attention(seen, snapshot, layer, head),
    )
    return Sheet(
        headline=status(progress, watched.n_before),
        parts=(
            *notices(plan, watched),
            Controls("run"),
            Columns((course, beside), HALVES),
            Text(_explanation(seen)),
            Fold("Which tasks go with this mask?", (Text(tasks_elsewhere(plan.architecture.mask)),)),
        ),
        questions=lambda: (compared_with_target(seen.task_name),),
        program=lambda: Program(
            lambda: bare_loop(seen, layer=layer, head=head, last=snapshot.step),
            prints=f"the loss of every step, and the attention after step {snapshot.step:,}",
        ),
    )


def _ask_run(ask: Ask, plan: Plan, progress: Progress | None, requests: Requests) -> None:
    """Draw the buttons of the training, its pace, and what can be done with its model."""
    with ask.at("run"):
        add_buttons(ask, plan, progress, requests)
        if told := pace(progress):
            ask.caption(told)
    with ask.at("result"):
        add_result(ask, plan, progress, requests.by)


def _ask_attention(ask: Ask, seen: Plan) -> tuple[int, int, int | None]:
    """Return the layer and the head shown, from 0, and the step; None is the newest."""
    with ask.at("head"):
        layer = ask.menu("layer", options=range(1, seen.architecture.n_layers + 1), width=130)
        head = ask.menu("head", options=range(1, seen.architecture.n_heads + 1), width=130)
    with ask.at("step"):
        stops: list[Any] = [*seen.recorded[:-1], NEWEST]
        at = ask.slide("at", options=stops, default=NEWEST)
    return layer - 1, head - 1, None if at == NEWEST else at


def _explanation(plan: Plan) -> str:
    return (
        "The loss of a prediction is −ln of the probability that it gave to the right answer, in nats. "
        "No right answer is given for attention weights: the loss is computed from the predictions, and its "
        "gradient passes through these weights. "
        f"{dropped_words(plan.task_name)}"
    )


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
