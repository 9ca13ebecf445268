"""Buttons of a training: start, pause, step and reset it, and use its model."""

from functools import partial

from core.live import Plan, Progress, checkpoint
from pages import EXPLORER
from pages.contract.ask import Ask, Trainee
from pages.contract.items import Action, Download, PageLink
from pages.contract.parameter import spell
from pages.contract.parameters import FIELDS
from pages.contract.switches import OWN
from pages.training.requests import Requests


def add_buttons(ask: Ask, plan: Plan, progress: Progress | None, requests: Requests) -> None:
    """Add the buttons of the run, or of a new run if the `plan` differs."""
    is_active = progress is not None and progress.is_active
    is_other = progress is not None and progress.plan != plan
    is_over = progress is not None and progress.state == "finished" and not is_other
    if is_active:
        ask.add(Action("Pause", requests.pause, "pause", icon=":material/pause:", is_primary=True))
    else:
        label = "Start" if is_over else _start_label(progress, is_other=is_other)
        icon, begin = ":material/play_arrow:", partial(requests.start, plan)
        ask.add(Action(label, begin, "start", icon=icon, is_off=is_over, is_primary=True))
    step, is_off = partial(requests.step, plan), is_active or is_over
    ask.add(
        Action("Step", step, "step", icon=":material/skip_next:", is_off=is_off, help="One step of training.")
    )
    ask.add(
        Action(
            "Reset",
            requests.reset,
            "reset",
            icon=":material/replay:",
            is_off=progress is None,
            help="Discards this training.",
        )
    )


def _start_label(progress: Progress | None, *, is_other: bool) -> str:
    if progress is None:
        return "Start"
    return "Start anew" if is_other or progress.state == "failed" else "Go on"


def add_result(ask: Ask, plan: Plan, progress: Progress | None, trainee: Trainee) -> None:
    """Add the links to a model whose training is at rest, while the controls still describe it."""
    if progress is None or not progress.has_model or progress.plan != plan:
        return
    ask.add(PageLink("Open in the explorer", EXPLORER, _link(progress.plan), icon=":material/search:"))
    if progress.state == "finished":
        ask.add(_file(progress.plan, trainee))


def _link(plan: Plan) -> dict[str, str]:
    """Return the parameters with which the explorer opens this model, its switches and its sentence."""
    values = {name: getattr(plan.architecture, field, None) for name, field in FIELDS.items()}
    switches = {name: spell(value) for name, value in values.items() if value is not None}
    return {"model": OWN, "text": " ".join(plan.words), **switches}


def _file(plan: Plan, trainee: Trainee) -> Download:
    def contents() -> bytes:
        model = trainee.queue.model(trainee.key)
        if model is None or model.config != plan.config:
            raise LookupError("this training was discarded in the meantime")
        return checkpoint(model, plan)

    return Download(
        "Download the model",
        contents,
        f"{_name(plan)}.safetensors",
        help="The weights and their record, in a safetensors file like those in the folder `checkpoints`. "
        "The model is measured first, which takes some seconds.",
    )


def _name(plan: Plan) -> str:
    task, made = plan.task_name.replace(" ", "-"), plan.architecture
    return f"{task}-{made.mask}-{made.positions}-{made.n_heads}-{made.norm}-{plan.recipe.steps}-steps"
