"""The answer of a part of a page comes at once; everything else as soon as it is said, and in its order."""

import asyncio
from collections.abc import Callable

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shell.http import bursts
from pages.shell.http.bursts import Burst, answers_in_bursts
from tests.coroutines import awaited


def asked(part: str) -> Message:
    question = BackMsg(rerun_script={"fragment_id": part})
    return {"type": "websocket.receive", "bytes": question.SerializeToString()}


def said(**what: object) -> Message:
    return {"type": "websocket.send", "bytes": ForwardMsg(**what).SerializeToString()}


def element(n: int) -> Message:
    return said(delta={"fragment_id": str(n)})


PART, PAGE = asked("view"), asked("")
BEGINS, ENDS = said(new_session={}), said(script_finished=ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
RERUNS = said(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN)
CLOSES = {"type": "websocket.close"}
JUNK = {"type": "websocket.receive", "bytes": b"\xff"}


class Browser:
    """The data received so far; `is_gone` if no client reads it."""

    def __init__(self) -> None:
        self.seen: list[Message] = []
        self.n_sent, self.is_gone = 0, False

    async def read(self, message: Message) -> None:
        self.n_sent += 1
        for _ in range(5 - self.n_sent % 5):  # one message takes longer than the next
            await asyncio.sleep(0)
        if self.is_gone:
            raise OSError("gone")
        self.seen.append(message)


@pytest.fixture
def browser() -> Browser:
    return Browser()


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Says for how many seconds an answer may wait."""
    return lambda seconds: monkeypatch.setattr(bursts, "LONGEST", seconds)


@pytest.mark.parametrize("last", [ENDS, CLOSES])
def test_the_answer_of_a_part_waits_for_its_end(
    browser: Browser, waiting: Callable[[float], None], last: Message
) -> None:
    waiting(600)
    answer = [BEGINS, element(1), RERUNS, BEGINS, element(2)]

    async def answering() -> None:
        burst = Burst(browser.read)
        burst.hear(PART)
        for message in answer:
            await burst.send(message)
        assert browser.seen == []
        await burst.send(last)
        assert browser.seen == [*answer, last]
        await burst.send(element(3))
        assert browser.seen[-1] == element(3), "nothing waits between two runs"
        assert len(asyncio.all_tasks()) == 1

    awaited(answering())


@pytest.mark.parametrize("question", [PAGE, {"type": "websocket.connect"}, JUNK])
def test_a_page_that_opens_is_seen_piece_by_piece(browser: Browser, question: Message) -> None:
    async def opening() -> None:
        burst = Burst(browser.read)
        burst.hear(question)
        for n, message in enumerate([BEGINS, element(1), element(2), ENDS], start=1):
            await burst.send(message)
            assert len(browser.seen) == n

    awaited(opening())


def test_a_slow_answer_is_visible_in_parts(browser: Browser, waiting: Callable[[float], None]) -> None:
    waiting(0)

    async def answering() -> None:
        burst = Burst(browser.read)
        burst.hear(PART)
        await burst.send(BEGINS)
        await burst.send(element(1))
        while len(browser.seen) < 2:
            await asyncio.sleep(0)
        await burst.send(element(2))
        assert browser.seen == [BEGINS, element(1), element(2)]

    awaited(answering())


def test_messages_keep_their_order_while_a_slow_browser_reads(
    browser: Browser, waiting: Callable[[float], None]
) -> None:
    waiting(0)
    answer = [BEGINS, *map(element, range(9)), ENDS]

    async def answering() -> None:
        burst = Burst(browser.read)
        for _ in range(2):
            burst.hear(PART)
            for message in answer:
                await burst.send(message)
                await asyncio.sleep(0)
        assert browser.seen == [*answer, *answer]

    awaited(answering())


def test_a_browser_that_goes_while_its_answer_waits_is_an_error_of_the_next_message_only(
    browser: Browser, waiting: Callable[[float], None]
) -> None:
    waiting(0)
    browser.is_gone = True
    failed: list[object] = []

    async def answering() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context))
        burst = Burst(browser.read)
        burst.hear(PART)
        await burst.send(BEGINS)
        while len(asyncio.all_tasks()) > 1:
            await asyncio.sleep(0)
        with pytest.raises(OSError, match="gone"):
            await burst.send(ENDS)

    awaited(answering())
    assert failed == []


def test_for_a_browser_that_asks_and_does_not_read_the_sender_waits(waiting: Callable[[float], None]) -> None:
    waiting(0)
    sent: list[int] = []

    async def read(message: Message) -> None:
        await asyncio.Event().wait()

    async def asking() -> None:
        burst = Burst(read)
        for n in range(50):
            burst.hear(PART)
            await burst.send(element(n))
            sent.append(n)
            await asyncio.sleep(0.001)

    async def flood() -> None:
        task = asyncio.create_task(asking())
        await asyncio.wait([task], timeout=0.2)
        task.cancel()

    awaited(flood())
    assert len(sent) < 50


def test_a_connection_that_ends_leaves_nothing_running(browser: Browser) -> None:
    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        assert await receive() == PART
        await send(BEGINS)
        assert browser.seen == []
        assert len(asyncio.all_tasks()) == 2

    async def ask() -> Message:
        return PART

    async def served() -> None:
        await answers_in_bursts(page)({"type": "websocket"}, ask, browser.read)
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1

    awaited(served())
