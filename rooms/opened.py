"""The store of rooms that the environment asks for, opened once a process."""

import os
import stat
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread

from rooms.store import Store, StoreError

PLACE, REDIS = "ATTENTION_LAB_ROOMS", "ATTENTION_LAB_REDIS"
"""The variables that name the file of the rooms, and the address of a Redis that has them in its place."""

SWEEP = 60
"""Seconds between two looks for rooms that have ended."""


@cache
def shared() -> Store:
    """The store of this server, which this process keeps clean."""
    store = make(os.environ)
    Thread(target=_keep_clean, args=(store,), name="rooms", daemon=True).start()
    return store


def make(environment: Mapping[str, str]) -> Store:
    """The store that `environment` asks for: Redis where an address is given, else a file."""
    if address := environment.get(REDIS, ""):
        from rooms.redis_store import RedisStore

        return RedisStore(address)
    from rooms.sqlite_store import SqliteStore

    place = environment.get(PLACE, "")
    return SqliteStore(Path(place) if place else _own_folder() / "rooms.sqlite")


def _own_folder() -> Path:
    """A folder that is this user's alone; raises StoreError where somebody else has made one of its name."""
    if not hasattr(os, "getuid"):  # on Windows each user has another folder for temporary files
        folder = Path(tempfile.gettempdir()) / "attention-lab"
        folder.mkdir(exist_ok=True)
        return folder
    folder = Path(tempfile.gettempdir()) / f"attention-lab-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise StoreError(f"{folder} is not a folder for this user alone: name another file with {PLACE}")
    return folder


def _keep_clean(store: Store) -> None:
    while True:
        with suppress(StoreError):  # whoever asks next is told
            store.sweep()
        time.sleep(SWEEP)
