"""The curve, as lines on a terminal, as a table for a page, and as JSON."""

import json
from collections.abc import Sequence
from statistics import mean

from bench.load.browsers import Pictures
from bench.load.crowd import Measured, Plan
from bench.load.records import percentile

SLOW = 1000
"""Milliseconds: a class that waits longer for one act in twenty has too few processors."""
HEADS = (
    "sessions",
    "acts",
    "acts/s",
    "p50 ms",
    "p95 ms",
    "max ms",
    "first page p50",
    "first page p95",
    "errors",
    "lost",
    "unchanged",
    "server CPU ms/act",
    "server cores",
    "memory MB",
    "MB/session",
    "generator cores",
    "browser p50",
    "browser max",
)


def row(one: Measured, pictures: Pictures) -> tuple[str, ...]:
    """One line of the curve, in the order of `HEADS`; `p50`, `p95` and `max` are those of all acts."""
    records, seconds = one.records, one.seconds
    every, first = records.milliseconds(), records.milliseconds("open")
    waited = pictures.switched
    return (
        str(one.n_sessions),
        str(len(every)),
        f"{len(every) / seconds:.1f}",
        *(f"{percentile(every, share):.0f}" for share in (0.5, 0.95, 1)),
        *(f"{percentile(first, share):.0f}" for share in (0.5, 0.95)),
        str(records.errors.total()),
        str(records.lost.total()),
        str(records.unchanged.total()),
        f"{one.cpu_of_an_act:.0f}",
        f"{one.cpu / seconds / 1000:.2f}",
        f"{one.memory_after:.0f}",
        f"{one.memory_of_a_session:.2f}",
        f"{one.cpu_generator / seconds / 1000:.2f}",
        *(f"{percentile(waited, share):.0f}" if waited else "–" for share in (0.5, 1)),
    )


def by_kind(one: Measured) -> str:
    """The acts of one run by their kind: how many, how long, how much came back."""
    lines = [f"{'kind':<12}{'acts':>7}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}{'messages':>10}{'kB':>8}"]
    acts = one.records.acts
    for kind in sorted({act.kind for act in acts}):
        some = [act for act in acts if act.kind == kind]
        took = [act.milliseconds for act in some]
        waits = "".join(f"{percentile(took, share):>9.0f}" for share in (0.5, 0.95, 1))
        messages, size = mean(act.n_messages for act in some), mean(act.n_bytes for act in some) / 1000
        lines.append(f"{kind:<12}{len(some):>7}{waits}{messages:>10.0f}{size:>8.1f}")
    return "\n".join(lines)


def wrong(one: Measured, pictures: Pictures) -> str:
    """What went wrong, by its kind; nothing where nothing did."""
    records = one.records
    counted = {"error": records.errors, "lost": records.lost, "nothing changed": records.unchanged}
    lines = [f"{what}: {n} × {name}" for what, all in counted.items() for name, n in all.items()]
    return "\n".join((*lines, *(f"browser: {problem}" for problem in pictures.problems)))


def breaks_at(curve: Sequence[Measured]) -> str:
    """A sentence: from how many sessions on a class waits, or loses something."""
    for one in sorted(curve, key=lambda one: one.n_sessions):
        p95 = percentile(one.records.milliseconds(), 0.95)
        failed = one.records.errors.total() + one.records.lost.total()
        if not p95 < SLOW or failed:
            return f"It breaks at {one.n_sessions} sessions: p95 {p95:.0f} ms, {failed} errors and losses."
    most = max((one.n_sessions for one in curve), default=0)
    return f"Nothing broke up to {most} sessions, the most that were tried."


def table(curve: Sequence[tuple[Measured, Pictures]]) -> str:
    """The curve as a table in Markdown."""
    rows = [HEADS, tuple("---:" for _ in HEADS), *(row(one, pictures) for one, pictures in curve)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows) + "\n"


def as_json(curve: Sequence[tuple[Measured, Pictures]], plan: Plan, workers: int) -> str:
    """Everything measured, each act too, so that nothing has to be measured again for another question."""
    runs = [{**vars(one), "pictures": pictures} for one, pictures in curve]
    return (
        json.dumps({"plan": plan, "workers": workers, "runs": runs}, default=vars, ensure_ascii=False) + "\n"
    )
