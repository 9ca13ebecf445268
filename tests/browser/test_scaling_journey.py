"""On the page Scaling: drag the length of the vectors, and see softmax decide without the division."""

from playwright.sync_api import expect

from tests.browser.visitor import Visitor


def test_longer_vectors_let_one_word_take_all_until_scores_are_divided(visitor: Visitor) -> None:
    visitor.open("/scaling")
    expect(visitor.page.get_by_text("at d = 64 the scores of random vectors")).to_be_visible()

    visitor.page.get_by_role("slider", name="Dimensions d").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.settle()
    assert visitor.page.url.endswith("/scaling?d=128")
    expect(visitor.page.get_by_text("at d = 128 the scores of random vectors")).to_be_visible()

    visitor.click(visitor.page.get_by_role("radio", name="heads"))
    visitor.click(visitor.page.get_by_role("radio", name="8", exact=True))
    expect(visitor.page.get_by_text("√d divides by √8 = 2.83 times too much")).to_be_visible()
    assert visitor.overflowing() == []
