"""The promises of a store, on a file and on a real Redis."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import redis

from rooms import redis_store, sqlite_store
from rooms.redis_store import RedisStore
from rooms.room import LASTS, Room, Round, new_room
from rooms.shared_store import make
from rooms.sqlite_store import SqliteStore
from rooms.store import Store, StoreError
from tests.rooms.clock import Clock
from tests.rooms.conftest import Again
from tests.rooms.questions import CHOOSE, SKETCH

TABLES = ("rooms", "rounds", "answers")


def asked(number: int = 1, about: str = "view 0") -> Round:
    return Round(number=number, about=about, question=SKETCH, settings={"mask": "causal", "text": "hot <b>"})


def opened(store: Store, clock: Clock) -> Room:
    room, _ = new_room(clock())
    assert store.open(room)
    assert store.ask(room.code, asked())
    return room


def test_a_room_is_found_as_it_was_opened_and_by_other_processes(again: Again, clock: Clock) -> None:
    room = opened(again(), clock)
    assert again().room(room.code) == replace(room, rounds=(asked(),))
    assert again().room("ZZZZ") is None
    assert again().n_open() == 1


def test_all_processes_have_one_secret(again: Again) -> None:
    with ThreadPoolExecutor(8) as processes:
        secrets = set(processes.map(lambda _: again().secret(), range(8)))
    assert len(secrets) == 1
    assert len(secrets.pop()) == 32


def test_letters_are_unique(store: Store, clock: Clock) -> None:
    room = opened(store, clock)
    other = replace(new_room(clock())[0], code=room.code)
    assert not store.open(other)
    found = store.room(room.code)
    assert found is not None
    assert found.owner == room.owner


def test_a_browser_counts_once_and_its_last_answer_is_kept(store: Store, clock: Clock) -> None:
    code = opened(store, clock).code
    for browser, answer in [("b1", "[1]"), ("b2", "[2]"), ("b1", "[3]"), ("b1", "[3]")]:
        assert store.answer(code, 1, browser, answer)
    assert store.count(code, 1) == 2
    assert sorted(store.answers(code, 1)) == ["[2]", "[3]"]
    assert [store.answer_of(code, 1, one) for one in ("b1", "b2", "b3")] == ["[3]", "[2]", None]


def test_a_revealed_round_accepts_no_more_answers(store: Store, clock: Clock) -> None:
    code = opened(store, clock).code
    store.answer(code, 1, "b1", "1")
    store.reveal(code, 1)
    assert not store.answer(code, 1, "b1", "2")
    assert not store.answer(code, 1, "b2", "2")
    assert store.answers(code, 1) == ["1"]
    found = store.room(code)
    assert found is not None
    assert found.now is not None
    assert found.now.is_revealed


def test_only_the_round_that_is_asked_takes_answers(store: Store, clock: Clock) -> None:
    code = opened(store, clock).code
    store.answer(code, 1, "b1", "1")
    assert not store.answer(code, 2, "b1", "1"), "not asked yet"
    assert not store.ask(code, asked(1)), "the number is taken"
    assert store.ask(code, asked(2))
    assert not store.answer(code, 1, "b2", "1"), "another round is asked"
    assert store.answer(code, 2, "b1", "2")
    assert [store.count(code, number) for number in (1, 2)] == [1, 1]
    found = store.room(code)
    assert found is not None
    assert [one.number for one in found.rounds] == [1, 2]


def test_the_reveal_applies_to_its_round_only(store: Store, clock: Clock) -> None:
    code = opened(store, clock).code
    store.ask(code, asked(2))
    store.reveal(code, 1)
    store.reveal(code, 7)
    store.reveal("ZZZZ", 1)
    found = store.room(code)
    assert found is not None
    assert [one.is_revealed for one in found.rounds] == [True, False]


def test_a_closed_room_keeps_its_letters_and_nothing_else(store: Store, clock: Clock) -> None:
    room = opened(store, clock)
    store.answer(room.code, 1, "b1", "1")
    store.close(room.code)
    assert store.room(room.code) == replace(room, is_closed=True)
    assert store.answers(room.code, 1) == []
    assert store.n_open() == 0
    assert not store.ask(room.code, asked(2))
    assert not store.answer(room.code, 1, "b1", "1")
    assert not store.open(replace(new_room(clock())[0], code=room.code))
    store.close("ZZZZ")
    assert store.room("ZZZZ") is None


def test_after_three_hours_a_room_is_over(store: Store, clock: Clock) -> None:
    code = opened(store, clock).code
    clock.now += LASTS - 1
    assert store.answer(code, 1, "b1", "1")
    clock.now += 2
    assert store.room(code) is None
    assert store.n_open() == 0
    assert not store.answer(code, 1, "b2", "1")
    assert not store.ask(code, asked(2))
    store.sweep()
    assert store.room(code) is None


def test_no_more_browsers_are_kept_than_a_hall_holds(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (sqlite_store, redis_store):
        monkeypatch.setattr(module, "MOST_BROWSERS", 2)
    code = opened(store, clock).code
    assert [store.answer(code, 1, name, "1") for name in ("a", "b", "c", "a")] == [True, True, False, True]


def test_parallel_answers_from_two_processes_are_all_kept(again: Again, clock: Clock) -> None:
    one, other = again(), again()
    code = opened(one, clock).code

    def answer(number: int) -> bool:
        return (one, other)[number % 2].answer(code, 1, f"b{number % 101}", str(number))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(answer, range(202)))
    assert one.count(code, 1) == other.count(code, 1) == 101


def test_answers_that_race_with_the_reveal_are_in_it_or_refused(again: Again, clock: Clock) -> None:
    one, other = again(), again()
    code = opened(one, clock).code
    with ThreadPoolExecutor(8) as pool:
        kept = [pool.submit(one.answer, code, 1, f"b{number}", "1") for number in range(60)]
        pool.submit(other.reveal, code, 1).result()
        seen = other.count(code, 1)
        results = [one.result() for one in kept]
    assert sum(results) == one.count(code, 1)
    assert seen == one.count(code, 1), "no answer comes after the reveal"


class Held(sqlite3.Connection):
    """A connection to a file that other processes are turning to WAL, for which SQLite does not wait."""

    left = 0
    """The number of refusals that are left."""

    def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
        if "journal_mode" in sql and Held.left:
            Held.left -= 1
            raise sqlite3.OperationalError("database is locked")
        return super().execute(sql, *given)


def test_processes_that_start_together_wait_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store.sqlite3, "connect", partial(sqlite3.connect, factory=Held))
    monkeypatch.setattr(Held, "left", 3)
    assert SqliteStore(tmp_path / "rooms.sqlite").n_open() == 0
    monkeypatch.setattr(sqlite_store, "PATIENCE", 0)
    monkeypatch.setattr(Held, "left", sqlite_store.TRIES)
    with pytest.raises(StoreError, match="other processes hold them"):
        SqliteStore(tmp_path / "other.sqlite")


def test_a_file_is_for_its_user_alone_and_keeps_nothing_that_has_ended(tmp_path: Path) -> None:
    clock, path = Clock(time.time()), tmp_path / "deep" / "rooms.sqlite"
    store = SqliteStore(path, clock)
    code = opened(store, clock).code
    store.answer(code, 1, "name-of-a-browser", "[0.5]")
    assert b"name-of-a-browser" in b"".join(one.read_bytes() for one in path.parent.iterdir())
    assert {one.stat().st_mode & 0o077 for one in path.parent.iterdir()} == {0}
    clock.now += LASTS + 1
    store.sweep()
    assert b"name-of-a-browser" not in b"".join(one.read_bytes() for one in path.parent.iterdir())
    with sqlite3.connect(path) as database:
        counts = [database.execute(f"SELECT count(*) FROM {one}").fetchone() for one in TABLES]
    assert counts == [(0,)] * 3


def test_no_column_of_the_file_identifies_visitors_or_times(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "rooms.sqlite")
    with sqlite3.connect(tmp_path / "rooms.sqlite") as database:
        columns = [name for _, name, *_ in database.execute("PRAGMA table_info(answers)")]
    assert columns == ["code", "number", "browser", "answer"]


def test_everything_in_redis_expires_by_itself(redis_address: str) -> None:
    clock = Clock(time.time())
    store, client = RedisStore(redis_address, clock), redis.Redis.from_url(redis_address)
    code = opened(store, clock).code
    store.answer(code, 1, "b1", "1")
    kept = [key for key in client.scan_iter() if key.decode() != redis_store.OPEN]
    assert len(kept) == 2
    assert all(LASTS - 60 < client.ttl(key) <= LASTS + 1 for key in kept)
    clock.now += LASTS + 1
    store.sweep()
    assert not client.exists(redis_store.OPEN)
    client.flushall()


def test_an_unreachable_redis_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Redis"):
        RedisStore(f"unix://{tmp_path}/none.sock").room("BCDF")


def test_an_unwritable_file_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be kept in"):
        SqliteStore(tmp_path / "file" / "rooms.sqlite")
    (tmp_path / "other").write_text("no database, and long enough to be taken for one " * 50)
    with pytest.raises(StoreError, match="other"):
        SqliteStore(tmp_path / "other")


def test_the_environment_names_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert isinstance(make({"ATTENTION_LAB_REDIS": "redis://localhost:1/0"}), RedisStore)
    make({"ATTENTION_LAB_ROOMS": str(tmp_path / "named.sqlite")})
    assert (tmp_path / "named.sqlite").exists()
    make({})
    (folder,) = tmp_path.glob("attention-lab-*")
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    with pytest.raises(StoreError, match="not a folder for this user alone"):
        make({})
    assert CHOOSE["right"] == 1, "questions are shared by tests, and none changes them"


def test_approved_words_are_kept_replaced_and_deleted_with_the_room(again: Again, clock: Clock) -> None:
    store = again()
    code = opened(store, clock).code
    for words in (["tea", "<b>"], ["hot"]):
        store.approve(code, 1, words)
    store.approve(code, 2, ["of no round"])
    store.approve("ZZZZ", 1, ["of no room"])
    found = again().room(code)
    assert found is not None
    assert [one.approved for one in found.rounds] == [("hot",)]
    store.close(code)
    store.approve(code, 1, ["late"])
    found = again().room(code)
    assert found is not None
    assert found.rounds == ()
