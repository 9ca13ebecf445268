"""Users for Locust: students in the app, students who train, and phones in a room.

`python -m locust -f bench/load/users.py --host https://lab.example Student` starts Locust's own page. The
machine needs the packages locust and streamlit.
"""

import json
import re
import time
from collections.abc import Callable
from math import inf
from random import random, randrange, uniform
from typing import Any

import gevent
from locust import between, events, task
from locust.argument_parser import LocustArgumentParser
from locust.env import Environment

from bench.load.visitor import LONGEST, FailedError, Visitor  # isort: split

from bench.load import acts
from bench.load.tab import Answer, Tab

IDLE = 30
"""Seconds for which some students do nothing."""
PACE = (5, 15)
"""Seconds from one act of a student to the next."""
LOOKS = (1.5, 2.5)
"""Seconds from one request of a phone to the next, as in `rooms/phone.js`."""
ENTERING, ANSWERING = 10, 10
"""Seconds in which all phones enter, and in which all answer then."""


@events.init_command_line_parser.add_listener
def _add_options(parser: LocustArgumentParser) -> None:
    parser.add_argument(
        "--files", default="", help="file with the paths that a browser's first visit fetches"
    )
    parser.add_argument("--steps", type=int, default=1500, help="steps of a training")
    parser.add_argument("--room", default="", help="letters of the room that the phones enter")


@events.init.add_listener
def _know_the_time(**_: object) -> None:
    """Update the clock of gevent, which stands where it was before the imports, seconds ago."""
    gevent.get_hub().loop.update_now()


@events.quitting.add_listener
def _tell_failures(environment: Environment, **_: object) -> None:
    """Print the failures, which Locust does not if it writes JSON; end badly after an error."""
    for failure in environment.stats.errors.values():
        print(f"failed: {failure.occurrences} × {failure.to_name()}", flush=True)
    if environment.runner and environment.runner.exceptions:  # of the generator itself; Locust has told them
        environment.process_exit_code = 3


class Student(Visitor):
    """A student: 46 of 100 acts flip a switch, 23 choose a head, 23 type, 4 turn to another page.

    2 are half a minute of nothing, and 2 leave and come back.
    """

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self._width, self._due = acts.width(), 0.0

    def wait_time(self) -> float:
        """Return the seconds to the next act; it follows at once if the last answer took longer."""
        now = time.perf_counter()
        self._due = max((self._due or now) + uniform(*PACE), now)
        return self._due - now

    def on_start(self) -> None:
        self.open(*acts.link(), self._width)

    @task(46)
    def toggle(self) -> None:
        """Flip a switch."""
        self._act("toggle", acts.toggle)

    @task(23)
    def head(self) -> None:
        """Choose a head, a layer or a cell."""
        self._act("head", acts.head)

    @task(23)
    def sentence(self) -> None:
        """Type another sentence."""
        self._act("sentence", acts.type_sentence)

    @task(4)
    def turn(self) -> None:
        """Turn to another page."""
        self._act("page", acts.turn)

    @task(2)
    def idle(self) -> None:
        """Do nothing."""
        self._due += IDLE

    @task(2)
    def come_back(self) -> None:
        """Leave; the next act opens a page anew."""
        self.leave()

    def _act(self, kind: str, draw: Callable[[Tab], bytes | None]) -> None:
        """Do this, or turn to another page if this page has no control for it."""
        if self.page is None:
            self.open(*acts.link(), self._width)
        elif message := draw(self.page.tab):
            self.act(kind, message)
        elif message := acts.turn(self.page.tab):
            self.act("page", message)


class Trainee(Visitor):
    """A student who trains a model and watches it to its end; a refused student tries again."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self._pressed = self._began = 0.0
        self._is_done = False

    def wait_time(self) -> float:
        """Return the seconds after which the page asks again, or the student presses again."""
        return min(self.page.tab.timers.values(), default=uniform(*PACE)) if self.page else 1.0

    @task
    def train(self) -> None:
        """Open the page, press *Start*, or look how the training is going; stay after its end.

        Locust would replace a student who stops.
        """
        if self._is_done:
            return
        if self.page is None:
            options = self.environment.parsed_options
            self.open("training", f"steps={options.steps}" if options else "")
        elif self.page.tab.timers:
            fragment = next(iter(self.page.tab.timers))
            self._see(self.act("look", self.page.tab.tick(fragment)))
        elif start := self.page.tab.named("start"):
            self._pressed, self._began = time.perf_counter(), 0.0
            self._see(self.act("start", self.page.tab.press(start[0])))

    def _see(self, answer: Answer | None) -> None:
        """Note whether the training was refused, has begun, or is finished."""
        said, now = " ".join(answer.texts if answer else []), time.perf_counter()
        if "already: try again" in said:
            self.note("training", "refused", now - self._pressed)
            return
        if not self._began and any(word in said for word in ("Beginning.", "At step", "Finished after")):
            self._began = now
            self.note("training", "begun", now - self._pressed)
        if "Finished after" in said:
            self.note("training", "finished", now - self._pressed)
            self._is_done = True


class Phone(Visitor):
    """A phone in a room: enters, looks, answers when its time comes until the answer is received.

    Every tenth changes its answer. In the end each asks whether its last answer is kept.
    """

    wait_time = between(*LOOKS)

    def on_start(self) -> None:
        begun = self.environment.stats.start_time
        self._answers_at = [begun + ENTERING + ANSWERING * random()]
        if random() < 0.1:
            self._answers_at.append(self._answers_at[0] + 2)
        self._ends = begun + ENTERING + ANSWERING + 3
        self._at, self._tag, self._received = f"/room/{self.environment.parsed_options.room}", "", None
        self._question: dict[str, Any] = {}
        with self.measured("room", "enter"):
            text = self._insist(self._at).text
            for name in re.findall(r'="[^"]*(/room/files/[^"]*)"', text):
                self._insist(name)

    @task
    def live(self) -> None:
        """Look, or answer if it is time to."""
        if self._answers_at and time.time() >= self._answers_at[0]:
            self._answer()
        elif not self._answers_at and time.time() >= self._ends:
            with self.measured("room", "kept"):
                if self._insist(f"{self._at}/state").json()["mine"] != self._received:
                    raise FailedError("the answer is not kept")
            self._ends = inf
        else:
            with self.measured("room", "look"):
                self._look()

    def _look(self) -> None:
        headers = {"If-None-Match": self._tag} if self._tag else {}
        answer = self._insist(f"{self._at}/state", headers=headers)
        if answer.status_code == 200:
            self._tag, self._question = answer.headers["etag"], answer.json()["question"]

    def _answer(self) -> None:
        if not self._question:
            self._look()
        labels, options = (self._question.get(name) or [] for name in ("labels", "options"))
        given = randrange(len(options)) if options else [uniform(0.05, 0.95) for _ in labels]
        with self.measured("room", "received"):
            body = json.dumps({"round": 1, "answer": given})
            headers = {"Content-Type": "application/json", "Origin": self.origin}
            said = self._insist(f"{self._at}/answer", method="POST", data=body, headers=headers)
            self._received = said.json()["received"]
        self._answers_at.pop(0)

    def _insist(self, path: str, **options: Any) -> Any:
        """Ask until there is an answer, after longer and longer pauses, as a phone does."""
        end = time.perf_counter() + LONGEST
        for tries in range(100):
            try:
                status, answer = self.ask(path, **options)
                if status in (200, 304):
                    return answer
                reason = f"status {status}"
            except OSError as error:
                reason = type(error).__name__
            if time.perf_counter() > end:
                raise FailedError(reason)
            self.note("room", "tried again", 0)
            gevent.sleep(min(0.5 * 2**tries, 15) * uniform(0.5, 1.5))
        raise AssertionError("unreachable")
