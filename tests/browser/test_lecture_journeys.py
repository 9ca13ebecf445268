"""On the pages from the lecture: choose words in the networks, measure times, shuffle a sentence."""

import pytest
from playwright.sync_api import expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor


def test_boxes_of_the_networks_choose_the_two_words(visitor: Visitor) -> None:
    visitor.open("/interaction-distance")
    expect(visitor.page.get_by_text("Between Zuko and the state of tea lie 5 operations")).to_be_visible()

    Plot(visitor, "recurrent").click(1, 0)
    Plot(visitor, "attention").click(3, 1)

    assert visitor.page.url.endswith("/interaction-distance?from=2&to=4")
    said = "made and the state of uncle lie 3 operations in the recurrent network, 1 in self-attention"
    expect(visitor.page.get_by_text(said)).to_be_visible()

    box = visitor.page.get_by_label("From", exact=True)
    overflow = box.evaluate("(box) => getComputedStyle(box).textOverflow")
    assert overflow == "ellipsis", "of a word that is too long for its box one sees that there is more"


@pytest.mark.long("only where the camera stands, at two widths")
def test_the_camera_of_a_network_stands_above_its_boxes(visitor: Visitor) -> None:
    visitor.open("/interaction-distance")
    for width in (1400, 900):
        visitor.resize(width, 900)
        for network in ("recurrent", "attention"):
            figure = visitor.page.locator(f".st-key-{network} .js-plotly-plot")
            camera = figure.get_by_label("Download plot")
            figure.hover()

            place, boxes = camera.bounding_box(), figure.bounding_box()
            assert place is not None
            assert boxes is not None
            assert place["y"] + place["height"] <= boxes["y"] + 1
            with visitor.page.expect_download():
                camera.click()


@pytest.mark.long("measures for many seconds; what comes of the times is tested without a browser")
def test_times_are_measured_with_progress_and_end_in_three_curves(visitor: Visitor) -> None:
    visitor.open("/interaction-distance", view="measured time")
    curves = visitor.page.locator(".st-key-seconds_chart .scatterlayer .trace")
    expect(visitor.page.get_by_text("Press the button")).to_be_visible()
    assert curves.count() == 0

    visitor.page.get_by_role("button", name="Measure on").click()
    expect(visitor.page.get_by_test_id("stProgress")).to_contain_text("words")

    expect(visitor.page.get_by_text("At 2,048 words:")).to_be_visible(timeout=60_000)
    visitor.settle()
    assert curves.count() == 3
    assert visitor.page.get_by_test_id("stProgress").count() == 0
    visitor.click(visitor.page.get_by_role("radio", name="price"))
    visitor.click(visitor.page.get_by_role("radio", name="measured time"))
    assert curves.count() == 3, "the measurements are kept"


def test_a_shuffled_sentence_comes_out_the_same_until_positions_tell(visitor: Visitor) -> None:
    text = "one two three four five six"
    visitor.open("/order-invariance", text=text, other="six seven")
    expect(visitor.page.get_by_test_id("stAlert")).to_contain_text("only the first has one, two, three")

    visitor.click(visitor.page.get_by_role("button", name="Shuffle the words"))
    expect(visitor.page.get_by_text("the same output in both orders, up to rounding")).to_be_visible()
    other = visitor.page.get_by_label("Second sentence").input_value()
    assert sorted(other.split()) == ["five", "four", "one", "six", "three", "two"]
    assert other != text
    assert "other=" + other.replace(" ", "+") in visitor.page.url

    visitor.click(visitor.page.get_by_role("radio", name="sinusoidal"))
    expect(visitor.page.get_by_text("another output").first).to_be_visible()


@pytest.mark.long("a click on one more figure; what it sets is tested without a browser")
def test_a_tile_of_the_verdicts_chooses_its_word(visitor: Visitor) -> None:
    visitor.open("/order-invariance", view="every setting")
    tiles = Plot(visitor, "verdicts")
    place = """(graph) => { const { x, y, customdata } = graph._fullData[0];
        const middle = (edges, at) => (edges[at] + edges[at + 1]) / 2;
        for (const [row, places] of customdata.entries())
            for (const [column, place] of places.entries())
                if (place === 1) return [middle(x, column), middle(y, row)]; }"""

    tiles.click(*tiles.graph.evaluate(place))

    assert visitor.page.url.endswith("/order-invariance?view=every+setting&word=2")
    visitor.click(visitor.page.get_by_role("radio", name="one word"))
    expect(visitor.page.get_by_text("oven gets the same output in both orders")).to_be_visible()


@pytest.mark.long("a click on one more figure; what it sets is tested without a browser")
def test_a_bar_of_influence_chooses_the_word_it_is_about(visitor: Visitor) -> None:
    visitor.open("/interaction-distance")
    visitor.click(visitor.page.get_by_role("radio", name="influence"))
    expect(visitor.page.get_by_text("The share of The: ")).to_be_visible()

    bars = Plot(visitor, "influence")
    bars.click(12, 0.02)

    assert visitor.page.url.endswith("/interaction-distance?view=influence&from=13")
    expect(visitor.page.get_by_text("The share of is: ")).to_be_visible()


@pytest.mark.long("a click on one more figure; what it sets is tested without a browser")
def test_a_bar_of_the_answers_sets_the_switches_to_its_model(visitor: Visitor) -> None:
    visitor.open("/order-invariance", view="who did what to whom")
    expect(
        visitor.page.get_by_text("the bidirectional model is right in 50 %: it does not tell")
    ).to_be_visible()

    Plot(visitor, "exchange").click(1, 0.2)

    assert "positions=learned" in visitor.page.url
    assert "mask=causal" in visitor.page.url
    visitor.click(visitor.page.get_by_role("radio", name="one word"))
    expect(visitor.page.get_by_text("so gets another output")).to_be_visible()


@pytest.mark.long("one row of choices in half a window; pages as they open are looked at by every run")
@pytest.mark.parametrize("viewport", [(900, 900)])
def test_all_charts_are_in_sight_in_a_narrow_window(visitor: Visitor) -> None:
    visitor.open("/interaction-distance", view="influence")
    choices = visitor.page.locator(".st-key-view [role=radiogroup]")
    assert choices.evaluate("(group) => group.scrollWidth <= group.clientWidth")
    assert visitor.overflowing() == []
