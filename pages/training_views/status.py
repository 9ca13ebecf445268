"""How a run is doing, in one line."""

from core.learning.live import Progress
from viz.units import per_cent, seconds


def status(progress: Progress | None) -> str:
    """One sentence or two about the run, or about what would start one."""
    if progress is None:
        return "Nothing is trained yet."
    total = progress.plan.recipe.steps
    where = f"step **{progress.steps:,}** of {total:,}"
    match progress.state:
        case "waiting":
            first = "1 other comes" if progress.place == 1 else f"{progress.place} others come"
            return f"Waiting at {where}: {first} first."
        case "running":
            return _running(progress, where)
        case "paused":
            return f"Paused at {where}. {progress.message}".rstrip()
        case "finished":
            assert progress.tested is not None
            return (
                f"Finished after **{total:,}** steps. On unseen examples: accuracy "
                f"**{per_cent(progress.tested.accuracy)}**, loss **{progress.tested.loss:.2f}** nats."
            )
        case "failed":
            return f"Failed at {where}. {progress.message}"


def _running(progress: Progress, where: str) -> str:
    if progress.steps == progress.plan.recipe.steps:
        return "All steps are taken: measuring on unseen examples."
    if progress.per_second is None or progress.seconds_left is None:
        return "Beginning."
    return (
        f"At {where} · **{progress.per_second:,.0f}** examples a second · "
        f"about **{seconds(progress.seconds_left)}** left"
    )
