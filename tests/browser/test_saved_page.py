"""A picture that was saved as a page of HTML, opened from a folder."""

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from figures.export import file, picture_files
from figures.export_pictures import export_pictures
from figures.export_request import ExportRequest, Style
from figures.preset import SLIDE, SQUARE
from figures.rendering.exporter import Exporter
from tests.figures.made_up import HOSTILE
from viz.theme import THEMES

LINK = f"/explorer?text=the cat sat {HOSTILE.replace('&', '%26')}"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of words that wish it ill, as a file."""
    found = export_pictures(LINK, SLIDE, THEMES["light"], origin="http://localhost:8501")
    export_picture = next(one for one in found if one.key == "matrix")
    (page,) = picture_files(export_picture, ["html"], ExportRequest(link=LINK), Exporter())
    path = tmp_path_factory.mktemp("saved") / "figure.html"
    path.write_bytes(page.content)
    return path


@pytest.mark.long("a file opened from a folder; what is in it is tested without a browser")
def test_it_draws_itself_asks_for_nothing_and_says_what_is_under_the_pointer(
    browser: Browser, saved: Path
) -> None:
    page = browser.new_page(viewport={"width": 900, "height": 800})
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", lambda dialog: heard.append(dialog.message))
    page.on("request", lambda request: heard.append(request.url))
    address = saved.as_uri()

    page.goto(address)
    drawn = page.locator("#picture .main-svg").first
    drawn.wait_for()
    place = page.locator("#picture").bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + 0.25 * place["width"], place["y"] + 0.3 * place["height"])

    expect(page.locator("#picture .hoverlayer text").first).to_be_attached()
    expect(page.locator("#picture")).to_contain_text("key: attended to")
    assert place["x"] + place["width"] <= 900, "it is made smaller where the window is"
    assert [said for said in heard if said != address and not said.startswith("data:")] == []
    page.close()


@pytest.mark.long("the place of a picture in a window; what its page contains is tested without a browser")
@pytest.mark.parametrize("drawn", ["matrix", "lines"])
def test_a_picture_narrower_than_its_page_stands_in_the_middle(
    browser: Browser, tmp_path: Path, drawn: str
) -> None:
    order = ExportRequest(link=f"/explorer?drawn={drawn}", key=drawn, kind="html", style=Style(preset=SQUARE))
    path = tmp_path / "figure.html"
    with closing(Exporter()) as exporter:
        path.write_bytes(file(order, exporter).content)
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(path.as_uri())
    drawn = page.locator("#picture .main-svg, figure img").first
    drawn.wait_for()
    page.wait_for_function(
        "() => document.querySelector('img') || document.querySelector('#place').style.height"
    )
    place = drawn.bounding_box()
    assert place is not None
    assert place["x"] + place["width"] / 2 == pytest.approx(700, abs=1)
    page.close()
