"""A sentence that the small models do not know, read by MiniLM: one click, and the mouse on from there."""

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.plot import Plot
from tests.browser.test_explorer_journeys import link
from tests.browser.visitor import Visitor
from tests.real import needs_minilm

TEXT = "I don't think the animal didn't cross the street"


@pytest.mark.long(
    "the change from one kind of model to another, and back, in a browser that keeps its controls"
)
@needs_minilm
def test_one_click_has_an_unknown_sentence_read_and_another_leads_back(visitor: Visitor) -> None:
    visitor.open("/explorer", text=TEXT, view="heads", heads=8)
    swedish = visitor.page.get_by_role("button", name="Så varför")
    expect(swedish).to_contain_text("†")
    visitor.click(visitor.page.get_by_role("button", name="Read it with MiniLM"))
    assert link(visitor) == {"text": TEXT, "model": "real"}
    expect(swedish).not_to_contain_text("†")
    matrix = Plot(visitor, "matrix")
    assert matrix.matrix().shape == (15, 15)
    expect(visitor.page.get_by_role("radio", name="learned")).to_be_checked()

    visitor.click(visitor.page.get_by_role("radio", name="words", exact=True))
    visitor.click(visitor.page.get_by_text("Special tokens", exact=True))
    assert matrix.words() == TEXT.split()
    matrix.click(0, 1)
    expect(visitor.page.get_by_text("This is the mean, over the 3 pieces of the query")).to_be_visible()

    Plot(visitor, "heads_grid").click(3, 1)
    assert "head" not in link(visitor), "it is the one that opens"
    previous = np.diagonal(matrix.matrix(), offset=-1)
    # Of a word in three pieces the first alone attends to the word before, the others to the piece before.
    assert (previous > 0.3).all(), "a head of MiniLM that attends to what is just before"

    visitor.click(visitor.page.get_by_role("radio", name="trained"))
    assert not {"model", "heads", "positions"} & set(link(visitor))
    expect(swedish).to_contain_text("†")
    visitor.click(visitor.page.get_by_role("radio", name="real", exact=True))
    expect(swedish).not_to_contain_text("†")
    assert link(visitor)["text"] == TEXT
    assert visitor.exceptions() == []
