"""The system's Firefox, driven without a driver by the protocol that it speaks itself, WebDriver BiDi."""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.browser.visitor import LONGEST
from tests.ports import free_ports

NAMES = ("firefox-esr", "firefox")

LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")

SETTLED = Path(__file__).with_name("settled.js")

SETTINGS = {
    "app.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.proxy.http": "127.0.0.1",  # no proxy listens there: requests to other machines fail
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.type": 1,
    "ui.prefersReducedMotion": 1,
}

KEYS = {"End": "\ue010", "Home": "\ue011", "Enter": "\ue007", "Escape": "\ue00c"}
"""How the protocol writes keys without a letter."""

Point = tuple[float, float]


def find() -> str | None:
    """Return the path of a Firefox on this machine, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Firefox:
    """A Firefox with one tab; `problems` lists what its console calls an error, and uncaught exceptions."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._n_asked = 0
        self.problems: list[str] = []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._ask("script.addPreloadScript", functionDeclaration=f"() => {{ {SETTLED.read_text('utf-8')} }}")
        self._tab = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, address: str) -> None:
        """Go to an address and wait until the app has drawn it."""
        self._ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")
        self.settle()

    def resize(self, width: int, height: int) -> None:
        """Give the page a width and a height in pixels."""
        size = {"width": width, "height": height}
        self._ask("browsingContext.setViewport", context=self._tab, viewport=size)

    def go(self, steps: int) -> None:
        """Go back or forward in the history, and wait."""
        self._ask("browsingContext.traverseHistory", context=self._tab, delta=steps)
        self.settle()

    def settle(self, quiet: int = 300) -> None:
        """Wait until the app has answered and drawn."""
        begun = time.monotonic()
        while not self.evaluate(f"window.isSettled?.({quiet}) ?? false"):
            if time.monotonic() - begun > LONGEST:
                raise TimeoutError(f"still waiting for {self.evaluate(f'waitingFor({quiet}).join()')}")
            time.sleep(0.05)

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression of the page, which must be valid JSON."""
        answer = self._ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()",
            target={"context": self._tab},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def middle(self, element: str) -> Point:
        """Return where the middle of an element is, given as an expression of the page; scrolls to it."""
        x, y = self.evaluate(
            f"(() => {{ const one = {element}; one.scrollIntoView({{ block: 'nearest' }});"
            "const { left, top, width, height } = one.getBoundingClientRect();"
            "return [left + width / 2, top + height / 2]; })()"
        )
        return x, y

    def click(self, at: Point) -> None:
        """Press the mouse there, and wait for the answer."""
        self.drag(at)

    def drag(self, begin: Point, *way: Point) -> None:
        """Press the mouse at one point, let go of it at the last, and wait for the answer."""
        press, release = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
        acts = [_move(begin), press, *map(_move, way), release]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": acts}
        self._act(mouse)

    def press(self, *keys: str) -> None:
        """Press keys one after the other, and wait for the answer."""
        values = [KEYS.get(key, key) for key in keys]
        acts = [{"type": kind, "value": value} for value in values for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": acts})

    def screenshot(self, path: Path) -> None:
        """Save a screenshot as a PNG file."""
        path.write_bytes(
            base64.b64decode(self._ask("browsingContext.captureScreenshot", context=self._tab)["data"])
        )

    def _act(self, device: dict[str, Any]) -> None:
        self._ask("input.performActions", context=self._tab, actions=[device])
        self.settle()

    def _ask(self, method: str, **parameters: Any) -> Any:
        self._n_asked += 1
        question = {"id": self._n_asked, "method": method, "params": parameters}
        self._connection.send(json.dumps(question))
        while True:
            answer = json.loads(self._connection.recv(LONGEST))
            if answer["type"] == "event" and answer["params"]["level"] == "error":
                self.problems.append(answer["params"]["text"])
            if answer.get("id") == self._n_asked:
                break
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['message']}")
        return answer["result"]


def _move(point: Point) -> dict[str, Any]:
    x, y = point
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 60}


@contextmanager
def launched(path: str) -> Iterator[Firefox]:
    """Firefox with a new profile and no window, until the block is left."""
    port = free_ports(1)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in SETTINGS.items()]
        (Path(folder) / "user.js").write_text("\n".join(lines), "utf-8")
        log = Path(folder) / "firefox.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [path, "--headless", "--no-remote", "--profile", folder, f"--remote-debugging-port={port}"],
                env={**os.environ, "HOME": folder},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        try:
            with connect(
                f"{_address(process, log)}/session", max_size=None, open_timeout=LONGEST
            ) as connection:
                yield Firefox(connection)
        finally:
            process.terminate()
            process.wait()


def _address(process: "subprocess.Popen[bytes]", log: Path) -> str:
    begun = time.monotonic()
    while (found := LISTENS.search(log.read_text("utf-8", errors="replace"))) is None:
        if process.poll() is not None or time.monotonic() - begun > LONGEST:
            raise RuntimeError(f"Firefox does not listen: {log.read_text('utf-8', errors='replace')}")
        time.sleep(0.1)
    return found[1]
