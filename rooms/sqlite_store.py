"""Rooms in a file that all processes of one machine share: SQLite, in WAL mode.

Readers never wait, and writers take turns. A killed process loses no answer. The answers of a round are
sorted by the hashes of their browsers, so that their order does not tell who was first.
"""

import json
import os
import secrets
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rooms.room import MOST_BROWSERS, Room, Round
from rooms.store import Store, StoreError

PATIENCE, TRIES = 10, 200
"""Seconds that a process waits for other writers, and its tries to open the file at the start."""

SETTINGS = ("synchronous = NORMAL", "foreign_keys = ON", "secure_delete = ON")
"""Every answer is written to the system at once: a power failure can lose it, but a killed process cannot."""

TABLES = """
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY, secret TEXT NOT NULL, owner TEXT NOT NULL, ends REAL NOT NULL,
    closed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rounds (
    code TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, number INTEGER NOT NULL, about TEXT NOT NULL,
    question TEXT NOT NULL, settings TEXT NOT NULL, revealed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (code, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    code TEXT NOT NULL, number INTEGER NOT NULL, browser TEXT NOT NULL, answer TEXT NOT NULL,
    PRIMARY KEY (code, number, browser),
    FOREIGN KEY (code, number) REFERENCES rounds ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS approvals (
    code TEXT NOT NULL, number INTEGER NOT NULL, words TEXT NOT NULL,
    PRIMARY KEY (code, number),
    FOREIGN KEY (code, number) REFERENCES rounds ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS server (row INTEGER PRIMARY KEY CHECK (row = 1), secret TEXT NOT NULL);
"""

ANSWER = """
INSERT INTO answers
SELECT :code, :number, :browser, :answer
WHERE EXISTS (
    SELECT 1 FROM rounds JOIN rooms USING (code)
    WHERE code = :code AND number = :number AND NOT revealed AND NOT closed AND ends > :now
    AND number = (SELECT max(number) FROM rounds WHERE code = :code)
) AND (
    EXISTS (SELECT 1 FROM answers WHERE code = :code AND number = :number AND browser = :browser)
    OR (SELECT count(*) FROM answers WHERE code = :code AND number = :number) < :most
)
ON CONFLICT DO UPDATE SET answer = excluded.answer
"""


class SqliteStore(Store):
    """The rooms of the file at `path`, which is created for this user alone if it is missing."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = path, clock
        self._idle: deque[sqlite3.Connection] = deque()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except OSError as error:
            raise StoreError(f"the rooms cannot be kept in {path}: {error.strerror}") from error
        for _ in range(TRIES):
            if self._makes_tables():
                return
            time.sleep(PATIENCE / TRIES)
        raise StoreError(f"the rooms in {path}: other processes hold them")

    def open(self, room: Room) -> bool:
        added = "INSERT INTO rooms VALUES (?, ?, ?, ?, 0) ON CONFLICT DO NOTHING"
        return self._change(added, room.code, room.secret, room.owner, room.ends) == 1

    def room(self, code: str) -> Room | None:
        found = self._rows(
            "SELECT secret, owner, ends, closed FROM rooms WHERE code = ? AND ends > ?", code, self._clock()
        )
        if not found:
            return None
        rows = self._rows(
            "SELECT number, about, question, settings, revealed, words "
            "FROM rounds LEFT JOIN approvals USING (code, number) WHERE code = ? ORDER BY number",
            code,
        )
        rounds = tuple(
            Round(
                number=number,
                about=about,
                question=json.loads(question),
                settings=json.loads(settings),
                is_revealed=bool(revealed),
                approved=tuple(json.loads(words or "[]")),
            )
            for number, about, question, settings, revealed, words in rows
        )
        ((secret, owner, ends, closed),) = found
        return Room(code=code, secret=secret, owner=owner, ends=ends, is_closed=bool(closed), rounds=rounds)

    def ask(self, code: str, asked: Round) -> bool:
        n_kept = self._change(
            "INSERT INTO rounds SELECT ?, ?, ?, ?, ?, 0 WHERE EXISTS "
            "(SELECT 1 FROM rooms WHERE code = ? AND NOT closed AND ends > ?) ON CONFLICT DO NOTHING",
            *(code, asked.number, asked.about),
            *(json.dumps(asked.question), json.dumps(asked.settings)),
            *(code, self._clock()),
        )
        return n_kept == 1

    def reveal(self, code: str, number: int) -> None:
        self._change("UPDATE rounds SET revealed = 1 WHERE code = ? AND number = ?", code, number)

    def approve(self, code: str, number: int, words: Sequence[str]) -> None:
        self._change(
            "INSERT INTO approvals SELECT code, number, ? FROM rounds JOIN rooms USING (code) "
            "WHERE code = ? AND number = ? AND NOT closed ON CONFLICT DO UPDATE SET words = excluded.words",
            *(json.dumps(list(words)), code, number),
        )

    def close(self, code: str) -> None:
        with self._connection() as database:
            database.execute("BEGIN IMMEDIATE")
            database.execute("UPDATE rooms SET closed = 1 WHERE code = ?", (code,))
            database.execute("DELETE FROM rounds WHERE code = ?", (code,))
            database.execute("COMMIT")

    def answer(self, code: str, number: int, browser: str, answer: str) -> bool:
        given = {"code": code, "number": number, "browser": browser, "answer": answer}
        with self._connection() as database:
            kept = database.execute(ANSWER, {**given, "now": self._clock(), "most": MOST_BROWSERS})
            return kept.rowcount == 1

    def answer_of(self, code: str, number: int, browser: str) -> str | None:
        query = "SELECT answer FROM answers WHERE code = ? AND number = ? AND browser = ?"
        return next((answer for (answer,) in self._rows(query, code, number, browser)), None)

    def answers(self, code: str, number: int) -> list[str]:
        rows = self._rows("SELECT answer FROM answers WHERE code = ? AND number = ?", code, number)
        return [answer for (answer,) in rows]

    def count(self, code: str, number: int) -> int:
        ((n,),) = self._rows("SELECT count(*) FROM answers WHERE code = ? AND number = ?", code, number)
        return int(n)

    def n_open(self) -> int:
        ((n,),) = self._rows("SELECT count(*) FROM rooms WHERE NOT closed AND ends > ?", self._clock())
        return int(n)

    def secret(self) -> str:
        while not (found := self._rows("SELECT secret FROM server")):
            self._change("INSERT INTO server VALUES (1, ?) ON CONFLICT DO NOTHING", secrets.token_hex(16))
        return str(found[0][0])

    def sweep(self) -> None:
        """Delete ended rooms, also from the log of the file."""
        if self._change("DELETE FROM rooms WHERE ends <= ?", self._clock()):
            self._rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._connection() as database:
            return database.execute(query, values).fetchall()

    def _change(self, change: str, *values: Any) -> int:
        """Return the number of rows that were changed."""
        with self._connection() as database:
            return database.execute(change, values).rowcount

    def _makes_tables(self) -> bool:
        """Turn on WAL and create the tables; return False if another process is doing so at the moment.

        SQLite does not wait to turn on WAL, and the processes of a server start together.
        """
        try:
            with self._connection() as database:
                database.execute("PRAGMA journal_mode = WAL")
                database.executescript(TABLES)
        except StoreError as error:
            if isinstance(error.__cause__, sqlite3.OperationalError) and "locked" in str(error):
                return False
            raise
        return True

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection that no other thread uses; it is reused, because opening one takes time."""
        try:
            database = self._idle.pop()
        except IndexError:
            database = self._connect()
        try:
            yield database
        except sqlite3.Error as error:
            database.close()
            raise StoreError(f"the rooms in {self._path}: {error}") from error
        except BaseException:
            database.close()
            raise
        self._idle.append(database)

    def _connect(self) -> sqlite3.Connection:
        try:
            database = sqlite3.connect(
                self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            for setting in SETTINGS:
                database.execute(f"PRAGMA {setting}")
        except sqlite3.Error as error:
            raise StoreError(f"the rooms in {self._path}: {error}") from error
        return database
