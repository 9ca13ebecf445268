"""Metrics of a process: its pages, runs, figures, rooms, trainings, memory and errors."""

from collections.abc import Callable

from access.metrics import Metric
from access.metrics import ObservableGauge as Gauge
from core.store import STORE
from pages.browser.owner import training_queue
from pages.shell.http.bursts import RUN_SECONDS, SESSIONS
from rooms.http import ANSWERS
from rooms.shared_store import shared


def process_metrics(n_orders: Callable[[], int]) -> list[Metric]:
    """Return the metrics of `/metrics`; `n_orders` counts the figures that wait or are being made."""
    process, trainings = STORE.process, lambda: training_queue().counts()
    return [
        SESSIONS,
        RUN_SECONDS,
        Gauge("attention_lab_figures", "Files of figures that wait or are being made.", n_orders),
        Gauge("attention_lab_rooms", "Rooms that are open, of all processes.", lambda: shared().n_open()),
        ANSWERS,
        Gauge("attention_lab_trainings", "Trainings that are kept, by state.", trainings, "state"),
        Gauge(
            "attention_lab_results_bytes",
            "Results in memory, by the module that keeps them.",
            STORE.sizes,
            "module",
        ),
        Gauge("attention_lab_memory_bytes", "Memory of the process.", lambda: process.resident() or 0),
        Gauge(
            "attention_lab_memory_bound_bytes", "Greatest memory of the process.", lambda: process.bound or 0
        ),
    ]
