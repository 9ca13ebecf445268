"""A control as data: what a link can say to it, and what it makes of that."""

from dataclasses import replace

from pages.contract.ask import ROW, Ask
from pages.contract.items import Button, InlineLabel
from pages.contract.link_parameters import LinkParameters, parsed
from pages.contract.parameter import Parameter, in_link, number, one_of, several, spelt, switch, text
from pages.contract.parameters import in_view
from pages.contract.prose import JOINER
from pages.shell.items import lines
from tests.covering import each

NUMBER = number("radius", default=1, largest=256)
ONE_OF = one_of("preset", options=("causal", 2))
SEVERAL = several("silenced", options=("1.1", "1.2"))
SWITCH = switch("causal")


@each(
    ("asked", "spelling", "value"),
    [
        (NUMBER, ["0"], 0),
        (NUMBER, ["256"], 256),
        (ONE_OF, ["causal"], "causal"),
        (ONE_OF, ["2"], 2),
        (SEVERAL, ["1.2", "1.1"], ["1.2", "1.1"]),
        (SWITCH, ["true"], True),
        (SWITCH, ["FALSE"], False),
    ],
)
def test_a_link_has_the_valid_values(asked: Parameter, spelling: list[str], value: object) -> None:
    answers = LinkParameters({asked.name: spelling})
    found = answers.value(asked)
    assert (found, type(found)) == (value, type(value))
    assert answers.refused == []


@each(
    ("asked", "spelling", "why"),
    [
        (NUMBER, ["-1"], "here it can be 0 to 256"),
        (NUMBER, ["257"], "here it can be 0 to 256"),
        (NUMBER, ["²"], "here it can be 0 to 256"),
        (NUMBER, ["1", "2"], "here it can be 0 to 256"),
        (ONE_OF, ["window"], "here it can be causal, 2"),
        (ONE_OF, ["causal", "2"], "here it can be causal, 2"),
        (one_of("d", options=range(20)), ["99"], "here it can be 0, 1, …, 18 or 19"),
        (SEVERAL, ["1.1", "9.9"], "here it can be 1.1, 1.2"),
        (SWITCH, ["yes"], "here it can be true or false"),
        (text("begins", default=""), ["hot", "tea"], "it can have only one value"),
        (spelt("cells"), ["f", "e"], "it can have only one value"),
    ],
)
def test_an_impossible_value_is_refused_in_a_sentence(
    asked: Parameter, spelling: list[str], why: str
) -> None:
    answers = LinkParameters({asked.name: spelling})
    assert answers.value(asked) == asked.default
    (said,) = answers.refused
    assert said.reason.startswith(f"The link asks for {asked.name} = ")
    assert said.reason.endswith(f", but {why}.")
    assert said.instead == f"Showing {asked.at_first}."


def test_a_choice_made_elsewhere_is_shown_as_near_as_it_can_be() -> None:
    assert SEVERAL.nearest(["9.9", "1.2"]) == ["1.2"]
    clamped = replace(NUMBER, clamps=True)
    assert [one.nearest(["300"]) for one in (clamped, NUMBER, ONE_OF)] == [256, 1, "causal"]
    assert clamped.nearest(["many"]) == 1


def test_a_missing_parameter_has_its_default() -> None:
    answers = LinkParameters({})
    assert [answers.value(one) for one in (NUMBER, ONE_OF, SEVERAL, SWITCH)] == [1, "causal", [], False]
    assert answers.refused == []


def test_a_link_is_parsed_into_its_address_and_parameters() -> None:
    assert parsed("/masking?view=mask+values&text=&silenced=1.1&silenced=1.2") == (
        "masking",
        {"view": ["mask values"], "text": [""], "silenced": ["1.1", "1.2"]},
    )


def test_a_refusal_shows_markup_as_characters() -> None:
    answers = LinkParameters({"radius": ["![](http://x)"]})
    answers.value(NUMBER)
    assert "![](" not in str(answers.refused[0]).replace(JOINER, "")


def test_a_custom_spelling_is_read_or_refused_with_the_reason() -> None:
    def parse(raw: str) -> int:
        if raw != "seven":
            raise ValueError("cells are spelt seven")
        return 7

    for spelling, value in (([], 0), (["seven"], 7), (["8"], 0)):
        answers = LinkParameters({"cells": spelling} if spelling else {})
        assert Ask(answers).parsed("cells", parse, default=0, instead="none of them") == value
        said = [str(one).replace("\\", "").replace(JOINER, "") for one in answers.refused]
        assert said == ["The link asks for cells = 8, but cells are spelt seven. Showing none of them."] * (
            spelling == ["8"]
        )


def test_a_form_remembers_controls_by_the_spot_they_stand_at() -> None:
    ask = Ask(LinkParameters({"query": ["2"], "radius": ["3"]}))
    assert ask.number("radius", label="± words") == 3
    with ask.at("cell"):
        assert ask.word("query", ("a", "b")) == 1
        ask.button("Flip", {"cells": None})
    assert ask.switch("causal") is False

    assert [item.parameter.name for item in ask.asked([ROW])] == ["radius", "causal"]
    assert isinstance(ask.items["cell"][1], Button)
    (word,) = ask.asked(["cell"])
    assert (word.value, word.words) == (2, ("a", "b"))


def test_while_no_word_is_chosen_it_is_the_usual_one_and_the_menu_says_so() -> None:
    ask = Ask(LinkParameters({}))
    assert ask.word("query", ("a", "b")) is None
    assert ask.word("key", ("a", "b"), usual=1) == 1
    without, usual = (item.parameter.unchosen for item in ask.asked())
    assert (without, usual) == ("none", "2 b")


def test_the_default_of_a_link_is_spelt_as_the_link_spells_it() -> None:
    assert in_link([True, 2]) == ["true", "2"]
    assert in_view("scale").at_first == "true"


def test_a_choice_stands_in_one_line_with_its_names() -> None:
    ask = Ask(LinkParameters({}))
    ask.name("Recurrent weights")
    ask.name("×")
    ask.choice("scale_of_weights", hide_label=True)
    ask.name("dimensions d")
    ask.slide("d")
    ask.switch("causal")
    called = [
        [item.markdown if isinstance(item, InlineLabel) else "" for item in one]
        for one in lines(ask.items[ROW])
    ]
    assert called == [["Recurrent weights", "×", ""], ["dimensions d"], [""], [""]]
