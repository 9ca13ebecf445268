"""The error about a page that never comes to rest."""

import pytest
from playwright.sync_api import Browser, TimeoutError

from tests.browser import visitor as visits
from tests.browser.server import Server
from tests.browser.visitor import Visitor


def test_a_page_whose_script_never_ends_fails_a_test_and_lets_it_end(
    browser: Browser, app: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visits, "LONGEST", 0.2)
    monkeypatch.setattr(visits, "BLOCKED", 1000)
    visitor = Visitor(browser, app, theme="light", viewport=(400, 400))
    with pytest.raises(TimeoutError, match="still waiting for the app to appear, a connection"):
        visitor.settle()
    visitor.page.evaluate("() => { setTimeout(() => { for (;;); }, 0); }")
    with pytest.raises(TimeoutError, match="still waiting for a script of the page to end"):
        visitor.settle()
    visitor.leave()
