"""The exam: fourteen questions of several kinds, the answers in a link, and the views to read again."""

import re
import string

import pytest

from pages.contract.question import Choose, Estimate
from pages.contract.static_questions import EXAM
from pages.exam.sitting import ASKED, UNKNOWN, number_of, read_answers, taught_at
from pages.home.landing import AFTER
from pages.path.stops import STOPS
from pages.sheet import build_sheet, lines
from tests.covering import each
from tests.pages.words_used import texts, unexplained

NUMBER = number_of(ASKED)
LETTERS = list(EXAM)
GIVEN = {"d": "50-50-0", "g": "256", "i": "0.73", "l": "0.25", "m": "2-1-0-3"}
"""Answers of the questions that are no choices."""

SENTENCE = re.compile(r"(?<=[.?!]) ")


def spelt(**changed: str) -> str:
    """Answers to all questions, some of them changed, as a link spells them."""
    answers = dict.fromkeys(LETTERS, "0") | GIVEN | changed
    return "_".join([NUMBER, *answers.values()])


def test_the_exam_has_fourteen_questions_of_four_kinds() -> None:
    assert list(string.ascii_lowercase[:14]) == LETTERS
    assert {type(one).__name__ for one in ASKED} == {"Choose", "Estimate", "Arrange", "Sketch"}
    assert AFTER.text == "After stop 12: an exam of fourteen questions."
    assert len(STOPS) == 12


def test_each_answer_is_taught_by_a_view_of_the_stop_that_its_link_names() -> None:
    for name, one in EXAM.items():
        assert one.reread is not None
        number, link = taught_at(one.reread)
        assert link in [view.named for view in STOPS[number - 1].views], f"{name}: {one.reread.path}"
    taught = {taught_at(one.reread)[0] for one in EXAM.values() if one.reread}
    assert len(taught) >= 9, "the exam asks about the whole path"


@each("name", LETTERS)
def test_a_question_is_asked_in_short_sentences_of_known_words(name: str) -> None:
    said = texts(EXAM[name].asked())
    assert unexplained(said) == []
    assert [one for text in said for one in SENTENCE.split(text) if len(one.split()) > 25] == []


def test_the_length_of_an_option_does_not_tell_that_it_is_right() -> None:
    choices = [one for one in ASKED if isinstance(one, Choose)]
    ranks = [
        sorted((len(option.text) for option in one.options), reverse=True).index(
            len(one.options[one.right].text)
        )
        for one in choices
    ]
    assert ranks.count(0) <= len(choices) / 3
    assert len({one.right for one in choices}) >= 3, "nor does its position"
    assert all(len(one.options) >= 4 for one in choices), "a choice is no coin"


def test_each_wrong_answer_is_resolved() -> None:
    for one in ASKED:
        if isinstance(one, Choose):
            assert all(option.holds or option.why_not for option in one.options)
        if isinstance(one, Estimate):
            assert len(one.mistaken) >= 2


def test_a_link_spells_an_answer_of_each_kind() -> None:
    found = dict(zip(LETTERS, read_answers(spelt(a="3", b=UNKNOWN), ASKED), strict=True))
    assert (found["a"], found["b"], found["c"]) == (3, UNKNOWN, 0)
    assert (found["g"], found["i"], found["d"], found["m"]) == (256, 0.73, [50, 50, 0], [2, 1, 0, 3])
    assert any("holds the result" in line for line in lines(build_sheet(f"/exam?answers={spelt()}")))


@each(
    ("letter", "wrong"),
    [
        *(("a", one) for one in ("4", "-1", "", "x x", "٣", "<b>")),
        *(("d", one) for one in ("50-50", "0-0-0", "101-0-0", "0.5-0.5-0")),
        *(("i", one) for one in ("2", "nan", "1e-3", "0,67", "1" * 5000)),
        *(("m", one) for one in ("0-1-2", "0-0-1-2", "1-2-3-4", "0123")),
    ],
)
def test_an_impossible_answer_is_refused_by_its_number(letter: str, wrong: str) -> None:
    at = LETTERS.index(letter) + 1
    with pytest.raises(ValueError, match=f"answer {at} does not fit its question"):
        read_answers(spelt(**{letter: wrong}), ASKED)


@each(
    "wrong", ["zz", NUMBER, "_".join([NUMBER, "0"]), spelt() + "_0", "0000" + spelt()[4:], "_" * 14, "\x00"]
)
def test_answers_to_other_questions_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="they belong to another version of the exam"):
        read_answers(wrong, ASKED)


def test_a_refused_link_shows_the_exam_and_says_why_in_characters_that_stand_for_themselves() -> None:
    said = list(lines(build_sheet("/exam?answers=<img src=x>**b**")))
    assert any("The link asks for answers = " in line and "Showing the exam." in line for line in said)
    assert not any("**b**" in line or re.search(r"(?<!\\)<img", line) for line in said)
