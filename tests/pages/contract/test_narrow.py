"""On a telephone a figure that is as wide as its window leaves most of it to what it draws."""

import pytest

from pages.contract.look import Look
from pages.sheet import build_sheet
from tests.covering import first_of_each
from tests.pages.contract.test_every_sheet import VIEWS, link, pictures

pytestmark = pytest.mark.usefixtures("without_real_models")

TELEPHONE = Look(page=350, width=350)
LEAST = 0.5
"""The share of the width that names beside a figure have to leave."""


@pytest.mark.parametrize(
    ("address", "view"),
    first_of_each(lambda address, _: address, VIEWS, long="a figure of a view that has names beside it"),
)
def test_names_leave_room_for_their_bars(address: str, view: str) -> None:
    for key, shown in pictures(build_sheet(link(address, view), TELEPHONE)).items():
        layout = shown.picture.figure(TELEPHONE.for_picture).to_dict()["layout"]
        beside = layout["margin"]["l"] + layout["margin"]["r"]
        assert beside <= (1 - LEAST) * TELEPHONE.width, key
