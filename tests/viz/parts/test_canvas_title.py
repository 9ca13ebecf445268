"""The headline of a figure: the whole title where it can be read, else a short form that remembers it."""

import pytest

from viz.parts.canvas import canvas
from viz.theme import LIGHT

WHOLE, SHORT = "Attention weights, layer 1, head 3, after step 3", "Layer 1, head 3"


@pytest.mark.parametrize(
    ("width", "drawn", "kept"),
    [(700, WHOLE, None), (300, SHORT, WHOLE), (100, "Layer 1,…", WHOLE)],
)
def test_a_title_without_room_gives_way_to_its_short_form(width: int, drawn: str, kept: str | None) -> None:
    layout = canvas(width, 100, LIGHT, title=WHOLE, short=SHORT).finished().to_dict()["layout"]
    assert layout["title"]["text"] == f"<b>{drawn}</b>"
    assert layout.get("meta", {}).get("title") == kept
