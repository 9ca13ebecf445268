"""A lecture as one page of HTML: it asks for nothing, runs nothing of a deck, and has Plotly once."""

import json
import re
from dataclasses import replace

import pytest

from figures.document.lecture import public_notes
from figures.export import file
from figures.export_request import ExportRequest
from figures.markup import blocks
from figures.rendering.browser import PLOTLY
from pages.lecture.deck import Deck, LectureStep, packed, shipped
from tests.covering import each
from tests.figures.made_up import HOSTILE, MadeUp
from tests.figures.test_document import Read
from tests.pages.lecture.test_step import picture

MOST_BYTES = 8 * 2**20
PICTURE = picture()
PLOT = "/scaling?view=long+vectors"

DECK = Deck(
    HOSTILE,
    (
        LectureStep(PLOT, f"Plot {HOSTILE}", notes=f"Secret.\n(p) Public {HOSTILE}\nSecret (p) too."),
        LectureStep(PLOT, "Again", sentence=f"Mine {HOSTILE}", covered=True, question="Which?"),
        LectureStep(PLOT, "Without", sentence="none"),
        LectureStep(kind="text", text=f"- {HOSTILE}\n- [a](javascript:alert(1))\n\nEnd"),
        LectureStep(kind="picture", title="P", picture=PICTURE),
        LectureStep(kind="formula", formula=r"\href{javascript:alert(1)}{a}"),
        LectureStep("/explorer?text=" + "a+" * 1500, "Too long"),
    ),
)


def made(deck: Deck, origin: str = "") -> str:
    order = ExportRequest(link=f"/lecture?deck={packed(deck)}", kind="html", pictures=(PICTURE,))
    return file(order, MadeUp(), origin=origin).content.decode()


@pytest.fixture(scope="module")
def page() -> str:
    return made(DECK)


def test_it_has_every_step_and_one_copy_of_plotly(page: str) -> None:
    read = Read(page)
    assert len(read.all("section")) == len(DECK.steps)
    assert page.count(PLOTLY.read_text("utf-8")[:2000]) == 1
    plots = [json.loads(text) for said, text in read.all("script") if said.get("type") == "application/json"]
    assert len(plots) == page.count('class="plot"') == 6
    assert all(plot["figure"]["data"] for plot in plots)
    assert len(page.encode()) < MOST_BYTES


def test_it_sends_no_request_and_runs_no_script_of_the_deck(page: str) -> None:
    read = Read(page)
    for tag, attributes, _ in read.elements:
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("src", "href"):
            address = attributes.get(name) or "#"
            assert address.startswith(("#", "data:image/")), (tag, address)
    assert not read.all("link")
    (policy,) = [said["content"] for said, _ in read.all("meta") if "http-equiv" in said]
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "<script>alert" not in page.replace(PLOTLY.read_text("utf-8"), "")
    assert "javascript:alert" not in "".join(re.findall(r'(?:src|href)="([^"]*)"', page))


def test_it_has_only_public_notes(page: str) -> None:
    assert "Secret" not in page
    assert 'class="note">Public =cmd' in page
    assert public_notes("(p) One *b*\n(p)\nnot (p) this\n(h) nor this") == ["One *b*"]


def test_a_covered_step_is_folded_and_a_sentence_is_replaced_or_left_out(page: str) -> None:
    first, covered, without, *_ = re.findall(r"<section.*?</section>", page, re.DOTALL)
    assert "<summary>Show the answer</summary>" in covered
    assert "<summary>Show the answer</summary>" not in first
    assert covered.index("Which?") < covered.index("<summary>") < covered.index("Again")
    assert "Again" not in page[: page.index("</nav>")], "the title can be the answer"
    assert 'class="sentence">Mine' in covered
    assert 'class="sentence"' in first
    assert 'class="sentence"' not in without


def test_a_step_links_to_the_app_if_its_server_is_known() -> None:
    deck = replace(DECK, steps=DECK.steps[2:3])
    assert f'href="https://lab.example{PLOT}"' in made(deck, "https://lab.example")


def test_a_lecture_of_words_has_no_script_at_all() -> None:
    page = made(Deck("", (LectureStep(kind="end"),)))
    assert "<script" not in page
    assert len(page) < 400_000


@each(
    ("markdown", "html"),
    [
        ("a\n\n*b*", "<p>a</p><p><em>b</em></p>"),
        ("- a\n- b\nc", "<ul><li>a</li><li>b</li></ul><p>c</p>"),
        ("2. a\n3. b\n- c", '<ol start="2"><li>a</li><li>b</li></ol><ul><li>c</li></ul>'),
        ("## a", "<h3>a</h3>"),
        ("<b>", "<p>&lt;b&gt;</p>"),
    ],
)
def test_blocks_are_paragraphs_and_lists(markdown: str, html: str) -> None:
    assert "".join(blocks(markdown)) == html


@pytest.mark.long("every step of a lecture that is shipped; one step is drawn in each test run")
@pytest.mark.parametrize("name", shipped())
def test_a_shipped_lecture_has_less_than_eight_megabytes(name: str) -> None:
    content = file(ExportRequest(link=f"/lecture?deck={name}", kind="html"), MadeUp()).content
    assert len(content) < MOST_BYTES


def test_a_title_slide_at_the_beginning_is_the_title_of_the_page() -> None:
    steps = (LectureStep(kind="title", title="Attention", text="By me"), LectureStep(kind="end"))
    read = Read(made(Deck("A deck", steps)))
    assert [text for _, text in read.all("h1")] == ["Attention"]
    assert [text for _, text in read.all("h2")] == [""]
    assert '<a href="#step-2">The end</a>' in made(Deck("A deck", steps))
    later = Read(made(Deck("A deck", steps[::-1])))
    assert [text for _, text in later.all("h1")] == ["A deck"]


def test_a_text_with_formulas_is_set_and_brings_its_typefaces() -> None:
    step = LectureStep(kind="text", title="T", text="**So** $\\frac{a}{b}$")
    page = made(Deck("", (step,)))
    assert "<p>set</p>" in page
    assert "KaTeX_Main" in page
    plain = made(Deck("", (replace(step, text="**So** *it*"),)))
    assert "<p><strong>So</strong> <em>it</em></p>" in plain
    assert "KaTeX_Main" not in plain
