"""The reply to an answer says why it is right, or names the misconception behind it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from pages.browser import questions
from pages.contract.question import Arrange, Choose, Estimate, Option, Question, Sketch, as_data, solution
from tests.covering import each
from tests.rooms.questions import ESTIMATE, NEARNESS

FOLDER = Path(questions.__file__).parent
SCRIPTS = "\n".join((FOLDER / f"{name}.js").read_text("utf-8") for name in ("prose", "fields", "resolution"))

REASON = "Its score is far ahead."
EQUAL = "Weights are equal only if scores are."
LAST = "No word is nearer than another."
DRAWN = Sketch(
    text="How much?",
    labels=("keys", "near", "lamp"),
    right=(0.9, 0.05, 0.05),
    because=REASON,
    mistaken=(((0.34, 0.33, 0.33), EQUAL), ((0.05, 0.05, 0.9), LAST)),
)
COUNTED = Sketch(
    text="How many?",
    labels=("one", "other"),
    right=(8.0, 2.0),
    because=REASON,
    shares=False,
    largest=10,
    mistaken=(((2.0, 8.0), LAST),),
)
GUESSED = Estimate(
    text="How large?",
    right=0.67,
    bounds=(0, 1),
    because=REASON,
    decimals=2,
    near=0.02,
    mistaken=((0.5, EQUAL), (0.53, LAST)),
)
CHOSEN = Choose(text="Which?", options=(Option("a", True), Option("b", False, EQUAL)), because=REASON)
ORDERED = Arrange(text="In which order?", items=("b", "a"), right=(1, 0), because=REASON)


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    """A page with the scripts that resolve answers, and nothing else."""
    page = browser.new_page()
    page.add_script_tag(content=f"window.attentionLabAddress = (path) => `/lab${{path}}`;\n{SCRIPTS}")
    yield page
    page.close()


def told(page: Page, question: Question, answer: Any, **more: Any) -> list[str]:
    """Return the sentences in the reply to an answer."""
    data = json.dumps({**as_data(question), **more})
    found: list[str] = page.evaluate(
        f"([answer]) => [...resolution({data}, answer).querySelectorAll('p')].map((p) => p.textContent)",
        [answer],
    )
    return found


@each(
    ("drawn", "reasons"),
    [
        ([0.9, 0.05, 0.05], [REASON]),
        ([0.85, 0.05, 0.1], [REASON]),
        ([0.4, 0.3, 0.3], [EQUAL, REASON]),
        ([0.3, 0.4, 0.3], [EQUAL, REASON]),
        ([0.1, 0.1, 0.8], [LAST, REASON]),
        ([0.1, 0.8, 0.1], [REASON]),
        ([0.65, 0.2, 0.15], [REASON]),
    ],
)
def test_the_reply_to_a_drawing_names_its_misconception(
    blank: Page, drawn: list[float], reasons: list[str]
) -> None:
    result, *why = told(blank, DRAWN, drawn)
    is_right = max(abs(one - other) for one, other in zip(drawn, DRAWN.right, strict=True)) < 0.06
    assert ("belongs elsewhere" in result) == (not is_right)
    assert why == reasons


@each(
    ("drawn", "said"),
    [
        ([0.9, 0.05, 0.05], "Your drawing is right."),
        ([0.85, 0.05, 0.1], "Your drawing is right within 5 %."),
        ([0.7, 0.2, 0.1], "20 % of what you have drawn belongs elsewhere."),
    ],
)
def test_a_drawing_near_the_right_one_counts_as_right(blank: Page, drawn: list[float], said: str) -> None:
    assert told(blank, DRAWN, drawn)[0] == said


def test_the_shares_beside_a_drawing_sum_to_100_per_cent(blank: Page) -> None:
    uneven = (0.486, 0.486, 0.007, 0.007, 0.007, 0.007)
    six = Sketch(text="How much?", labels=tuple("abcdef"), right=uneven, because=REASON)
    values = blank.evaluate(
        f"() => [...resolution({json.dumps(as_data(six))}, [0.5, 0.5, 0, 0, 0, 0])"
        ".querySelectorAll('.value')].map((one) => one.textContent)"
    )
    assert values[0] == "you: 50 % · right: 48.6 %"
    assert sum(float(one.split("right: ")[1].removesuffix(" %")) for one in values) == pytest.approx(100)
    assert solution(six) == "a 48.6 %, b 48.6 %, c 0.7 %, d 0.7 %, e 0.7 %, f 0.7 %"


@each(("drawn", "reasons"), [([8, 2], [REASON]), ([3, 7], [LAST, REASON]), ([10, 10], [REASON])])
def test_the_reply_to_bars_that_are_not_shares_has_the_reason_too(
    blank: Page, drawn: list[float], reasons: list[str]
) -> None:
    assert told(blank, COUNTED, drawn)[1:] == reasons


@each(
    ("guessed", "sentences"),
    [
        (0.67, ["0.67 is right.", REASON]),
        (0.666, ["0.666 is right: it is 0.67.", REASON]),
        (0.66, ["0.66 is right within 0.02: it is 0.67.", REASON]),
        (0.655, ["0.655 is right within 0.02: it is 0.67.", REASON]),
        (0.51, ["You expected 0.51. It is 0.67.", EQUAL, REASON]),
        (0.52, ["You expected 0.52. It is 0.67.", LAST, REASON]),
        (0.2, ["You expected 0.2. It is 0.67.", REASON]),
    ],
)
def test_the_reply_to_a_number_has_the_reason_and_the_nearest_misconception(
    blank: Page, guessed: float, sentences: list[str]
) -> None:
    assert told(blank, GUESSED, guessed) == sentences


@each(("more", "answers", "near"), NEARNESS)
def test_a_phone_calls_the_same_numbers_right_as_the_projector(
    blank: Page, more: dict[str, Any], answers: list[float], near: list[float]
) -> None:
    question = json.dumps({**ESTIMATE, **more, "mistaken": []})
    said: list[str] = blank.evaluate(
        f"(answers) => answers.map((one) => FIELDS.estimate.resolve({question}, one)[0])", answers
    )
    assert [one for one, text in zip(answers, said, strict=True) if " is right" in text] == near


@each(
    ("again", "is_same", "said"),
    [
        (None, True, []),
        ("Mask: none", True, ["Same question, now with Mask: none"]),
        ("", True, ["Same question again"]),
        ("Sentence: the dog", False, ["Now with Sentence: the dog"]),
        ("", False, []),
    ],
)
def test_a_repeated_question_is_called_the_same_only_if_it_is(
    blank: Page, again: str | None, is_same: bool, said: list[str]
) -> None:
    shown = "([again, isSame]) => situation({}, again, isSame).map((one) => one.textContent)"
    assert blank.evaluate(shown, [again, is_same]) == said


def test_the_reply_to_a_choice_and_an_order_has_the_reason(blank: Page) -> None:
    assert told(blank, CHOSEN, 0) == ["“a” is right.", REASON]
    assert told(blank, CHOSEN, 1) == ["You expected “b”. The right answer is “a”.", EQUAL, REASON]
    assert told(blank, ORDERED, [1, 0]) == ["a, b: that is right.", REASON]
    assert told(blank, ORDERED, [0, 1]) == ["You expected b, a. The right order is a, b.", REASON]


def test_the_change_is_a_link_below_the_base_if_a_question_has_one(blank: Page) -> None:
    def links(**more: str) -> list[str]:
        data = json.dumps({**as_data(CHOSEN), **more})
        named = "(a) => `${a.textContent} ${a.getAttribute('href')}`"
        both = f"[resolution({data}, 0), unanswered({data})]"
        found: list[str] = blank.evaluate(
            f"() => {both}.flatMap((node) => [...node.querySelectorAll('a')].map({named}))"
        )
        return found

    assert links(see="/masking?stop=4") == ["See it /lab/masking?stop=4"] * 2
    assert links(see="") == links() == []
