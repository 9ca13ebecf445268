"""The curves of a training, and the attention on one sentence as it develops."""

from collections.abc import Mapping, Sequence

import pandas as pd

from core.learning.tasks import chance
from core.live import Plan, Progress, Snapshot
from pages.contract.caching import cached_for_all
from pages.contract.model_descriptions import in_words, trained_on
from pages.contract.sheet import Caption, PicturePart
from viz.matrices import HeadMatrix
from viz.training import PANELS, SMOOTHED_OVER, TrainingCurves
from words import counted

COLUMNS = ("step", *(panel.column for panel in PANELS))

NOT_STARTED = "Nothing has been trained yet: press Start first."
NO_STEP = "No step has been taken yet: save the picture after the first one."

References = Mapping[str, Mapping[str, float]]
"""Loss and accuracy for comparison, by their names in the picture."""

GUESS, TRAINED = "guess", "trained"
"""Names of the lines for comparison: short, because a panel on a telephone is 80 pixels wide."""


def about_lines(references: References) -> str:
    """Return the meaning of the dotted lines that are drawn."""
    told = f"Dotted lines: *{GUESS}* knows how often each answer occurs and reads nothing"
    if TRAINED not in references["loss"]:
        return f"{told}."
    return f"{told}; *{TRAINED}* is the model of this app with the same switches, after its own training."


def curves(plan: Plan, progress: Progress | None, references: References) -> PicturePart:
    """Return curves of loss, accuracy, gradient and learning rate, beside chance and a trained model."""
    has_steps = progress is not None and progress.steps > 0
    picture = TrainingCurves(
        steps=_table(progress),
        total=plan.recipe.steps,
        references=references,
        schedule=schedule(plan),
        empty_reason="" if has_steps else NOT_STARTED if progress is None else NO_STEP,
    )
    smoothed = f"thick: exponentially weighted mean over {SMOOTHED_OVER} steps, or the learning rate so far"
    caption = caption_of(plan, smoothed, has_steps=has_steps)
    return PicturePart("curves", picture, caption=caption)


def caption_of(plan: Plan, *notes: str, has_steps: bool) -> Caption:
    """Return the caption of a training: the model, and how it learns."""
    recipe, weights = plan.recipe, f"{'' if has_steps else 'to be '}{trained_on(plan.task_name)}"
    how = f"{counted(recipe.steps, 'step')} planned, batches of {recipe.batch_size}"
    return Caption(
        models=lambda: (in_words(plan.architecture, weights),),
        notes=(how, f"learning rate {recipe.learning_rate:g}", *notes),
        chosen=False,
        seed=recipe.seed,
    )


def _table(progress: Progress | None) -> pd.DataFrame:
    if progress is None:
        return pd.DataFrame(columns=list(COLUMNS), dtype=float)
    return pd.DataFrame({name: getattr(progress.curves, name) for name in COLUMNS})


@cached_for_all()
def references_of(plan: Plan) -> References:
    """Return the references of a plan: chance, and the model of the collection with the same settings."""
    guessing, shipped = chance(plan.task), plan.shipped()
    lines = {GUESS: guessing} | ({} if shipped is None else {TRAINED: shipped})
    return {
        column: {name: getattr(line, column) for name, line in lines.items()}
        for column in ("loss", "accuracy")
    }


@cached_for_all()
def schedule(plan: Plan) -> Sequence[float]:
    """Return the learning rate of every planned step."""
    return [plan.recipe.learning_rate_at(step) for step in range(plan.recipe.steps)]


@cached_for_all()
def untrained(plan: Plan) -> Snapshot:
    """Return the attention before the first step."""
    return plan.snapshot(plan.begin())


def attention(plan: Plan, snapshot: Snapshot, layer: int, head: int) -> PicturePart:
    """Return a picture of one head on the watched sentence after a step; layer and head count from 0."""
    at = f"layer {layer + 1}, head {head + 1}, after step {snapshot.step:,}"
    picture = HeadMatrix(
        pattern=snapshot.patterns[layer, head],
        words=plan.words,
        title=f"Attention weights, {at}",
        short=at[0].upper() + at[1:],
        allowed=plan.allowed(),
    )
    caption = caption_of(plan, f"“{' '.join(plan.words)}”", has_steps=snapshot.step > 0)
    return PicturePart("trained_attention", picture, caption=caption)
