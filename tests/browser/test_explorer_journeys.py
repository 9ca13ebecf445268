"""In the explorer: type, switch, click and hover, with the mouse."""

from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import WebSocket, expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor


def link(visitor: Visitor) -> dict[str, str]:
    """Return the parameters in the address bar."""
    return {name: values[-1] for name, values in parse_qs(urlsplit(visitor.page.url).query).items()}


def test_clicks_lead_to_a_cell_and_the_matrix_follows_a_typed_sentence(
    visitor: Visitor,
) -> None:
    visitor.go_on("/explorer")
    before = Plot(visitor, "matrix").matrix()
    Plot(visitor, "heads_grid").click(4, 2)
    assert link(visitor) == {"layer": "2", "head": "4"}
    assert np.nanmax(np.abs(Plot(visitor, "matrix").matrix() - before)) > 0.01

    Plot(visitor, "matrix").click(1, 4)
    chosen = {"layer": "2", "head": "4", "query": "5", "key": "2", "place": "5"}
    assert link(visitor) == chosen
    expect(visitor.page.get_by_text("the (5) attends to met (2) · Layer 2 · head 4")).to_be_visible()
    weight = Plot(visitor, "matrix").matrix()[4, 1]
    expect(visitor.page.get_by_test_id("stMain").locator(".katex-mathml")).to_contain_text(f"= {weight:.3f}")

    longer = "two blue birds, which nobody heard, were singing"
    visitor.type("Sentence", longer)
    assert Plot(visitor, "matrix").words()[:3] == ["two†", "blue", "birds†"]
    assert Plot(visitor, "matrix").matrix().shape == (10, 10)
    assert link(visitor)["text"] == longer
    expect(visitor.page.get_by_text("10 words (at most 256)")).to_be_visible()
    expect(visitor.page.get_by_label("Sentence")).to_have_value(longer)
    expect(visitor.page.get_by_label("Sentence")).to_be_focused()


@pytest.mark.long("a listener lost when a figure is drawn again; one click is in the journey above")
def test_clicks_still_work_after_the_picture_is_redrawn(visitor: Visitor) -> None:
    visitor.go_on("/explorer", view="compare", text="one two three four")
    for query, key in [(3, 0), (1, 1)]:
        Plot(visitor, "comparison").click(key, query)
        assert (link(visitor)["query"], link(visitor)["key"]) == (str(query + 1), str(key + 1))

    visitor.click(visitor.page.get_by_role("radio", name="heads"))
    Plot(visitor, "matrix").click(0, 0)
    assert (link(visitor)["query"], link(visitor)["key"]) == ("1", "1")

    visitor.click(visitor.page.get_by_role("radio", name="ALiBi"))
    Plot(visitor, "matrix").click(2, 3)
    assert (link(visitor)["query"], link(visitor)["key"]) == ("4", "3")


@pytest.mark.long("what goes over the wire, which changes with a version of Streamlit")
def test_a_switch_has_nothing_above_it_sent_again(visitor: Visitor) -> None:
    received: list[bytes] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: received.append(bytes(frame)))

    visitor.page.on("websocket", watch)
    visitor.open("/explorer", text="two blue birds", model="random")
    assert any(b"two blue birds" in frame for frame in received), "the box is sent once"

    received.clear()
    visitor.click(visitor.page.get_by_role("radio", name="bidirectional"))
    assert any(b"plotly" in frame or b"heatmap" in frame for frame in received)
    assert not [frame for frame in received if b"-text" in frame or b"example_" in frame]


@pytest.mark.long("lines under a pointer; clicks in the explorer are in every run")
def test_pointing_at_a_word_isolates_its_lines_without_asking_the_server(visitor: Visitor) -> None:
    sent: list[object] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(frame))

    visitor.page.on("websocket", watch)
    visitor.open("/explorer", drawn="lines", text="one two three four", mask="bidirectional")
    lines = visitor.page.locator(".st-key-lines svg path")
    count, asked = lines.count(), len(sent)
    assert visible(visitor) == count > 4

    visitor.page.get_by_role("button", name="query 2: two").hover()
    of_two = visible(visitor)
    assert 0 < of_two <= 4
    assert weights(visitor) > 0.88

    visitor.page.get_by_role("button", name="key 3: three").focus()
    assert 0 < visible(visitor) < count

    visitor.settle()
    assert len(sent) == asked

    visitor.page.keyboard.press("Enter")
    visitor.page.mouse.move(0, 0)
    visitor.page.wait_for_url("**key=3**")
    visitor.settle()
    assert 0 < visible(visitor) < count, "a chosen word keeps its lines"
    headline = visitor.page.locator("strong").filter(has_text="of its attention").inner_text()
    assert "attention to three" in headline or "three gives" in headline
    visitor.page.keyboard.press("Escape")
    visitor.page.wait_for_url(lambda url: "key=" not in url)
    visitor.settle()
    assert visible(visitor) == count


def visible(visitor: Visitor) -> int:
    """Return how many lines stand out."""
    shown = "(paths) => paths.filter((path) => getComputedStyle(path).opacity > 0.5).length"
    return int(visitor.page.locator(".st-key-lines svg path").evaluate_all(shown))


def weights(visitor: Visitor) -> float:
    """Return the sum of the weights written beside the words."""
    texts = visitor.page.locator(".st-key-lines svg .value").all_text_contents()
    return sum(float(text) for text in texts if text)
