"""Valid requests, and the names of their files."""

import pytest

from figures.export_request import (
    LONGEST_LINK,
    ExportRequestError,
    parse_export_request,
)
from figures.provenance import LONGEST_NAME, file_name
from tests.covering import each


@each(
    ("said", "why"),
    [
        ({}, "names a link"),
        ({"link": "https://elsewhere.example/"}, "names a link"),
        ({"link": "/" + "a" * LONGEST_LINK}, "has 24001 characters"),
        ({"link": "/", "format": "exe"}, "no such format"),
        ({"link": "/", "preset": "huge"}, "no such preset"),
        ({"link": "/", "theme": "<b>"}, "no such theme"),
        ({"link": "/", "scale": "400"}, "no such scale"),
        ({"link": "/", "width": "<b>"}, "such as 77mm"),
        ({"link": "/", "width": "77mm", "format": "pptx"}, "has no slide"),
        ({"link": "/", "preset": "neurips", "format": "pptx"}, "has no slide"),
    ],
)
def test_an_unknown_value_is_refused_without_repeating_it(said: dict[str, str], why: str) -> None:
    with pytest.raises(ExportRequestError, match=why) as told:
        parse_export_request(said)
    assert "<b>" not in str(told.value)


@each(
    ("said", "sentence", "name"),
    [
        (("explorer", "heads", "layer 1"), "The café is", "explorer-heads-layer-1-the-cafe-is"),
        (("view", "encoder–decoder"), "B − A", "view-encoder-decoder-b-a"),
        (("a",), "one two three four five", "a-one-two-three-four"),
        (("../../etc", "passwd"), "", "etc-passwd"),
        (("",), "-rf --force", "rf-force"),
        ((), "中文", "figure"),
        (("a" * 200,), "", "a" * LONGEST_NAME),
        (("con.svg", "a/b\\c:d\0e"), "", "con-svg-a-b-c-d-e"),
    ],
)
def test_a_name_is_letters_digits_and_hyphens(said: tuple[str, ...], sentence: str, name: str) -> None:
    assert file_name(*said, sentence=sentence) == name
