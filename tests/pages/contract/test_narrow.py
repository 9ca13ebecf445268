"""On a telephone a figure that is as wide as its window leaves most of it to what it draws."""

import re
from pathlib import Path

import pytest

from pages.contract.look import Look
from pages.sheet import answered
from tests.covering import first_of_each
from tests.pages.contract.test_every_sheet import VIEWS, link, pictures

TELEPHONE = Look(page=350, width=350)
LEAST = 0.5
"""The share of the width that names beside a figure have to leave."""

SCROLLED = {"review_verdicts"}
"""Figures that frame.css keeps wider than a telephone, which scrolls them."""


@pytest.mark.parametrize(
    ("address", "view"),
    first_of_each(lambda address, _: address, VIEWS, long="a figure of a view that has names beside it"),
)
def test_names_leave_room_for_what_they_name(address: str, view: str) -> None:
    for key, shown in pictures(answered(link(address, view), TELEPHONE)).items():
        layout = shown.picture.figure(TELEPHONE.for_picture).to_dict()["layout"]
        if key not in SCROLLED:
            beside = layout["margin"]["l"] + layout["margin"]["r"]
            assert beside <= (1 - LEAST) * TELEPHONE.width, key


def test_no_figure_of_a_telephone_is_kept_wider_than_its_window() -> None:
    style = Path("pages/frame.css").read_text("utf-8")
    kept = re.findall(r"\{ min-width: (\d+)px !important; \}", style)
    assert kept
    assert max(map(int, kept)) <= TELEPHONE.width
