"""The program of the training page, and its parts: the same loop, bare, on the app's language and models."""

from dataclasses import fields

from core.learning.training import Recipe
from core.live import Plan
from core.model.config import ModelConfig
from core.model.family_options import FamilyOptions
from core.programs.text import literal, paragraph, program


def training_program(plan: Plan, *, layer: int, head: int, last: int) -> str:
    """A program that trains as `plan` says up to the step `last` and prints the losses, then the attention.

    The language cannot be told in a few lines, so this one imports the app's `core`.
    """
    return program(
        f"Training on the task {plan.task_name}, in the app's folder.",
        imports("from core.model.trace import Trace"),
        setting(plan.task_name, plan.recipe, last),
        architecture(plan.config),
        loop(plan.recipe),
        literal("words", list(plan.words)),
        _ATTENTION.format(layer=layer, head=head),
    )


def imports(*more: str) -> str:
    """What a program that trains needs, and `more` of the app."""
    return "\n".join([paragraph(_IMPORTS), *more])


def setting(task: str, recipe: Recipe, last: int) -> str:
    """Lines that fix the task, the seed, and how many steps are planned and made."""
    return (
        f"task, seed = TASKS[{task!r}], {recipe.seed}\n"
        f"steps, last = {recipe.steps}, {last}  # how many are planned, and the one after which this stops"
    )


def architecture(config: ModelConfig, **variables: str) -> str:
    """Lines that make `config`; a field of `variables` gets its value from the variable of that name."""
    # None of the models trained here has a detail of the pretrained ones.
    said = [field.name for field in fields(config) if field.name not in _DETAILS]
    values = {name: repr(getattr(config, name)) for name in said} | variables
    listed = "".join(f"    {name}={value},\n" for name, value in values.items())
    return f"config = ModelConfig(\n{listed})"


_DETAILS = frozenset(field.name for field in fields(FamilyOptions))


def loop(recipe: Recipe) -> str:
    """Lines that train a fresh `model` of `config` and print the loss of every step."""
    return paragraph(_LOOP).format(
        rate=recipe.learning_rate,
        batch_size=recipe.batch_size,
        warm_up=recipe.warm_up,
        weight_decay=recipe.weight_decay,
        clip=recipe.clip,
    )


_IMPORTS = """
    import math

    import torch
    from torch.nn.functional import cross_entropy

    from core.learning.tasks import TASKS
    from core.learning.training import asked, predictions
    from core.model.config import ModelConfig
    from core.model.initialisation import initialise
    from core.model.models import Transformer
"""

_LOOP = """
    model = Transformer(config)
    initialise(model, seed=seed)
    optimiser = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay={weight_decay})

    for step in range(last):
        batch = task.batch(seed, step, {batch_size})
        cosine = (1 + math.cos(math.pi * step / steps)) / 2
        for group in optimiser.param_groups:
            group["lr"] = {rate} * min(1, (step + 1) / {warm_up}) * (0.05 + 0.95 * cosine)
        wanted = asked(model, batch)  # where something is asked that the mask hides
        loss = cross_entropy(predictions(model, batch)[wanted], batch.targets[wanted])
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), {clip})
        optimiser.step()
        print(f"step {{step + 1}}: loss {{loss.item():.3f}}")
"""

_ATTENTION = """
    trace = Trace()
    with torch.inference_mode():
        model(task.vocabulary().encode(words), trace=trace)
    for word, row in zip(words, trace["blocks.{layer}.attention.pattern"][0, {head}]):
        print(f"{{word:>12}}", *(f"{{weight:.3f}}" for weight in row.tolist()))
"""
