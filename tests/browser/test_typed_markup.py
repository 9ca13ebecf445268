"""Typed markup is shown as the characters typed, wherever it appears, and does nothing."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Dialog, expect

from core.text.tokenizer import words_of
from pages.contract.words import UNKNOWN_MARK
from tests.browser.plot import Plot
from tests.browser.visitor import Visitor
from tests.pages.test_prose import MARKUP

EVIL = "<img src=//evil onerror=alert(1)> <b>is</b>"

WORST = (
    f'{EVIL} "><svg/onload=alert(1)> <a href=javascript:alert(1)>is</a> [the](javascript:alert(1)) '
    "'-alert(1)-' </style><script>alert(1)</script> <iframe src=//evil></iframe> "
    "%{y:<b>} ${alert(1)} {{alert(1)}}"
)
"""Texts that could run code or change the page: in a page, an attribute, a link, a style, a template."""

INJECTED = """(main) => [...main.querySelectorAll("*")].filter((one) =>
    ["B", "IMG", "SCRIPT", "IFRAME", "OBJECT", "EMBED", "BASE", "FORM", "META", "LINK"].includes(one.tagName)
    || [...one.attributes].some((each) => each.name.startsWith("on"))
    || /^\\s*javascript:/i.test(one.getAttribute("href") ?? "")
    || [one.getAttribute("href"), one.getAttribute("src")].some((at) => at?.includes("evil")
        && new URL(at, "http://here").origin !== "http://here")
).map((one) => one.outerHTML.slice(0, 200))"""
"""Elements that the app has none of, and those that could run code or fetch something from elsewhere."""


@pytest.fixture
def visitor(visitor: Visitor) -> Iterator[Visitor]:
    """Somebody who notices a dialog; a request that would leave the machine is noticed anyway."""

    def notice(dialog: Dialog) -> None:
        visitor.problems.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    visitor.page.on("dialog", notice)
    yield visitor
    visitor.page.remove_listener("dialog", notice)


ANYWHERE = dict.fromkeys(("seed", "heads", "layer", "code", WORST), WORST)
"""Further parameters for every page, with impossible values."""

PAGES_THAT_QUOTE = {
    "/step-by-step": {"view": "one head", "stage": "scores", "edit": WORST},
    "/explorer": {"drawn": "lines"},
    "/translation": {"view": "translate", "begins": WORST},
    "/generation": {"by_hand": WORST},
}
"""Pages whose pictures are made by other means, and those that read a parameter of the link themselves."""


@pytest.mark.parametrize(
    "page",
    [
        next(iter(PAGES_THAT_QUOTE)),
        *(
            pytest.param(page, marks=pytest.mark.long("pages whose figures are not the one tested below"))
            for page in list(PAGES_THAT_QUOTE)[1:]
        ),
    ],
)
def test_nothing_that_a_link_carries_runs_or_fetches_or_becomes_an_element(
    visitor: Visitor, page: str
) -> None:
    visitor.go_on(page, text=WORST, **ANYWHERE, **PAGES_THAT_QUOTE[page])
    assert injected(visitor) == []
    assert visitor.exceptions() == []


def test_words_that_are_markup_are_words_of_a_figure(visitor: Visitor) -> None:
    visitor.go_on("/explorer", text=EVIL, query=2, key=1, mask="bidirectional")
    assert injected(visitor, EVIL) == []
    expect(visitor.page.get_by_text("img† (2) attends to “\u2060<†” (1)")).to_be_visible()
    matrix = Plot(visitor, "matrix")
    assert [word.removesuffix(UNKNOWN_MARK) for word in matrix.words()] == list(words_of(EVIL))
    matrix.point_at(0, 1)
    expect(visitor.page.locator(".st-key-matrix .hoverlayer")).to_contain_text("query img† → key <†")
    visitor.check()


def injected(visitor: Visitor, typed: str = WORST) -> list[str]:
    """Return elements of the page that were made from the typed text, which its first box shows in full."""
    main = visitor.page.get_by_test_id("stMain")
    expect(main.get_by_label("Sentence", exact=True).first).to_have_value(typed)
    found: list[str] = main.evaluate(INJECTED)
    return found


@pytest.mark.long("what is refused, as a browser shows it; its text is tested without one")
@pytest.mark.parametrize("viewport", [(900, 900)], ids=["900 wide"])  # where a page runs again for its width
def test_markup_in_a_mangled_parameter_stays_text(visitor: Visitor) -> None:
    switches = ("heads", "layers", "mask", "mlp", "norm", "positions", "residual", "scale", "window")
    names = (*switches, "seed", "view")
    for start in range(0, len(MARKUP), len(names)):
        typed = dict(zip(names, MARKUP[start:], strict=False))
        visitor.go_on("/explorer", model="random", **typed)

        notes = visitor.page.get_by_test_id("stAlertContentWarning")
        expect(notes).to_have_count(len(typed))
        said = "\n".join(notes.all_inner_texts()).replace("\u2060", "")
        for name, text in typed.items():
            assert f"asks for {name} = {text}, but" in said
        assert notes.locator("a, img, code, strong, em, del, .katex").count() == 0
        assert quote("evil") not in visitor.page.url
    visitor.check()


def test_injected_markup_would_be_noticed(visitor: Visitor) -> None:
    harmless = '<p data-onclick="x">a <i>word</i> <a href="masking?text=//evil">evil</a></p>'
    hostile = (
        "<i onclick=x>",
        "<iframe></iframe>",
        "<a href=' javascript:x'>",
        "<a href=//evil>x</a>",
        "<img src='data:,evil'>",
        "<b>x</b>",
    )
    visitor.forget()  # a page of the app has a policy that runs none of it
    main = visitor.page.locator("main")
    for html, n_found in ((harmless, 0), ("".join(hostile), len(hostile))):
        visitor.page.set_content(f"<main>{html}</main>")
        assert len(main.evaluate(INJECTED)) == n_found
