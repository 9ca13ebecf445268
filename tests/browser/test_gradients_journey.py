"""On the page Gradients: from a sentence to weights that explode, in half the window, and back."""

from playwright.sync_api import expect

from tests.browser.visitor import Visitor


def test_a_gradient_is_made_to_explode_and_the_way_back_leads_to_the_curves(visitor: Visitor) -> None:
    visitor.open("/gradients", text="the key that the <b>chef</b> sold is heavy .", reach=50)
    expect(visitor.page.get_by_text("A curve shows how far the state")).to_be_visible()
    visitor.click(visitor.page.get_by_role("radio", name="Jacobians"))
    expect(visitor.page.get_by_text("The gradient vanishes")).to_be_visible()
    visitor.click(visitor.page.get_by_role("radio", name="3", exact=True))
    visitor.click(visitor.page.get_by_role("radio", name="random", exact=True))
    expect(visitor.page.get_by_text("The gradient explodes")).to_be_visible()
    assert "scale_of_weights=3" in visitor.page.url
    assert "recurrence=random" in visitor.page.url

    visitor.resize(900, 900)
    assert visitor.overflowing() == []
    visitor.page.go_back()
    visitor.settle()
    expect(visitor.page.get_by_text("A curve shows how far the state")).to_be_visible()
    assert visitor.exceptions() == []
