"""While a page answers, long work waits; work of seconds that a page does itself keeps no other waiting."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
import streamlit as st

from core import priority
from pages.blocks import short_training
from pages.generation import costs
from pages.interaction_distance import cost
from tests.pages.session import Session


def test_a_page_has_priority_over_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, page = [], import_module("pages.shell.page")
    draw = page.draw_view
    monkeypatch.setattr(
        page, "draw_view", lambda *given: (counted.append(len(priority._answers)), draw(*given))
    )

    Session("scaling")

    assert counted == [1]
    assert not priority._answers


@pytest.mark.parametrize(
    ("module", "work", "button", "address", "view"),
    [
        (short_training, "short_training", "Train two", "blocks", "pre and post"),
        (cost, "forward_times", "Measure", "interaction-distance", "cost"),
        (costs, "word_times", "Measure", "generation", "memory"),
    ],
)
def test_seconds_of_work_on_a_page_keep_no_other_waiting(
    module: Any, work: str, button: str, address: str, view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []

    def begun(*args: Any, **named: Any) -> Iterator[Any]:
        counted.append(len(priority._answers))
        st.stop()
        yield

    monkeypatch.setattr(module, work, begun)
    more = {
        "blocks": {"shows": "training"},
        "interaction-distance": {"costs": "measured"},
        "generation": {"cost": "time per word"},
    }
    session = Session(address, view=view, **more[address])
    session.press(next(one.label for one in session.app.button if one.label.startswith(button)))

    assert counted == [0]
