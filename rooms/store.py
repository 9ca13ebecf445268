"""Where rooms are kept so that all processes of a server know them: what a store does, and which there is."""

import os
import stat
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Protocol

from rooms.room import Room, Round

PLACE, REDIS = "ATTENTION_LAB_ROOMS", "ATTENTION_LAB_REDIS"
"""The variables that name the file of the rooms, and the address of a Redis that has them in its place."""

SWEEP = 60
"""Seconds between two looks for rooms that have ended."""


class StoreError(RuntimeError):
    """The store cannot be reached or written."""


class Store(Protocol):
    """Rooms by their codes; what has ended is never found. All of it may be called from any thread.

    StoreError where it cannot be reached.
    """

    def open(self, room: Room) -> bool:
        """Keep a new room; False where its code is taken."""

    def room(self, code: str) -> Room | None:
        """The room, closed or not; None where there is none, or its time is over."""

    def ask(self, code: str, asked: Round) -> bool:
        """Ask the next round; False where the room is closed or another round has this number."""

    def reveal(self, code: str, number: int) -> None:
        """Take no more answers to a round, and let phones know what is right."""

    def close(self, code: str) -> None:
        """End a room and delete its rounds and answers; its code is given again when its time is over."""

    def answer(self, code: str, number: int, browser: str, answer: str) -> bool:
        """Keep the answer of a browser in place of the one before; False where the round takes none."""

    def answer_of(self, code: str, number: int, browser: str) -> str | None:
        """What this browser has answered."""

    def answers(self, code: str, number: int) -> list[str]:
        """All answers to a round, in no order that tells anything."""

    def count(self, code: str, number: int) -> int:
        """How many browsers have answered."""

    def n_open(self) -> int:
        """How many rooms are open."""

    def secret(self) -> str:
        """Return the random number that all processes of the server sign cookies with."""

    def sweep(self) -> None:
        """Delete what has ended."""


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
