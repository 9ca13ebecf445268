"""A page that sends more than a person causes is read slowly, and others are not kept waiting."""

import asyncio
from typing import Any

import pytest
from starlette.types import Message

from access.limits import MESSAGES
from pages.shell.http.pace import Pace, PacedMessages
from tests.coroutines import awaited


class Clock:
    """A clock that sleeping sets forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_burst_of_messages_passes_and_then_one_after_the_other(clock: Clock) -> None:
    pace = Pace(3, 2, clock)
    assert [pace.delay() for _ in range(6)] == [0, 0, 0, 0.5, 1, 1.5]
    clock.now = 1.5
    assert pace.delay() == 0.5, "tokens taken in advance are paid back first"
    clock.now = 60
    assert [pace.delay() for _ in range(4)] == [0, 0, 0, 0.5], "more than at once are never saved"


async def read(
    app: PacedMessages, n: int, address: str = "10.0.0.1", found: list[Message] | None = None
) -> None:
    """Have the app behind read a connection that sends `n` messages and then ends."""
    messages = [{"type": "websocket.connect"}, *[{"type": "websocket.receive", "bytes": b"a"}] * n]
    waiting = iter([*messages, {"type": "websocket.disconnect"}])

    async def receive() -> Message:
        return next(waiting)

    async def send(message: Message) -> None:
        raise AssertionError("nothing is sent")

    found = [] if found is None else found
    app._app = lambda scope, receive, send: behind(receive, found)
    await app({"type": "websocket", "client": (address, 1)}, receive, send)
    assert found == [*messages, {"type": "websocket.disconnect"}], "no message is lost or reordered"


async def behind(receive: Any, found: list[Message]) -> None:
    while not found or found[-1]["type"] != "websocket.disconnect":
        found.append(await receive())


@pytest.fixture
def app(clock: Clock) -> PacedMessages:
    return PacedMessages(None, lambda *pace: Pace(*pace, clock), clock.sleep)  # type: ignore[arg-type]


def test_a_person_never_waits(app: PacedMessages, clock: Clock) -> None:
    """The most that a browser sends: a key held down on a number, 22 messages in a second."""
    awaited(read(app, min(MESSAGES.browser[0], 22 * 9)))
    assert clock.now == 0


def test_a_page_that_sends_without_end_is_read_at_its_pace(app: PacedMessages, clock: Clock) -> None:
    at_once, per_second = MESSAGES.browser
    awaited(read(app, at_once + 70))
    assert clock.now == pytest.approx(70 / per_second)


def test_many_pages_of_an_address_have_one_pace_together_and_others_their_own(
    app: PacedMessages, clock: Clock
) -> None:
    at_once, per_second = MESSAGES.address
    n_pages = at_once // 100 + 10

    async def flood() -> None:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(n_pages):
                tasks.create_task(read(app, 100))

    awaited(flood())
    assert clock.now >= 1000 / per_second
    before = clock.now
    awaited(read(app, 100, "10.0.0.2"))
    assert clock.now == before


def test_between_two_messages_whoever_they_are_of_the_process_does_something_else(app: PacedMessages) -> None:
    """A health check waited for 57 s while 20 pages sent messages: each was handled until none was left."""
    order: list[str] = []

    class Noting(list[Message]):
        def append(self, message: Message) -> None:
            super().append(message)
            if message["type"] == "websocket.receive":
                order.append("message")

    async def check() -> None:
        while order.count("message") < 100:
            order.append("check")
            await asyncio.sleep(0)

    async def all_at_once() -> None:
        await asyncio.gather(check(), *(read(app, 20, f"10.0.0.{n}", found=Noting()) for n in range(5)))

    awaited(all_at_once())
    assert "message message" not in " ".join(order)


def test_nothing_is_remembered_of_an_address_without_a_page(app: PacedMessages) -> None:
    awaited(read(app, 3))
    assert len(app._addresses) == 0


def test_requests_without_a_websocket_pass_unchanged(app: PacedMessages) -> None:
    async def receive() -> Message:
        return {"type": "http.request"}

    seen = []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        seen.append(receive)

    app._app = behind
    awaited(app({"type": "http"}, receive, None))  # type: ignore[arg-type]
    assert seen == [receive]


def test_a_text_ends_the_connection_without_an_error(app: PacedMessages) -> None:
    sent = iter([{"type": "websocket.receive", "text": "a", "bytes": None}])
    found: list[Message] = []

    async def receive() -> Message:
        return next(sent)

    app._app = lambda scope, receive, send: behind(receive, found)  # type: ignore[assignment]
    awaited(app({"type": "websocket", "client": ("10.0.0.1", 1)}, receive, None))  # type: ignore[arg-type]
    assert found == [{"type": "websocket.disconnect", "code": 1003}]
