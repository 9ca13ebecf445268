"""Over TLS a cookie that a script of the app sets is secure."""

from pathlib import Path

from playwright.sync_api import Browser

SCRIPT = (Path(__file__).parents[2] / "pages" / "browser" / "owner" / "cookie.js").read_text("utf-8")


def test_a_cookie_is_secure_where_the_page_is(browser: Browser) -> None:
    given = "{ data: { name: 'attention-lab-training', value: 'a-key', seconds: 60 } }"
    page = browser.new_page()
    page.route("**/*", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    for scheme, is_secure in (("http", False), ("https", True)):
        page.goto(f"{scheme}://lab.example/")
        page.add_script_tag(content=f"{SCRIPT.replace('export default ', 'window.keep = ')}; keep({given});")
        (cookie,) = page.context.cookies()
        assert (cookie["name"], cookie["value"]) == ("attention-lab-training", "a-key")
        assert (cookie["secure"], cookie["sameSite"]) == (is_secure, "Strict")
    page.close()
