"""The room of a figure: that of the page, or of the column where it is drawn."""

import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.controls.screen import NARROWEST, STACKED, WIDEST

ROOT = Path(__file__).parents[2]


def _drawn() -> None:
    """A page that says what room its figures have."""
    import streamlit as st

    from pages.controls.screen import columns, room

    left, right = columns([3, 2])
    with left:
        inside = st.container()
    with right:
        first, _ = columns(2)
        st.session_state["right"] = room()
    with inside:
        st.session_state["left"] = room()
        st.session_state["small"] = room(211)
    with first:
        st.session_state["nested"] = room()
    st.session_state["panels"] = room(at_least=557)
    st.session_state["page"] = room()


def rooms(told: int | None = None) -> dict[str, int]:
    """The room in each part of the page, on a screen that has told its own."""
    app = AppTest.from_function(_drawn)
    if told is not None:
        app.session_state["screen"] = {"room": told}
    app.run()
    assert list(app.exception) == []
    return {name: app.session_state[name] for name in ("page", "left", "right", "small", "nested", "panels")}


def test_a_column_has_its_share_of_the_page_less_its_part_of_the_gap() -> None:
    found = rooms(960)  # in a browser, where the page has 962, the columns have 560 and 368

    assert found["page"] == 960
    assert found["left"] == 550
    assert found["right"] == 360


def test_until_the_screen_has_told_its_width_it_is_taken_for_wide() -> None:
    assert rooms() == rooms(WIDEST)


def test_no_figure_is_larger_than_it_wants_or_smaller_than_can_be_read() -> None:
    assert rooms(900)["small"] == 211
    assert rooms(347)["panels"] == 557
    assert rooms(120)["page"] == NARROWEST


def test_a_figure_is_not_wider_than_its_column_however_narrow_that_is() -> None:
    assert rooms(900)["nested"] == 150


def test_on_a_narrow_page_a_column_has_all_of_it() -> None:
    found = rooms(STACKED - 20)

    assert found["left"] == found["right"] == found["nested"] == found["page"] == STACKED - 20


def test_columns_stack_where_the_style_sheet_stacks_them() -> None:
    assert f"@container page (max-width: {STACKED - 1}.9px)" in (ROOT / "pages" / "frame.css").read_text(
        "utf-8"
    )


def test_every_page_takes_the_columns_whose_width_is_known() -> None:
    others = [
        path.name
        for path in sorted((ROOT / "pages").rglob("*.py"))
        if path.name != "screen.py"
        and ("st.columns(" in path.read_text("utf-8") or ").columns(" in path.read_text("utf-8"))
    ]
    assert others == []


def test_the_screen_tells_its_width_in_steps_that_meet_the_stacking_point() -> None:
    steps = re.search(r"const STEP = (\d+);", (ROOT / "pages" / "controls" / "screen.js").read_text("utf-8"))

    assert steps is not None
    assert STACKED % int(steps[1]) == 0
