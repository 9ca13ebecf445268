"""Rooms in a Redis, for processes on several machines.

A room is a hash of its data and its rounds, and for each round a hash of the answers by browser. They expire
when the room ends.
"""

import json
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import redis

from rooms.room import MOST_BROWSERS, MOST_ROUNDS, Room, Round
from rooms.store import Store, StoreError

PREFIX = "attention-lab:room:"
OPEN = "attention-lab:rooms"
"""The codes of open rooms, sorted by their end."""

SECRET = "attention-lab:secret"

PATIENCE = 5
"""Seconds after which a Redis that does not answer counts as down."""


class RedisStore(Store):
    """The rooms of the Redis at an address such as `redis://host:6379/0`."""

    def __init__(self, address: str, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._redis: Any = redis.Redis.from_url(
            address, decode_responses=True, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        )

    def open(self, room: Room) -> bool:
        key, seconds = _key(room.code), int(room.ends) + 1

        def keep(pipe: Any) -> bool:
            if pipe.exists(key):
                pipe.multi()
                return False
            pipe.multi()
            pipe.hset(key, mapping={"secret": room.secret, "owner": room.owner, "ends": repr(room.ends)})
            pipe.expireat(key, seconds)
            pipe.zadd(OPEN, {room.code: room.ends})
            return True

        return self._at_once(keep, key)

    def room(self, code: str) -> Room | None:
        with self._reached():
            known: dict[str, str] = self._redis.hgetall(_key(code))
        if not known or float(known["ends"]) <= self._clock():
            return None
        numbers = sorted(int(name.removeprefix("asked:")) for name in known if name.startswith("asked:"))
        return Room(
            code=code,
            secret=known["secret"],
            owner=known["owner"],
            ends=float(known["ends"]),
            is_closed="closed" in known,
            rounds=tuple(_round(number, known) for number in numbers),
        )

    def ask(self, code: str, asked: Round) -> bool:
        key = _key(code)
        kept = {"about": asked.about, "question": asked.question, "settings": asked.settings}

        def keep(pipe: Any) -> bool:
            known = pipe.hgetall(key)
            pipe.multi()
            if not self._takes(known) or f"asked:{asked.number}" in known:
                return False
            pipe.hset(key, f"asked:{asked.number}", json.dumps(kept))
            return True

        return self._at_once(keep, key)

    def reveal(self, code: str, number: int) -> None:
        self._mark(code, number, "revealed", "1")

    def approve(self, code: str, number: int, words: Sequence[str]) -> None:
        self._mark(code, number, "approved", json.dumps(list(words)))

    def _mark(self, code: str, number: int, name: str, value: str) -> None:
        """Set a field of a round that was asked."""
        key = _key(code)

        def mark(pipe: Any) -> bool:
            is_asked = pipe.hexists(key, f"asked:{number}")
            pipe.multi()
            if is_asked:
                pipe.hset(key, f"{name}:{number}", value)
            return True

        self._at_once(mark, key)

    def close(self, code: str) -> None:
        key = _key(code)

        def end(pipe: Any) -> bool:
            known = pipe.hgetall(key)
            pipe.multi()
            if known:
                pipe.hset(key, "closed", "1")
                pipe.zrem(OPEN, code)
                pipe.delete(*(_answers(code, number) for number in range(1, MOST_ROUNDS + 1)))
                if rounds := [
                    name for name in known if name.startswith(("asked:", "revealed:", "approved:"))
                ]:
                    pipe.hdel(key, *rounds)
            return True

        self._at_once(end, key)

    def answer(self, code: str, number: int, browser: str, answer: str) -> bool:
        """Keep the answer of a browser in place of its last one; return False if the round accepts none.

        If the host asks, reveals or closes meanwhile, the room has changed, and the answer is checked again.
        """
        key, answers = _key(code), _answers(code, number)

        def keep(pipe: Any) -> bool:
            known = pipe.hgetall(key)
            has_room = pipe.hexists(answers, browser) or pipe.hlen(answers) < MOST_BROWSERS
            pipe.multi()
            last = max((int(name[6:]) for name in known if name.startswith("asked:")), default=0)
            if not self._takes(known) or number != last or f"revealed:{number}" in known or not has_room:
                return False
            pipe.hset(answers, browser, answer)
            pipe.expireat(answers, int(float(known["ends"])) + 1)
            return True

        return self._at_once(keep, key)

    def answer_of(self, code: str, number: int, browser: str) -> str | None:
        with self._reached():
            found: str | None = self._redis.hget(_answers(code, number), browser)
            return found

    def answers(self, code: str, number: int) -> list[str]:
        """Return all answers to a round, sorted, so that the order of their arrival is hidden."""
        with self._reached():
            return sorted(map(str, self._redis.hvals(_answers(code, number))))

    def count(self, code: str, number: int) -> int:
        with self._reached():
            return int(self._redis.hlen(_answers(code, number)))

    def n_open(self) -> int:
        with self._reached():
            return int(self._redis.zcount(OPEN, f"({self._clock()!r}", "+inf"))

    def secret(self) -> str:
        with self._reached():
            self._redis.set(SECRET, secrets.token_hex(16), nx=True)
            return str(self._redis.get(SECRET))

    def sweep(self) -> None:
        """Forget the codes of ended rooms; the rest has expired by itself."""
        with self._reached():
            self._redis.zremrangebyscore(OPEN, "-inf", repr(self._clock()))

    def _takes(self, known: dict[str, str]) -> bool:
        """Return whether a room exists, is open, and its time is not over."""
        return bool(known) and "closed" not in known and float(known["ends"]) > self._clock()

    def _at_once(self, change: Callable[[Any], bool], key: str) -> bool:
        """Make a change in a transaction; if the room has changed meanwhile, call `change` again."""
        with self._reached():
            return bool(self._redis.transaction(change, key, value_from_callable=True))

    @contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except redis.RedisError as error:
            raise StoreError(f"the Redis of the rooms: {error}") from error


def _key(code: str) -> str:
    return f"{PREFIX}{code}"


def _answers(code: str, number: int) -> str:
    return f"{PREFIX}{code}:answers:{number}"


def _round(number: int, known: dict[str, str]) -> Round:
    kept = json.loads(known[f"asked:{number}"])
    return Round(
        number=number,
        about=kept["about"],
        question=kept["question"],
        settings=kept["settings"],
        is_revealed=f"revealed:{number}" in known,
        approved=tuple(json.loads(known.get(f"approved:{number}", "[]"))),
    )
