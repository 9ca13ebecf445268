"""Plan of a training: the task, its length and its speed; and its differences from another plan."""

from dataclasses import fields

from core.learning.tasks import TASKS
from core.learning.training import Recipe
from core.live import Plan, State
from core.model.config import ModelConfig, setting_label
from core.model.masks import MASKS
from pages.contract.ask import Ask
from pages.contract.parameters import FIELDS, PARAMETERS
from pages.contract.sheet import Text
from pages.training.requests import Watched

WARM_UP_SHARE = 10
"""Steps are divided by this for the learning rate's warm-up, which is no longer than in the recipe."""

WHY_NOT = {
    "next word": "Filling in a masked word uses all words after it, which the {mask} mask does not allow,",
    "masked word": "With no mask the next word stands in the input, where a model can copy it,",
}
"""Reasons why some tasks need another mask."""

LOST = (
    "The training of this browser is gone: the server has restarted, or it needed the memory for others. "
    "*Start* trains a new model with these settings."
)
_GOES_ON = (
    "The training goes on as it was started, with **{other}**. To train with the present settings, pause it "
    "and start a new one."
)
_WHAT_IS_SEEN: dict[State, str] = {
    "waiting": _GOES_ON,
    "running": _GOES_ON,
    "paused": "The training below was started with **{other}**. Set the controls back to go on with it, or "
    "start a new training with the present settings.",
    "finished": "The training below was started with **{other}**, and is finished. Set the controls back to "
    "open or download its model, or start a new training with the present settings.",
    "failed": "The training below was started with **{other}**, and has failed. Start a new training with "
    "the present settings.",
}
"""State of a training that the controls no longer describe, in words."""


def planned(ask: Ask, architecture: ModelConfig) -> Plan:
    """Return the plan that the switches and the row of controls describe."""
    names = [name for name, task in TASKS.items() if architecture.mask in task.masks]
    task_name = ask.menu("task", options=names, width=200)
    steps = ask.number("steps", width=165)
    rate = ask.menu("rate", width=195)
    batch_size = ask.menu("batch", width=125)
    seed = ask.number("seed", width=150)
    recipe = Recipe(
        steps=steps,
        learning_rate=float(rate),
        batch_size=batch_size,
        seed=seed,
        warm_up=max(1, min(Recipe.warm_up, steps // WARM_UP_SHARE)),
    )
    return Plan(architecture=architecture, task_name=task_name, recipe=recipe)


def tasks_elsewhere(mask: str) -> str:
    """Return a sentence on the tasks that this mask excludes, and why."""
    others = [f"*{name}*" for name, task in TASKS.items() if mask not in task.masks]
    named = " and ".join(filter(None, [", ".join(others[:-1]), others[-1]]))
    why = WHY_NOT[MASKS[mask].objective].format(mask=mask)
    return f"{why} so {named} {'is' if len(others) == 1 else 'are'} not offered here."


def notices(plan: Plan, watched: Watched) -> tuple[Text, ...]:
    """Return notices on a lost training, a refused request, and controls that differ from the training."""
    lost = (Text(LOST, "info"),) if watched.is_lost else ()
    refused = (Text(watched.refused, "warning"),) if watched.refused else ()
    progress = watched.progress
    if progress is None or not (other := ", ".join(differences(progress.plan, plan))):
        return lost + refused
    return (*lost, Text(_WHAT_IS_SEEN[progress.state].format(other=other), "info"), *refused)


def differences(one: Plan, other: Plan) -> list[str]:
    """Return the settings in which `one` differs from `other`, as the controls name them."""
    found = [one.task_name] if one.task_name != other.task_name else []
    found += [
        f"{PARAMETERS[name].label.lower()} {setting_label(getattr(one.architecture, field))}"
        for name, field in FIELDS.items()
        if getattr(one.architecture, field, None) != getattr(other.architecture, field, None)
    ]
    return found + [
        f"{field.name.replace('_', ' ')} {getattr(one.recipe, field.name):g}"
        for field in fields(Recipe)
        if field.name != "warm_up" and getattr(one.recipe, field.name) != getattr(other.recipe, field.name)
    ]
