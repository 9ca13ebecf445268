"""Whether a process of the app answers: `python -m deploy.health 127.0.0.1:8501` is done well if it does."""

import socket
import sys
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path


def answers(address: str, *, timeout: float) -> bool:
    """Whether the process at this host:port says within `timeout` seconds that it is well."""
    try:
        # Whatever path the app is served below: as of a proxy that has taken it off the address.
        asked = urllib.request.Request(
            f"http://{address}/_stcore/health", headers={"X-Forwarded-Prefix": "/"}
        )
        with urllib.request.urlopen(asked, timeout=timeout) as answer:
            return bool(answer.status == 200)
    except (OSError, HTTPException):  # something else may answer there, even the question itself
        return False


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
    """Ask again and again until the answer is yes; no, if that takes longer than so many seconds."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


if __name__ == "__main__":
    sys.exit(0 if answers(sys.argv[1], timeout=15) else 1)
