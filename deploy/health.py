"""Health check of a process of the app: `python -m deploy.health 127.0.0.1:8501` exits with 0 if healthy."""

import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

from attention_lab.serving import answers


def is_supervised(folder: Path) -> bool:
    """Return whether a supervisor listens in the folder of a server, `.serve/PORT`."""
    path = folder / "supervisor.sock"
    if not path.exists():
        return False
    with socket.socket(socket.AF_UNIX) as asked:
        try:
            asked.connect(str(path))
        except OSError:  # what a supervisor that was killed has left
            return False
    return True


def wait_until(true: Callable[[], bool], *, seconds: float, every: float = 0.2) -> bool:
    """Call `true` repeatedly until it returns True; return False if that takes longer than `seconds`."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


if __name__ == "__main__":
    sys.exit(0 if answers(sys.argv[1], timeout=15) else 1)
