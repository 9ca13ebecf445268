"""A lecturer adds slides of their own, with a picture and a question, saves them and shows them in a hall."""

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from pages.lecture.deck import read_deck
from pages.lecture.slide_picture import MOST_PICTURE_BYTES, bytes_of
from pages.lecture.step import SLIDES, WRONG_RIGHT
from tests.browser.visitor import LONGEST, Visitor

SAID = ".st-key-my_lecture .said"


@pytest.mark.long("slides from the page to the hall; their parts are tested without a browser")
def test_slides_are_made_saved_and_shown(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor.page
    visitor.open("/lecture")
    page.get_by_label("Title of the lecture").fill("Über *my* slides")
    for number, kind in enumerate(SLIDES, 1):
        page.get_by_label("Add a slide").select_option(kind)
        expect(page.get_by_label("Title of step")).to_have_count(number)
    steps = page.locator("li.step")
    page.get_by_label("Title of step 1").fill("Attention")
    steps.nth(1).get_by_label("Text (Markdown)").fill("1. One\n2. Two")
    steps.nth(2).get_by_label("Text (Markdown)").fill("<img src=x onerror=alert(1)> *safe*")
    preview = steps.nth(1).locator(".preview")
    steps.nth(1).get_by_label("Text (Markdown)").fill("**b** $q^2$:\n\n$$\n\\frac{a}{b}\n$$\n- `$x$`\n- 5 $")
    expect(preview.locator("mfrac")).to_have_count(1)
    expect(preview.locator("math")).to_have_count(2)
    expect(preview.locator("strong").last).to_have_text("b")
    expect(preview.locator("li")).to_have_text(["$x$", "5 $"])
    expect(steps.nth(2).locator(".preview em")).to_have_text("safe")
    steps.nth(2).locator("summary").click()
    steps.nth(2).get_by_label("Question for the room").fill("Where?")
    steps.nth(2).get_by_label("How it is answered").select_option("choice")
    steps.nth(2).get_by_label("Options, one per line").fill("left\n\nright ")
    right, wrong = steps.nth(2).get_by_label("Right: an option"), steps.nth(2).locator(".wrong")
    right.fill("up")
    expect(wrong).to_have_text(f"Step 3: {WRONG_RIGHT['choice']}.")
    expect(right).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Download", exact=True).click()
    expect(page.locator(SAID)).to_have_text(wrong.inner_text())
    steps.nth(2).get_by_label("Options, one per line").fill("left\n\nright \nup")
    expect(wrong).to_have_text("")
    steps.nth(2).get_by_label("Options, one per line").fill("left\n\nright ")
    expect(right).to_have_attribute("aria-invalid", "true")
    right.fill("2")
    expect(wrong).to_have_text("")
    steps.nth(3).get_by_label("Formula (LaTeX)").fill(r"\frac{a}{b}")
    expect(steps.nth(3).locator(".preview mfrac")).to_have_count(1)

    (tmp_path / "script.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    Image.effect_noise((1300, 900), 90).save(tmp_path / "large.png")
    upload = steps.nth(4).locator("input[type=file]")
    upload.set_input_files(tmp_path / "script.svg")
    expect(page.locator(SAID)).to_have_text("A slide takes a PNG, JPEG or WebP.")
    upload.set_input_files(tmp_path / "large.png")
    expect(steps.nth(4).locator(".preview img")).to_be_visible()
    page.get_by_role("button", name="Duplicate step 5").click()
    expect(steps).to_have_count(7)
    assert visitor.inaccessible() == []

    page.get_by_role("button", name="Link that holds it").click()
    expect(page.locator(SAID)).to_contain_text("A link has no room for the 2 pictures of this lecture")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download", exact=True).click()
    assert saved.value.suggested_filename == "uber-my-slides.toml"
    saved.value.save_as(tmp_path / "mine.toml")
    deck = read_deck((tmp_path / "mine.toml").read_text("utf-8"))
    assert [step.kind for step in deck.steps] == [*list(SLIDES)[:5], "picture", "end"]
    assert (deck.steps[2].options, deck.steps[2].right) == (("left", "right"), "right")
    assert len(bytes_of(deck.steps[4].picture)) <= MOST_PICTURE_BYTES

    page.get_by_role("button", name="Give the lecture").click()
    shown = "(at) => window.attentionLabPlayer?.frames.shown?.at === at"
    for at in range(1, 6):
        page.wait_for_function(shown, arg=at, timeout=1000 * LONGEST)
        if at == 3:
            text = page.frame_locator("iframe:not([inert])").get_by_text("<img src=x onerror=alert(1)>")
            expect(text).to_be_visible()
        if at < 5:
            page.keyboard.press("PageDown")
    image = page.frame_locator("iframe:not([inert])").locator(".st-key-slide_image img")
    expect(image).to_be_visible()
    assert image.evaluate("(one) => one.naturalWidth > 100")
    assert visitor.exceptions() == []
