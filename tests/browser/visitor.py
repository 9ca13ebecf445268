"""A visitor of the app in a fresh browser, who records everything that goes wrong."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import urlencode, urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, ConsoleMessage, Locator, Request, TimeoutError, WebError, WebSocket

Theme = Literal["light", "dark"]
Viewport = tuple[int, int]

QUIET = 300
"""Milliseconds without any activity; longer than the 250 for which a live text box holds its text back."""

ANSWERED = 200
"""The same after a click or after a page is opened, when no text box holds text back."""

LONGEST = 120
"""Seconds after which a page hangs, on a busy machine too."""

PATIENCE = 8000
"""Milliseconds after which a page that still has to be scrolled sideways will not change any more."""

BLOCKED = 10_000
"""Milliseconds in which a page says what it waits for, unless a script of it never ends."""

OWN = ("data:", "blob:", "about:")

SEARCH = re.compile(r"/[^/]+/_stcore/(health|host-config)$")
"""Streamlit's own page, opened at another address than the first, looks for its server below that too.

A page of the app does not; the scripts of the benchmarks do.
"""

GO_ON = """(address) => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
}"""

LOOK = """async () => {
    const elsewhere = { exclude: [["[data-testid=stSidebarNavItems]"]] };
    const { violations } = await axe.run(elsewhere, { resultTypes: ["violations"], selectors: false });
    return violations.flatMap(({ id, impact, nodes }) =>
        nodes.map(({ html }) => `${id} (${impact}): ${html.slice(0, 200)}`));
}"""
"""The violations that axe finds, without the list of pages in the sidebar."""

SCROLLERS = "html, [data-testid=stMain], [data-testid=stSidebarContent], [class*=_scrolled]"
"""Elements that scroll if their content is too large: the document, its parts, the frames of figures."""


class Window:
    """A window of the browser with one tab, in which one visit can follow another.

    The browser still has the scripts of Streamlit compiled: in a new window that is two thirds of the work of
    opening a page.
    """

    def __init__(self, browser: Browser) -> None:
        self.context = browser.new_context(reduced_motion="reduce")
        self.context.set_default_timeout(1000 * LONGEST)
        for script in ("settled.js", "illegible.js", "boxes.js"):
            self.context.add_init_script(path=Path(__file__).with_name(script))
        self.page = self.context.new_page()
        self._look: tuple[Theme, Viewport] | None = None

    def become(self, theme: Theme, viewport: Viewport) -> None:
        """Set theme and size; a page of another look is left, because it would be drawn again."""
        if self._look not in (None, (theme, viewport)):
            self.forget()
        self._look = theme, viewport
        self.page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
        self.page.emulate_media(color_scheme=theme)

    def forget(self) -> None:
        """Leave the page, and everything that it has stored."""
        if self.page.url.startswith("http"):
            self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self.page.goto("about:blank")
        self.context.clear_cookies()

    def close(self) -> None:
        """Close the window."""
        self.context.close()


class Visited(Protocol):
    """A server that can be visited: the beginning of every link to it, what it logs, and whether it runs."""

    @property
    def address(self) -> str: ...

    def log(self) -> str: ...

    def check(self) -> None: ...


class Visitor:
    """One visit, in a new window or in one that an earlier visit has left.

    `open` finds nothing stored from another visit. `go_on` as the first act continues in the page of the
    earlier visit. The address holds the whole state, so most journeys can begin like this, with less work.

    `page` is Playwright's page. `problems` lists what must not happen: requests that would leave this
    machine, errors in the browser's console, exceptions in the page or in the server's script.
    """

    def __init__(
        self,
        browser: Browser,
        server: Visited,
        *,
        theme: Theme,
        viewport: Viewport,
        window: Window | None = None,
    ) -> None:
        self.server = server
        self.problems: list[str] = []
        self._log_before = len(server.log())
        self._window, self._keeps_window = window or Window(browser), window is not None
        self.context, self.page = self._window.context, self._window.page
        self._window.become(theme, viewport)
        if not self.page.url.startswith((server.address, "about:")):
            self._window.forget()  # a page of an ended server keeps sending requests
        self._is_new = True
        self._judges: tuple[tuple[Any, str, Callable[[Any], None]], ...] = (
            (self.context, "request", self._judge_request),
            (self.context, "console", self._judge_message),
            (self.context, "weberror", self._judge_error),
            (self.page, "websocket", self._judge_socket),
        )
        for where, event, judge in self._judges:
            where.on(event, judge)

    def open(self, path: str = "/", **query: Any) -> None:
        """Go to a page of the app as from a link, and wait until it is all there; first as somebody new."""
        if self._is_new:
            self.forget()
        self.page.goto(self._address(path, query))
        self.settle(ANSWERED)

    def go_on(self, path: str = "/", **query: Any) -> None:
        """Go to the next page as Back and Forward do, and wait until it is complete.

        The app's scripts stay loaded, which saves a third of the work of `open`. The first page needs `open`.
        """
        if not self._has_app():
            return self.open(path, **query)
        if self._is_new:
            self.settle(ANSWERED)  # the earlier visitor may have left while the page was drawn
            self._is_new = False
        self.page.evaluate(GO_ON, self._address(path, query))
        return self.settle(ANSWERED)

    def _has_app(self) -> bool:
        """Return whether a page of this server is open, and neither a test's page nor a lecture over it."""
        is_here = self.page.url.startswith(self.server.address)
        is_covered = self.page.locator(".lecture_player, .lecture_presenter").count() > 0
        return is_here and not is_covered and self.page.get_by_test_id("stApp").count() > 0

    def _address(self, path: str, query: dict[str, Any]) -> str:
        address = f"{self.server.address}/{path.lstrip('/')}"
        return f"{address}?{urlencode(query, doseq=True)}" if query else address

    def settle(self, quiet: int = QUIET) -> None:
        """Wait until the app has answered and drawn; TimeoutError says what it was still waiting for."""
        try:
            self.page.wait_for_function(
                "(quiet) => isSettled(quiet)", arg=quiet, polling=50, timeout=1000 * LONGEST
            )
        except TimeoutError:
            self.server.check()
            raise TimeoutError(f"after {LONGEST} s still waiting for {self._reasons(quiet)}") from None

    def _reasons(self, quiet: int) -> str:
        """Return what the page waits for; `evaluate` would hang if a script of the page never ends."""
        asked = "(quiet) => ({ reasons: waitingFor(quiet) })"
        try:
            answer = self.page.wait_for_function(asked, arg=quiet, polling=50, timeout=BLOCKED)
        except TimeoutError:
            return "a script of the page to end"
        return ", ".join(answer.json_value()["reasons"])

    def click(self, target: Locator) -> None:
        """Click, and wait for the answer."""
        target.click()
        self.settle(ANSWERED)

    def resize(self, width: int, height: int) -> None:
        """Draw the window wider or narrower, and wait until the app has followed."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.settle()

    def type(self, label: str, text: str) -> None:
        """Replace the text in the box with this label, key by key as a person would, and wait."""
        box = self.page.get_by_label(label, exact=True)
        box.fill("")
        box.press_sequentially(text, delay=15)
        self.settle()

    def tab_to(self, name: str) -> None:
        """Press Tab until the control with this name has the focus, as it shows."""
        asked = """() => { const one = document.activeElement;
            return [one.ariaLabel || one.innerText, one.matches(":focus-visible")]; }"""
        passed = []
        for _ in range(60):
            self.page.keyboard.press("Tab")
            focused, is_seen = self.page.evaluate(asked)
            if focused == name:
                assert is_seen
                return
            passed.append(focused)
        raise AssertionError(f"Tab leads to {passed}, not to {name}")

    def exceptions(self) -> list[str]:
        """Return the error boxes on the page."""
        return self.page.get_by_test_id("stException").all_inner_texts()

    def overflowing(self) -> list[str]:
        """Return the parts of the page that are wider than their room, so that they would scroll sideways.

        A figure has `PATIENCE` to follow the window: it is drawn again when the server knows the width.
        """
        for _ in range(PATIENCE // QUIET):
            if not (found := self._overflowing()):
                break
            self.page.wait_for_timeout(QUIET)
        return found

    def _overflowing(self) -> list[str]:
        found: list[str] = self.page.locator(SCROLLERS).evaluate_all(
            """(parts) => parts.filter((part) => part.scrollWidth > part.clientWidth)
                .filter((part) => part.getBoundingClientRect().right > 0)  // a menu that is shut lies outside
                .map((part) => part.className.match(/st-key-(\\w+)/)?.[1] ?? part.dataset.testid
                    ?? "the document")"""
        )
        return found

    def illegible(self) -> list[str]:
        """Return the texts of the figures that are cut off, covered, or on other text."""
        found: list[str] = self.page.evaluate("() => illegible()")
        return found

    def inaccessible(self) -> list[str]:
        """Return the violations that axe finds on the page, for screen readers and keyboards.

        The list of pages in the sidebar is Streamlit's (1.67): its groups are not list items.
        """
        if not self.page.evaluate(
            "() => 'axe' in window"
        ):  # half a megabyte, so it is read once for each document
            self.page.evaluate(AXE_SCRIPT)
        found: list[str] = self.page.evaluate(LOOK)
        return found

    def screenshot(self, path: Path) -> None:
        """Save a screenshot as a PNG file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path)

    def check(self) -> None:
        """Fail if anything went wrong during the visit."""
        uncaught = self.server.log()[self._log_before :].partition("Uncaught app execution")
        problems = [*self.problems, *(["the script failed:" + uncaught[2]] if uncaught[1] else [])]
        assert not problems, "during this visit:\n" + "\n".join(problems)

    def forget(self) -> None:
        """Become somebody else, for whom nothing is stored and no page is open yet."""
        self._is_new = False
        self._window.forget()

    def leave(self) -> None:
        """Close the window, or leave it to the next visit."""
        if not self._keeps_window:
            self._window.close()
            return
        for where, event, judge in self._judges:
            where.remove_listener(event, judge)

    def _judge_request(self, request: Request) -> None:
        self._judge_address(request.url)

    def _judge_socket(self, socket: WebSocket) -> None:
        self._judge_address(socket.url)

    def _judge_address(self, address: str) -> None:
        if not address.startswith(OWN) and urlsplit(address).netloc != urlsplit(self.server.address).netloc:
            self.problems.append(f"a request to elsewhere: {address}")

    def _judge_error(self, one: WebError) -> None:
        self.problems.append(f"uncaught in the page: {one.error}")

    def _judge_message(self, message: ConsoleMessage) -> None:
        address = message.location.get("url", "")
        is_search = "404" in message.text and SEARCH.search(address)
        if message.type == "error" and not is_search:
            self.problems.append(f"in the console: {message.text} ({address})")
