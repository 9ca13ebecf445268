"""Collect garbage when a test asks with a signal, and say so; Python runs this file as it starts."""

import gc
import signal
from types import FrameType


def collect(number: int, frame: FrameType | None) -> None:
    """Collect garbage and print a line for the log."""
    print(f"collected {gc.collect()} objects", flush=True)


signal.signal(signal.SIGUSR1, collect)
