"""The store of rooms that the environment names, opened once in each process."""

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
"""The variables for the file of the rooms, and for the address of a Redis that replaces it."""

SWEEP = 60
"""Seconds between two deletions of ended rooms."""


@cache
def shared() -> Store:
    """Return the store of this server; this process deletes ended rooms from it."""
    store = make(os.environ)
    Thread(target=_keep_clean, args=(store,), name="rooms", daemon=True).start()
    return store


def make(environment: Mapping[str, str]) -> Store:
    """Return the store that `environment` names: Redis if its address is set, else a file."""
    if address := environment.get(REDIS, ""):
        from rooms.redis_store import RedisStore

        return RedisStore(address)
    from rooms.sqlite_store import SqliteStore

    place = environment.get(PLACE, "")
    return SqliteStore(Path(place) if place else _own_folder() / "rooms.sqlite")


def _own_folder() -> Path:
    """Return a folder that only this user can read. Raises StoreError if it belongs to somebody else."""
    if not hasattr(os, "getuid"):  # on Windows each user has another folder for temporary files
        folder = Path(tempfile.gettempdir()) / "attention-lab"
        folder.mkdir(exist_ok=True)
        return folder
    folder = Path(tempfile.gettempdir()) / f"attention-lab-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise StoreError(f"{folder} is not a folder for this user alone: set another file with {PLACE}")
    return folder


def _keep_clean(store: Store) -> None:
    while True:
        with suppress(StoreError):  # the next request reports the error
            store.sweep()
        time.sleep(SWEEP)
