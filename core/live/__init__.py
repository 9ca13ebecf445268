"""Training for visitors, beside the app: plans, progress, and the queue."""

from core.live.plan import LARGEST_BATCH, MOST_STEPS, Plan, Snapshot
from core.live.progress import Curves, Progress, State, Tested
from core.live.slot import Slot, TooManyRunsError, slot_of
from core.live.source import checkpoint, put_on_offer

__all__ = [
    "LARGEST_BATCH",
    "MOST_STEPS",
    "Curves",
    "Plan",
    "Progress",
    "Slot",
    "Snapshot",
    "State",
    "Tested",
    "TooManyRunsError",
    "checkpoint",
    "put_on_offer",
    "slot_of",
]
