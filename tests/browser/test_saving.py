"""A lecturer saves a picture by keyboard alone, and the preview is the picture on the screen."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor

PANEL = ".st-key-saving dialog"
TEXTS = """(svg) => [...new DOMParser().parseFromString(svg, "image/svg+xml").querySelectorAll("text")]
    .map((one) => one.textContent)"""

LATE_ROW = """async () => {
    const row = document.querySelector("[data-testid=stLayoutWrapper].st-key-matrix_table");
    const [parent, next] = [row.parentElement, row.nextSibling];
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    row.remove();
    await frame();
    if (!document.querySelector("[data-saved=below] > .save_picture")) throw new Error("no button below");
    parent.insertBefore(row, next);
    await frame();
}"""
"""The row of a picture's numbers comes some frames after it, as on a busy machine."""


@pytest.mark.long("the panel with keys alone; what it saves is tested without it")
def test_a_picture_is_previewed_and_saved_with_the_keyboard_alone(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor.page
    visitor.open("/explorer", text="hot <b> tea")
    numbers = Plot(visitor, "matrix").matrix()
    while page.evaluate("document.activeElement.dataset.key") != "matrix":
        visitor.tab_to("Save")
    page.keyboard.press("Enter")
    panel, image = page.locator(PANEL), page.locator(f"{PANEL} img")
    expect(panel.get_by_role("radio", name="Slide, 16:9")).to_be_focused()
    image.wait_for()
    expect(panel.get_by_role("link", name="SVG", exact=True)).to_be_visible()
    assert image.evaluate("(one) => one.naturalWidth / one.naturalHeight") == 1280 / 720
    alt = page.locator(".st-key-matrix [role=img], .st-key-matrix [aria-label]").first.get_attribute(
        "aria-label"
    )
    assert alt
    assert alt in (image.get_attribute("alt") or "")
    assert visitor.inaccessible() == []

    before = image.get_attribute("src")
    page.keyboard.press("ArrowRight")
    expect(panel.get_by_role("radio", name="Half a slide")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(panel.get_by_role("radio", name="Dark")).to_be_checked()
    expect(panel).not_to_have_class("drawing")
    assert image.get_attribute("src") != before
    assert image.evaluate("(one) => one.naturalWidth / one.naturalHeight") == 640 / 720

    with page.expect_download() as saved:
        panel.get_by_role("link", name="SVG", exact=True).press("Enter")
    name = saved.value.suggested_filename
    assert re.fullmatch(r"explorer-heads-matrix-layer-\d-head-\d-half-dark-hot-b-tea\.svg", name)
    expect(panel.get_by_role("status")).to_have_text(f"Saved as {name}")
    saved.value.save_as(tmp_path / name)
    words = page.evaluate(TEXTS, (tmp_path / name).read_text("utf-8"))
    shown = [f"{number:.2f}" for number in numbers.ravel() if number == number]
    assert set(shown) <= set(words)
    assert any(one.startswith("“hot <b> tea”") for one in words)
    assert any("Transformer trained on next-word prediction" in one for one in words)

    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.locator(".save_picture[data-key=matrix]")).to_be_focused()
    page.keyboard.press("s")
    expect(panel.get_by_role("radio", name="Half a slide")).to_be_checked()
    expect(panel.get_by_role("radio", name="Dark")).to_be_checked()
    page.keyboard.press("Escape")
    page.evaluate(LATE_ROW)
    expect(page.locator(".save_picture[data-key=matrix]"), "below it until the row is there").to_have_count(1)
    assert visitor.exceptions() == []


@pytest.mark.long("a telephone")
@pytest.mark.parametrize("viewport", [(390, 800)], ids=["390 wide"])
def test_the_panel_has_room_for_the_longest_name_of_a_picture(visitor: Visitor) -> None:
    visitor.open("/training", view="training")
    panel = visitor.page.locator(PANEL)
    visitor.page.locator(".save_picture[data-key=trained_attention]").click()
    expect(panel.locator("select")).to_be_visible()
    expect(panel.get_by_role("link", name="HTML")).to_be_visible()
    assert panel.evaluate("(one) => one.scrollWidth - one.clientWidth") == 0, "it is not scrolled sideways"
    _two_files_wait_for_their_turn(visitor.page, panel)
    visitor.go_on("/step-by-step")
    expect(panel, "a page that is left takes its panel along").to_be_hidden()


def _two_files_wait_for_their_turn(page: Page, panel: Locator) -> None:
    """A file that is requested while another one waits is saved after it, and the first one's place is shown.

    The panel still names the saved file after an earlier preview is drawn.
    """
    asked: list[str] = []
    waits = ["yes"]
    held: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(kind := re.search(r"format=(\w+)", route.request.url)[1])
        if kind == "svg" and not saved:
            held.append(route)
        elif waits and kind == "csv":
            route.fulfill(status=202, body="3 figures are before yours …", content_type="text/plain")
        else:
            route.continue_()

    saved: list[str] = []
    page.route("**/figures/file?*", answer)
    page.on("download", lambda one: saved.append(one.suggested_filename))
    panel.get_by_role("radio", name="Dark").check()
    panel.get_by_role("link", name="CSV").click()
    panel.get_by_role("link", name="HTML").click()
    expect(panel.get_by_role("status")).to_contain_text("CSV: 3 figures are before yours … · Then HTML.")
    waits.clear()
    saved_both = re.compile(r"Saved as \S+\.csv · Saved as \S+\.html")
    expect(panel.get_by_role("status")).to_have_text(saved_both)
    held.pop().continue_()
    expect(panel).not_to_have_class("drawing")
    expect(panel.get_by_role("status")).to_have_text(saved_both)
    files = [kind for kind in asked if kind != "svg"]  # the preview is one
    assert files == sorted(files), "one after the other"
    assert files.count("csv") > 1, "it is asked for again"
    assert [name.rpartition(".")[2] for name in saved] == ["csv", "html"]
    page.unroute("**/figures/file?*")


@pytest.mark.long("the request for notes; a file is made in every run")
def test_notes_are_asked_for_in_greys_on_a_dark_page(visitor: Visitor) -> None:
    page, asked = visitor.page, []

    def answer(route: Route) -> None:
        asked.append(parse_qs(urlsplit(route.request.url).query))
        kept = {"content-disposition": 'attachment; filename="notes.pdf"'}
        route.fulfill(body="%PDF-1.7", headers=kept, content_type="application/pdf")

    page.emulate_media(color_scheme="dark")
    page.route("**/figures/file?*", answer)
    visitor.open("/")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Notes as PDF").click()
    assert saved.value.suggested_filename == "notes.pdf"
    assert asked == [{"link": ["/"], "key": ["notes"], "format": ["pdf"], "theme": ["grey"]}]
