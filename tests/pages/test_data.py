"""A wrong entry of a data file is refused with the file, the entry and the reason."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from pages.contract.question import as_data, solution
from pages.contract.question_builders import MOST_BARS
from pages.contract.static_questions import (
    EXAM,
    KINDS,
    PATH_QUESTIONS,
    QUESTIONS,
    StaticBars,
    StaticChoice,
    StaticOrder,
)
from pages.data import entries
from pages.data.entries import FOLDER, DataError, read_entries
from pages.data.links import Link, read_link
from pages.home.hall_questions import ASKED, HallQuestion
from pages.lecture.step import why_not_shown
from pages.path.stops import STOPS, Stop
from pages.sheet import build_sheet
from pages.syllabus import CONCEPTS, DOCUMENTS, SLIPS, Concept, Document, Slip
from pages.terms import TERMS
from pages.terms.term import Term
from tests.covering import each
from tests.pages.words_used import texts

FILES: Mapping[str, tuple[type | Mapping[str, type], str]] = {
    "terms.toml": (Term, "sentence"),
    "concepts.toml": (Concept, "title"),
    "slips.toml": (Slip, "says"),
    "stops.toml": (Stop, "goal"),
    "documents.toml": (Document, "full"),
    "static_questions.toml": (KINDS, "because"),
    "path_questions.toml": (KINDS, "because"),
    "exam.toml": (KINDS, "because"),
    "asked.toml": (HallQuestion, "question"),
}
"""The kind of the entries of each file, and a field with a text that each entry has."""


def text_of(file: str) -> str:
    return (FOLDER / file).read_text("utf-8")


def head_of(file: str) -> str:
    """Return the line with which the first entry of a file begins."""
    found = re.search(r"^\[.+\]$", text_of(file), re.M)
    assert found is not None
    return found[0]


def first_of(file: str) -> str:
    """Return the name of the first entry of a file."""
    return head_of(file).strip('[]"')


@pytest.fixture
def spoilt_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder from which data files are read."""
    monkeypatch.setattr(entries, "FOLDER", tmp_path)
    return tmp_path


def refused(file: str, spoilt: str, folder: Path) -> str:
    """Return why a data file with this text is refused."""
    assert spoilt != text_of(file)
    (folder / file).write_text(spoilt, "utf-8")
    with pytest.raises(DataError) as error:
        read_entries(FILES[file][0], file)
    return str(error.value)


def changed(file: str, field: str, line: str) -> str:
    """Return a file whose first entry has this line in place of the line of a field."""
    return re.sub(rf"^{field} = .*$", lambda _: line, text_of(file), count=1, flags=re.M)


def test_every_data_file_has_its_kind() -> None:
    assert {file.name for file in FOLDER.glob("*.toml")} == FILES.keys()


@each("file", FILES)
def test_a_missing_field_is_refused(file: str, spoilt_folder: Path) -> None:
    field = FILES[file][1]
    said = refused(file, changed(file, field, ""), spoilt_folder)
    assert re.fullmatch(rf"{file}, {re.escape(first_of(file))}: .* missing .* argument: '{field}'", said)


@each("file", FILES)
@each("value", ["3", "''"])
def test_a_value_that_is_not_text_is_refused(file: str, value: str, spoilt_folder: Path) -> None:
    field = FILES[file][1]
    said = refused(file, changed(file, field, f"{field} = {value}"), spoilt_folder)
    assert said == f"{file}, {first_of(file)}: {field}: {value} is not of the type str"


@each("file", FILES)
def test_an_unknown_field_is_refused(file: str, spoilt_folder: Path) -> None:
    spoilt = text_of(file).replace(head_of(file), f"{head_of(file)}\ncolour = 'red'", 1)
    said = refused(file, spoilt, spoilt_folder)
    assert said.startswith(f"{file}, {first_of(file)}: colour is no field: there are ")


@each("file", FILES)
def test_an_invalid_entry_is_refused(file: str, spoilt_folder: Path) -> None:
    said = refused(file, f"alone = 1\n{text_of(file)}", spoilt_folder)
    assert said == f"{file}, alone: an entry is a table"


@each("file", FILES)
def test_two_entries_of_one_name_are_refused(file: str, spoilt_folder: Path) -> None:
    said = refused(file, f"{text_of(file)}\n{head_of(file)}\n", spoilt_folder)
    assert re.match(rf"{file}: .*{re.escape(first_of(file))}.* twice", said)


LINK = r"'/[a-z-]*\?view=[^'&]*'"
"""The first link of a file with one parameter, as a regular expression."""


@each("file", ["terms.toml", "concepts.toml", "stops.toml"])
@each(
    ("link", "reason"),
    [
        ("'/gone?view=paint'", "there is no page /gone"),
        ("'https://elsewhere/masking'", "there is no page /masking"),
        ("'/masking?vieuw=paint'", "no page has the parameter vieuw"),
        ("'/masking?view=paint&view=the future'", "a parameter is given twice"),
        ("'/masking?view'", "bad query field"),
    ],
)
def test_a_link_that_leads_nowhere_is_refused(file: str, link: str, reason: str, spoilt_folder: Path) -> None:
    said = refused(file, re.sub(LINK, link, text_of(file), count=1), spoilt_folder)
    assert re.match(rf"{file}, [^:]+: (view|links|views: link): {reason}", said)


CHOICE = """[which]
text = 'Which?'
because = 'It is so.'
see = '/masking?view=paint'
right = 'this'
[which.wrong]
'that' = 'It is not.'
'neither' = 'One is.'
"""

NUMBER = """[how_many]
text = 'How many?'
because = 'It is so.'
number = 0.67
unit = 'nats'
bounds = [0, 1]
decimals = 2
near = 0.02
[how_many.mistaken]
'0.5' = 'That is without a scale.'
"""

ORDER = """[in_order]
text = 'In which order?'
because = 'It is so.'
order = ['first', 'second', 'third']
"""

BARS = """[drawn]
text = 'How much?'
because = 'It is so.'
[drawn.bars]
'Zuko' = 0.99
'made' = 0.01
[[drawn.mistaken]]
why = 'Only under equal weights.'
bars = [0.5, 0.5]
"""


def test_questions_of_four_kinds_are_asked_as_data_says(spoilt_folder: Path) -> None:
    (spoilt_folder / "exam.toml").write_text(f"{CHOICE}{NUMBER}{ORDER}{BARS}", "utf-8")
    read = read_entries(KINDS, "exam.toml")
    asked = {name: one.asked() for name, one in read.items()}
    kinds = {name: type(one).__name__ for name, one in asked.items()}
    assert kinds == {"which": "Choose", "how_many": "Estimate", "in_order": "Arrange", "drawn": "Sketch"}
    right = [solution(one) for one in asked.values()]
    assert right == ["this", "0.67 nats", "first, second, third", "Zuko 99 %, made 1 %"]
    assert read["which"].see == read_link("/masking?view=paint")
    assert as_data(asked["how_many"])["mistaken"] == ((0.5, "That is without a scale."),)
    assert as_data(asked["drawn"])["mistaken"] == (((0.5, 0.5), "Only under equal weights."),)
    assert as_data(asked["in_order"])["items"] != ("first", "second", "third"), "given away"
    assert [len(texts(one)) for one in asked.values()] == [7, 3, 5, 3]


@each(
    ("spoilt", "reason"),
    [
        (CHOICE.replace("[which.wrong]", "number = 2\n[which.wrong]"), "an entry has one of right, number, "),
        (CHOICE.replace("right =", "colour ="), "an entry has one of right, number, order, bars"),
        (CHOICE.replace("/masking", "/nowhere"), "see: there is no page /nowhere"),
        (NUMBER.replace("0.67", "nan"), "number: nan is not of the type float"),
        (NUMBER.replace("decimals = 2", "decimals = 2.0"), "decimals: 2.0 is not of the type int"),
        (NUMBER.replace("decimals = 2", "decimals = true"), "decimals: True is not of the type int"),
        (NUMBER.replace("'0.5'", "'half'"), "mistaken: could not convert string to float"),
        (ORDER.replace("'second'", "2"), "order: 2 is not of the type str"),
        (BARS.replace("[0.5, 0.5]", "'equal'"), "mistaken: bars: 'equal' is not of the type tuple"),
        (BARS.replace("why =", "wy ="), "mistaken: wy is no field: there are why, bars"),
    ],
)
def test_a_wrong_question_is_refused_with_its_file_and_entry(
    spoilt: str, reason: str, spoilt_folder: Path
) -> None:
    (spoilt_folder / "exam.toml").write_text(spoilt, "utf-8")
    with pytest.raises(DataError, match=rf"^exam\.toml, \w+: .*{reason}"):
        read_entries(KINDS, "exam.toml")


EVERY_QUESTION = [one for read in (QUESTIONS, PATH_QUESTIONS, EXAM) for one in read.values()]


def test_every_question_of_the_data_can_be_asked() -> None:
    for one in EVERY_QUESTION:
        assert as_data(one.asked())["text"]
        match one:
            case StaticChoice(right=right, wrong=wrong, because=because):
                assert right not in wrong
                assert because not in wrong.values()
            case StaticOrder(order=order):
                assert len(set(order)) == len(order)
            case StaticBars(bars=bars):
                assert len(bars) <= MOST_BARS


def test_only_a_question_of_the_exam_names_a_view_to_read_again() -> None:
    assert {one.name for one in EVERY_QUESTION if one.reread is not None} == EXAM.keys()


def test_a_stop_asks_a_few_questions_and_none_is_asked_twice() -> None:
    asked = {stop.title: [name for view in stop.views for name in view.asks] for stop in STOPS}
    earlier = [stop.earlier for stop in STOPS if stop.earlier]
    names = Counter([*(name for of_stop in asked.values() for name in of_stop), *earlier])
    assert names == Counter(PATH_QUESTIONS.keys())
    for stop in STOPS:
        assert stop.views
        assert max(len(view.asks) for view in stop.views) <= 2
        assert len(asked[stop.title]) + bool(stop.earlier) <= 5


def test_an_entry_of_the_glossary_fits_its_table_and_the_title_of_a_link() -> None:
    one_sentence = r"[A-Z][^.!?\"|]*(?:\.\w[^.!?\"|]*)*\."
    for term in TERMS.values():
        for said in (term.sentence, term.reason or term.sentence):
            assert re.fullmatch(one_sentence, said)
            assert len(said) < 200
        assert "|" not in term.symbol + term.shape + term.formula
        assert term.view.view


def test_no_spelling_is_of_two_terms() -> None:
    spellings = Counter(spelling for term in TERMS.values() for spelling in term.spellings)
    assert max(spellings.values()) == 1


def test_concepts_and_slips_name_documents() -> None:
    for concept in CONCEPTS.values():
        assert concept.treated.keys() <= DOCUMENTS.keys()
    for slip in SLIPS.values():
        assert slip.place.startswith(tuple(DOCUMENTS))
        assert not slip.says.endswith(".")
        assert not slip.truth.endswith(".")


def test_no_question_repeats_another() -> None:
    for said in ([one.text for one in EVERY_QUESTION], [one.because for one in EVERY_QUESTION]):
        assert sorted(said) == sorted(set(said))


def all_links() -> Iterator[Link]:
    """Yield every link of the data files."""
    yield from (term.view for term in TERMS.values())
    yield from (one.link for one in ASKED.values())
    yield from (link for one in CONCEPTS.values() for link in one.links)
    yield from (one.link for stop in STOPS for one in stop.views)
    yield from (link for one in EVERY_QUESTION for link in (one.see, one.reread) if link)


def test_every_view_in_the_data_exists() -> None:
    assert [reason for link in all_links() if (reason := why_not_shown(link.path))] == []


LINKS = sorted(
    {link.path for link in all_links() if len(link.parameters) > 1 and "model=real" not in link.path}
)
"""The links of the data files that choose more than a view of models that come with the app."""


@pytest.mark.long("a control that a view has no longer, in a link that no deck has")
@each("path", LINKS)
def test_a_view_takes_all_that_a_link_chooses(path: str) -> None:
    found = build_sheet(path)
    assert found.refused == ()
    assert found.link == path


def test_each_static_question_is_asked_by_its_name() -> None:
    pages = (path.read_text("utf-8") for path in FOLDER.parent.rglob("*.py"))
    named = {name for text in pages for name in re.findall(r'static_question(?:\(|, )"(\w+)"', text)}
    assert named == QUESTIONS.keys()
