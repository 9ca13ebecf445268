"""State of a run, in one line."""

from core.learning.tasks import RECALL
from core.learning.tasks.recall import MOST_PAIRS, most_pairs
from core.live import Progress
from pages.training.requests import Watched
from words import counted, per_cent, seconds


def status(progress: Progress | None, n_before: int = 0) -> str:
    """Return a sentence or two about the run, or about a run that starts now, after `n_before` others."""
    if progress is None:
        return f"Nothing is trained yet.{_queue(n_before)}"
    total = progress.plan.recipe.steps
    where = f"step {progress.steps:,} of {total:,}"
    match progress.state:
        case "waiting":
            return f"Waiting at {where}: {_first(progress.place)} first."
        case "running":
            return _running(progress, where)
        case "paused":
            return f"Paused at {where}. {progress.message}".rstrip() + _queue(n_before)
        case "finished":
            assert progress.tested is not None
            return (
                f"Finished after {counted(total, 'step')}. On {measured_on(progress.plan.task_name)}: "
                f"accuracy {per_cent(progress.tested.accuracy)}, "
                f"loss {progress.tested.loss:.2f} nats.{_harder(progress.plan.task_name, total)}"
            )
        case "failed":
            return f"Failed at {where}. {progress.message}"


def _queue(n_before: int) -> str:
    """Return how many others come first if a run starts now; empty if there are none."""
    return f" If you start now, {_first(n_before)} first." if n_before else ""


def _first(n: int) -> str:
    return "1 other comes" if n == 1 else f"{n} others come"


def moment(watched: Watched) -> str:
    """Return the step after which a picture of a training was taken; empty before there is one."""
    progress = watched.progress
    if progress is None:
        return ""
    return f"taken after step {progress.steps:,} of {progress.plan.recipe.steps:,}"


def _running(progress: Progress, where: str) -> str:
    if progress.steps == progress.plan.recipe.steps:
        return f"All steps are taken: measuring on {measured_on(progress.plan.task_name)}."
    return "Beginning." if progress.per_second is None else f"At {where}."


def pace(progress: Progress | None) -> str:
    """Return the pace of a run, and its remaining time; empty unless it is running."""
    if progress is None or progress.state != "running" or progress.steps == progress.plan.recipe.steps:
        return ""
    if progress.per_second is None or progress.seconds_left is None:
        return ""
    return f"{progress.per_second:,.0f} examples a second, about {seconds(progress.seconds_left)} left"


def _harder(task_name: str, n_steps: int) -> str:
    """Return how far measured examples go beyond the last ones of training, which the curves show."""
    most = most_pairs(n_steps - 1, "train")
    if task_name != RECALL.name or most == MOST_PAIRS:
        return ""
    pairs = f"up to {MOST_PAIRS} pairs of letter and digit"
    return f" They have {pairs}; in training there were up to {most} so far."


def measured_on(task_name: str) -> str:
    """Return the test set of a finished model.

    Letters and digits are drawn anew and nothing is held out: one pair makes 160 texts, all met in training.
    """
    return "newly drawn examples" if task_name == RECALL.name else "unseen examples"
