"""The pictures of a link, and the provenance in their files."""

from urllib.parse import quote

import numpy as np
import pytest

from core.learning.collection import path_of
from core.learning.collection.checkpoint_store import digest
from core.sources import UnavailableError
from figures.export import file_stem, requested_pictures
from figures.export_pictures import NO_OWN_MODEL, ExportPicture, export_pictures
from figures.export_request import ExportRequest, Style
from figures.layout import job
from figures.preset import ACL_COLUMN, SLIDE
from figures.provenance import LONGEST_NAME, file_name
from figures.rendering.frame import above, below
from tests.covering import each
from viz.theme import DARK, GREY, LIGHT


def first(link: str, preset: object = SLIDE) -> ExportPicture:
    """Return the matrix or the lines of a link to the explorer, and the first picture of any other."""
    found = export_pictures(link, preset, LIGHT)
    return next((one for one in found if one.key in ("matrix", "lines")), found[0])


@pytest.mark.long("the real model; typed text is quoted from small ones in every run")
@pytest.mark.parametrize("model", ["", "&model=random", "&model=real"])
def test_a_figure_quotes_the_typed_text_and_not_its_pieces(model: str) -> None:
    typed = "<b>Don't   stop</b>, “tea”!\u202eabc"
    one = first(f"/explorer?view=heads{model}&text={quote(typed)}")
    assert one.caption.startswith("“<b>Don't stop</b>, “tea”!�abc” · ")
    assert one.sentence == "<b>Don't stop</b>, “tea”!�abc"


def test_both_sentences_are_quoted_as_typed() -> None:
    link = f"/order-invariance?text={quote('the cat, it sat.')}&other={quote('it sat, the cat.')}"
    assert first(link).caption.startswith("“the cat, it sat.” · “it sat, the cat.” · ")


MEANING = " · † not among the words that the model has learned"


@each(
    ("link", "is_said"),
    [
        ("/explorer?view=heads&text=the+xyzzy", True),
        ("/architectures?mask=causal&text=the+xyzzy", True),
        ("/explorer?view=probabilities&text=the+xyzzy", False),
        ("/explorer?view=heads&model=random&text=the+†", False),
        ("/explorer?view=heads&text=the+chef", False),
    ],
)
def test_a_picture_with_the_mark_of_unknown_words_explains_it(link: str, is_said: bool) -> None:
    assert first(link).caption.endswith(MEANING) == is_said


def test_trained_weights_have_the_hash_of_their_file() -> None:
    one = first("/explorer?view=heads&positions=rotary")
    assert one.provenance["checkpoint"] == digest(path_of("causal-rotary-4-pre"))


def test_a_link_to_an_own_model_saves_no_other_model() -> None:
    with pytest.raises(UnavailableError, match=NO_OWN_MODEL):
        requested_pictures(ExportRequest(link="/explorer?view=heads&model=mine"))


def test_a_name_has_page_view_head_and_words() -> None:
    export_picture = first("/explorer?view=heads&text=the+girl+who+saw+the+boys&head=2")
    assert file_stem(export_picture, Style()) == "explorer-heads-matrix-layer-1-head-2-the-girl-who-saw"
    printed = Style(preset=ACL_COLUMN, theme=GREY)
    assert (
        file_stem(export_picture, printed)
        == "explorer-heads-matrix-layer-1-head-2-acl-column-grey-the-girl-who-saw"
    )


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


@each("preset", [SLIDE, ACL_COLUMN])
def test_a_figure_fits_its_sheet_in_every_preset(preset: object) -> None:
    style = Style(preset=preset, qr=True)
    made = job(first("/gradients?view=clipping", preset), style, ("svg",))
    frame, drawn = made.frame, made.drawn
    width, height = drawn.width * drawn.scale, drawn.height * drawn.scale
    assert width <= frame.width - 2 * frame.margin + 1
    assert above(frame) + height <= (frame.height or preset.max_height) - below(frame) + 1
    assert frame.caption_type >= preset.least_type


def test_a_dark_sheet_is_dark_and_a_transparent_one_has_no_paper() -> None:
    one = export_pictures("/explorer?view=heads", SLIDE, DARK)[0]
    assert job(one, Style(theme=DARK), ("svg",)).frame.paper == DARK.paper
    clear = job(one, Style(theme=DARK, transparent=True), ("svg",))
    assert clear.frame.transparent
    assert clear.drawn.paper == DARK.paper, "its cells are transparent"
    layout = clear.drawn.figure["layout"]
    assert {layout["paper_bgcolor"], layout["plot_bgcolor"]} == {"rgba(0,0,0,0)"}


@each("drawn", ["matrix", "lines"])
def test_masked_pairs_are_missing_among_the_numbers(drawn: str) -> None:
    table = first(f"/explorer?drawn={drawn}&text=the+old+cat").table
    assert table is not None
    assert table().isna().to_numpy().tolist() == [[False, True, True], [False, False, True], [False] * 3]


def test_a_file_of_all_heads_has_their_weights_and_the_page_their_entropies() -> None:
    grid = export_pictures("/explorer?text=the+old+cat&heads=2&layers=1", SLIDE, LIGHT)[0]
    assert grid.table is not None
    assert "entropy in bits" in grid.table().columns
    weights = grid.data()
    assert list(weights.columns) == ["the", "old", "cat"]
    assert [(layer, head) for layer, head, _ in weights.index[::3]] == [(1, 1), (1, 2)]
    np.testing.assert_allclose(weights.sum(axis="columns"), 1, rtol=1e-5)
