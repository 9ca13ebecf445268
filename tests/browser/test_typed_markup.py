"""Typed markup is shown as the characters typed, wherever it appears, and does nothing."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Dialog, expect

from core.text.tokenizer import words_of
from pages.controls.sentence import UNKNOWN_MARK
from pages.explorer_views import PAGE as VIEWED
from pages.step_views import PAGE as STEPPED
from tests.browser.plot import Plot
from tests.browser.visitor import Visitor
from tests.pages.test_prose import MARKUP

EVIL = "<img src=//evil onerror=alert(1)> <b>is</b>"


WORST = (
    "<script>alert(1)</script> \"><img src=x onerror=alert(1)> <svg/onload=alert(1)> '-alert(1)-' "
    "<iframe src=//evil></iframe> <object data=//evil></object> <a href=javascript:alert(1)>is</a> "
    "[the](javascript:alert(1)) </style><script>alert(1)</script> %{y:<b>} ${alert(1)} {{alert(1)}}"
)
"""What runs code in one place or the other: a page, an attribute, a link, a style, a template."""

INJECTED = """(main) => [...main.querySelectorAll("*")].filter((one) =>
    ["SCRIPT", "IFRAME", "OBJECT", "EMBED", "BASE", "FORM", "META", "LINK"].includes(one.tagName)
    || [...one.attributes].some((each) => each.name.startsWith("on"))
    || /^\\s*javascript:/i.test(one.getAttribute("href") ?? "")
    || [one.getAttribute("href"), one.getAttribute("src")].some((at) => at?.includes("evil"))
).map((one) => one.outerHTML.slice(0, 200))"""
"""Elements that could run code or fetch something, and were not there before anybody typed."""


@pytest.fixture
def visitor(visitor: Visitor) -> Iterator[Visitor]:
    """Somebody who notices a dialog; a request that would leave the machine is noticed anyway."""

    def notice(dialog: Dialog) -> None:
        visitor.problems.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    visitor.page.on("dialog", notice)
    yield visitor
    visitor.page.remove_listener("dialog", notice)


def test_markup_in_the_sentence_stays_text_in_every_view(visitor: Visitor) -> None:
    for view in VIEWED.views:
        visitor.go_on("/", view=view, text=EVIL, query=2, key=1, mask="bidirectional")

        main = visitor.page.get_by_test_id("stMain")
        assert main.locator("img, b, script, a[href*=evil]").count() == 0
        if view == "matrix":
            expect(main.get_by_text("img (2) attends to \u2060< (1)")).to_be_visible()
            words = [word.removesuffix(UNKNOWN_MARK) for word in Plot(visitor, "matrix").words()]
            assert words == list(words_of(EVIL))
            Plot(visitor, "matrix").point_at(0, 1)
            expect(main.locator(".st-key-matrix .hoverlayer")).to_contain_text("query img† → key <†")
    visitor.check()


def test_markup_in_the_sentence_stays_text_on_the_other_pages(visitor: Visitor) -> None:
    parts = [("/step-by-step", {"view": view, "stage": "scores"}) for view in STEPPED.views]
    for page, parameters in [("/interaction-distance", {}), ("/order-invariance", {"other": EVIL}), *parts]:
        visitor.go_on(page, text=EVIL, **parameters)
        assert visitor.page.get_by_test_id("stMain").locator("img, b, a[href*=evil]").count() == 0
        assert visitor.exceptions() == []
        assert visitor.overflowing() == []
    visitor.check()


@pytest.mark.parametrize("viewport", [(900, 900)], ids=["900 wide"])  # where a page runs again for its width
def test_markup_in_a_mangled_parameter_stays_text(visitor: Visitor) -> None:
    switches = ("heads", "layers", "mask", "mlp", "norm", "positions", "residual", "scale", "window")
    names = (*switches, "seed", "view")
    for start in range(0, len(MARKUP), len(names)):
        typed = dict(zip(names, MARKUP[start:], strict=False))
        visitor.open("/", model="random", **typed)

        notes = visitor.page.get_by_test_id("stAlertContentWarning")
        expect(notes).to_have_count(len(typed))
        said = "\n".join(notes.all_inner_texts()).replace("\u2060", "")
        for name, text in typed.items():
            assert f"asks for {name} = {text}, but" in said
        assert notes.locator("a, img, code, strong, em, del, .katex").count() == 0
        assert quote("evil") not in visitor.page.url
    visitor.check()


PAGES_THAT_QUOTE = {
    "/": {"view": "lines"},
    "/step-by-step": {"view": "one head", "edit": WORST},
    "/order-invariance": {"view": "one word", "other": WORST},
    "/masking": {"view": "paint", "cells": WORST},
    "/translation": {"view": "translate", "begins": WORST},
    "/generation": {"by_hand": WORST},
}
"""Pages whose pictures are made by other means, and those that read a parameter of the link themselves."""


def test_nothing_that_a_link_carries_runs_or_fetches_or_becomes_an_element(visitor: Visitor) -> None:
    anywhere = dict.fromkeys(("seed", "heads", "layer", "code", WORST), WORST)
    for page, parameters in PAGES_THAT_QUOTE.items():
        visitor.go_on(page, **{"text": WORST, **anywhere, **parameters})

        main = visitor.page.get_by_test_id("stMain")
        expect(main.get_by_label("Sentence", exact=True).first).to_have_value(WORST)
        assert main.evaluate(INJECTED) == []
        assert visitor.exceptions() == []
    visitor.check()


def test_what_is_injected_would_be_noticed(visitor: Visitor) -> None:
    visitor.open("/", view="matrix")
    main = visitor.page.get_by_test_id("stMain")
    assert main.evaluate(INJECTED) == []
    for html in ("<i onclick=x>", "<iframe></iframe>", "<a href=' javascript:x'>", "<img src='data:,evil'>"):
        main.evaluate("(main, html) => main.insertAdjacentHTML('beforeend', html)", html)
    assert len(main.evaluate(INJECTED)) == 4
