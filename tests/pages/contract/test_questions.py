"""A question is asked if exactly one of its answers is right, in every setting of every view."""

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from pages.contract.parameter import Parameter, spell
from pages.contract.question import (
    Arrange,
    Choose,
    Estimate,
    Option,
    Question,
    Sketch,
    as_data,
    solution,
)
from pages.contract.question_builders import (
    MOST_BARS,
    arrange,
    choose,
    choose_largest,
    exceeds,
    is_near,
    is_not,
    luck,
    mistakes,
    sketch,
    unique_labels,
)
from rooms.replies import checked_reply, without_solution
from tests.covering import covering, each
from tests.pages.asked import Asked
from tests.pages.contract.test_every_link import usual
from tests.pages.contract.test_every_sheet import VIEWS
from tests.pages.words_used import texts
from tests.real import NAME, bert_folder, needs_minilm, needs_smollm2
from tests.views import PAGES

WORDS = {"tea": 0.2, "uncle": 0.5, "made": 0.05, "his": 0.15, "Zuko": 0.1}


def test_the_largest_is_asked_for_among_its_closest_rivals_in_their_order() -> None:
    asked = choose_largest("Which?", WORDS, because="It is.", why_not={"his": "No."})
    assert asked is not None
    assert [one.text for one in asked.options] == ["tea", "uncle", "his", "Zuko"]
    assert solution(asked) == "uncle"
    assert [one.why_not for one in asked.options] == ["", "", "No.", ""]
    smallest = choose_largest("Which?", WORDS, because="It is.", smallest=True)
    assert smallest is not None
    assert solution(smallest) == "made"


@each(
    "values",
    [
        {"one": 0.5, "other": 0.5},
        {"one": 0.5, "other": 0.49, "third": 0.1},
        {},
        {"one": math.nan, "other": 1.0},
    ],
)
def test_a_tie_is_not_asked(values: dict[str, float]) -> None:
    assert choose_largest("Which?", values, because="It is.") is None
    assert arrange("In which order?", values, because="It is.") is None


def test_items_are_arranged_from_the_largest_and_shown_in_an_order_that_tells_nothing() -> None:
    asked = arrange("In which order?", WORDS, because="It is.")
    assert asked is not None
    assert solution(asked) == "uncle, tea, his, Zuko, made"
    assert sorted(asked.items) == sorted(WORDS)
    orders = {arrange(f"{n}?", WORDS, because="It is.").items for n in range(20)}  # type: ignore[union-attr]
    assert len(orders) > 5
    for n in range(20):
        pair = arrange(f"{n}?", {"one": 2.0, "other": 1.0}, because="It is.")
        assert pair is not None
        assert pair.items == ("other", "one"), "the right order would be given away"
    assert arrange("In which order?", {**WORDS, "one": 0.7, "more": 0.9}, because="It is.") is None


@each(
    ("holds", "is_asked"),
    [
        ((True, False, False), True),
        ((True, False, None), False),
        ((None, False, False), False),
        ((True, True, False), False),
        ((False, False, False), False),
    ],
)
def test_a_choice_is_asked_only_if_one_option_holds_and_no_other_may(
    holds: tuple[bool | None, ...], is_asked: bool
) -> None:
    options = [Option(name, one) for name, one in zip("abc", holds, strict=True)]
    asked = choose("Which?", *options, because="It is.")
    assert (asked is not None) == is_asked
    assert asked is None or solution(asked) == "a"
    assert choose("Which?", options[0], because="It is.") is None, "nothing to choose"


def test_options_with_one_text_are_one_unless_only_one_of_them_holds() -> None:
    same = choose("Which?", Option("a", True), Option("b", False, "No."), Option("b", False), because="!")
    assert same is not None
    assert sorted((one.text, one.why_not) for one in same.options) == [("a", ""), ("b", "No.")]
    assert choose("Which?", Option("a", True), Option("a", False), Option("b", False), because="!") is None


def test_the_right_answer_has_no_position_of_its_own_and_no_reason_is_said_twice() -> None:
    options = (Option("yes", True, "Left out."), Option("no", False, "Why not."), Option("both", False, "!"))
    made = [choose(f"{n}?", *options, because="!") for n in range(30)]
    assert {asked.right for asked in made if asked} == {0, 1, 2}
    assert {solution(asked) for asked in made if asked} == {"yes"}
    assert made[0] is not None
    assert {one.text: one.why_not for one in made[0].options} == {"yes": "", "no": "Why not.", "both": ""}
    in_order = choose("3?", *options, because="!", in_order=True)
    assert in_order is not None
    assert [one.text for one in in_order.options] == ["yes", "no", "both"]


def test_a_verdict_within_its_margin_is_undecided() -> None:
    assert [exceeds(value, 2, 0.5) for value in (3, 2.4, 2, 1.6, 1, math.nan)] == [
        *(True, None, None, None, False, None)
    ]
    near = [is_near(value, 2, within=0.1, beyond=0.5) for value in (2.05, 2.3, 3, 1, math.nan)]
    assert near == [True, None, False, False, None]
    assert [is_not(one) for one in (True, False, None)] == [False, True, None]


def test_shares_of_few_questions_are_apart_by_more_than_luck() -> None:
    assert luck(0.5, 0.5, 100) == pytest.approx(0.1414, abs=1e-3)
    assert luck(1.0, 1.0, 48) > 0, "a share of 1 may be luck too"
    shares = {"one": 0.69, "other": 0.79, "third": 0.95}
    assert choose_largest("Which?", shares, because="!", smallest=True, of_questions=48) is None
    sure = choose_largest("Which?", shares, because="!", smallest=True, of_questions=4800)
    assert sure is not None
    assert solution(sure) == "one"


def test_a_mistake_that_is_right_or_comes_of_two_misconceptions_is_left_out() -> None:
    known = ((3, "a"), (3, "b"), (5, "c"), (7, "d"))
    assert mistakes(5, *known) == ((7, "d"),)
    assert mistakes(6.5, *known, near=1) == ((5, "c"),)
    assert len(mistakes(4, (1, "a"), (1.5, "b"), near=0.6)) == 2, "the nearer one is meant"


def test_a_row_that_is_hard_to_draw_is_not_asked() -> None:
    asked = sketch("Draw.", ["a", "b"], [0.25, 0.75], because="It is.")
    assert asked is not None
    assert solution(asked) == "a 25 %, b 75 %"
    n = MOST_BARS + 1
    assert sketch("Draw.", ["a"] * n, [1 / n] * n, because="It is.") is None
    assert sketch("Draw.", ["a"], [1.0], because="It is.") is None
    assert sketch("Draw.", ["a", "b"], [math.nan, 1.0], because="It is.") is None


def test_equal_or_similar_words_are_distinguished() -> None:
    assert [f"{name}" for name in unique_labels(["tea", "his", "tea"])] == [
        "tea \\(1\\)",
        "his",
        "tea \\(3\\)",
    ]
    long = "a" * 70
    names = [f"{name}" for name in unique_labels([long + "b", long + "c", "<b>"])]
    assert len(set(names)) == 3
    assert "\\<b" in names[2]


ESTIMATE: dict[str, Any] = {"text": "How many?", "right": 5, "bounds": (0, 20), "because": "It is."}


@each(
    "make",
    [
        lambda: Choose(text="?", options=(Option("a", False), Option("b", False)), because="!"),
        lambda: Choose(text="?", options=(Option("a", True), Option("b", True)), because="!"),
        lambda: Choose(text="?", options=(Option("a", True), Option("b", None)), because="!"),
        lambda: Choose(text="?", options=(Option("a", False, "Same."), Option("b", True)), because="Same."),
        lambda: Estimate(**{**ESTIMATE, "right": 21}),
        lambda: Estimate(**ESTIMATE, mistaken=((6, "That is right."),), near=1),
        lambda: Estimate(**ESTIMATE, mistaken=((7, "One reason."), (7, "Another."))),
        lambda: Sketch(text="?", labels=("a", "b"), right=(1.0, 0.5), because=""),
        lambda: Sketch(text="?", labels=("a", "b"), right=(0.5, 3.0), because="", shares=False),
        lambda: Arrange(text="?", items=("a", "b"), right=(0, 0), because=""),
    ],
)
def test_a_question_that_cannot_be_answered_rightly_is_a_bug_of_ours(make: Any) -> None:
    with pytest.raises(AssertionError):
        make()


def test_a_question_goes_to_the_browser_as_plain_data() -> None:
    asked = Estimate(**ESTIMATE, unit="operations", mistaken=((12, "Of an RNN."),))
    assert json.loads(json.dumps(as_data(asked))) == {
        "kind": "estimate",
        "solution": "5 operations",
        "text": "How many?",
        "right": 5,
        "bounds": [0, 20],
        "because": "It is.",
        "unit": "operations",
        "decimals": 0,
        "near": 0.0,
        "mistaken": [[12, "Of an RNN."]],
    }
    assert solution(asked) == "5 operations"
    assert texts(asked) == ("How many?", "Of an RNN.", "It is.")


def test_all_texts_of_a_question_are_shown() -> None:
    options = (Option("a", False, "No."), Option("b", True))
    choice = Choose(text="?", options=options, because="!")
    assert texts(choice) == ("?", "a", "No.", "b", "!")
    assert as_data(choice)["right"] == 1
    assert texts(Arrange(text="?", items=("a", "b"), right=(1, 0), because="!")) == ("?", "a", "b", "!")
    bars = Sketch(text="?", labels=("a", "b"), right=(2, 1), because="!", shares=False, largest=3, unit="m")
    assert texts(bars) == ("?", "!")
    assert solution(bars) == "a 2 m, b 1 m"


LISTS = {"", "exam", "glossary", "lecture", "sources"}
"""Pages that show nothing of a model: where to go, and what words and documents say."""

ASKING = [(address, view) for address, view in VIEWS if address not in LISTS]

MOST, EVERY_DAY = 4, 1
"""Values of a control that are tried at most, and settings of a view in every run."""

TEXTS = ("the keys are here", "tea", "tea tea tea", "near the keys the chef who his uncle praised is busy .")
OTHER = {"text": TEXTS[0], "other": "here are the keys"}


def values_of(control: Parameter) -> list[str]:
    """Values that a link can give a control: all of a few, of many the ends and some between."""
    offered = [spell(one) for one in control.options]
    if control.kind == "number":
        first, last = control.bounds
        offered = [str(first + (last - first) * at // (MOST - 1)) for at in range(MOST)]
    if len(offered) > MOST:
        offered = [offered[(len(offered) - 1) * at // (MOST - 1)] for at in range(MOST)]
    return list(dict.fromkeys(offered))


def asked_for(address: str, view: str, setting: dict[str, str]) -> Asked:
    """Return the sheet of a view in a setting; as it opens, it is drawn once for all contracts."""
    return Asked(address, view=view, **setting) if setting else usual(address, view)


def settings(address: str, view: str, **fixed: str) -> list[dict[str, str]]:
    """Links of a view that have each value of each of its controls at least once; the usual one first."""
    opened = asked_for(address, view, fixed)
    names = {"view", "predict", *fixed}
    values = {
        name: offered
        for name, item in opened.controls.items()
        if name not in names
        and item.parameter.kind != "several"
        and len(offered := values_of(item.parameter)) > 1
    }
    if PAGES[address].views[view].sentence and "text" not in fixed:
        values["text"] = list(TEXTS)
    made = [{**fixed, **one} for one in covering(values)] if values else []
    return [fixed, *made, *([{**fixed, **OTHER}] if "other" in opened.controls else [])]


def assert_sound(address: str, view: str, setting: dict[str, str]) -> list[Question]:
    """Check that every question of a link has one answer, does not print it, and says each thing once."""
    asked = asked_for(address, view, setting)
    found = asked.questions
    assert len({one.text for one in found}) == len(found), "two questions are one"
    assert len(found) <= 2, "a view asks two questions at most"
    labels = [asked.label(name) for name in asked.own_controls]
    for one in found:
        plain = orjson.loads(orjson.dumps(as_data(one), option=orjson.OPT_SERIALIZE_NUMPY))
        checked_reply(plain, plain["right"])  # in a room too
        assert one.because not in orjson.dumps(without_solution(plain)).decode(), one.text
        assert one.because != one.text
        if isinstance(one, Choose):
            assert [option.text for option in one.options if option.holds is not False] == [solution(one)]
            for printed in (one.text, PAGES[address].views[view].question, *labels):
                assert not gives_away(printed, one), f"{printed} says {solution(one)}"
        if isinstance(one, Estimate):
            said = re.search(rf"(?<![\d.,]){re.escape(solution(one))}(?![\d,])", one.because)
            assert len(solution(one)) < 3 or not said, f"said twice: {one.because}"
    return found


def gives_away(text: str, question: Choose) -> bool:
    """Return whether a text has the right answer, and not the wrong ones as well."""
    there = [re.search(rf"(?<!\w){re.escape(one.text)}(?!\w)", text) for one in question.options]
    return bool(there[question.right]) and not all(there)


def test_a_text_gives_an_answer_away_that_it_has_alone() -> None:
    asked = choose("Which?", Option("one", True), Option("two", False), because="!")
    assert asked is not None
    assert gives_away("There is one.", asked)
    assert not gives_away("There is one, or there are two.", asked)
    assert not gives_away("There is someone.", asked)


def assert_all_sound(settings_of: Sequence[dict[str, str]], address: str, view: str) -> int:
    """Assert that all questions of these settings are sound; return their number."""
    n = 0
    for setting in settings_of:
        try:
            n += len(assert_sound(address, view, setting))
        except BaseException as error:
            error.add_note(f"/{address}?view={view} with {setting}")
            raise
    return n


@pytest.mark.usefixtures("without_real_models")
@each(("address", "view"), ASKING)
def test_every_question_of_a_view_has_one_answer(address: str, view: str) -> None:
    assert assert_all_sound(settings(address, view)[:EVERY_DAY], address, view) > 0, "nothing is asked"


@pytest.mark.long("an option that is right, or a reason that is wrong, under one switch of one view")
@pytest.mark.usefixtures("without_real_models")
@pytest.mark.parametrize(("address", "view"), ASKING)
def test_in_every_setting_a_question_has_one_answer(address: str, view: str) -> None:
    assert_all_sound(settings(address, view)[EVERY_DAY:], address, view)


REAL = [(address, view) for address, view in ASKING if PAGES[address].views[view].real]


@needs_minilm
@needs_smollm2
@pytest.mark.long("an option that is right, or a traceback, in the pieces of a real model")
@pytest.mark.parametrize(("address", "view"), REAL)
@pytest.mark.parametrize("real", ["SmolLM2 135M", "MiniLM"])
def test_of_a_model_that_is_fetched_a_question_has_one_answer(address: str, view: str, real: str) -> None:
    assert_all_sound(settings(address, view, model="real", real=real)[:EVERY_DAY], address, view)


@pytest.mark.long("questions about real models; those about small ones are asked in every run")
def test_of_a_real_model_that_predicts_a_question_has_one_answer(no_real_model: Path) -> None:
    bert_folder(no_real_model / NAME, predicts=True)
    fixed = {"model": "real", "real": NAME, "text": "the cat saw the cats ."}
    n = [assert_all_sound([fixed], address, view) for address, view in REAL]
    assert sum(map(bool, n)) > len(n) / 2, "few views ask of a real model"


@pytest.mark.usefixtures("without_real_models")
def test_no_question_stands_in_two_views() -> None:
    by_text: dict[str, set[str]] = {}
    for address, view in VIEWS:
        for one in usual(address, view).questions:
            by_text.setdefault(one.text, set()).add(f"{address} {view}")
    assert {text: views for text, views in by_text.items() if len(views) > 1} == {}
