"""The app below a path of a server: all that it writes leads below that path."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Request, expect

from pages.lecture.deck import Deck, LectureStep, packed
from pages.path.stops import STOPS, path_to
from pages.terms import TERMS
from tests.browser.server import Server, serving
from tests.browser.test_lecture_player import frame_of, press, wait_for
from tests.browser.visitor import SEARCH, Visitor

BASE = "/lab"
DECK = packed(
    Deck("Two steps", (LectureStep("/explorer", title="One head"), LectureStep("/blocks", title="Depth")))
)


@pytest.fixture(scope="module")
def app(browser: Browser) -> Iterator[Server]:
    """The app below a path; it depends on the browser, so it does not start without one."""
    with serving(base=BASE) as server:
        yield server


@pytest.fixture
def visitor(visitor: Visitor) -> Iterator[Visitor]:
    """A visitor whose browser asks for nothing beside the path, and looks for no server below a page."""
    strays: list[str] = []

    def judge(request: Request) -> None:
        path = request.url.removeprefix(visitor.server.address.removesuffix(BASE))
        is_search = SEARCH.search(path) and not path.startswith(f"{BASE}/_stcore/")
        if (path.startswith("/") and not re.match(rf"{BASE}(/|$)", path)) or is_search:
            strays.append(path)

    visitor.context.on("request", judge)
    yield visitor
    visitor.context.remove_listener("request", judge)
    assert strays == []


def leads_beside(visitor: Visitor) -> list[str]:
    """Links, pictures and scripts of the page that lead beside the path."""
    found: list[str] = visitor.page.evaluate(
        """(base) => [...document.querySelectorAll("[href^='/'], [src^='/']")]
            .map((one) => one.getAttribute("href") ?? one.getAttribute("src"))
            .filter((address) => !address.startsWith(`${base}/`))""",
        BASE,
    )
    return found


@pytest.mark.long("a second server; that each address has the base is tested without a browser in every run")
def test_the_search_a_tile_a_term_and_a_stop_lead_below_the_base(visitor: Visitor) -> None:
    page, address = visitor.page, visitor.server.address
    visitor.open("/")
    assert leads_beside(visitor) == []
    pictures = page.locator(".tiles img")
    pictures.first.scroll_into_view_if_needed()
    expect(pictures.first).to_have_js_property("complete", True)
    assert pictures.first.evaluate("(one) => one.naturalWidth") > 0

    visitor.type("Find a view", "residual")
    visitor.click(page.locator(".tiles.cards a[href*='view=residual']").first)
    assert page.url == f"{address}/blocks?view=residual"
    page.go_back()
    visitor.settle()
    assert page.url == f"{address}/?wanted=residual"

    visitor.open("/")
    visitor.click(page.locator(".tiles.stops a").nth(3))
    assert page.url.startswith(f"{address}{path_to(4)}")
    assert leads_beside(visitor) == []
    visitor.click(page.locator(".path a.next").first)
    assert page.url.startswith(f"{address}/{STOPS[4].views[0].link.address}?")
    assert "stop=5" in page.url
    visitor.click(page.get_by_role("link", name="Home"))
    assert page.url == f"{address}/"
    page.evaluate("localStorage.setItem('attention-lab-stops', '[4]')")
    page.get_by_role("link", name="Open a link that holds it").click()
    page.wait_for_url(f"{address}/?done=4")

    visitor.open("/masking", view="paint")
    term = page.locator(f'a[href="{BASE}{TERMS["softmax"].entry}"]')
    term.hover()
    expect(page.locator("#term_entry")).to_have_text(TERMS["softmax"].sentence)
    assert term.evaluate("(one) => getComputedStyle(one).textDecorationStyle") == "dotted"
    assert leads_beside(visitor) == []


@pytest.mark.long("a second server; that each address has the base is tested without a browser in every run")
def test_a_lecture_is_played_and_collected_below_the_base(visitor: Visitor) -> None:
    page, address = visitor.page, visitor.server.address
    visitor.open("/blocks", view="residual")
    page.locator(".collect button").click()
    page.get_by_role("link", name="Open the lecture").click()
    page.wait_for_url(f"{address}/lecture")
    visitor.settle()
    kept = page.evaluate("JSON.parse(localStorage.getItem('attention-lab-lecture')).step[0].link")
    assert kept == "/blocks?view=residual"
    step = page.locator("a.address", has_text="/blocks")
    expect(step).to_have_attribute("href", f"{BASE}/blocks?view=residual")
    assert page.locator("a.picture img").first.evaluate("(one) => one.decode().then(() => one.naturalWidth)")
    page.get_by_role("button", name="Link that holds it").click()
    held = page.get_by_label("The link that holds the lecture")
    expect(held).to_have_value(re.compile(f"^{address}/lecture\\?deck="))
    page.get_by_role("button", name="Give the lecture").click()
    wait_for(page, 1)
    assert "view=residual" in frame_of(page, "blocks").url

    page.goto(f"{address}/lecture?deck={DECK}&step=1")
    wait_for(page, 1)
    assert frame_of(page, "explorer").url.startswith(f"{address}/explorer?")
    press(visitor, "PageDown")
    wait_for(page, 2)
    with page.context.expect_page() as opened:
        press(visitor, "s")
    presenter = opened.value
    expect(presenter.locator(".lecture_presenter img").first).to_be_visible()
    assert presenter.url.startswith(f"{address}/lecture?")
    presenter.close()


@pytest.mark.long("a second server; that each address has the base is tested without a browser in every run")
def test_a_picture_is_saved_and_a_room_answers_below_the_base(visitor: Visitor, browser: Browser) -> None:
    page, address = visitor.page, visitor.server.address
    visitor.open("/explorer")
    page.keyboard.press("s")
    panel = page.locator(".st-key-saving dialog")
    panel.locator("img").wait_for()
    with page.expect_download() as saved:
        panel.get_by_role("link", name="CSV", exact=True).click()
    assert saved.value.suggested_filename.endswith(".csv")
    page.keyboard.press("Escape")

    visitor.open("/positions", view="alibi", predict="true")
    page.get_by_role("button", name="Ask the room").click()
    code = page.locator(".letters").first.inner_text()
    expect(page.get_by_text(f"{BASE}/room and type")).to_be_visible()
    expect(page.get_by_alt_text(f"QR code of the room {code}")).to_have_js_property("complete", True)
    context = browser.new_context(viewport={"width": 390, "height": 780})
    try:
        phone = context.new_page()
        phone.goto(f"{address}/room")
        phone.get_by_label("The four letters on the lecturer's screen").fill(code.lower())
        phone.get_by_role("button", name="Enter").click()
        track = phone.get_by_role("slider").first
        track.press("ArrowRight")
        phone.get_by_role("button", name="Answer").click()
        expect(phone.get_by_text("Received: ")).to_be_visible()
        paths = {one["name"]: one["path"] for one in context.cookies()}
        assert paths == {"room_browser": f"{BASE}/room/{code}", "attention_lab_browser": f"{BASE}/"}
    finally:
        context.close()
    expect(page.get_by_text("1 has answered")).to_be_visible()
    paths = {one["name"]: one["path"] for one in visitor.context.cookies() if "streamlit" not in one["name"]}
    assert set(paths.values()) == {f"{BASE}/"}, paths
