"""A link is a prepared demo: it shows the same numbers to everybody, and goes along from page to page."""

import pytest
from numpy.testing import assert_allclose
from playwright.sync_api import expect

from pages.controls.sentence import PRAISED
from tests.browser.plot import Plot
from tests.browser.visitor import Visitor


@pytest.mark.long("what is typed and clicked, sent as a link; links by hand are tested without a browser")
def test_what_one_visitor_has_made_another_opens_by_its_link(visitor: Visitor) -> None:
    visitor.open("/", view="matrix", model="random", positions="rotary")
    visitor.type("Sentence", "salt & pepper + 5 % = #1?")
    visitor.click(visitor.page.get_by_text("Residual", exact=True))
    Plot(visitor, "matrix").click(0, 2)
    expect(visitor.page.get_by_text("pepper (3) attends to salt (1)")).to_be_visible()
    address, made = visitor.page.url, Plot(visitor, "matrix").matrix()

    visitor.forget()
    visitor.page.goto(address)
    visitor.settle()

    assert Plot(visitor, "matrix").words() == ["salt", "&", "pepper", "+", "5", "%", "=", "#", "1", "?"]
    assert_allclose(Plot(visitor, "matrix").matrix(), made)
    expect(visitor.page.get_by_text("pepper (3) attends to salt (1)")).to_be_visible()


@pytest.mark.long("the seed that comes back with its page; the way back below takes text and layers along")
def test_what_a_link_has_set_goes_along_to_the_next_page(visitor: Visitor) -> None:
    visitor.open("/", text="one two three", model="random", layers=3, seed=5)

    follow(visitor, "From the lecture", "Interaction distance")
    assert visitor.page.url.endswith("/interaction-distance?text=one+two+three&layers=3")
    expect(visitor.page.get_by_label("Sentence")).to_have_value("one two three")

    follow(visitor, "Explore", "Explorer")
    expect(visitor.page.get_by_label("Sentence")).to_have_value("one two three")
    expect(visitor.page.get_by_label("Seed")).to_have_value("5")


def test_each_page_is_one_step_and_the_way_back_leads_to_what_was_left_there(visitor: Visitor) -> None:
    visitor.open("/", text="one two three", model="random", layers=3, seed=5)
    visitor.type("Sentence", "a b c d")
    left = visitor.page.url
    follow(visitor, "From the lecture", "Interaction distance")
    follow(visitor, "Mechanism", "Scaling")

    visitor.page.go_back()
    visitor.settle()
    assert visitor.page.url.endswith("/interaction-distance?text=a+b+c+d&layers=3")
    expect(visitor.page.get_by_label("Sentence")).to_have_value("a b c d")

    visitor.page.go_back()
    visitor.settle()
    assert visitor.page.url == left
    expect(visitor.page.get_by_label("Sentence")).to_have_value("a b c d")
    expect(visitor.page.get_by_label("Seed")).to_have_value("5")

    visitor.page.go_forward()
    visitor.settle()
    expect(visitor.page.get_by_label("Sentence")).to_have_value("a b c d")
    assert visitor.page.url.endswith("/interaction-distance?text=a+b+c+d&layers=3")

    visitor.type("Sentence", "e f")
    visitor.page.go_back()
    visitor.settle()
    assert visitor.page.url == left, "what is typed later changes nothing before"
    expect(visitor.page.get_by_label("Sentence")).to_have_value("a b c d")

    visitor.go_on("/")
    expect(visitor.page.get_by_label("Sentence")).to_have_value(PRAISED)


@pytest.mark.long("links of one page one after the other, which hardly anybody opens in one tab")
def test_the_way_back_undoes_a_change_of_view_and_not_that_of_a_switch(visitor: Visitor) -> None:
    visitor.open("/heads", about="rank")
    for view in ("two things", "reshape"):
        visitor.click(visitor.page.get_by_role("radio", name=view, exact=True))
    visitor.click(visitor.page.get_by_role("radio", name="bidirectional", exact=True))
    assert visitor.page.url.endswith("/heads?mask=bidirectional&view=reshape")

    for view in ("two+things", "rank"):  # from a view without switches to one that has them, too
        visitor.page.go_back()
        visitor.settle()
        chosen = visitor.page.get_by_role("radio", name=view.replace("+", " "), exact=True)
        expect(chosen).to_be_checked()
        assert visitor.page.url.endswith("/heads" if view == "two+things" else f"/heads?view={view}")


@pytest.mark.long("the way back between two links, each of which begins a session of its own")
def test_the_way_back_on_one_page_leads_through_its_links(visitor: Visitor) -> None:
    visitor.open("/", text="one two", model="random", seed="zz")
    visitor.open("/", text="three four")

    visitor.page.go_back()
    visitor.settle()

    expect(visitor.page.get_by_label("Sentence")).to_have_value("one two")


@pytest.mark.long("an address bar that is mended; its notes are seen among the typed markup")
def test_a_mangled_link_gets_a_sentence_and_the_address_bar_is_mended(visitor: Visitor) -> None:
    visitor.open("/", view="matrix", model="random", heads="many", seed="1.5", scale="")

    notes = visitor.page.get_by_test_id("stAlert")
    expect(notes).to_have_count(3)
    expect(notes.first).to_contain_text("The link asks for heads = many, but here it can be 1, 2, 4, 8.")
    assert visitor.page.url.endswith("/?view=matrix&model=random")
    expect(visitor.page.get_by_label("Seed")).to_have_value("0")

    visitor.click(visitor.page.get_by_role("radio", name="8", exact=True).last)
    expect(notes).to_have_count(2)
    assert visitor.page.url.endswith("/?heads=8&model=random&view=matrix")

    visitor.click(visitor.page.get_by_role("radio", name="bidirectional"))
    expect(notes).to_have_count(2)
    assert visitor.page.url.endswith("/?heads=8&mask=bidirectional&model=random&view=matrix")

    visitor.go_on("/", view="matrix", heads="few")
    expect(notes).to_have_count(1)


def follow(visitor: Visitor, group: str, title: str) -> None:
    """Choose a page in the navigation."""
    visitor.click(visitor.page.get_by_test_id("stTopNavSection").filter(has_text=group))
    visitor.click(visitor.page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title))
