"""What a training leaves behind: a model to look into in the explorer, and a file to take along."""

from core.live import Plan, Progress, checkpoint
from pages import EXPLORER
from pages.contract.ask import Ask
from pages.contract.control import spelt
from pages.contract.items import Download, PageLink
from pages.contract.switches import OWN, SWITCHES
from pages.contract.trainee import Trainee


def add_result(ask: Ask, plan: Plan, progress: Progress | None, trainee: Trainee) -> None:
    """The ways to go on with a model that has come to rest, while the controls still describe it."""
    if progress is None or not progress.has_model or progress.plan != plan:
        return
    ask.add(PageLink("Open in the explorer", EXPLORER, _link(progress.plan), icon=":material/search:"))
    if progress.state == "finished":
        ask.add(_file(progress.plan, trainee))


def _link(plan: Plan) -> dict[str, str]:
    """The parameters with which the explorer opens this model, its switches and its sentence."""
    fields = {switch.name: getattr(plan.architecture, switch.field, None) for switch in SWITCHES}
    switches = {name: spelt(value) for name, value in fields.items() if value is not None}
    return {"model": OWN, "text": " ".join(plan.words), **switches}


def _file(plan: Plan, trainee: Trainee) -> Download:
    def contents() -> bytes:
        model = trainee.slot.model(trainee.key)
        if model is None or model.config != plan.config:
            raise LookupError("this training was put away in the meantime")
        return checkpoint(model, plan)

    return Download(
        "Download the model",
        contents,
        f"{_name(plan)}.safetensors",
        help="Weights and everything known about them, in a safetensors file like those in the folder "
        "checkpoints. Before it comes the model is measured, which takes some seconds.",
    )


def _name(plan: Plan) -> str:
    task, made = plan.task_name.replace(" ", "-"), plan.architecture
    return f"{task}-{made.mask}-{made.positions}-{made.n_heads}-{made.norm}-{plan.recipe.steps}-steps"
