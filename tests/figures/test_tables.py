"""Tables as figures: the content of cells, wrapping, alignment, and rows without room."""

from typing import Any

import pandas as pd
import pytest

from figures.export_pictures import export_pictures
from figures.export_request import Style
from figures.layout import job
from figures.preset import PRESETS, SLIDE, Preset
from figures.rendering import fonts
from figures.rendering.job import Script
from figures.tables import TextTable, set_table, tabled
from pages.contract.sheet import Column, Table
from tests.covering import each
from viz.theme import LIGHT

WIDE, HIGH = 700.0, 500.0
NARROWEST = min(PRESETS.values(), key=lambda preset: preset.width)


def table(n_rows: int = 3, n_columns: int = 2, text: str = "hot tea") -> TextTable:
    names = [f"number {at}" for at in range(n_columns)]
    return TextTable(
        heads=("what", *names),
        rows=tuple((f"{text} {row}", *(f"{row}.{at}7" for at in range(n_columns))) for row in range(n_rows)),
        are_numbers=(False, *[True] * n_columns),
        table=pd.DataFrame,
    )


def drawn(tabled: TextTable, width: float = WIDE, height: float = HIGH, fills: bool = True) -> dict[str, Any]:
    return set_table(tabled, width, height, least_type=16, theme=LIGHT, fills=fills)


def texts(data: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    return [(look, text) for name, look, text in data["nodes"] if name == "text"]


def test_every_cell_is_drawn_and_numbers_are_aligned_right() -> None:
    data = drawn(table())
    said = {text: look for look, text in texts(data)}
    assert {"what", "number 0", "hot tea 0", "hot tea 2", "1.07", "2.17"} <= set(said)
    assert {said[f"{row}.17"]["text-anchor"] for row in range(3)} == {"end"}
    assert len({said[f"{row}.17"]["x"] for row in range(3)}) == 1
    assert said["hot tea 1"]["x"] == said["hot tea 0"]["x"]
    assert said["hot tea 0"]["y"] < said["hot tea 1"]["y"] < said["hot tea 2"]["y"]


def test_no_line_is_wider_than_the_table_and_long_texts_are_wrapped() -> None:
    data = drawn(table(text="a text of so many words that no line has room for all of them"), width=300)
    for look, text in texts(data):
        width = fonts.width(text, look["font-size"], weight=look["font-weight"])
        left = look["x"] - width if look.get("text-anchor") == "end" else look["x"]
        assert left > -1
        assert left + width < 301
    assert not any("words that no line has room for all of them" in text for _, text in texts(data))


def test_type_grows_with_the_room_and_is_never_below_the_least() -> None:
    for n_rows, fills, size in ((2, True, 24), (40, True, 16), (2, False, 16)):
        made = drawn(table(n_rows=n_rows), fills=fills)
        assert {look["font-size"] for look, _ in texts(made)} == {size}


@each(("preset", "larger"), [(NARROWEST, False), (SLIDE, True)])
def test_a_table_of_a_column_has_the_least_type_and_one_of_a_slide_fills_it(
    preset: Preset, larger: bool
) -> None:
    link = "/interaction-distance?view=cost"
    (export_picture,) = (
        one for one in export_pictures(link, preset, LIGHT) if isinstance(one.picture, TextTable)
    )
    made = job(export_picture, Style(preset=preset), ("svg",)).drawn
    assert isinstance(made, Script)
    sizes = {look["font-size"] for look, _ in texts(made.data)}
    assert (min(sizes) > preset.least_type + 0.01) == larger
    assert larger or max(sizes) == pytest.approx(preset.least_type, abs=0.01)


def test_columns_spread_over_the_room() -> None:
    gaps = []
    for width in (224, 236, 2000):
        made = drawn(table(), width=width, fills=False)
        said = {text: look for look, text in texts(made)}
        left = said["hot tea 1"]["x"] + fonts.width("hot tea 1", 16)
        gaps.append((said["number 0"]["x"] - fonts.width("number 0", 16, weight=600) - left) / 16)
        assert max(look["x"] for look, _ in texts(made)) <= width
    assert 0.85 < gaps[0] < gaps[1] < gaps[2] < 2.55


def test_rows_without_room_are_counted() -> None:
    data = drawn(table(n_rows=100))
    said = [text for _, text in texts(data)]
    shown = sum(text.startswith("hot tea") for text in said)
    assert said[-1] == f"… and {100 - shown} more rows"
    last = {texts(drawn(table(n_rows=9), height=height))[-1][1] for height in range(200, 330, 3)}
    assert "… and 1 more row" in last
    assert "… and 1 more rows" not in last
    assert 10 < shown < 100
    assert data["height"] <= HIGH


def test_a_table_has_the_formats_of_its_columns_and_bars() -> None:
    frame = pd.DataFrame({"head": [1, 2], "share": [0.25, 0.5], "change": [0.1234, -0.5]})
    columns = {"share": Column("%.2f", is_bar=True), "change": Column("%+.3f")}
    written = tabled(Table("key", frame, columns=columns, title="A title"))
    assert written.rows == (("1", "0.25", "+0.123"), ("2", "0.50", "−0.500"))
    assert written.shares == {(0, 1): 0.25, (1, 1): 0.5}
    bars = [look["width"] for name, look, _ in drawn(written)["nodes"] if name == "rect"]
    assert bars[1] / bars[0] == pytest.approx(0.25, abs=0.01)
    assert bars[3] / bars[2] == pytest.approx(0.5, abs=0.01)


def test_a_cell_of_a_text_table_is_read_as_a_sentence_is() -> None:
    cells = (
        "**bold *and* stressed**",
        "`a * b`",
        "[a link](/masking)",
        "5 * 3 * 2",
        r"1\. \*a\*",
        r"$\sqrt d$",
    )
    written = tabled(Table("one", f"| {' | '.join(cells)} |\n|{' - |' * len(cells)}"))
    assert written.heads == ("bold and stressed", "a * b", "a link", "5 * 3 * 2", "1. *a*", "√d")


@each("fills", [True, False])
def test_a_table_stands_in_the_middle_of_a_slide_and_at_the_left_of_a_column(fills: bool) -> None:
    data = drawn(table(), fills=fills)
    (left, right), *others = [(look["x1"], look["x2"]) for name, look, _ in data["nodes"] if name == "line"]
    assert all(one == (left, right) for one in others)
    assert min(look["x"] for look, _ in texts(data)) == left
    assert left == pytest.approx(WIDE - right if fills else 0, abs=0.02)
    assert right < WIDE - 50
