"""Trainings and texts that run in the background for a visitor: plans, progress, and queues."""

from core.live.plan import LARGEST_BATCH, MOST_STEPS, Plan, Snapshot
from core.live.run import Progress, State
from core.live.source import checkpoint, register_trained_model
from core.live.training_queue import QueueFullError, TrainingQueue, queue_of

__all__ = [
    "LARGEST_BATCH",
    "MOST_STEPS",
    "Plan",
    "Progress",
    "QueueFullError",
    "Snapshot",
    "State",
    "TrainingQueue",
    "checkpoint",
    "queue_of",
    "register_trained_model",
]
