"""Paint a mask by clicking its cells, and carry it in the link from view to view."""

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor


@pytest.mark.long("cells clicked one by one; strokes and clicks are taken back in every run")
def test_a_mask_is_painted_cell_by_cell_and_goes_along_to_the_gradient(visitor: Visitor) -> None:
    visitor.go_on("/masking")
    weights = Plot(visitor, "painted", axes="2")

    Plot(visitor, "painted").click(0, 0)
    assert visitor.page.url.endswith("/masking?cells=1")
    expect(visitor.page.get_by_text("Zuko may attend to nothing: the row is 0 everywhere")).to_be_visible()
    np.testing.assert_array_equal(weights.matrix(1)[0], np.zeros(5))

    Plot(visitor, "painted").click(4, 0)
    assert visitor.page.url.endswith("/masking?cells=10001")
    assert np.isfinite(weights.matrix(1)[0]).tolist() == [False, False, False, False, True]

    visitor.click(visitor.page.get_by_role("radio", name="gradient"))
    assert "cells=10001" in visitor.page.url
    expect(visitor.page.get_by_text("3 of 25 gradients")).to_be_visible()

    visitor.click(visitor.page.get_by_role("radio", name="window"))
    assert "cells" not in visitor.page.url
    expect(visitor.page.get_by_text("In 6 cells an output depends")).to_be_visible()
    visitor.resize(900, 900)
    assert visitor.overflowing() == []
