"""The room of a figure: the page, or the column where it is drawn."""

import re
from functools import cache
from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest

from pages.browser import screen
from pages.browser.screen import AT_STOP, BESIDE, LOWEST, NARROWEST, SIZES
from pages.contract.look import ABOVE, REM, STACKED, USUAL, WIDEST
from pages.path.stops import STOP
from tests.covering import each
from tests.pages.session import Session

ROOT = Path(__file__).parents[2]


def _drawn() -> None:
    """A page that says what room its figures have."""
    import streamlit as st

    from pages.browser.screen import columns, look, note_sidebar

    left, right = columns([3, 2])
    with left:
        inside = st.container()
    with right:
        first, _ = columns([1, 1])
        st.session_state["right"] = look().for_picture.width
    with inside:
        st.session_state["left"] = look().for_picture.width
    with first:
        st.session_state["nested"] = look().for_picture.width
    st.session_state["page"] = look().for_picture.width
    st.session_state["tallest"] = look().for_picture.tallest
    note_sidebar(is_there=False)
    st.session_state["without a sidebar"] = look().for_picture.width


PARTS = ("page", "left", "right", "nested", "tallest", "without a sidebar")


@cache
def rooms(beside: int | None = None, wide: int = 980, height: int = 720) -> dict[str, float]:
    """Return the room in each part of the page, on a screen that has told its own."""
    return rooms_told(None if beside is None else f"{beside}.{wide}.{height}")


def rooms_told(told: object) -> dict[str, float]:
    """Return the same, on a screen that has told this."""
    app = AppTest.from_function(_drawn)
    app._bidi_component_manager = BidiComponentManager()  # as in a `Session`
    if told is not None:
        app.session_state["screen"] = {"room": told}
    app.run()
    assert list(app.exception) == []
    return {name: app.session_state[name] for name in PARTS}


def test_a_column_has_its_share_of_the_page_less_its_part_of_the_gap() -> None:
    found = rooms(960, 980)  # in a browser, where the page has 962, the columns have 560 and 368

    assert (found["page"], found["left"], found["right"]) == (960, 550, 360)
    assert found["without a sidebar"] == 980


def test_a_screen_of_unknown_width_counts_as_wide() -> None:
    assert rooms() == rooms(USUAL, USUAL, 0)


@each(
    ("address", "view", "is_beside"),
    [("classification", "flips", False), ("classification", "one review", True)],
)
def test_a_page_knows_whether_it_has_a_sidebar(address: str, view: str, is_beside: bool) -> None:
    session = Session(address, view=view)

    assert session.app.session_state[BESIDE] is is_beside
    assert bool(session.app.sidebar.caption) is is_beside


def test_a_figure_ends_with_the_window_where_pictures_stand_side_by_side() -> None:
    assert rooms(860, height=720)["tallest"] == 720 - ABOVE
    assert rooms(860, height=311)["tallest"] == LOWEST - ABOVE
    assert rooms(320, height=0)["tallest"] == inf


@each(("height", "tallest"), [(720, 720 - AT_STOP), (LOWEST, LOWEST), (0, inf)])
def test_a_figure_of_a_stop_ends_with_the_window_below_the_bar_of_the_stop(
    monkeypatch: pytest.MonkeyPatch, height: int, tallest: float
) -> None:
    monkeypatch.setattr(screen, "current_state", lambda: SimpleNamespace(chosen={STOP: ("1",)}))
    assert rooms_told(f"860.980.{height}")["tallest"] == tallest - ABOVE


@each("told", ["860.980", "-860.980.720", "860.980.720\n", "٨٦٠.980.720", 7])
def test_an_invalid_width_does_not_count(told: object) -> None:
    assert rooms_told(told) == rooms()


def test_no_screen_is_larger_than_figures_are_drawn_for() -> None:
    found = rooms_told("9999.9999.9999")

    assert (found["page"], found["without a sidebar"]) == (WIDEST, WIDEST)
    assert found["tallest"] < 2000


def test_a_figure_may_be_as_wide_as_the_widest_page() -> None:
    between = SIZES["widest_page"] - 2 * SIZES["padding"]
    assert between - SIZES["step"] < WIDEST <= between


def test_on_a_narrow_page_a_column_has_all_of_it() -> None:
    found = rooms(STACKED - 20)

    assert found["left"] == found["right"] == found["nested"] == found["page"] == STACKED - 20


def test_columns_stack_where_the_style_sheet_stacks_them() -> None:
    assert f"@container page (max-width: {STACKED - 1}.9px)" in (ROOT / "pages" / "frame.css").read_text(
        "utf-8"
    )


def test_every_page_uses_columns_of_known_width() -> None:
    others = [
        path.name
        for path in sorted((ROOT / "pages").rglob("*.py"))
        if path.parent.name != "screen"
        and ("st.columns(" in path.read_text("utf-8") or ").columns(" in path.read_text("utf-8"))
    ]
    assert others == []


def test_the_screen_tells_its_width_in_steps_that_meet_the_stacking_point() -> None:
    assert all(at % SIZES["step"] == 0 for at in (STACKED, NARROWEST, WIDEST))


def test_the_browser_reckons_with_the_sizes_of_the_style_sheet() -> None:
    style = (ROOT / "pages" / "frame.css").read_text("utf-8")
    padding, narrow = SIZES["padding"] / REM, f"@media (max-width: {SIZES['narrow']}px)"

    assert f"padding: 4.25rem {padding}rem 2rem; max-width: {SIZES['widest_page']}px;" in style
    assert f"padding-inline: {padding / 2}rem" in style[style.index(narrow) :].splitlines()[1]
    assert f"width: {SIZES['narrow_sidebar']}px !important" in style[style.index(narrow) :].splitlines()[2]
    assert f"baseFontSize = {REM} " in (ROOT / ".streamlit" / "config.toml").read_text("utf-8")


def test_no_style_sheet_has_text_like_a_tag() -> None:
    """Streamlit leaves out the whole of a style sheet that has one."""
    for path in (ROOT / "pages").rglob("*.css"):
        assert re.search(r"<\w", path.read_text("utf-8")) is None, path.name


LOOKING_INSIDE = [
    ".stSidebar",
    '[data-testid="stLayoutWrapper"]',
    ".stApp",  # in a narrow window alone
    ".stApp",
    ".stApp label",
    '.stMainBlockContainer [data-testid="stMarkdownContainer"]',
    '[data-testid="stHorizontalBlock"]',
    '[data-testid="stNumberInputContainer"]',
]
"""The selectors that depend on content because no key is available; none slows a click."""


def test_no_selector_depends_on_content_if_a_key_is_available() -> None:
    """Such rules are asked anew at every change of the page: six others took two fifths of its styles."""
    style = (ROOT / "pages" / "frame.css").read_text("utf-8")
    asking = [line.strip() for line in style.splitlines() if ":has(" in line]
    assert [line[: line.index(":has(")].removesuffix(":not(") for line in asking] == LOOKING_INSIDE
