"""From page to page: choices are kept, and untouched controls have each page's defaults."""

from pages.contract.examples import PRAISED, TEA
from tests.pages.session import Session


def test_untouched_controls_take_the_default_of_each_page() -> None:
    session = Session()
    assert (session.value("text"), session.value("layers"), session.value("mask")) == (PRAISED, 2, "causal")

    session.run()
    session.go("interaction-distance")
    assert (session.value("text"), session.value("layers")) == (TEA, 1)
    assert session.value("mask") == "bidirectional"

    session.go("explorer")
    assert (session.value("text"), session.value("positions")) == (PRAISED, "sinusoidal")
    assert (session.value("layers"), session.value("mask")) == (2, "causal")
    assert session.link == {}


CARRIED = {
    "model": "random",
    "text": "one two three",
    "layers": 3,
    "seed": 5,
    "scale": False,
    "heads": 8,
    "norm": "none",
}


def test_choices_are_kept_on_the_next_page() -> None:
    session = Session()
    session.set(model="random")  # its seed is offered only then
    session.set(**CARRIED)

    session.go("order-invariance")
    assert {name: session.value(name) for name in CARRIED} == CARRIED
    assert session.link["text"] == "one two three"
    assert session.link["layers"] == "3"
    assert session.link["scale"] == "false"
    session.set(other="three two one")
    assert "*three* gets the same output" in session.prose

    session.go("explorer")
    assert {name: session.value(name) for name in CARRIED} == CARRIED
    assert session.warnings == []
