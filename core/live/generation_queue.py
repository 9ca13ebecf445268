"""Texts that models write in the background: one thread writes a token of each text in turn."""

import logging
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Literal

from core.device import fall_back_to_cpu
from core.measures.generation.continuation import Continuation
from core.priority import give_way
from core.unavailable import UnavailableError

State = Literal["writing", "stopped", "whole", "failed"]

IDLE = 6.0
"""Seconds without a look after which an unfinished text is dropped; it can be written again."""

AT_ONCE = 8
"""Greatest number of texts written at once."""

KEPT = 32
"""Greatest number of texts kept, finished or not."""

SOON = 0.3
"""Seconds that the first look waits: most texts of small models are complete by then."""

BUSY = "{} other texts are being written on this server: try again in a minute."
GPU_FAILED = "The GPU has failed. Write the text again: the CPU writes it."
FAILED = "An error ended the text: {}. The server's log says more."

log = logging.getLogger(__name__)

Begin = Callable[[], Iterator[Continuation]]


class TooManyTextsError(Exception):
    """There is no room for one more text."""


@dataclass(frozen=True)
class GenerationProgress:
    """The progress of a text at one moment; `message` says why it failed."""

    text: Continuation = field(default_factory=Continuation)
    state: State = "writing"
    message: str = ""

    @property
    def is_active(self) -> bool:
        return self.state == "writing"


@dataclass(eq=False)
class _Text:
    """A text with its state; only the thread uses `steps`, and the queue's lock guards the rest."""

    begin: Begin
    seen: float
    steps: Iterator[Continuation] | None = None
    now: GenerationProgress = field(default_factory=GenerationProgress)

    def advance(self) -> Continuation | None:
        """Write one token; None after the last."""
        if self.steps is None:
            self.steps = self.begin()
        return next(self.steps, None)


class GenerationQueue:
    """Texts by keys: visitors with the same key see the same text.

    A key contains everything that its text depends on. One thread writes all texts, a token of each in turn.
    `clock` counts seconds.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Condition()
        self._texts: dict[Hashable, _Text] = {}
        self._thread: Thread | None = None

    def poll(self, key: Hashable, begin: Begin) -> GenerationProgress:
        """Return the present state of a text, and begin it if it is new; raises TooManyTextsError."""
        with self._lock:
            text = self._texts.get(key)
            if text is None:
                self._make_room()
                text = self._texts[key] = _Text(begin, self._clock())
                self._keep_working()
                self._lock.wait_for(lambda: not text.now.is_active, timeout=SOON)
            text.seen = self._clock()
            self._texts[key] = self._texts.pop(key)  # the text seen last is forgotten last
            self._keep_working()
            return text.now

    def stop(self, key: Hashable) -> None:
        """Stop writing a text and keep its tokens."""
        with self._lock:
            text = self._texts.get(key)
            if text is not None and text.now.is_active:
                text.now = GenerationProgress(text.now.text, "stopped")

    def resume(self, key: Hashable) -> None:
        """Resume a text that was stopped or has failed, unless too many others are being written."""
        with self._lock:
            text = self._texts.get(key)
            if text is None or text.now.state not in ("stopped", "failed"):
                return
            self._put_idle_away()
            if self._is_busy():
                text.now = GenerationProgress(text.now.text, "failed", BUSY.format(AT_ONCE))
            else:
                text.now, text.seen = GenerationProgress(text.now.text), self._clock()
                self._keep_working()

    def close(self) -> None:
        """Forget all texts and wait for the thread."""
        with self._lock:
            self._texts.clear()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _make_room(self) -> None:
        self._put_idle_away()
        if self._is_busy():
            raise TooManyTextsError(BUSY.format(AT_ONCE))
        while len(self._texts) >= KEPT:
            del self._texts[next(key for key, text in self._texts.items() if not text.now.is_active)]

    def _is_busy(self) -> bool:
        return sum(text.now.is_active for text in self._texts.values()) >= AT_ONCE

    def _put_idle_away(self) -> None:
        now = self._clock()
        for key, text in list(self._texts.items()):
            if text.now.is_active and now - text.seen > IDLE:
                del self._texts[key]

    def _keep_working(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            return
        if any(text.now.is_active for text in self._texts.values()):
            self._thread = Thread(target=self._work, name="writing", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while texts := self._active():
            for text in texts:
                if text.now.is_active:
                    self._record(text, self._advanced(text))
                    give_way()

    def _active(self) -> list[_Text]:
        with self._lock:
            self._put_idle_away()
            for text in self._texts.values():
                if not text.now.is_active:
                    text.steps = None  # the cached keys and values take memory
            found = [text for text in self._texts.values() if text.now.is_active]
            if not found:
                self._thread = None
            return found

    def _advanced(self, text: _Text) -> Continuation | str | None:
        try:
            return text.advance()
        except UnavailableError as error:
            return str(error)
        except BaseException as error:  # an error ends only this text, not the thread
            if fall_back_to_cpu(error):
                return GPU_FAILED
            log.exception("a text could not be written")
            return FAILED.format(type(error).__name__)

    def _record(self, text: _Text, found: Continuation | str | None) -> None:
        with self._lock:
            if isinstance(found, str):
                text.now, text.steps = GenerationProgress(text.now.text, "failed", found), None
            elif text.now.is_active and found is not None and found.n_tokens >= text.now.text.n_tokens:
                # A text may be written again from its start: its old tokens stay until it has as many.
                text.now = GenerationProgress(found, "whole" if found.is_whole else "writing")
            elif text.now.is_active and found is None:
                text.now = GenerationProgress(text.now.text, "whole")
            self._lock.notify_all()
