"""The notes of the path: a page of each stop, with its picture, its formula and what to remember."""

import re
from collections import Counter
from dataclasses import replace
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PageObject, PdfReader

import figures.__main__ as command
from core.sources import UnavailableError
from figures import notes
from figures.export import Failure, file, files, is_long
from figures.export_pictures import export_pictures
from figures.export_request import ExportRequest, ExportRequestError, Style
from figures.notes import ONLY_A4, ONLY_PAPER, ONLY_PDF, SHEET
from figures.plain import plain
from figures.preset import ACL, MM, POINT
from figures.rendering import formulas
from figures.rendering.exporter import Exporter
from figures.rendering.job import Paper
from figures.rendering.marks import read_provenance
from pages.browser.scripts import notes_address
from pages.path import bar
from pages.path.stops import NOTES, STOPS, Stop, path_at
from tests.covering import each
from tests.figures.made_up import MadeUp
from tests.figures.test_http import Asked
from viz.theme import DARK, GREY, THEMES

ORIGIN = "https://lab.example"
GREYS = Style(theme=GREY)
REQUEST = ExportRequest(link="/", key=NOTES, kind="pdf", style=GREYS)
SLOW = pytest.mark.long("a real model, or a translation of many sentences")
NO_MODEL = "The model *x* is not here. Fetch it."


def pages_of(content: bytes) -> list[PageObject]:
    return list(PdfReader(BytesIO(content)).pages)


def words(text: str) -> str:
    """Return a text without the spaces and the breaks of its lines."""
    return "".join(text.split())


def formula_sizes(page: PageObject) -> Counter[float]:
    """Return the letters of formulas by the size in which they are written."""
    sizes: Counter[float] = Counter()

    def note(text: str, _: Any, matrix: list[float], font: Any, size: float) -> None:
        if font is not None and "KaTeX" in font["/BaseFont"] and text.strip():
            sizes[round(size * abs(matrix[3]), 1)] += len(text.strip())

    page.extract_text(visitor_text=note)
    return sizes


@pytest.fixture
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every view lacks its model."""

    def refuse(*_: Any, **__: Any) -> None:
        raise UnavailableError(NO_MODEL)

    monkeypatch.setattr("figures.export_pictures.export_pictures", refuse)


@pytest.mark.long("all stops; one page of notes is read in every run")
@pytest.mark.parametrize(
    "stop",
    [pytest.param(one, marks=[SLOW] * ("real" in one.on_paper.path)) for one in STOPS],
    ids=lambda one: one.title,
)
def test_a_stop_has_its_picture_and_a_formula(stop: Stop) -> None:
    found = export_pictures(stop.on_paper.path, SHEET, GREY)

    assert not found[0].answered or not found[0].answered.refused
    assert stop.picture in ("", *(one.key for one in found))
    assert not notes._chosen(found, stop.picture).nothing
    assert stop.formula


def test_a_stop_is_pictured_by_one_of_its_own_views() -> None:
    for stop in STOPS:
        own = [(view.link.address, view.link.view) for view in stop.views]
        assert (stop.on_paper.address, stop.on_paper.view) in own, stop.title


def test_each_stop_has_a_page_with_its_picture(made_up: MadeUp, monkeypatch: pytest.MonkeyPatch) -> None:
    few = tuple(stop for stop in STOPS if stop.title in ("Why divide by √d?", "Masks"))
    monkeypatch.setattr(notes, "STOPS", few)

    made = file(REQUEST, made_up, origin=ORIGIN)

    assert made.name == "attention-lab-notes-grey.pdf"
    assert read_provenance(made.content)["link"] == f"{ORIGIN}/"
    assert [one.title for one in PdfReader(BytesIO(made.content)).outline] == [
        f"{number} {stop.title}" for number, stop in enumerate(few, 1)
    ]
    drawn = [job for job in made_up.jobs if not isinstance(job.drawn, Paper)]
    papers = [job.drawn for job in made_up.jobs if isinstance(job.drawn, Paper)]
    assert [job.formats for job in drawn] == [("svg",)] * 2
    for number, (stop, paper, job) in enumerate(zip(few, papers, drawn, strict=True), 1):
        assert all(escape(line) in paper.html for line in (stop.title, stop.goal, *stop.remember))
        assert paper.formula == stop.formula
        assert "<figure><svg" in paper.html
        assert escape(job.provenance["title"]) in paper.html
        assert f'<a href="{escape(ORIGIN + path_at(stop.on_paper, number)).replace(" ", "%20")}' in paper.html


def test_a_page_has_links_and_codes_of_a_named_server_and_says_which_model_it_lacks(
    made_up: MadeUp, without_pictures: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes, "STOPS", STOPS[:2])
    for style, origin, has_link, has_code in (
        (GREYS, "", False, False),
        (replace(GREYS, qr=True), ORIGIN, True, True),
    ):
        made_up.jobs.clear()
        file(replace(REQUEST, style=style), made_up, origin=origin)
        papers = [job.drawn for job in made_up.jobs if isinstance(job.drawn, Paper)]
        assert ["<a " in one.html for one in papers] == [has_link] * 2
        assert ['class="qr"' in one.html for one in papers] == [has_code] * 2
        assert all(f"<p>{plain(NO_MODEL)}</p>" in one.html for one in papers)


@each(
    ("changes", "why"),
    [
        ({"kind": "svg"}, ONLY_PDF),
        ({"kind": "pptx"}, ONLY_PDF),
        ({"style": Style(theme=DARK)}, ONLY_PAPER),
        ({"style": replace(GREYS, preset=ACL)}, ONLY_A4),
        ({"style": replace(GREYS, transparent=True)}, ONLY_A4),
        ({"style": replace(GREYS, title=False)}, ONLY_A4),
    ],
)
def test_notes_are_pages_to_print_and_nothing_else(
    changes: dict[str, Any], why: str, made_up: MadeUp
) -> None:
    request = replace(REQUEST, **changes)

    with pytest.raises(ExportRequestError, match=re.escape(why)):
        file(request, made_up)
    assert [str(one.why) for one in files(request, [request.kind], made_up) if isinstance(one, Failure)] == [
        why
    ]
    assert not made_up.jobs


def test_the_endpoint_follows_the_order_of_the_button(without_pictures: None) -> None:
    visitor = Asked()

    answer = visitor.client.get(notes_address())

    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="attention-lab-notes-grey.pdf"'
    assert answer.headers["content-type"] == "application/pdf"
    assert len(pages_of(answer.content)) == len(STOPS)
    refused = visitor.get(link="/", key=NOTES, format="png")
    assert (refused.status_code, refused.text) == (400, ONLY_PDF)
    nowhere = visitor.get(link="/glossary", key=NOTES, format="pdf")
    assert (nowhere.status_code, nowhere.text) == (400, "This view shows no picture to save.")


def test_the_last_stop_ends_with_the_button() -> None:
    button = f'<a download href="{escape(notes_address())}">Notes as PDF</a>'
    ends = [bar.below(number, stop.views[-1]) for number, stop in enumerate(STOPS, 1)]
    assert [button in end for end in ends] == [False] * 11 + [True]


def test_notes_wait_like_a_lecture_and_a_picture_of_the_home_does_not() -> None:
    assert is_long(REQUEST)
    assert not is_long(replace(REQUEST, key="arcs"))


def test_one_command_makes_the_notes(
    made_up: MadeUp, tmp_path: Path, without_pictures: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--notes", "--out", str(tmp_path)], made_up) == 0
    assert command.main(["--notes", "--theme", "light", "--out", str(tmp_path)], made_up) == 0
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "attention-lab-notes-grey.pdf",
        "attention-lab-notes.pdf",
    ]
    assert command.main(["--notes", "--format", "png", "--out", str(tmp_path)], made_up) == 1
    assert ONLY_PDF in capsys.readouterr().err


@each("wrong", [["/explorer"], ["--all"], ["--text", "hot tea"], ["--key", "arcs"]])
def test_the_command_for_notes_allows_no_links(
    wrong: list[str], made_up: MadeUp, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command.main(["--notes", *wrong], made_up)
    assert "--notes" in capsys.readouterr().err
    assert not made_up.jobs


@pytest.mark.long("all stops; one page of notes is read in every run")
def test_twelve_pages_have_their_words_and_their_formulas(exporter: Exporter, without_pictures: None) -> None:
    made = file(REQUEST, exporter, origin=ORIGIN)

    assert made.warning == ""
    found = pages_of(made.content)
    assert len(found) == len(STOPS) == 12
    for number, (page, stop) in enumerate(zip(found, STOPS, strict=True), 1):
        text = page.extract_text()
        assert float(page.mediabox.width) == pytest.approx(210 * MM / POINT, abs=1)
        assert float(page.mediabox.height) == pytest.approx(297 * MM / POINT, abs=1)
        said = [stop.title, stop.goal, *stop.remember, path_at(stop.on_paper, number).partition("?")[0]]
        assert [one for one in said if words(plain(one)) not in words(text)] == []
        assert f"{number} / 12" in text
        followed = [one.get_object()["/A"]["/URI"] for one in page["/Annots"]]
        assert set(followed) == {f"{ORIGIN}{path_at(stop.on_paper, number)}".replace(" ", "%20")}
        assert sum(formula_sizes(page).values()) > 5, stop.title


def test_an_index_is_smaller_than_its_letter(
    exporter: Exporter, without_pictures: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes, "STOPS", STOPS[:1])
    sizes = formula_sizes(pages_of(file(REQUEST, exporter).content)[0])
    assert min(sizes) / max(sizes) < 0.75, sizes


def test_every_class_of_a_formula_has_the_name_of_the_style() -> None:
    html = '<span class="katex-sizing reset-size6 size3 mtight"><span class="katex-strut"></span></span>'
    assert formulas.styled(html) == html.replace("katex-sizing", "sizing").replace("katex-strut", "strut")
    assert (
        formulas.styled('<i class="katex-display">katex-strut</i>')
        == '<i class="katex-display">katex-strut</i>'
    )


@pytest.mark.long("every picture of the path, drawn")
@pytest.mark.parametrize("theme", ["light", "grey"])
def test_every_picture_has_room_on_its_page(theme: str, exporter: Exporter) -> None:
    request = replace(REQUEST, style=Style(theme=THEMES[theme]))
    for number, (page, stop) in enumerate(
        zip(pages_of(file(request, exporter).content), STOPS, strict=True), 1
    ):
        text = page.extract_text()
        assert words(plain(stop.remember[-1])) in words(text), stop.title
        assert f"{number} / 12" in text, stop.title
