"""The focus after each act: the next key does what a visitor expects."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor

FOCUSED = """() => {
    const deepest = (one) => one.shadowRoot?.activeElement ? deepest(one.shadowRoot.activeElement) : one;
    const { tagName, textContent } = deepest(document.activeElement);
    return [tagName, textContent.trim().slice(0, 60)];
}"""


@pytest.mark.long("the focus after Escape; sentences are typed in every run")
def test_enter_and_escape_leave_the_sentence_and_escape_taken_again_drops_a_selection(
    visitor: Visitor,
) -> None:
    visitor.go_on("/explorer", query=2, key=1)
    page, box, keys = (
        visitor.page,
        visitor.page.get_by_label("Sentence", exact=True),
        visitor.page.get_by_role("region", name="Keys"),
    )
    visitor.type("Sentence", "too big")
    page.keyboard.press("Enter")
    page.keyboard.press("?")
    expect(keys).to_be_visible()
    expect(keys).to_contain_text("finds a view")
    page.keyboard.press("Escape")
    expect(keys).not_to_be_visible()
    expect(box).to_have_value("too big")
    visitor.settle()
    visitor.go_on("/explorer", query=2, key=1)

    box.focus()
    page.keyboard.press("Escape")
    expect(box).not_to_be_focused()
    visitor.settle()
    assert "query=2" in page.url
    page.keyboard.press("Escape")
    visitor.settle()
    assert "query" not in page.url


@pytest.mark.long("the order of Tab; a switch is changed by keys in every run")
def test_tab_enters_a_group_at_the_option_that_is_chosen_from_either_side(visitor: Visitor) -> None:
    visitor.go_on("/explorer", mask="prefix", positions="rotary")
    for key in ("Tab", "Shift+Tab"):
        passed = []
        for _ in range(60):
            visitor.page.keyboard.press(key)
            passed.append(visitor.page.evaluate(FOCUSED)[1])
        assert {"prefix", "rotary"} <= set(passed), key
        assert not {"causal", "bidirectional", "none", "sinusoidal", "relative"} & set(passed), key


@pytest.mark.long("the focus after a reveal")
def test_showing_the_covered_picture_moves_the_focus_to_it(visitor: Visitor) -> None:
    visitor.go_on("/masking", predict="true")
    asked = visitor.page.locator("#questions, .questions")
    asked.get_by_role("button", name="more than 0").press("Enter")
    asked.get_by_role("button", name="Show the result").press("Enter")
    expect(visitor.page.locator(".st-key-painted").first).to_be_visible()
    visitor.settle()
    assert visitor.page.evaluate(FOCUSED) == ["SUMMARY", "Your answers, and the right ones"]
    asked.get_by_role("button", name="Ask me again").press("Enter")
    assert visitor.page.evaluate(FOCUSED)[0] == "BUTTON"

    visitor.open("/masking", predict="true")
    visitor.page.keyboard.press("r")
    expect(visitor.page.locator(".st-key-painted").first).to_be_visible()
    assert visitor.page.evaluate(FOCUSED)[0] == "BODY", "a key pressed elsewhere leaves the focus there"

    visitor.go_on("/masking", view="mask values", cover=1)
    visitor.page.get_by_role("button", name="Reveal").press("Enter")
    visitor.settle()
    assert visitor.page.evaluate(FOCUSED)[0] != "BODY"


@pytest.mark.long("a reload; the link alone is opened in every run")
def test_a_reload_keeps_what_was_revealed_and_typed(visitor: Visitor) -> None:
    visitor.open("/masking", view="paint", cover=1)
    page, answer = visitor.page, visitor.page.get_by_text("all of its attention; without")
    expect(page.get_by_role("region", name="Covered")).to_be_visible()
    page.keyboard.press("r")
    expect(answer).to_be_visible()
    visitor.type("Sentence", "hot tea")
    page.reload()
    visitor.settle()
    expect(page.get_by_label("Sentence", exact=True)).to_have_value("hot tea")
    expect(answer).to_be_visible()
    expect(page.get_by_role("region", name="Covered")).not_to_be_visible()

    beside = visitor.context.new_page()
    beside.goto(page.url)
    expect(beside.get_by_role("region", name="Covered")).to_be_visible()
    beside.close()


@pytest.mark.long("two tabs; two visitors are kept apart without a browser in every run")
def test_two_tabs_of_a_browser_do_not_disturb_each_other(visitor: Visitor) -> None:
    visitor.open("/explorer", text="hot tea")
    page, beside = visitor.page, visitor.context.new_page()
    beside.goto(f"{visitor.server.address}/explorer?text=one+two+three")
    beside.wait_for_function("() => isSettled(300)")
    beside.get_by_role("radio", name="bidirectional", exact=True).click()
    beside.wait_for_url("**mask=bidirectional**")
    visitor.click(page.get_by_role("radio", name="random", exact=True))
    assert page.url.endswith("/explorer?text=hot+tea&model=random")
    beside.reload()
    beside.wait_for_function("() => isSettled(300)")
    expect(beside.get_by_label("Sentence", exact=True)).to_have_value("one two three")
    expect(beside.get_by_role("radio", name="bidirectional", exact=True)).to_be_checked()
    expect(beside.get_by_role("radio", name="trained", exact=True)).to_be_checked()
    beside.close()
    page.keyboard.press("z")
    visitor.settle()
    assert page.url.endswith("/explorer?text=hot+tea")


@pytest.mark.long("the focus after a list")
def test_a_list_lets_go_of_the_keys_once_something_is_chosen(visitor: Visitor) -> None:
    visitor.open("/translation", way="beam", large=1)
    page = visitor.page
    shown = page.locator("html[data-controls=shown]")
    page.keyboard.press("h")
    expect(shown).to_have_count(1)
    page.get_by_role("combobox", name="Width").click()
    page.get_by_role("option", name="5", exact=True).click()
    visitor.settle()
    page.keyboard.press("h")
    expect(shown).to_have_count(0)
