"""Valid requests, and the names of their files."""

import pytest

from figures.export import file
from figures.export_request import (
    LONGEST_LINK,
    ExportRequest,
    ExportRequestError,
    Kind,
    Style,
    parse_export_request,
)
from figures.preset import ACL
from figures.provenance import LONGEST_NAME, file_name
from tests.figures.made_up import MadeUp


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("kind", ["pptx", "pdf"])
def test_a_lecture_has_no_slides_of_a_width_in_print(kind: Kind, made_up: MadeUp) -> None:
    request = ExportRequest(link="/lecture?deck=cs224n", kind=kind, style=Style(preset=ACL))
    with pytest.raises(ExportRequestError, match="has no slide"):
        file(request, made_up)
    assert made_up.jobs == []
