"""Lines are measured as a browser sets them, and a file carries the letters that it uses."""

import re
from base64 import b64decode
from io import BytesIO

import pytest
import uharfbuzz
from fontTools.ttLib import TTFont

from figures.rendering import fonts
from tests.covering import each


def carried(css: str) -> list[TTFont]:
    return [TTFont(BytesIO(b64decode(data))) for data in re.findall(r"base64,([^)]+)\)", css)]


def test_a_text_is_broken_between_words_and_lines_fit_their_room() -> None:
    text = "the chef who ran out of blackberries is tired of it all"
    lines = fonts.broken(text, 120, 16)
    assert len(lines) > 1
    assert " ".join(lines) == text
    assert all(fonts.width(line, 16) <= 120 for line in lines)
    assert fonts.width(f"{lines[0]} {lines[1].split()[0]}", 16) > 120  # words that fit stay in the line


def test_a_line_of_items_is_broken_between_them_and_no_dot_hangs() -> None:
    said = "“one · two” · trained weights · Query: 9 · Key: 1"
    wide = fonts.width("“one · two” · trained weights · Query: 9 · Key:", 16)
    assert fonts.broken_items(said, wide, 16) == ("“one · two” · trained weights · Query: 9", "Key: 1")
    narrow = fonts.width("trained weights", 16)
    assert fonts.broken_items(said, narrow, 16) == ("“one · two”", "trained weights", "Query: 9", "Key: 1")
    assert fonts.broken_items("one two · three", fonts.width("one", 16) + 1, 16)[:2] == ("one", "two")
    assert fonts.broken_items("", 100, 16) == ()


@each(
    ("text", "kept"),
    [
        ("Share of each number lost, with 50 % of the weight", "50 %"),
        ("trained in artificial English: 2 layers, 4 heads", "2 layers,"),
        ("networks: LSTM (2 layers), trained", "(2 layers),"),
        ("Attention weights of one, layer 1, head 3", "layer 1,"),
        ("Share of each number lost, with 50\u00a0% of the weight", "50 %"),
    ],
)
def test_a_number_is_not_separated_from_its_unit(text: str, kept: str) -> None:
    least = fonts.width(kept, 16) + 1
    for room in (least, 1.5 * least, 2 * least, 3 * least):
        assert any(kept in line for line in fonts.broken(text, room, 16))
    narrow = " ".join(fonts.broken(text, least - 3, 16))
    assert kept in narrow, "neither is cut in a column without room for both"


def test_a_number_without_a_unit_may_end_a_line() -> None:
    assert fonts.broken("3 of", fonts.width("3 of", 16) - 1, 16) == ("3", "of")
    assert fonts.broken("a row of 3 of the words", fonts.width("a row of 3", 16) + 1, 16)[0] == "a row of 3"


def test_a_file_contains_only_its_characters() -> None:
    (font,) = carried(fonts.rules("<text>Größe α</text>"))
    assert set(map(ord, "Größe α")) <= set(font.getBestCmap())
    assert ord("ж") not in font.getBestCmap()
    assert "fvar" not in font  # else a PDF has it as drawings


@each("weight", [700])
def test_the_embedded_part_is_set_like_the_whole_typeface(weight: int) -> None:
    whole = uharfbuzz.Font(uharfbuzz.Face(unpacked(TTFont(fonts.path()))))
    whole.set_variations({"wght": weight})
    (cut,) = carried(fonts.rule(weight, frozenset("AVATo.")))
    part = uharfbuzz.Font(uharfbuzz.Face(unpacked(cut)))
    for features in ({}, {"kern": False}):
        for text in ("AVAT", "To."):
            assert advances(part, text, features) == pytest.approx(advances(whole, text, features), abs=1)
    assert sum(advances(part, "AV", {})) < sum(advances(part, "AV", {"kern": False}))


def unpacked(font: TTFont) -> bytes:
    font.flavor = None
    plain = BytesIO()
    font.save(plain)
    return plain.getvalue()


def advances(font: uharfbuzz.Font, text: str, features: dict[str, bool]) -> list[int]:
    """Return how far each letter moves the pen, in units of the typeface."""
    line = uharfbuzz.Buffer()
    line.add_str(text)
    line.guess_segment_properties()
    uharfbuzz.shape(font, line, features)
    return [letter.x_advance for letter in line.glyph_positions]
