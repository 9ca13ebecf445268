"""A hall that answers: phones enter, poll for news, and each answers once within ten seconds.

One process is killed in the middle, if there are several. The final store is compared with the phones'
answers: nothing may be lost, and nobody counted twice.
"""

import asyncio
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.load.http import Client, ConnectionLostError
from bench.load.report import percentile
from bench.load.target import Target, served
from rooms.leading import Led, ask
from rooms.opened import PLACE
from rooms.sqlite_store import SqliteStore

ENTERING, ANSWERING = 10, 10
"""Seconds in which all enter, and in which all answer then."""

LOOKS = (1.5, 2.5)
"""Seconds between two polls of a phone, as in `rooms/phone.js`."""

ASKS = 0.7
"""Seconds between two polls of the projector, as in `pages/browser/questions/ask_room.js`."""

LONGEST = 60
"""Seconds after which an unreceived answer is lost."""

CHANGING = 10
"""Every tenth phone changes its answer."""

LABELS = ["the", "chef", "who", "ran", "out", "of", "tea"]
QUESTION = {
    "kind": "sketch",
    "solution": "",
    "text": "Draw the row.",
    "labels": LABELS,
    "right": [1 / len(LABELS)] * len(LABELS),
    "because": "",
    "shares": True,
    "largest": 1.0,
    "unit": "",
    "are_whole": False,
}


@dataclass
class HallLog:
    """Observations of the phones and the projector."""

    tapped: list[float] = field(default_factory=list)
    received: list[float] = field(default_factory=list)
    """Seconds from each tap to its answer."""
    counts: list[tuple[float, int]] = field(default_factory=list)
    """Times and counts that the projector received."""
    retries: Counter[str] = field(default_factory=Counter)
    looks: int = 0
    sent: dict[int, str] = field(default_factory=dict)
    """The last answer of each phone, as the store must have it."""

    def waits_for_count(self) -> list[float]:
        """Return milliseconds from each tap until the projector shows that many answers, in order."""
        waits = []
        for number, tapped in enumerate(sorted(self.tapped), 1):
            shown = next((at for at, count in self.counts if count >= number), None)
            waits.append(1000 * (shown - tapped) if shown is not None else float("inf"))
        return waits


class Phone:
    """A person with a phone in the room."""

    def __init__(self, target: Target, led: Led, number: int, log: HallLog) -> None:
        self._client, self._log = Client(target.host), log
        self._files, self._at = f"{target.base}/room/files", f"{target.base}/room/{led.code}"
        self._random, self._number, self._tag = Random(f"phone {number}"), number, ""

    async def run(self, begun: float) -> None:
        """Enter, poll until the time to answer, answer, and poll until all have."""
        enters = begun + ENTERING * self._random.random()
        answers = begun + ENTERING + ANSWERING * self._random.random()
        end = begun + ENTERING + ANSWERING + 3
        await _until(enters)
        await self._insisting(self._enter)
        await self._look_until(answers)
        await self._answer(is_first=True)
        if self._number % CHANGING == 0:
            await self._look_until(time.perf_counter() + 2)
            await self._answer(is_first=False)
        await self._look_until(end)
        self._client.close()

    async def _enter(self) -> int:
        status, said, page = await self._client.ask(self._at)
        if status == 303:  # with a browser's cookie
            status, _, page = await self._client.ask(said["location"])
        parts = page.decode().split('="')
        for name in [part.split('"')[0] for part in parts if part.startswith(self._files)]:
            await self._client.ask(name)
        return status

    async def _look_until(self, end: float) -> None:
        while (now := time.perf_counter()) < end:
            await self._insisting(self._look)
            await _until(min(end, now + self._random.uniform(*LOOKS)))

    async def _look(self) -> int:
        headers = {"If-None-Match": self._tag} if self._tag else {}
        status, said, _ = await self._client.ask(f"{self._at}/state", headers=headers)
        self._tag = said.get("etag", self._tag)
        self._log.looks += 1
        return 200 if status == 304 else status

    async def _answer(self, *, is_first: bool) -> None:
        """Send an answer until it is received."""
        drawn = [0.05 + self._random.random() * 0.9 for _ in LABELS]
        body = json.dumps({"round": 1, "answer": drawn}).encode()
        kept = []

        async def send() -> int:
            status, _, said = await self._client.ask(f"{self._at}/answer", body=body)
            kept.append(said)
            return status

        tapped = time.perf_counter()
        if is_first:
            self._log.tapped.append(tapped)
        await self._insisting(send)
        self._log.received.append(time.perf_counter() - tapped)
        self._log.sent[self._number] = json.dumps(json.loads(kept[-1])["received"], separators=(",", ":"))

    async def _insisting(self, do: Callable[[], asyncio.Future[int]] | Callable[[], object]) -> None:
        """Repeat until it succeeds, with longer and longer pauses, as a phone does."""
        end = time.perf_counter() + LONGEST
        for tries in range(100):
            try:
                status = await do()  # type: ignore[misc]
                if status == 200:
                    return
                reason = str(status)
            except ConnectionLostError as error:
                reason = str(error)
            self._log.retries[reason] += 1
            if time.perf_counter() > end:
                raise TimeoutError(reason)
            await asyncio.sleep(min(0.5 * 2**tries, 15) * self._random.uniform(0.5, 1.5))


async def _until(moment: float) -> None:
    await asyncio.sleep(max(0.0, moment - time.perf_counter()))


async def _project(target: Target, led: Led, log: HallLog, n_phones: int) -> None:
    """Poll the count until all have answered."""
    client = Client(target.host)
    tag, end = "", time.perf_counter() + ENTERING + ANSWERING + LONGEST
    while time.perf_counter() < end:
        headers = {"Authorization": f"Bearer {led.token}"} | ({"If-None-Match": tag} if tag else {})
        try:
            status, said, body = await client.ask(f"{target.base}/room/{led.code}/owner", headers=headers)
            if status == 200:
                tag = said["etag"]
                log.counts.append((time.perf_counter(), json.loads(body)["rounds"][-1]["count"]))
                if log.counts[-1][1] >= n_phones:
                    break
        except ConnectionLostError as error:
            log.retries[f"projector {error}"] += 1
        await asyncio.sleep(ASKS)
    client.close()


async def _hall(target: Target, led: Led, n_phones: int, kill: Callable[[], None]) -> tuple[HallLog, int]:
    """Let all enter and answer; return what they saw and how many answers were not received."""
    log, begun = HallLog(), time.perf_counter()
    phones = [Phone(target, led, number, log).run(begun) for number in range(n_phones)]

    async def die() -> None:
        await _until(begun + ENTERING + ANSWERING / 2)
        await asyncio.to_thread(kill)

    ended = await asyncio.gather(_project(target, led, log, n_phones), die(), *phones, return_exceptions=True)
    for error in ended:
        if error is not None and not isinstance(error, TimeoutError):
            raise error
    return log, sum(error is not None for error in ended)


def measure(n_phones: int, workers: int, base: str = "") -> dict[str, str]:
    """Return a line of the table: this many phones and processes, with a separate store."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "rooms.sqlite"
        os.environ[PLACE] = str(place)
        store, load = SqliteStore(place), os.getloadavg()[0]
        with served(workers, base) as target:
            led = ask(store, QUESTION, about="", settings={})
            cpu, begun = target.cpu(), time.perf_counter()
            log, unreceived = asyncio.run(_hall(target, led, n_phones, target.kill_one))
            seconds = time.perf_counter() - begun
            kept = Counter(store.answers(led.code, 1))
            lost = Counter(log.sent.values()) - kept
            return {
                "phones": str(n_phones),
                "processes": f"{workers}, one killed" if workers > 1 else "1",
                "received p50 ms": f"{1000 * percentile(log.received, 50):.0f}",
                "received p95 ms": f"{1000 * percentile(log.received, 95):.0f}",
                "received max ms": f"{1000 * percentile(log.received, 100):.0f}",
                "counted p95 ms": f"{percentile(log.waits_for_count(), 95):.0f}",
                "lost": str(lost.total() + unreceived),
                "counted twice": str(max(0, kept.total() - n_phones)),
                "tried again": str(log.retries.total()),
                "looks/s": f"{log.looks / seconds:.0f}",
                "server cores": f"{(target.cpu() - cpu) / seconds / 1000:.2f}",
                "load before": f"{load:.1f}",
            }
