"""A wrong entry of a data file is refused with the file, the entry and the reason."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pages.contract.question import as_data, solution, texts
from pages.contract.static_questions import (
    EXAM,
    PATH_QUESTIONS,
    QUESTIONS,
    read_exam,
    read_path_questions,
    read_static_questions,
)
from pages.data.entries import FOLDER, DataError, read_entries
from pages.data.links import read_link
from pages.home.hall_questions import HallQuestion
from pages.path.stops import read_all_stops
from pages.sheet import build_sheet
from pages.sources.links import all_links, check_views
from pages.syllabus.concepts import Document, read_concepts
from pages.syllabus.slips import read_slips
from pages.terms import read_terms
from tests.covering import each

READ: dict[str, Callable[[Path], Any]] = {
    "terms.toml": read_terms,
    "concepts.toml": read_concepts,
    "slips.toml": read_slips,
    "stops.toml": read_all_stops,
    "documents.toml": lambda folder: read_entries(Document, "documents.toml", folder=folder),
    "static_questions.toml": read_static_questions,
    "path_questions.toml": read_path_questions,
    "exam.toml": read_exam,
    "asked.toml": lambda folder: read_entries(HallQuestion, "asked.toml", folder=folder),
}

REQUIRED = {
    "terms.toml": "sentence",
    "concepts.toml": "title",
    "slips.toml": "says",
    "stops.toml": "goal",
    "documents.toml": "full",
    "static_questions.toml": "because",
    "path_questions.toml": "because",
    "exam.toml": "because",
    "asked.toml": "question",
}
"""A field that each entry of a file has, with a text."""


REFUTED = "Then the words written so far could not change the weights."
"""Return the explanation of a wrong answer to the first question."""


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


def refused(file: str, spoilt: str, folder: Path) -> str:
    """Return why a data file with this text is refused."""
    assert spoilt != text_of(file)
    (folder / file).write_text(spoilt, "utf-8")
    with pytest.raises(DataError) as error:
        READ[file](folder)
    return str(error.value)


def changed(file: str, field: str, line: str) -> str:
    """Return a file whose first entry has this line in place of the line of a field."""
    return re.sub(rf"^{field} = .*$", lambda _: line, text_of(file), count=1, flags=re.M)


def test_every_data_file_has_its_reader() -> None:
    assert {file.name for file in FOLDER.glob("*.toml")} | {"exam.toml"} == set(READ) == set(REQUIRED)


FILLED = [file for file, read in READ.items() if read(FOLDER)]
"""The files that have entries to spoil."""


@each("file", FILLED)
def test_a_missing_field_is_refused(file: str, tmp_path: Path) -> None:
    spoilt = changed(file, REQUIRED[file], "")
    assert refused(file, spoilt, tmp_path) == f"{file}, {first_of(file)}: {REQUIRED[file]} is missing"


@each("file", FILLED)
@each("value", ["3", "''"])
def test_a_value_that_is_not_text_is_refused(file: str, value: str, tmp_path: Path) -> None:
    spoilt = changed(file, REQUIRED[file], f"{REQUIRED[file]} = {value}")
    said = refused(file, spoilt, tmp_path)
    assert said.startswith(f"{file}, {first_of(file)}: {REQUIRED[file]} must be a text, got ")


@each("file", FILLED)
def test_an_unknown_field_is_refused(file: str, tmp_path: Path) -> None:
    spoilt = text_of(file).replace(head_of(file), f"{head_of(file)}\ncolour = 'red'", 1)
    said = refused(file, spoilt, tmp_path)
    assert said.startswith(f"{file}, {first_of(file)}: colour is no field: there are ")


@each("file", FILLED)
def test_an_invalid_entry_is_refused(file: str, tmp_path: Path) -> None:
    assert refused(file, f"alone = 1\n{text_of(file)}", tmp_path) == f"{file}, alone: an entry is a table"


@each("file", FILLED)
def test_two_entries_of_one_name_are_refused(file: str, tmp_path: Path) -> None:
    said = refused(file, f"{text_of(file)}\n{head_of(file)}\n", tmp_path)
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
def test_a_link_that_leads_nowhere_is_refused(file: str, link: str, reason: str, tmp_path: Path) -> None:
    said = refused(file, re.sub(LINK, link, text_of(file), count=1), tmp_path)
    assert re.match(rf"{file}, [^:]+: (view|links|views: link): {reason}", said)


@each(
    ("file", "field", "line", "reason"),
    [
        ("terms.toml", "view", "view = '/masking'", "view must name a view"),
        ("terms.toml", "formula", "formula = '|x|'", "a table would end its cell at |"),
        ("terms.toml", "also", "also = 'other'", "also must be a list of texts, got 'other'"),
        ("terms.toml", "sentence", "sentence = 'No full stop'", "sentence must be one plain sentence"),
        ("terms.toml", "sentence", f"sentence = 'T{'o' * 200}.'", "sentence must be one plain sentence"),
        ("concepts.toml", '"CS 224N note"', "Gone = 'eq 1'", "there is no document Gone"),
        ("slips.toml", "place", "place = 'Elsewhere'", "place must begin with one of "),
        ("slips.toml", "says", "says = 'a sentence.'", "says and truth go on a sentence"),
        ("stops.toml", "lit", "lit = 'q'", "lit must be a list of texts, got 'q'"),
        ("static_questions.toml", "right", "right = 'all three from the encoder'", "is right and wrong"),
        ("static_questions.toml", "because", f"because = '{REFUTED}'", "is a reason twice"),
    ],
)
def test_a_wrong_value_is_refused(file: str, field: str, line: str, reason: str, tmp_path: Path) -> None:
    said = refused(file, changed(file, field, line), tmp_path)
    assert re.match(rf"{file}, [^:]+: ", said)
    assert reason in said


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


def test_questions_of_four_kinds_are_asked_as_data_says(tmp_path: Path) -> None:
    (tmp_path / "path_questions.toml").write_text(f"{CHOICE}{NUMBER}{ORDER}{BARS}", "utf-8")
    read = read_path_questions(tmp_path)
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
        (CHOICE.replace("'that' =", "'this' ="), "'this' is right and wrong"),
        (CHOICE.replace("'One is.'", "'It is so.'"), "'It is so.' is a reason twice"),
        (CHOICE.replace("[which.wrong]", "number = 2\n[which.wrong]"), "has one of .*, got right and number"),
        (CHOICE.replace("right =", "colour ="), "has one of right, number, order, bars, got none"),
        (CHOICE.replace("/masking", "/nowhere"), "see: there is no page /nowhere"),
        (CHOICE.replace("see =", "reread ="), "nothing to reread"),
        (NUMBER.replace("0.67", "nan"), "number must be a number, got nan"),
        (NUMBER.replace("0.67", "1.5"), "1.5 cannot be answered"),
        (NUMBER.replace("[0, 1]", "[1, 0]"), "bounds must be two numbers, the smaller first"),
        (NUMBER.replace("decimals = 2", "decimals = 2.0"), "decimals must be a whole number, got 2.0"),
        (NUMBER.replace("'0.5'", "'half'"), "mistaken must be a table of texts by numbers"),
        (NUMBER.replace("'0.5'", "'0.66'"), "0.66 is mistaken and near to 0.67"),
        (ORDER.replace("'second'", "'first'"), "an item is given twice"),
        (ORDER.replace(", 'second', 'third'", ""), "2 to 5 items can be arranged, got 1"),
        (BARS.replace("0.99", "0.9"), "shares sum to 0.91"),
        (BARS.replace("[0.5, 0.5]", "[1.0]"), "bars and labels differ"),
        (BARS.replace("[0.5, 0.5]", "[0.99, 0.01]"), "can be answered twice"),
        (BARS.replace("why =", "wy ="), "mistaken: wy is no field: there are why, bars"),
    ],
)
def test_a_wrong_question_is_refused_with_its_file_and_entry(
    spoilt: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "path_questions.toml").write_text(spoilt, "utf-8")
    with pytest.raises(DataError, match=rf"^path_questions\.toml, \w+: .*{reason}"):
        read_path_questions(tmp_path)


def test_each_question_of_the_exam_names_a_view_to_read_again(tmp_path: Path) -> None:
    assert read_exam(tmp_path) == {}
    (tmp_path / "exam.toml").write_text(CHOICE, "utf-8")
    with pytest.raises(DataError, match=r"^exam\.toml, which: reread is missing"):
        read_exam(tmp_path)
    (tmp_path / "exam.toml").write_text(CHOICE.replace("see =", "reread ="), "utf-8")
    assert read_exam(tmp_path)["which"].reread == read_link("/masking?view=paint")


def test_no_question_repeats_another() -> None:
    every = [one for questions in (QUESTIONS, PATH_QUESTIONS, EXAM) for one in questions.values()]
    for said in ([one.text for one in every], [one.because for one in every]):
        assert sorted(said) == sorted(set(said))


def test_a_spelling_of_two_terms_is_refused(tmp_path: Path) -> None:
    spoilt = changed("terms.toml", "also", "also = ['query']")
    assert re.fullmatch(
        r"terms.toml, [\w -]+: another term is spelled query too", refused("terms.toml", spoilt, tmp_path)
    )


def test_every_view_in_the_data_exists() -> None:
    check_views(all_links())


LINKS = sorted(
    {link.path for _, link in all_links() if len(link.parameters) > 1 and "model=real" not in link.path}
)
"""The links of the data files that choose more than a view of models that come with the app."""


@pytest.mark.long("a control that a view has no longer, in a link that no deck has")
@each("path", LINKS)
def test_a_view_takes_all_that_a_link_chooses(path: str) -> None:
    found = build_sheet(path)
    assert found.refused == ()
    assert found.link == path


@each("path", ["/masking?view=gone", "/training?view=paint"])
def test_a_view_that_is_not_there_is_refused_with_its_entry(path: str) -> None:
    links = [*all_links(), ("stops.toml, Masks", read_link(path))]
    with pytest.raises(DataError, match=r"^stops.toml, Masks: the page \w+ has no view “\w+”"):
        check_views(links)


def test_each_static_question_is_asked_by_its_name() -> None:
    pages = (path.read_text("utf-8") for path in FOLDER.parent.rglob("*.py"))
    named = {name for text in pages for name in re.findall(r'static_question(?:\(|, )"(\w+)"', text)}
    assert named == QUESTIONS.keys()
