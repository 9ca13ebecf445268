"""A parameter means one thing: on every page it has the kind, label and options it is declared with."""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pages.contract.ask import Ask
from pages.contract.link_parameters import LinkParameters
from pages.contract.parameter import Parameter, one_of
from pages.contract.parameters import OF_B, PARAMETERS, TABLE, declared, in_view
from pages.contract.unused_parameters import OF_ANY_PAGE, unfollowed
from tests.covering import each
from tests.pages.asked import Asked, folds
from tests.pages.contract.test_every_link import usual
from tests.views import PAGES

pytestmark = pytest.mark.usefixtures("without_real_models")

ROOT = Path(__file__).parents[2]

MORE: list[tuple[str, dict[str, Any]]] = [
    *(("masking", {"preset": preset}) for preset in ("window", "prefix", "padding")),
    ("generation", {"way": "sampled"}),
    ("generation", {"view": "memory", "writer": "LSTM"}),
    ("translation", {"way": "beam"}),
    ("translation", {"way": "sampled"}),
    ("translation", {"translator": "LSTM"}),
    ("step-by-step", {"size": "full"}),
    ("step-by-step", {"form": "one word"}),
    ("gradients", {"view": "gates", "lstm": "random"}),
    ("gradients", {"follow": "Jacobians", "recurrence": "random"}),
    ("architectures", {"view": "recurrent", "network": "with attention"}),
    ("architectures", {"view": "recurrent", "network": "LSTM"}),
    ("blocks", {"view": "pre and post", "shows": "training"}),
    ("explorer", {"model": "random", "window": 2}),
    ("explorer", {"drawn": "lines"}),
]
"""Settings under which a view has further controls."""


EVERY = [(address, {"view": view}) for address, page in PAGES.items() for view in page.views]


@cache
def controls() -> dict[str, set[tuple[str, str]]]:
    """For each name the pages and views that have it, of all there are; those of tables among them."""
    met: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for address, asked in [*EVERY, *MORE]:
        for name in of_sheet(address, asked):
            met[name].add((address, asked.get("view", "")))
    return met


def of_sheet(address: str, asked: dict[str, Any]) -> set[str]:
    """Return the names of all controls and tables. The view follows or refuses every parameter."""
    is_usual = asked.keys() == {"view"}
    found = usual(address, asked["view"]) if is_usual else Asked(address, **asked)
    followed = found._form.parameters.followed
    assert set(found.controls) <= followed
    others = {name: ["2"] for name in PARAMETERS if name not in (*followed, *OF_ANY_PAGE)}
    at_default = {name for name in others if str(PARAMETERS[name].default) == "2"}
    assert unfollowed(others, followed).keys() == others.keys() - at_default
    keys = [part.key for part in found.parts if folds(part)]
    keys += [key for key in found.pictures if found.picture(key).has_table]
    asked_for = {name for name, one in found.controls.items() if one.parameter.kind != "text"}
    return {*asked_for, *(f"{key}{TABLE}" for key in keys), "code"}


def test_every_control_of_every_view_is_as_it_is_declared() -> None:
    """One of another kind, label or option than declared would have ended its page with an assertion."""
    drawn = {name for name in controls() if not name.endswith(TABLE) and not name.startswith(OF_B)}
    without_control = {name for name, one in PARAMETERS.items() if one.kind in ("text", "spelt")}
    where_real, where_a_translator_is_wrong = {"real", "tokens", "special"}, {"target"}
    elsewhere = where_real | where_a_translator_is_wrong | {"predict", "large"}
    assert drawn == set(PARAMETERS) - without_control - elsewhere


def test_an_open_table_of_one_page_opens_none_on_another() -> None:
    pages = {
        name: {address for address, _ in places}
        for name, places in controls().items()
        if name.endswith(TABLE)
    }
    assert len(pages) > 50
    assert {name: places for name, places in pages.items() if len(places) > 1} == {}


def test_all_that_is_asked_for_is_a_parameter_of_its_view() -> None:
    refused = {(address, one) for address, asked in MORE for one in Asked(address, **asked).warnings}
    assert refused == set()


@each(
    ("given", "said"),
    [
        ({"label": "± words"}, "positions_shown is declared as 'Positions', not as '± words'"),
        ({"options": (16, 17)}, "positions_shown has other options than declared"),
        ({"default": 31}, "positions_shown is 31 at first, which is none of"),
    ],
)
def test_a_control_that_means_something_else_cannot_have_the_name(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        in_view("positions_shown", **given)


@each(
    ("asked", "said"),
    [
        (lambda: Ask(LinkParameters({})).choice("radius"), "radius is declared as number, not as one of"),
        (lambda: in_view("word"), "the largest word depends on the view"),
        (lambda: in_view("nonsense"), "nonsense is missing among the parameters"),
    ],
)
def test_a_control_needs_a_declaration_of_its_kind_and_its_values(asked: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        asked()


@each("one", PARAMETERS.values())
def test_a_declaration_has_a_unique_sentence_of_its_meaning(one: Parameter) -> None:
    assert one.meaning.endswith(".")
    assert one.meaning[0].isupper()
    assert [other.name for other in PARAMETERS.values() if other.meaning == one.meaning] == [one.name]
    if one.options:
        assert one.default in one.options
        assert len(set(one.options)) == len(one.options)
    if one.kind == "number" and isinstance(one.default, int):
        assert one.smallest <= one.default <= (one.largest or one.default)


def test_a_label_may_have_gaps_that_the_page_fills_in() -> None:
    word = one_of("x", "Word of {}", "Nothing.", ("a", "b"), also=("Row",))
    assert [word.in_view(label=label).label for label in ("Word of 12", "Row")] == ["Word of 12", "Row"]
    for label in ("Word of ", "Rows"):
        with pytest.raises(AssertionError, match="not as"):
            word.in_view(label=label)


def test_a_switch_of_the_second_architecture_shares_the_firsts_declaration() -> None:
    both = declared("b_scale")
    assert both is not None
    assert (both.kind, both.label) == ("one of", PARAMETERS["scale"].label)
    assert declared("b_seed") is not None
    assert declared("b_text") is None


def test_declarations_know_no_page() -> None:
    """A link can be read without one."""
    folder = ROOT / "pages" / "contract" / "parameters"
    sources = "".join(file.read_text("utf-8") for file in folder.glob("*.py"))
    assert "streamlit" not in sources
    assert "PARAMETERS" in sources, "the folder is there"
    imported = set(re.findall(r"^from (pages[\w.]*)", sources, flags=re.MULTILINE))
    assert {name for name in imported if not name.startswith("pages.contract.parameter")} == set()
