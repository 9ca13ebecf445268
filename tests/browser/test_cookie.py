"""Over TLS a cookie that a script of the app sets is secure."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

SCRIPT = (Path(__file__).parents[2] / "pages" / "browser" / "owner" / "cookie.js").read_text("utf-8")


@pytest.mark.parametrize(("scheme", "expected"), [("https", True), ("http", False)])
def test_a_cookie_is_secure_where_the_page_is(browser: Browser, scheme: str, expected: bool) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/*", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.goto(f"{scheme}://lab.example/")
    given = "{ data: { name: 'attention-lab-training', value: 'a-key', seconds: 60 } }"
    page.add_script_tag(content=f"{SCRIPT.replace('export default ', 'window.keep = ')}; keep({given});")
    (cookie,) = context.cookies()
    context.close()
    assert (cookie["name"], cookie["value"], cookie["secure"]) == (
        "attention-lab-training",
        "a-key",
        expected,
    )
    assert cookie["sameSite"] == "Strict"
