"""Checks of every page: it is complete, fits its window, and is readable for everybody."""

from tests.browser.visitor import Theme, Visitor

LARGE = {"heads": 8, "layers": 6, "positions": "alibi"}
"""Switches with which the explorer has its largest figures."""

PAPERS = """() => [
    document.querySelector("[data-testid=stApp]"),
    ...document.querySelectorAll(".js-plotly-plot .main-svg:first-of-type"),
].map((paper) => getComputedStyle(paper).backgroundColor)"""
"""The backgrounds of the page and of each of its figures."""

PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(15, 20, 25)"}
"""The paper of the themes, as a browser writes it."""

STRAY = """() => {
    const scrolls = (one) => {
        const { overflowX, overflowY } = getComputedStyle(one);
        const [across, down] = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
        const is = (how, by) => ["auto", "scroll"].includes(how) && by > 0 && by < 24;
        return one.clientWidth > 0 && (is(overflowX, across) || is(overflowY, down));
    };
    return [...document.querySelectorAll(".stMain *")].filter(scrolls).map((one) => one.className);
}"""
"""Elements that scroll by less than a line of text: their scrollbar would show nothing new."""

KINDS = """() => {
    const said = /^(aria-.*|alt|title|role|tabindex|type|for|lang)$/;
    const names = (one) => [...one.attributes].filter(({ name }) => said.test(name));
    const told = (one) => names(one).map(({ name, value }) => `${name}:${!!value}`).sort();
    const kind = (one) => [one.tagName, one.dataset.testid, one.getAttribute("role"), ...told(one)].join();
    return [...new Set([...document.querySelectorAll("[data-testid=stApp] *")].map(kind))];
}"""
"""The kinds of elements on a page, by their role for screen readers, and whether their name is empty."""


def assert_whole(visitor: Visitor, theme: Theme, examined: set[str]) -> None:
    """The page says something without an error, begins at its top, fits the window and can be read by all.

    `examined` are kinds of elements that need not be examined again.
    """
    main, where = visitor.page.get_by_test_id("stMain"), f"{visitor.page.url} at {visitor.page.viewport_size}"
    assert main.inner_text().strip() != "", where
    assert main.evaluate("(main) => main.scrollTop") == 0, where
    assert visitor.exceptions() == [], where
    assert visitor.overflowing() == [], where
    assert visitor.page.evaluate(STRAY) == [], where
    assert visitor.illegible() == [], where
    assert set(visitor.page.evaluate(PAPERS)) == {PAPER[theme]}, where
    # Kinds examined on one page are skipped on the next: examining takes as long as drawing the page.
    kinds = set(visitor.page.evaluate(KINDS))
    if kinds - examined:
        examined |= kinds
        assert visitor.inaccessible() == [], where
