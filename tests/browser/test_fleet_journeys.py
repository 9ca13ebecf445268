"""Two processes behind nginx: what a visitor notices when they start, are killed and are exchanged."""

import os
import signal
import socket
import urllib.request
from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from pages.browser.connection import LONGEST
from pages.lecture.deck import Deck, LectureStep, packed
from tests.browser.fleet import Fleet, sailing
from tests.browser.phones import Phone
from tests.browser.plot import Plot
from tests.browser.test_room_journey import ALIBI, ask, draw, pages
from tests.browser.visitor import Visitor, Window

pytestmark = pytest.mark.long("processes that start, are killed and exchanged while somebody looks at them")

LINK = {"text": "the cat that the dogs chase sleeps", "layer": "2", "head": "4"}

DEMO = {
    "text": "så varför inte",
    "model": "random",
    "positions": "rotary",
    "heads": "8",
    "layers": "3",
    "scale": "false",
    "seed": "7",
    "layer": "3",
    "head": "5",
    "query": "3",
    "key": "1",
}

PICTURE = """() => Array.from(document.querySelectorAll(".js-plotly-plot"), (plot) =>
    plot._fullData.map((trace) => [trace.type, trace.name, Array.from(trace.z ?? trace.y ?? [], String)]))"""
"""The numbers of all figures on the page."""

NOTICE = """(() => {
    window.noticed = [];
    const signs = "[role=dialog], [role=alert], [data-testid=stException]";
    new MutationObserver(() => {
        for (const sign of document.querySelectorAll(signs))
            if (!noticed.includes(sign.innerText)) noticed.push(sign.innerText);
    }).observe(document, { subtree: true, childList: true, characterData: true });
})()"""
"""Remember every dialog, note and exception that the visitor is shown while a document is there."""


@pytest.fixture(scope="module")
def fleet(browser: Browser) -> Iterator[Fleet]:
    """Two processes. The fixture depends on the browser, so they do not start without one."""
    with sailing(2) as fleet:
        yield fleet


@pytest.fixture(scope="module")
def windows(browser: Browser) -> Iterator[list[Window]]:
    """Windows that other visitors have left, in which the scripts of Streamlit are compiled already."""
    kept: list[Window] = []
    yield kept
    for window in kept:
        window.close()


@pytest.fixture
def arrive(browser: Browser, fleet: Fleet, windows: list[Window]) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors who open a page; what went wrong with one of them fails the test."""
    present: list[Visitor] = []

    def arrive(path: str = "/explorer", **query: Any) -> Visitor:
        if len(windows) == len(present):
            windows.append(Window(browser))
            windows[-1].context.add_init_script(NOTICE)
        window = windows[len(present)]
        present.append(Visitor(browser, fleet, theme="light", viewport=(1400, 900), window=window))
        present[-1].open(path, **query)
        present[-1].page.evaluate("window.sameDocument = true")
        return present[-1]

    yield arrive
    for visitor in present:
        visitor.forget()
        visitor.leave()
    for visitor in present:
        visitor.check()


def home(visitor: Visitor) -> str:
    """Return the process that has the visitor's page."""
    cookies = {cookie["name"]: cookie["value"] for cookie in visitor.context.cookies()}
    return cookies["attention_lab_process"]


def shown(visitor: Visitor) -> tuple[Any, str]:
    """Return the numbers of the figures, and all that is written."""
    return visitor.page.evaluate(PICTURE), visitor.page.get_by_test_id("stMain").inner_text()


def noticed(visitor: Visitor) -> list[str]:
    """Return everything that the visitor was shown beside the page, which was not loaded anew."""
    assert visitor.page.evaluate("window.sameDocument") is True, "the page was reloaded"
    found: list[str] = visitor.page.evaluate("window.noticed")
    return found


def test_a_prepared_link_shows_its_numbers_in_a_fresh_browser_and_pages_work_under_their_policy(
    arrive: Callable[..., Visitor],
) -> None:
    config = ModelConfig(vocab_size=1, positions="rotary", n_heads=8, n_layers=3, scale=False)
    reading = read(load("random", config, ("så", "varför", "inte"), 7))
    # The first link after the start, and to a page whose file has another name: app.py says why that matters.
    visitor = arrive("/order-invariance")
    assert noticed(visitor) == []

    visitor.open("/explorer", **DEMO)
    shown = Plot(visitor, "matrix").matrix()
    assert_allclose(shown, np.where(reading.allowed(), reading.patterns()[2, 4], np.nan), atol=1e-6)
    expect(visitor.page.get_by_text("inte (3) attends to så (1) · Layer 3 · head 5")).to_be_visible()
    assert visitor.page.get_by_test_id("stAlert").count() == 0
    assert f"{visitor.server.address}/" in visitor.page.url
    assert_pages_work_under_their_policy(visitor)


def assert_pages_work_under_their_policy(visitor: Visitor) -> None:
    """Open the pages with scripts: anything that the policy forbids is a problem of the visitor."""
    for path, query in (
        ("/explorer", {"drawn": "lines"}),
        ("/training", {}),
        ("/step-by-step", {}),
        ("/masking", {}),
    ):
        visitor.go_on(path, **query)
        assert visitor.exceptions() == []


def test_new_visitors_are_spread_over_all_processes(fleet: Fleet) -> None:
    homes = []
    for _ in range(16):
        with urllib.request.urlopen(fleet.address) as answer:
            given = SimpleCookie("; ".join(answer.headers.get_all("Set-Cookie")))
        homes.append(given["attention_lab_process"].value)
    # Each worker of nginx goes through them separately, and earlier requests count too.
    assert {home: homes.count(home) >= 4 for home in fleet.serving()} == dict.fromkeys(fleet.serving(), True)


def test_a_visitor_who_sends_too_much_is_disconnected(fleet: Fleet) -> None:
    with connect(f"ws://localhost:{fleet.port}/_stcore/stream") as stream:
        stream.send(bytes(5_000_000))
        with pytest.raises(ConnectionClosed, match="1009"):
            stream.recv(timeout=60)


def test_a_websocket_is_opened_under_the_name_of_the_server_and_for_no_page_of_another(fleet: Fleet) -> None:
    name = f"lab.example:{fleet.port}"

    def open_for(origin: str) -> None:
        way = socket.create_connection(("127.0.0.1", fleet.port))
        with connect(f"ws://{name}/_stcore/stream", sock=way, origin=Origin(origin)):
            pass

    open_for(f"https://{name}")
    with pytest.raises(InvalidStatus, match="403"):
        open_for("https://elsewhere.example")


def test_a_process_is_killed_while_it_computes_then_all_are_exchanged_and_their_visitors_go_on(
    fleet: Fleet, arrive: Callable[..., Visitor]
) -> None:
    here, elsewhere = arrive("/explorer", **LINK), arrive("/explorer", **LINK)
    killed, before = home(here), shown(elsewhere)
    assert home(elsewhere) != killed
    pid = fleet.pid_of(killed)
    os.kill(pid, signal.SIGSTOP)  # the visitor's request is never answered
    here.page.get_by_role("radio", name="bidirectional").check(force=True)
    with here.page.expect_websocket():
        os.kill(pid, signal.SIGKILL)
    here.settle()  # so the lost request has been answered
    assert home(here) != killed
    assert noticed(here) == []
    assert shown(elsewhere) == before, "the others notice nothing"
    elsewhere.click(elsewhere.page.get_by_role("radio", name="bidirectional"))
    assert shown(here) == shown(elsewhere) != before
    assert here.page.url == elsewhere.page.url
    fleet.wait()
    assert fleet.pid_of(killed) != pid
    assert_nobody_loses_a_picture_when_all_are_exchanged(fleet, elsewhere, here)


def assert_nobody_loses_a_picture_when_all_are_exchanged(
    fleet: Fleet, reads: Visitor, trains: Visitor
) -> None:
    trains.go_on("/training", task="recall", batch=4, steps=5000)
    before, old = shown(reads), fleet.serving()
    assert {home(reads), home(trains)} <= set(old)
    trains.click(trains.page.get_by_role("button", name="Step", exact=True))
    trains.page.get_by_text("Paused at step 1 of 5,000").wait_for()
    restart = fleet.restart()
    statuses = set()
    while restart.poll() is None:
        with urllib.request.urlopen(fleet.address, timeout=20) as answer:
            statuses.add(answer.status)
        reads.page.wait_for_timeout(200)
    assert restart.returncode == 0
    assert statuses == {200}
    reads.page.wait_for_timeout(LONGEST)
    for visitor in (reads, trains):
        visitor.settle()
    assert set(fleet.serving()).isdisjoint(old)
    homes = {home(reads), home(trains)}
    assert homes <= set(fleet.serving())
    assert len(homes) > 1, "not all at one"
    assert shown(reads) == before
    assert noticed(reads) == []
    trains.page.get_by_text("The training of this browser is gone").wait_for()


def test_the_two_windows_of_a_lecture_may_be_served_by_two_processes(
    arrive: Callable[..., Visitor], fleet: Fleet
) -> None:
    """They need nothing that the content security policy forbids: the visitor's console is checked."""
    steps = (LectureStep("/masking?view=paint"), LectureStep("/glossary", notes="Say this."))
    link = f"{fleet.address}/lecture?deck={packed(Deck('Two windows', steps))}&step=1"
    hall = arrive("/glossary")
    hall.page.goto(link)
    frame = hall.page.frame_locator("iframe[title^='Step 1']")
    expect(frame.locator(".main-svg").first).to_be_visible()

    (cookie,) = [one for one in hall.context.cookies() if one.get("value") in fleet.serving()]
    (other,) = set(fleet.serving()) - {cookie.get("value")}
    hall.context.add_cookies([{**cookie, "value": other}])  # type: ignore[typeddict-item]
    presenter = hall.context.new_page()
    presenter.goto(f"{link}&presenter=1")
    expect(presenter.locator(".lecture_presenter")).to_be_visible()
    presenter.keyboard.press("PageDown")
    expect(hall.page.locator(".foot .where")).to_have_text("2 / 2")
    expect(presenter.get_by_role("region", name="Notes")).to_have_text("Say this.")
    presenter.close()


def test_a_room_survives_the_death_of_the_process_that_opened_it(
    browser: Browser, fleet: Fleet, arrive: Callable[..., Visitor]
) -> None:
    visitor = arrive("/positions", **ALIBI)
    code = ask(visitor)
    with pages(browser, fleet.address, code, 1) as (page,):
        draw(page, 0)
        expect(visitor.page.get_by_text("1 has answered")).to_be_visible()
        pid = fleet.pid_of(home(visitor))
        phones = [Phone(fleet.address, code) for _ in range(20)]
        assert {phone.enter() for phone in phones} == {200}
        for at, phone in enumerate(phones):
            if at == 10:
                os.kill(pid, signal.SIGKILL)
            assert phone.answer([0.1, 0.1, 0.1, 0.1, 0.2, 0.4]) == 200
        draw(page, 1)
        expect(visitor.page.get_by_text("21 have answered")).to_be_visible()
        visitor.page.get_by_role("button", name="Reveal").click()
        expect(visitor.page.get_by_text("21 answers")).to_be_visible()
        expect(page.get_by_text("belongs elsewhere")).to_be_visible()
