"""A lecturer collects steps from pages, orders them, saves, uploads and prints them, and hands on a link."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from pages.lecture.deck import read_deck, shipped, unpacked
from tests.browser.visitor import LONGEST, Visitor

ADD, SAID = ".st-key-collect button", ".st-key-my_lecture .said"
NAMED = """const kept = JSON.parse(localStorage.getItem("attention-lab-lecture"));
    localStorage.setItem("attention-lab-lecture", JSON.stringify({ ...kept, title: "Masks" }));"""
WRONG = 'title = "Another"\n\n[[step]]\nlink = "/nowhere"\n'


def add(visitor: Visitor) -> str:
    """Add the visible view; return the confirmation."""
    visitor.page.locator(ADD).click()
    said = visitor.page.locator(".st-key-collect [role=status]")
    expect(said).to_contain_text("Open the lecture")
    return said.inner_text()


def test_a_view_added_right_after_a_switch_has_its_new_headline(visitor: Visitor) -> None:
    visitor.open("/masking", text="hot tea")
    switch, button = (visitor.page.get_by_role("radio", name="window", exact=True), visitor.page.locator(ADD))
    switch.evaluate("(one) => one.click()")
    button.evaluate("(one) => one.click()")
    said = visitor.page.locator(".st-key-collect [role=status]")
    expect(said).to_contain_text("Added: step 1")
    kept = "() => JSON.parse(localStorage.getItem('attention-lab-lecture')).step.map(({ link }) => link)"
    (link,) = visitor.page.evaluate(kept)
    assert parse_qs(urlsplit(link).query) == {"text": ["hot tea"], "preset": ["window"]}


def titles(visitor: Visitor) -> Locator:
    return visitor.page.get_by_label("Title of step")


def press(visitor: Visitor, name: str) -> None:
    visitor.page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.long("a lecture from its first step to its link; its parts are tested without a browser")
def test_a_lecture_is_collected_ordered_saved_and_handed_on(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor.page
    visitor.open("/masking", beside="gradient", text="hot tea", predict="true")
    assert add(visitor) == "Added: step 1 of your lecture · Open the lecture"
    visitor.go_on("/scaling", curve="gradient")
    assert add(visitor) == "Added: step 2 of your lecture · Open the lecture"
    page.evaluate(f"() => {{ {NAMED} }}")
    assert add(visitor) == "This is already step 2 of “Masks” · Open the lecture"

    visitor.go_on("/lecture")
    expect(titles(visitor)).to_have_count(2)
    assert visitor.overflowing() == []
    assert visitor.inaccessible() == []
    page.get_by_label("Title of the lecture").fill("Hot <b>tea</b>")
    page.get_by_role("button", name="Step 2 up").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Step 1 down")).to_be_focused()
    titles(visitor).nth(1).fill("Gradients stop at the mask")
    page.locator("summary", has_text="Add notes").nth(1).click()
    page.get_by_label("Notes, for you alone").nth(1).fill('Say "this".\nThen wait.')
    page.get_by_label("Covered until you reveal it").nth(1).check()

    with page.expect_download() as saved:
        press(visitor, "Download")
    saved.value.save_as(tmp_path / "mine.toml")
    deck = read_deck((tmp_path / "mine.toml").read_text("utf-8"))
    assert deck.title == "Hot <b>tea</b>"
    assert [step.link for step in deck.steps] == [
        "/scaling?curve=gradient",
        "/masking?beside=gradient&text=hot+tea",
    ]
    second = deck.steps[1]
    assert (second.title, second.notes) == ("Gradients stop at the mask", 'Say "this".\nThen wait.')
    assert second.covered

    (tmp_path / "wrong.toml").write_text(WRONG)
    upload = page.get_by_label("A lecture as a TOML file")
    upload.set_input_files(tmp_path / "wrong.toml")
    expect(page.locator(SAID)).to_have_text("Line 4, step 1: link leads to no page: there is no /nowhere.")
    expect(titles(visitor).nth(1)).to_have_value("Gradients stop at the mask")
    press(visitor, "Remove step 1")
    expect(titles(visitor)).to_have_count(1)
    upload.set_input_files(tmp_path / "mine.toml")
    expect(titles(visitor)).to_have_count(2)

    press(visitor, "Link that holds it")
    address = page.get_by_label("The link that holds the lecture").input_value()
    visitor.forget()
    page.goto(address)
    page.wait_for_function("() => window.attentionLabPlayer?.frames.shown", timeout=1000 * LONGEST)
    assert unpacked(parse_qs(urlsplit(page.url).query)["deck"][0]) == deck
    expect(page.get_by_text("Ready to be given")).to_have_count(0)
    assert visitor.exceptions() == []


@pytest.mark.long("a telephone and its print; a view is added in every run")
@pytest.mark.parametrize("theme", ["dark"])
@pytest.mark.parametrize("viewport", [(390, 800)], ids=["390 wide"])
def test_a_lecture_that_is_ready_is_taken_over_on_a_telephone_and_printed(visitor: Visitor) -> None:
    page, deck = visitor.page, shipped()["seq2seq"]
    visitor.open("/lecture")
    page.get_by_label("Add the steps of").select_option("seq2seq")
    expect(titles(visitor)).to_have_count(len(deck.steps))
    assert page.get_by_test_id("stMain").evaluate("(main) => main.scrollWidth <= main.clientWidth")
    assert visitor.inaccessible() == []
    page.evaluate("() => { window.print = () => { window.isPrinted = true; }; }")
    press(visitor, "Print")
    page.wait_for_function("() => window.isPrinted", timeout=1000 * LONGEST)
    plan = page.locator("#lecture_plan li")
    expect(plan).to_have_count(len(deck.steps))
    expect(plan.first).to_be_hidden()
    page.emulate_media(media="print")
    expect(plan.last).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_be_hidden()
    assert deck.steps[0].notes.splitlines()[0] in plan.first.inner_text()
    assert plan.locator("img").evaluate_all("(all) => all.every((one) => one.naturalWidth > 0)")
    page.emulate_media(media="screen")
    press(visitor, "Take it back")
    expect(titles(visitor)).to_have_count(0)
    upload = page.get_by_label("A lecture as a TOML file")
    for encoding, reason in {
        "cp1252": "Line 4: this file is not UTF-8",
        "utf-16": "This file is UTF-16",
    }.items():
        content = WRONG.replace("nowhere", "für").encode(encoding)
        upload.set_input_files({"name": "mine.toml", "mimeType": "text/plain", "buffer": content})
        expect(page.locator(SAID)).to_contain_text(reason)
    whole = '[[step]]\nlink = "http://elsewhere.org/lab/masking?view=paint#top"\nnotes = "für \U0001f375"\n'
    upload.set_input_files(
        {"name": "mine.toml", "mimeType": "text/plain", "buffer": whole.encode("utf-8-sig")}
    )
    expect(titles(visitor)).to_have_count(1)
    expect(page.get_by_label("Notes, for you alone")).to_have_value("für \U0001f375")
