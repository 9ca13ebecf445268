"""No student page has a code of a document: no tile, term or control, and nothing on the path."""

from dataclasses import asdict

from core.model.alignment import SCORE_FUNCTIONS
from core.model.positions import SCHEMES
from pages.contract.parameters import PARAMETERS
from pages.data.entries import FOLDER
from pages.home.gallery import found_for, gallery
from pages.path.stops import STOPS
from pages.sheet import build_sheet, lines
from pages.step_by_step.stages import TOLD
from pages.syllabus import CONCEPTS
from pages.terms import TERMS
from tests.covering import each
from tests.pages.codes import codes_in
from tests.views import PAGES


@each("text", ["CS 224N note, eq 32", "C16", "textbook, section 24.4", "note, §3.1", "Figure 5"])
def test_a_code_is_found(text: str) -> None:
    assert codes_in(text)


def test_a_word_a_name_and_a_publication_are_no_codes() -> None:
    assert codes_in("layer 2, head 5; Vaswani et al. 2017; ⟨C3⟩; e^4.24; %E2%80%93; 12 sections; D = 8") == []


def test_no_part_of_a_data_file_that_students_read_has_a_code() -> None:
    for file in ("terms.toml", "static_questions.toml", "stops.toml", "path_questions.toml", "exam.toml"):
        path = FOLDER / file
        said = (
            [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
            if path.exists()
            else []
        )
        assert [line for line in said if codes_in(line)] == [], file


def test_nothing_that_views_share_has_a_code() -> None:
    texts = [
        *(f"{one.label} {one.meaning} {one.also}" for one in PARAMETERS.values()),
        *(str(term) for term in TERMS.values()),
        *(str(stop) for stop in STOPS),
        *(str(asdict(scheme.about)) for scheme in SCHEMES.values()),
        *(str(asdict(function.about)) for function in SCORE_FUNCTIONS.values()),
        *(str(asdict(told)) for told in TOLD.values()),
        *(
            f"{page.question} {view.question} {name}"
            for page in PAGES.values()
            for name, view in page.views.items()
        ),
    ]
    assert [text for text in texts if codes_in(text)] == []


def test_a_concept_is_found_by_its_words_and_on_sources_but_not_by_its_number() -> None:
    assert found_for("C16") == []
    assert found_for("softmax over the last axis")
    assert codes_in(str(gallery("", "light"))) == []
    sources = "\n".join(lines(build_sheet("/sources?treated_table=true")))
    for concept in CONCEPTS.values():
        assert concept.number in sources
        assert all(f"]({link.path})" in sources for link in concept.links)
