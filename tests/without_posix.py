"""Rooms and the exporter in a process that lacks all that Windows lacks: `python -m tests.without_posix`."""

import os
import select
import socket
import sys
import tempfile

for name in ("getuid", "geteuid", "getgid", "getpwuid", "nice", "sysconf", "killpg", "setsid", "getpgid"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("fcntl", "resource", "pwd", "grp", "termios", "syslog"):
    sys.modules[name] = None  # type: ignore[assignment]
del socket.AF_UNIX

import ctypes  # noqa: E402
import multiprocessing.connection  # noqa: E402
from importlib import import_module  # noqa: E402
from pathlib import Path  # noqa: E402
from pkgutil import walk_packages  # noqa: E402
from typing import Any  # noqa: E402

from core import memory  # noqa: E402
from figures.rendering import exporter  # noqa: E402
from rooms import shared_store  # noqa: E402
from rooms.room import new_room  # noqa: E402
from tests.figures.sheets import job  # noqa: E402
from tests.figures.test_exporter import WITHOUT_BROWSER  # noqa: E402


def refuse(*asked: Any, **named: Any) -> None:
    """Refuse as Windows does."""
    raise OSError("Windows waits for sockets alone")


def refuse_library(name: Any) -> None:
    """Refuse as Windows does, which has no library without a name."""
    raise TypeError(f"argument of type {type(name).__name__} is not iterable")


def main() -> None:
    """Import everything, keep a room and make a file."""
    for package in ("rooms", "figures", "attention_lab"):
        for found in walk_packages(import_module(package).__path__, f"{package}."):
            if not found.name.endswith("__main__"):
                import_module(found.name)
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        store = shared_store.make({})
        room, _ = new_room(0)
        assert store.open(room)
        assert (Path(folder) / "attention-lab" / "rooms.sqlite").is_file()

        multiprocessing.connection.wait = select.select = refuse  # type: ignore[assignment]
        for name in ("poll", "epoll"):
            setattr(select, name, refuse)
        ctypes.CDLL = refuse_library  # type: ignore[assignment, misc]
        memory.PROC = memory.CGROUP = Path(folder)
        memory.give_back()
        assert memory.resident() is memory.free_memory() is None
        exporter._start = lambda: exporter.Worker([sys.executable, "-c", WITHOUT_BROWSER])
        drawing = exporter.Exporter()
        assert set(drawing.files(job("svg"))) == {"svg"}
        assert drawing.memory() >= 0
        drawing.close()
    print("rooms and exporter work")


if __name__ == "__main__":
    main()
