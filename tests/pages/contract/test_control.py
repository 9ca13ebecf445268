"""A control as data: what a link can say to it, and what it makes of that."""

from pages.contract.answers import Answers, parsed
from pages.contract.ask import ROW, Ask
from pages.contract.control import Control, control, in_link
from pages.contract.items import Asked, Button, Name
from pages.contract.prose import JOINER
from pages.shell.items import lines
from tests.covering import each

NUMBER = Control("radius", "number", default=1, bounds=(0, 256))
ONE_OF = Control("preset", "one of", options=("causal", 2), default="causal")
SEVERAL = Control("silenced", "several", options=("1.1", "1.2"), default=[])
SWITCH = Control("causal", "switch", default=False)


@each(
    ("asked", "spelling", "value"),
    [
        (NUMBER, ["0"], 0),
        (NUMBER, ["256"], 256),
        (ONE_OF, ["causal"], "causal"),
        (ONE_OF, ["2"], 2),
        (SEVERAL, ["1.2", "1.1"], ["1.2", "1.1"]),
        (SWITCH, ["true"], True),
        (SWITCH, ["TRUE"], True),
        (SWITCH, ["FALSE"], False),
    ],
)
def test_a_link_says_what_is_possible(asked: Control, spelling: list[str], value: object) -> None:
    answers = Answers({asked.name: spelling})
    found = answers.value(asked)
    assert (found, type(found)) == (value, type(value))
    assert answers.refused == []


@each(
    ("asked", "spelling"),
    [
        (NUMBER, ["-1"]),
        (NUMBER, ["257"]),
        (NUMBER, ["1.5"]),
        (NUMBER, ["²"]),
        (NUMBER, [""]),
        (NUMBER, ["1", "2"]),
        (ONE_OF, ["window"]),
        (ONE_OF, ["causal", "2"]),
        (SEVERAL, ["1.1", "9.9"]),
        (SWITCH, ["yes"]),
    ],
)
def test_what_is_impossible_is_refused_in_a_sentence(asked: Control, spelling: list[str]) -> None:
    answers = Answers({asked.name: spelling})
    assert answers.value(asked) == asked.default
    (said,) = answers.refused
    assert said.reason.startswith(f"The link asks for {asked.name} = ")
    assert asked.possible in said.reason
    assert said.instead == f"Showing {asked.at_first}."


def test_what_a_link_does_not_say_is_the_default() -> None:
    answers = Answers({})
    assert [answers.value(one) for one in (NUMBER, ONE_OF, SEVERAL, SWITCH)] == [1, "causal", [], False]
    assert answers.refused == []


def test_a_link_is_parsed_into_its_address_and_parameters() -> None:
    assert parsed("/masking?view=mask+values&text=&silenced=1.1&silenced=1.2") == (
        "masking",
        {"view": ["mask values"], "text": [""], "silenced": ["1.1", "1.2"]},
    )


def test_a_refusal_shows_markup_as_characters() -> None:
    answers = Answers({"radius": ["![](http://x)"]})
    answers.value(NUMBER)
    assert "![](" not in str(answers.refused[0]).replace(JOINER, "")


def test_what_a_view_spells_itself_is_read_or_refused_with_the_reason() -> None:
    def unspell(raw: str) -> int:
        if raw != "seven":
            raise ValueError("cells are spelt seven")
        return 7

    for spelling, value in (([], 0), (["seven"], 7), (["8"], 0)):
        answers = Answers({"cells": spelling} if spelling else {})
        assert Ask(answers).spelt("cells", unspell, default=0, instead="none of them") == value
        said = [str(one).replace("\\", "").replace(JOINER, "") for one in answers.refused]
        assert said == ["The link asks for cells = 8, but cells are spelt seven. Showing none of them."] * (
            spelling == ["8"]
        )


def test_a_form_remembers_controls_by_the_spot_they_stand_at() -> None:
    ask = Ask(Answers({"query": ["2"], "radius": ["3"]}))
    assert ask.number("radius", label="± words") == 3
    with ask.at("cell"):
        assert ask.word("query", ("a", "b")) == 1
        ask.button("Flip", {"cells": None})
    assert ask.switch("causal") is False

    assert [item.control.name for item in ask.items[ROW] if isinstance(item, Asked)] == ["radius", "causal"]
    word, button = ask.items["cell"]
    assert isinstance(word, Asked)
    assert isinstance(button, Button)
    assert (word.value, word.words) == (2, ("a", "b"))


def test_while_no_word_is_chosen_it_is_the_usual_one_and_the_menu_says_so() -> None:
    ask = Ask(Answers({}))
    assert ask.word("query", ("a", "b")) is None
    assert ask.word("key", ("a", "b"), usual=1) == 1
    without, usual = (item.control.unchosen for item in ask.items[ROW] if isinstance(item, Asked))
    assert (without, usual) == ("none", "2 b")


def test_the_default_of_a_link_is_spelt_as_the_link_spells_it() -> None:
    assert in_link([True, 2]) == ["true", "2"]
    assert control("scale", "switch").at_first == "true"


def test_a_choice_stands_in_one_line_with_its_names() -> None:
    ask = Ask(Answers({}))
    ask.name("Recurrent weights")
    ask.name("×")
    ask.choice("scale_of_weights", hide_label=True)
    ask.name("dimensions d")
    ask.slide("d")
    ask.switch("causal")
    called = [
        [item.markdown if isinstance(item, Name) else "" for item in one] for one in lines(ask.items[ROW])
    ]
    assert called == [["Recurrent weights", "×", ""], ["dimensions d"], [""], [""]]
