"""The curve as lines of a Markdown table, and as JSON."""

import json
from collections.abc import Sequence
from math import nan
from statistics import mean

import numpy as np

from bench.load.journey import Plan
from bench.load.records import Measured

SLOW = 1000
"""Milliseconds of the 95th percentile above which a class has too few processors."""


def row(one: Measured) -> dict[str, str]:
    """Return one line of the curve by column: median, 95th percentile and maximum of all acts."""
    every, first = one.records.milliseconds(), one.records.milliseconds("open")
    return {
        "sessions": str(one.n_sessions),
        "acts": str(len(every)),
        "acts/s": f"{len(every) / one.seconds:.1f}",
        "p50 ms": f"{percentile(every, 50):.0f}",
        "p95 ms": f"{percentile(every, 95):.0f}",
        "max ms": f"{percentile(every, 100):.0f}",
        "first page p50": f"{percentile(first, 50):.0f}",
        "first page p95": f"{percentile(first, 95):.0f}",
        "errors": str(one.records.errors.total()),
        "lost": str(one.records.lost.total()),
        "unchanged": str(one.records.unchanged.total()),
        "server CPU ms/act": f"{one.cpu / max(len(every), 1):.0f}",
        "server cores": f"{one.cpu / one.seconds / 1000:.2f}",
        "memory MB": f"{one.memory_after:.0f}",
        "MB/session": f"{(one.memory_after - one.memory_before) / one.n_sessions:.2f}",
        "generator cores": f"{one.cpu_generator / one.seconds / 1000:.2f}",
        "browser p50": f"{percentile(one.pictures.switched, 50):.0f}",
        "browser max": f"{percentile(one.pictures.switched, 100):.0f}",
    }


def by_kind(one: Measured) -> list[dict[str, str]]:
    """Return the acts of one run by kind: number, duration, and size of the answers."""
    rows = []
    for kind in sorted({act.kind for act in one.records.acts}):
        acts, took = [act for act in one.records.acts if act.kind == kind], one.records.milliseconds(kind)
        waits = {name: f"{percentile(took, q):.0f}" for name, q in (("p50", 50), ("p95", 95), ("max", 100))}
        size = {
            "messages": f"{mean(act.n_messages for act in acts):.0f}",
            "kB": f"{mean(act.n_bytes for act in acts) / 1000:.1f}",
        }
        rows.append({"kind": kind, "acts": str(len(acts)), **waits, **size})
    return rows


def percentile(values: Sequence[float], q: float) -> float:
    """Return a percentile as NumPy defines it; NaN for no values."""
    return float(np.percentile(values, q)) if values else nan


def table(rows: Sequence[dict[str, str]]) -> str:
    """Return rows of the same columns as a Markdown table."""
    widths = {name: max(len(name), *(len(row[name]) for row in rows)) for name in rows[0]}
    rule = {name: f"{'-' * (width - 1)}:" for name, width in widths.items()}
    lines = [{name: name for name in widths}, rule, *rows]
    return "\n".join(
        f"| {' | '.join(one[name].rjust(width) for name, width in widths.items())} |" for one in lines
    )


def wrong(one: Measured) -> list[str]:
    """Return the errors by kind; empty if there were none."""
    records = one.records
    counted = {"error": records.errors, "lost": records.lost, "nothing changed": records.unchanged}
    lines = [f"{what}: {n} × {name}" for what, all in counted.items() for name, n in all.items()]
    return [*lines, *(f"browser: {problem}" for problem in one.pictures.problems)]


def breaks_at(curve: Sequence[Measured]) -> str:
    """Return a sentence on the number of sessions from which a class waits, or loses something."""
    for one in sorted(curve, key=lambda one: one.n_sessions):
        p95 = percentile(one.records.milliseconds(), 95)
        failed = one.records.errors.total() + one.records.lost.total()
        if not p95 < SLOW or failed:
            return f"It breaks at {one.n_sessions} sessions: p95 {p95:.0f} ms, {failed} errors and losses."
    most = max((one.n_sessions for one in curve), default=0)
    return f"Nothing broke up to {most} sessions, the most that were tried."


def as_json(curve: Sequence[Measured], plan: Plan, workers: int) -> str:
    """Return all measurements as JSON, with every act, so that other questions need no new run."""
    return (
        json.dumps({"plan": plan, "workers": workers, "runs": curve}, default=vars, ensure_ascii=False) + "\n"
    )
