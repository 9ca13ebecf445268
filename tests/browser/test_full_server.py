"""A visitor who comes over the limit of pages reads a sentence, and is let in when somebody has left."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.nginx.configuration import Process
from deploy.settings import Settings
from tests.browser.server import Server
from tests.deploy.nginx import Front, running

FULL = "Many pages are open from your network at the moment."


@pytest.fixture
def front(app: Server) -> Iterator[Front]:
    """nginx before the app, which lets one page in."""
    process = Process("7", app.address.removeprefix("http://"))
    with running([process], Settings(sessions_per_address=1)) as front:
        yield front


def opened(browser: Browser, front: Front) -> Page:
    page = browser.new_page()
    page.goto(f"{front.address.replace('127.0.0.1', 'localhost')}/glossary")
    return page


@pytest.mark.long("another server, which is full")
def test_a_visitor_over_the_limit_reads_why_and_is_let_in_later(browser: Browser, front: Front) -> None:
    first = opened(browser, front)
    expect(first.get_by_role("heading", level=1)).to_be_visible()
    second = opened(browser, front)
    expect(second.get_by_role("status").filter(has_text=FULL)).to_be_visible()
    assert second.get_by_role("heading", level=1).count() == 0
    first.close()
    expect(second.get_by_role("heading", level=1)).to_be_visible()
    expect(second.get_by_text(FULL)).to_have_count(0)
    second.close()
