"""The home: a row that the model computes, a question about it, and ways to every view."""

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qsl, unquote_plus, urlsplit

import numpy as np
import pytest
from PIL import Image

from core.measures.heads.effects import head_effects
from core.measures.prediction import predict
from core.model.config import ModelConfig
from core.sources import UnavailableError, load
from pages import GROUPS, HOME
from pages.contract.items import Control as AskedControl
from pages.contract.parameters import PARAMETERS
from pages.contract.sheet import Sheet, Text, Tile, Tiles
from pages.contract.switches import Architecture
from pages.home import landing
from pages.home.controls import OF_THE_SENTENCE, said
from pages.home.gallery import found_for, gallery, gallery_items
from pages.home.landing import AFTER, ASKS, CHOICES, DOORS, PATH, WORDS, HomeRow, asked_row, comparison
from pages.home.pictures import GALLERY, address_of, file_of
from pages.sheet import build_sheet, lines
from pages.shell.parts import tiles
from pages.terms import TERMS
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.contract.test_every_sheet import parts
from tests.pages.session import Session, computed, readable
from tests.pages.test_hostile_text import UNESCAPED
from tests.views import PAGES

TEXT = " ".join(WORDS)
GALLERY_ITEMS = gallery_items()


@pytest.fixture(scope="module")
def row() -> HomeRow:
    found = asked_row(Architecture(ModelConfig(vocab_size=1), "trained", 0))
    assert isinstance(found, HomeRow)
    return found


def linked(sheet: Sheet) -> Iterator[Tile]:
    yield from (tile for part in parts(sheet) if isinstance(part, Tiles) for tile in part.tiles)


def test_the_row_is_from_the_head_on_which_the_next_word_depends_most(row: HomeRow) -> None:
    effects = head_effects(load("trained", ModelConfig(vocab_size=1), WORDS, 0), position=ASKS)
    most = effects.sort_values("divergence").iloc[-1]
    assert (row.decisive.layer + 1, row.decisive.head + 1) == (most["layer"], most["head"]) == (1, 2)
    reading = computed(TEXT, source="trained")
    np.testing.assert_allclose(row.weights, reading.patterns()[0, 1, ASKS], atol=1e-6)
    np.testing.assert_allclose(row.mixed, reading.head(0, 1).z[ASKS], atol=1e-6)
    assert WORDS[row.first] == "Maria"
    assert row.weight_of("Zuko") == pytest.approx(row.weights[2] + row.weights[7])


def test_the_expected_word_is_the_models_prediction(row: HomeRow) -> None:
    prediction = predict(load("trained", ModelConfig(vocab_size=1), WORDS, 0))
    shares = dict(zip(prediction.vocabulary, prediction.probabilities(ASKS), strict=True))
    assert row.expected.lower() == max(shares, key=lambda word: shares[word])
    for word in CHOICES:
        assert row.probability(word) == pytest.approx(shares[word.lower()])
    assert row.probability("Maria", without=True) < 0.5 < row.probability("Maria")


def test_the_answer_is_hidden_before_a_guess(row: HomeRow) -> None:
    assert comparison(row, "") == ()
    assert "expects" not in "".join(lines(build_sheet("/")))


@each(
    ("guess", "said"),
    [
        ("Maria", "The model expects the same: **Maria**, p = 0.894."),
        ("Zuko", "The model expects **Maria**, p = 0.894; *Zuko* has p = 0.056."),
    ],
)
def test_a_guess_stands_beside_the_models_prediction(row: HomeRow, guess: str, said: str) -> None:
    compared, why = comparison(row, guess)
    assert compared == said
    assert why == (
        "The arcs bring *Maria* to the last word, with 87 % of its attention. "
        "Without this head, p = 0.155 is left of p = 0.894."
    )


def test_a_head_without_which_the_word_is_as_likely_is_not_said_to_bring_it_alone(row: HomeRow) -> None:
    other = replace(row, decisive=replace(row.decisive, without=row.decisive.all_heads))
    assert comparison(other, "Maria")[1].endswith("Without this head it still has p = 0.894.")


def test_the_four_lines_have_the_numbers_of_the_row_and_lead_to_them(row: HomeRow) -> None:
    (four,) = [
        part for part in parts(build_sheet("/").sheet) if isinstance(part, Tiles) and part.arranged == "lines"
    ]
    scores = [row.calculations[at].score for at in (0, 2)]
    assert all(f"{score:.2f}" in four.tiles[0].text for score in scores)
    assert f"{len(row.mixed)} numbers: [{row.calculations[0].v[0]:.2f}, " in four.tiles[2].text
    (cell,) = [
        part for part in lines(build_sheet(four.tiles[0].path)) if "attends to" in part and part[0] != "?"
    ]
    assert "**praised** (9) attends to **Maria** (1) · Layer 1 · head 2" in cell
    for tile, shown in zip(four.tiles[2:], (row.calculations[0].v, row.mixed), strict=True):
        link = urlsplit(tile.path)
        asked = Asked(link.path.removeprefix("/"), **dict(parse_qsl(link.query)))
        (opened,) = (one for one in asked.strip.stages if one["name"] == asked.strip.opened)
        # The values of all words, of which Maria is the first, and the mixed one of the word that asks alone.
        numbers = opened["result"]["values"][0]
        assert numbers[:2] == pytest.approx(shown[:2], abs=1e-5), "the page has the numbers that led there"


def test_every_tile_leads_to_an_existing_view() -> None:
    for tile in [*linked(build_sheet("/").sheet), *PATH, *DOORS]:
        address, _, query = tile.path.removeprefix("/").partition("?")
        view = dict(one.split("=") for one in query.split("&") if one).get("view")
        assert address in PAGES, tile
        assert view is None or unquote_plus(view) in PAGES[address].views, tile


def test_without_the_model_the_home_says_why_and_leads_on_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(switches: object) -> HomeRow:
        raise UnavailableError("No model is there.")

    monkeypatch.setattr(landing, "asked_row", missing)
    found = build_sheet("/").sheet
    assert found.notes == (Text("No model is there.", "warning"),)
    assert found.headline == "Attention lets a word take what it needs from the other words."
    assert {*PATH, *DOORS} <= set(linked(found))
    assert len(list(linked(found))) == len([*PATH, AFTER, *DOORS]) + len(gallery_items()) - 2


def test_the_gallery_has_every_view_of_every_page_in_the_order_of_the_menus() -> None:
    shown = [(one.entry.address, one.name) for one in gallery_items()]
    entries = [entry for entries in GROUPS.values() for entry in entries if entry != HOME]
    assert shown == [(entry.address, name) for entry in entries for name in PAGES[entry.address].views]
    groups = [part for part in gallery("", "light") if isinstance(part, Tiles)]
    assert sum(len(group.tiles) for group in groups) == len(shown) - 2, "exam and lectures stand above"
    assert groups[0].title == "Step by step: How does one head turn words into output?"


def test_the_exam_stands_below_the_path_and_is_found_by_a_search() -> None:
    def listed(wanted: str) -> list[str]:
        groups = [part for part in gallery(wanted, "light") if isinstance(part, Tiles)]
        return [tile.path for group in groups for tile in group.tiles]

    assert "/exam?view=exam" not in listed("")
    assert listed("exam")[0] == "/exam?view=exam"
    assert AFTER in set(linked(build_sheet("/").sheet))


WITHOUT_PICTURE = {
    ("similarity", "explorer"),
    *((name, name) for name in ("models", "exam", "glossary", "lecture", "sources")),
}
"""Views that draw nothing as they open, or depend on the machine; pages that list other pages' content."""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_view_that_draws_has_a_small_picture_which_the_server_hands_out(theme: str) -> None:
    without = {
        (one.name, one.entry.address)
        for one in gallery_items()
        if not address_of(one.entry.folder, one.name, theme)
    }
    assert without == WITHOUT_PICTURE
    files = {file_of(one.entry.folder, one.name, theme) for one in gallery_items()}
    assert set(GALLERY.glob(f"*-{theme}.webp")) <= files
    for file in GALLERY.glob(f"*-{theme}.webp"):
        with Image.open(file) as picture:
            assert picture.format == "WEBP"
            assert max(picture.size) <= 480


@each(
    ("wanted", "views"),
    [
        ("residual connections", {("blocks", "residual"), ("blocks", "pre and post")}),
        ("Masking PAINT", {("masking", "paint")}),
        ("look-up", {("step-by-step", "soft lookup")}),
        ("bottleneck vector", {("translation", "bottleneck")}),
    ],
)
def test_views_are_found_by_page_name_question_and_concept(wanted: str, views: set[tuple[str, str]]) -> None:
    assert found(wanted) >= views
    assert len(found(wanted)) < 8


def found(wanted: str) -> set[tuple[str, str]]:
    return {(one.entry.address, one.name) for one in GALLERY_ITEMS if one.matches(wanted)}


STUDENT_WORDS = {
    ("step-by-step", "one head"): "embedding, QKV",
    ("generation", "memory"): "KV cache, GQA",
    ("positions", "rotary"): "RoPE",
    ("masking", "paint"): "mask, sliding window",
    ("heads", "reshape"): "multi-head attention",
    ("scaling", "long vectors"): "softmax, sqrt(d)",
    ("architectures", "recurrent"): "RNN, Bahdanau",
    ("explorer", "head scores"): "induction head",
    ("blocks", "residual"): "skip connection",
    ("blocks", "layer norm"): "layernorm, layer normalization",
    ("blocks", "feed-forward"): "MLP, activation function",
    ("positions", "all schemes"): "positional encoding",
    ("translation", "cross-attention"): "alignment, score function",
    ("architectures", "encoder–decoder"): "seq2seq, parameter count",
    ("explorer", "heads"): "attention map",
    ("classification", "one review"): "sentiment",
    ("interaction-distance", "long range"): "subject-verb agreement",
    ("interaction-distance", "cost"): "quadratic, speed",
    ("gradients", "distance"): "BPTT, vanishing gradients",
    ("masking", "the future"): "look-ahead mask",
    ("generation", "side by side"): "Temperature, argmax, top-p",
    ("training", "training"): "cross entropy, learning rate",
    ("models", "models"): "GPT-2, BPE, pretraining",
}
"""Searches of students, by the view that answers them."""


@each(("wanted", "view"), [(one, view) for view, said in STUDENT_WORDS.items() for one in said.split(", ")])
def test_views_are_found_by_the_words_of_students(wanted: str, view: tuple[str, str]) -> None:
    there = found(wanted)
    assert view in there
    assert len(there) <= 12, "it tells views apart"


@each("wanted", ["dropout", "batch norm", "zzz"])
def test_a_search_without_a_view_says_so(wanted: str) -> None:
    assert found_for(wanted) == []


def test_every_view_and_every_term_can_be_found() -> None:
    views = {(one.entry.address, one.name): one for one in gallery_items()}
    for one in views.values():
        assert one.matches(f"{one.entry.title} {one.name}")
    for term in TERMS.values():
        shown = views[term.view.address, term.view.view]
        assert [name for name in (*term.spellings, *term.searched) if not shown.matches(name)] == []


def test_every_option_that_is_a_word_is_searched() -> None:
    chosen = [one for one in PARAMETERS.values() if one.kind == "one of" and one.name != "view"]
    assert "RNN" in {option for one in chosen for option in one.options}
    for one in chosen:
        words = {str(option) for option in one.options if re.search(r"[^\W\d_]{2}", str(option))}
        assert one.name in OF_THE_SENTENCE or words <= set(said(AskedControl(one, "choice", None))), one.name


def test_a_word_that_only_the_glossary_or_the_path_says_leads_to_their_view() -> None:
    assert found("carrousel"), "a term itself"
    assert not found("waves"), "a word in the sentence on sinusoidal positions alone"
    assert [one.name for one in found_for("waves")] == ["sinusoidal"]
    tiled = [part for part in gallery("waves", "light") if isinstance(part, Tiles)]
    assert [tile.title for part in tiled for tile in part.tiles] == ["sinusoidal"]


def test_a_vain_search_is_quoted_as_typed() -> None:
    _, notice = gallery("<b>zzz</b>", "light")
    assert isinstance(notice, Text)
    assert notice.kind == "info"
    assert UNESCAPED.search(notice.markdown) is None
    assert "*<b>zzz</b>* is not among the names, controls, concepts and terms" in readable(notice.markdown)


def test_the_characters_of_a_tile_stand_for_themselves() -> None:
    markup = tiles(Tiles((Tile("<i>", "a & b", '/x?y="z"', "'n'"),), title="<h>", arranged="stops"))
    assert '<a href="/x?y=&quot;z&quot;"><strong>&lt;i&gt;</strong><span>a &amp; b</span>' in markup
    assert "<h3>&lt;h&gt;</h3><ol><li>" in markup
    assert "<small>&#x27;n&#x27;</small>" in markup
    assert "<ul>" in tiles(Tiles((Tile("a", "b", "/"),)))
    assert "<small>" not in tiles(Tiles((Tile("a", "b", "/"),)))
    slides = tiles(Tiles((Tile("<i>", "b", "/", slides={"pdf": "/f?a=1&b=2"}),)))
    assert '<a class="slides" href="/f?a=1&amp;b=2" download' in slides
    assert 'aria-label="Slides (PDF) of &lt;i&gt;">Slides (PDF)</a>' in slides
    of_all = tiles(Tiles((Tile("a", "b", "/"),), files={"<Notes>": "/f?a=1&b=2"}))
    assert '</ul><a class="slides" href="/f?a=1&amp;b=2" download>&lt;Notes&gt;</a></div>' in of_all


def test_a_press_reveals_the_models_prediction_and_stays_in_the_link() -> None:
    session = Session("")
    assert session.pictures == ["arcs"]
    assert not any(node.type in ("toggle", "selectbox", "markdown") for node in session.app.sidebar)
    session.press("the stores")
    assert session.link == {"guess": "stores"}
    assert "The model expects **Maria**, p = 0.894; *stores* has p < 0.001." in session.prose
