"""Step by step: every stage of the head as the browser gets it, what is changed in it, and the link."""

import json
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from core.measures.stages import (
    MOST_CHANGES,
    NONE,
    THREE,
    TIED,
    Change,
    Comparison,
    Walk,
    compare,
    look_up,
    parse,
    small,
    walk,
)
from core.measures.stages.latex import of_all_words, of_one_word
from core.model.config import POSITIONS, ModelConfig
from core.model.masks import MASKS
from core.sources import load
from core.text.tokenizer import words_of
from core.words import two_decimals
from pages.contract.examples import MARIA, TEA
from pages.contract.prose import Typed
from pages.contract.question import solution
from pages.contract.sheet import Code
from pages.step_by_step import three_matrices
from pages.step_by_step.one_head import headline, mixed, scores
from pages.step_by_step.soft_lookup import STOPS, cold, kind_of
from pages.step_by_step.stages import COLUMNS_TOGETHER, MOST_COLUMNS, MOST_ROWS, TOLD
from pages.step_by_step.walking import add_change
from tests.covering import covering, each
from tests.pages.asked import Asked
from tests.pages.questions.read import mistaken, whole
from tests.pages.session import Session, numbers, readable
from tests.programs import printed, printed_matrix
from viz.theme import DARK

PAGE = "step-by-step"
SMALL: dict[str, Any] = {"size": "small", "positions": "alibi"}
EVIL = '<b>x</b> $y$ **z** ![](http://evil) 茶 👩\u200d🔬 "\u202e'


def sheets(session: Asked) -> dict[str, Any]:
    """What the browser draws."""
    strip = session.strip
    sent = {"stages": strip.stages, "stage": strip.opened, "changes": strip.changed}
    drawn: dict[str, Any] = json.loads(json.dumps(sent | {"alt": strip.alt}))
    return drawn


def stage(session: Asked, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in sheets(session)["stages"] if one["name"] == name)
    return found


def tell(session: Asked, event: str, value: Any) -> None:
    """What the browser reports of the strip is a change of the link."""
    strip = session.strip
    changes = {"stage": value["name"]} if event == "stage" else strip.reset
    session.change(strip.on_change(value, session.whole_link) if event == "change" else changes)


def walked(text: str = TEA, *changes: Change, head: int = 0, seed: int = 0, **fields: Any) -> Walk:
    """What `core` computes with the small model."""
    config = small(ModelConfig(vocab_size=1, **{"positions": "alibi", **fields}))
    return walk(load("random", config, words_of(text), seed), head=head, changes=changes)


def assert_shown(drawn: dict[str, Any], matrix: np.ndarray) -> None:
    """The numbers sent are those of the matrix, as far as there is room."""
    values = np.array([[-np.inf if one is None else one for one in row] for row in drawn["values"]])
    rows, columns = values.shape
    np.testing.assert_array_equal(values.astype(np.float32), matrix[:rows, :columns])
    assert [drawn["nRows"], drawn["nColumns"]] == list(matrix.shape)
    assert (len(drawn["rows"]), len(drawn["columns"])) == values.shape


def test_the_small_model_shows_every_number_of_the_sentence_of_the_note() -> None:
    session = Asked(PAGE, **SMALL)

    sent, stages = sheets(session), walked().stages
    assert session.value("text") == TEA
    assert [one["name"] for one in sent["stages"]] == [one.name for one in stages]
    assert sent["stage"] == "embeddings"
    for drawn, expected in zip(sent["stages"], stages, strict=True):
        grids = [expected.result] + [operand.grid for operand in expected.operands]
        for one, grid in zip([drawn["result"], *drawn["operands"]], grids, strict=True):
            assert_shown(one, grid.matrix)
            assert len(one["rows"]) == one["nRows"]
            assert len(one["columns"]) == one["nColumns"]
        assert "are shown" not in drawn["hint"]


@pytest.mark.parametrize(
    ("positions", "mask", "scale"),
    [
        (one["positions"], one["mask"], one["scale"])
        for one in covering({"positions": POSITIONS, "mask": tuple(MASKS), "scale": (True, False)})
    ],
)
def test_every_switch_of_the_small_model_shows_its_own_stages(positions: str, mask: str, scale: bool) -> None:
    session = Asked(PAGE, positions=positions, mask=mask, scale=scale, head=2, seed=7)

    expected = walked(positions=positions, mask=mask, scale=scale, head=1, seed=7).stages
    drawn = sheets(session)["stages"]
    assert [one["name"] for one in drawn] == [one.name for one in expected]
    for one, stage_ in zip(drawn, expected, strict=True):
        assert_shown(one["result"], stage_.result.matrix)
    assert session.warnings == []


@pytest.mark.parametrize("layer", [1, 2])
@pytest.mark.parametrize("positions", ["alibi", "rotary", "sinusoidal"])
def test_the_model_of_the_switches_is_shown_as_far_as_there_is_room(layer: int, positions: str) -> None:
    session = Asked(PAGE, size="full", text=MARIA, positions=positions, layer=layer, head=3)

    config = ModelConfig(vocab_size=1, positions=positions)  # type: ignore[arg-type]
    expected = walk(load("trained", config, words_of(MARIA), 0), layer=layer - 1, head=2).stages
    for one, stage_ in zip(sheets(session)["stages"], expected, strict=True):
        assert_shown(one["result"], stage_.result.matrix)
        drawn = [one["result"], *one["operands"]]
        assert sum(len(grid["columns"]) for grid in drawn) <= COLUMNS_TOGETHER
        assert all(len(grid["rows"]) <= MOST_ROWS for grid in drawn)
        cut = any(len(g["columns"]) < g["nColumns"] or len(g["rows"]) < g["nRows"] for g in drawn)
        assert ("sums run over all" in one["hint"]) == cut


def test_the_form_for_one_word_shows_its_row_alone() -> None:
    session = Asked(PAGE, **SMALL, form="one word", word=3)

    for drawn, expected in zip(sheets(session)["stages"], walked().stages, strict=True):
        is_whole = drawn["name"] in ("k", "v")
        assert_shown(drawn["result"], expected.result.matrix[slice(None) if is_whole else slice(2, 3)])
        assert drawn["firstRow"] == (0 if is_whole else 2)
    q, k = stage(session, "scores")["operands"]
    assert (q["rows"], k["nColumns"]) == (["his"], 5)
    session.set(word=None)
    assert stage(session, "q")["result"]["rows"] == ["tea"]


def test_a_stage_that_is_opened_is_in_the_link_with_its_formula_and_its_numbers() -> None:
    session = Asked(PAGE, **SMALL)
    for one in walked().stages:
        tell(session, "stage", {"name": one.name, "question": 1})

        assert session.value("stage") == one.name
        assert sheets(session)["stage"] == one.name
        assert session.latex[:2] == [of_all_words(one), of_one_word(one)]
        assert TOLD[one.name].source in session.prose
        np.testing.assert_allclose(session.table("steps").to_numpy(), one.result.matrix, atol=1e-6)
        assert TOLD[one.name].title.lower() in sheets(session)["alt"]


def test_every_stage_there_can_be_is_told_of() -> None:
    named = {"states", "segments", "positions", "embedding norm", "norm"} | {
        one.name for one in walked().stages
    }
    assert set(TOLD) == named


def test_a_changed_entry_is_in_the_link_and_followed_by_everything_after_it() -> None:
    session = Asked(PAGE, **SMALL, stage="q")
    tell(session, "change", {"matrix": "q", "row": 4, "column": 1, "value": 2.5})
    tell(session, "change", {"matrix": "scores", "row": 2, "column": 0, "value": -1})

    assert session.link["edit"] == ["q.5.2.2.5", "scores.3.1.-1"]
    expected = walked(TEA, parse("q.5.2.2.5"), parse("scores.3.1.-1")).stages
    for drawn, stage_ in zip(sheets(session)["stages"], expected, strict=True):
        assert_shown(drawn["result"], stage_.result.matrix)
        assert stage_.result.changed is not None
        assert drawn["result"]["changed"] == stage_.result.changed.tolist()
    assert sheets(session)["changes"] == "2 changes"
    assert "1 entry changed" in sheets(session)["alt"]


@each(
    ("edit", "said"),
    [
        (["q.2.1.1"], "q of *made*, dimension noun sg: set by you to 1.00; the matrices give 6.00."),
        (["k.1.1.-2"], "k of *Zuko*, dimension noun sg: set by you to −2.00; the matrices give 1.00."),
        (["v.1.1.3"], "v of *Zuko*, dimension"),
        (["scores.2.1.3"], "S scaled of *made*, *Zuko*: set by you to 3.00; the matrices give 4.24."),
        (
            ["q.2.1.1", "scores.2.1.3"],
            "S scaled of *made*, *Zuko*: set by you to 3.00; the matrices give 0.71.",
        ),
    ],
)
def test_an_entry_set_by_hand_is_said_to_be_beside_what_the_matrices_give(edit: list[str], said: str) -> None:
    name = {"scores": "scale"}.get(edit[-1].split(".")[0], edit[-1][0])
    for view in ({"stage": name}, {"view": "soft lookup"}):
        session = Asked(PAGE, edit=edit, **view)
        assert said in readable(session.prose)
        assert "asks for a singular noun" not in session.prose, "it describes the head without changes"
    session = Asked(PAGE, edit=edit, stage=name)
    one = stage(session, name)
    row, column = (int(part) - 1 for part in edit[-1].split(".")[1:3])
    computed = one["result"]["computed"]
    assert f"give {two_decimals(computed[row][column])}." in said or "v of" in said
    assert sum(value is not None for line in computed for value in line) == 1
    assert all(
        other["result"]["computed"] is None for other in sheets(session)["stages"] if other["name"] == "α"
    )
    assert session.strip.title.endswith(", 1 entry set by hand")
    assert "set by hand" in next(part.write() for part in session.parts if isinstance(part, Code))
    assert "asks for a singular noun" in Asked(PAGE, stage=name).prose


def test_an_entry_changed_again_has_its_last_value_and_all_can_be_undone() -> None:
    session = Asked(PAGE, **SMALL, edit=["q.5.2.2.5", "k.1.1.1"])
    tell(session, "change", {"matrix": "q", "row": 4, "column": 1, "value": -3})
    assert session.link["edit"] == ["k.1.1.1", "q.5.2.-3"]

    tell(session, "reset", True)
    assert "edit" not in session.link
    assert sheets(session)["changes"] == ""
    assert_shown(stage(session, "softmax")["result"], walked().stages[8].result.matrix)


@each(
    ("written", "said"),
    [
        ("q.9.1.1", "q has no entry 9.1: it has 5 rows and 4 columns"),
        ("scores.1.6.1", "scores has no entry 1.6: it has 5 rows and 5 columns"),
        ("<b>", "a change is written like q.2.1.-0.5"),
        ("v.1.1.4096", "a value lies between -1000 and 1000, got 4096"),
        ("9" * 4000, "a change is written like"),
    ],
)
def test_an_impossible_change_gets_a_sentence_and_leaves_the_link(written: str, said: str) -> None:
    session = Asked(PAGE, **SMALL, edit=[written, "q.1.1.1"])

    (warning,) = session.warnings
    assert f"The link asks for edit = {written[:30]}" in readable(warning)
    assert said in readable(warning)
    assert sheets(session)["changes"] == "1 change"


def test_a_stage_that_a_switch_takes_away_gives_way_to_the_first() -> None:
    session = Asked(PAGE, **SMALL, stage="bias")
    session.set(positions="none")
    assert session.value("stage") == "embeddings"
    assert "here it can be embeddings, q, k" in session.warnings[0]


@each(
    ("text", "form"),
    [
        ("one", "all words"),
        ("one two " * 128, "all words"),
        ("one two " * 128, "one word"),
        (EVIL, "one word"),
    ],
)
def test_any_sentence_has_its_stages(text: str, form: str) -> None:
    session = Asked(PAGE, **SMALL, text=text, form=form, stage="softmax", latex=True)
    rows = stage(session, "softmax")["result"]
    assert rows["nColumns"] == len(words_of(text))
    assert len(rows["columns"]) == rows["nColumns"] or form == "all words"
    assert len(rows["columns"]) <= MOST_COLUMNS or form == "one word"
    assert "\u202e" not in json.dumps(sheets(session), ensure_ascii=False)
    assert session.warnings == []


def test_unknown_words_are_marked_where_the_model_has_learned_words() -> None:
    session = Asked(PAGE, size="full", text="the zzyzx")
    assert "**zzyzx**†" in session.prose
    assert session.warnings == []


def reported(session: Session, event: str, value: Any) -> None:
    """Let the browser report an event of the strip."""
    widgets = session.app._tree.get_widget_states()
    name = f"$$STREAMLIT_INTERNAL_KEY_{session.element('strip').proto.id}__events"
    event_sent = json.dumps([{"event": event, "value": value}])
    widgets.widgets.append(WidgetState(id=name, json_trigger_value=event_sent))
    session.run(widgets)


def test_what_the_browser_reports_of_the_strip_is_in_the_link_of_its_page() -> None:
    session = Session("training")
    session.set(steps=9)
    session.go(PAGE)
    reported(session, "stage", {"name": "q", "question": 1})
    assert session.value("stage") == "q"
    reported(session, "change", {"matrix": "q", "row": 4, "column": 1, "value": 2.5})
    reported(session, "change", {"matrix": "scores", "row": 2, "column": 0, "value": -1})
    assert session.link["edit"] == ["q.5.2.2.5", "scores.3.1.-1"]
    sent = json.loads(session.element("strip").proto.json)
    assert (sent["stage"], sent["changes"], sent["heard"]) == ("q", "2 changes", 1)
    assert sent["stages"] == sheets(Asked(PAGE, **session.link))["stages"]
    session.set(text="just two")
    assert "q has no entry 5.2: it has 2 rows" in readable(session.warnings[0])
    assert "edit" not in session.link
    reported(session, "change", {"matrix": "q", "row": 0, "column": 0, "value": 3})
    reported(session, "reset", True)
    assert "edit" not in session.link


def test_the_page_forgets_impossible_changes_and_says_why_until_the_entries_are_changed() -> None:
    session = Session(
        PAGE, **SMALL, edit=["q.9.1.1", *(f"q.1.1.{value}" for value in range(9))], theme="dark"
    )
    said = session.warnings
    assert any("At most 8 entries can be changed" in one for one in said)
    assert len(session.link["edit"]) == 7, "the first of the eight is impossible"
    assert session.warnings == said
    colours = json.loads(session.element("strip").proto.json)["colours"]
    assert (colours["paper"], colours["query"]) == (DARK.paper, DARK.query)
    assert colours["sequential"][0][1] == colours["paper"]
    reported(session, "change", {"matrix": "q", "row": 0, "column": 1, "value": 2})
    assert session.warnings == []


@each("stage_name", [one.name for one in walked().stages])
@each("word", ["", "*his*"])
def test_a_headline_says_what_every_stage_makes_of_all_words_or_of_one(stage_name: str, word: str) -> None:
    opened = next(one for one in walked().stages if one.name == stage_name)
    said = headline(opened, place="head 1 of layer 1", unit="word", word=word)
    assert said.startswith("In head 1 of layer 1, ")
    assert (word or "each word") in said or "of the 25 scores" in said or "10 of 25 scores" in said
    if stage_name not in ("scores", "scale", "bias", "mask", "softmax"):
        assert f"{opened.result.matrix.shape[1]} numbers" in said


@each("name", ["scores", "scale", "bias", "mask", "softmax"])
@each("layer", [1, 2])
def test_a_full_head_has_its_matrices_from_scores_to_weights_side_by_side(name: str, layer: int) -> None:
    asked = {"size": "full", "text": MARIA, "positions": "alibi", "layer": layer, "head": 3, "stage": name}
    session = Asked(PAGE, **asked)
    config = ModelConfig(vocab_size=1, positions="alibi")
    found = {
        one.name: one.result.matrix
        for one in walk(load("trained", config, words_of(MARIA), 0), layer=layer - 1, head=2).stages
    }
    data = [numbers(one["z"]) for one in session.figure("side_by_side")["data"] if one["type"] == "heatmap"]
    np.testing.assert_allclose(data[0], found["scale"], atol=1e-6)
    np.testing.assert_allclose(np.nan_to_num(data[-1]), found["softmax"], atol=1e-6)
    session.click("side_by_side", x=0, y=4)
    assert (session.value("form"), session.value("word")) == ("one word", 5)


@each("asked", [{}, {"size": "small"}, {"size": "full", "stage": "q"}])
def test_other_heads_and_stages_have_the_strip_alone(asked: dict[str, Any]) -> None:
    assert not Asked(PAGE, **({"stage": "softmax"} | asked)).has("side_by_side")


@each(
    ("text", "head", "said"),
    [
        ("the keys near the lamp are", 1, "*are* asks for a plural noun and gives *keys* a weight of 0.93."),
        ("the keys near the lamp is", 1, "*is* asks for a singular noun and gives *lamp* a weight of 0.93."),
        ("keys and maps are", 1, "gives *keys* and *maps* a weight of 0.49 each."),
        ("the lamp are", 1, "It may attend to no such word, so all its weights are equal."),
        ("near the", 1, "No word of this sentence asks: every query is 0."),
        ("the old lamp", 2, "*lamp* asks for an article or an adjective and gives *the* and *old*"),
    ],
)
def test_a_head_made_by_hand_says_who_asks_for_what_and_finds_whom(text: str, head: int, said: str) -> None:
    assert said in Asked(PAGE, text=text, head=head).prose


@each("asked", [{"positions": "alibi"}, {"seed": 3}, {"positions": "none", "stage": "q"}])
def test_a_link_with_positions_or_a_seed_opens_the_small_model(asked: dict[str, object]) -> None:
    session = Asked(PAGE, **asked)
    assert session.value("size") == "small"
    assert "asks:" not in session.prose


def test_a_change_of_an_entry_replaces_the_one_before_and_what_is_no_change_leaves_the_link() -> None:
    asked = {"matrix": "q", "row": 4, "column": 1, "value": -3.0}  # the browser counts from 0
    link = {"edit": ["q.5.2.2.5", "k.1.1.1", "nonsense"]}
    assert add_change(asked, link) == {"edit": ("k.1.1.1", "q.5.2.-3")}
    full = {"edit": [f"q.1.{column}.1" for column in range(1, MOST_CHANGES + 1)]}
    changed = add_change(asked, full)["edit"]
    assert len(changed) == MOST_CHANGES
    assert changed[-1] == "q.5.2.-3"


LOOKUP, MATRICES = {"view": "soft lookup"}, {"view": "why three matrices"}


@pytest.mark.parametrize(("stop", "word"), [*((stop, None) for stop in list(STOPS)[::2]), ("0.5", 3)])
def test_the_store_shows_the_look_up_at_every_temperature(stop: str, word: int | None) -> None:
    asked = {} if word is None else {"word": word}
    session = Asked(PAGE, **SMALL, **LOOKUP, sharpness=stop, **asked)

    found, at = walked(), 4 if word is None else word - 1
    expected = look_up(found.scores[at], found.v, found.allowed[at], temperature=STOPS[stop])
    n = at + 1  # the mask hides the words after it
    bars, *strips = session.figure("store")["data"]
    np.testing.assert_allclose(numbers(bars["x"]), expected.weights[:n], atol=1e-6)
    cells = np.vstack([numbers(strip["z"]) for strip in strips])
    wanted = np.vstack([found.v[:n], expected.output, expected.best, expected.mean])
    assert session.figure("store")["layout"]["yaxis"]["ticktext"].count("<b>his</b>") == (n >= 3)
    np.testing.assert_allclose(cells, wanted, atol=1e-6)
    np.testing.assert_allclose(session.table("store")["weight"], expected.weights[:n])
    assert f"{expected.from_best:.3f} away from" in session.prose


def test_the_dimensions_of_values_made_by_hand_have_names() -> None:
    assert list(Asked(PAGE, **LOOKUP).table("store")) == ["weight", "person", "thing"]
    assert list(Asked(PAGE, **SMALL, **LOOKUP).table("store"))[1] == "v 1"


def test_the_distances_go_from_the_best_value_to_the_mean() -> None:
    table = Asked(PAGE, **SMALL, **LOOKUP).table("distances")
    best, mean = (table[table["from"] == end]["distance"].to_list() for end in ("best value", "mean"))
    assert [best[0], mean[-1]] == pytest.approx([0, 0], abs=1e-9)
    assert best == sorted(best)
    assert mean == sorted(mean, reverse=True)
    assert list(table["temperature"][::2]) == list(STOPS)


@each("stop", STOPS)
def test_keys_that_tie_are_given_the_weight_of_each(stop: str) -> None:
    said = str(Asked(PAGE, **LOOKUP, word=3, sharpness=stop).sheet.answer)
    assert "are *Zuko* (1), *made* (2) and *his* (3), with a weight of 0.33 each at T =" in said


@each(
    ("scores", "temperature", "said"),
    [
        ([3.0], "5", "Only one key is visible: at every temperature it has all of the weight."),
        ([2.0, 2.0, 2.0], "0", "All visible keys match alike: at every temperature the output is the"),
        ([2.0, 2.0, 2.0], "∞", "All visible keys match alike: at every temperature the output is the"),
        ([2.0, 1.0, 0.0], "∞", "an average, not a look-up: every visible key has the same weight."),
        ([0.5, 0.0], "10", "an average, not a look-up: every visible key has nearly the same weight."),
        ([1.0, 1.0, 0.0], "1", "The keys share the weight: the query matches them softly."),
        ([6.0, 0.0], "1", "This is a dictionary: the best key has nearly all of the weight."),
        ([0.1, 0.0], "0", "This is a dictionary: the best key has all of the weight."),
        ([6.0, 6.0, 0.0], "1", "The 2 best keys share nearly all of the weight: the output is nearly their"),
        ([0.1, 0.1, 0.0], "0", "The 2 best keys share all of the weight: the output is their mean value."),
    ],
)
def test_the_kind_of_look_up_is_chosen_by_the_weights(
    scores: list[float], temperature: str, said: str
) -> None:
    n = len(scores)
    found = look_up(np.array(scores), np.eye(n), np.full(n, True), temperature=STOPS[temperature])
    assert said in kind_of(found)


@each(
    "asked",
    [
        {"sharpness": "0.5", "edit": "q.5.1.2", "positions": "rotary"},
        {"sharpness": "0", "word": 3, "size": "full"},
    ],
)
def test_the_program_of_a_look_up_prints_its_weights_and_its_output(asked: dict[str, Any]) -> None:
    session = Asked(PAGE, **LOOKUP, **asked)
    *weights, output = printed(session.code).splitlines()
    bars, *strips = session.figure("store")["data"]
    shown = numbers(bars["x"])
    np.testing.assert_allclose([float(line.split()[-1]) for line in weights[: len(shown)]], shown, atol=6e-4)
    assert [float(line.split()[-1]) for line in weights[len(shown) :]] == [0.0] * (5 - len(shown))
    cells = numbers(strips[len(shown)]["z"])[0]
    np.testing.assert_allclose([float(one) for one in output.split()[1:]][: len(cells)], cells, atol=6e-4)


@each("matrices", [NONE, TIED, THREE])
@each("unit", [True, False])
def test_the_picture_and_the_program_compare_by_the_chosen_matrices(matrices: str, unit: bool) -> None:
    asked = {"unit": unit} if matrices == NONE else {}
    session = Asked(PAGE, **MATRICES, matrices=matrices, **asked)
    config = ModelConfig(vocab_size=1, positions="none", mask="bidirectional")
    found = walk(load("trained", config, words_of(three_matrices.KEYS), 0), head=1)
    expected = compare(
        found.x,
        found.q,
        found.k,
        matrices=matrices,
        scale=found.scale,
        unit_length=unit,  # type: ignore[arg-type]
    )
    np.testing.assert_allclose(session.matrix("compared"), expected.scores, atol=1e-5)
    np.testing.assert_allclose(session.matrix("compared", panel=1), expected.pattern, atol=1e-6)
    np.testing.assert_allclose(printed_matrix(session.code, 7, alone=False), expected.pattern, atol=6e-4)
    assert session.has("unit") == (matrices == NONE)


def test_the_three_choices_can_be_told_apart_in_the_sentence_that_opens_the_view() -> None:
    counts = [
        int(str(Asked(PAGE, **MATRICES, matrices=one).sheet.answer).split(" of 7 words")[0].split()[-1])
        for one in (NONE, TIED, THREE)
    ]
    assert counts[:2] == [7, 7]
    assert counts[2] < 4
    weights = Asked(PAGE, **MATRICES, matrices=THREE).matrix("compared", panel=1)
    assert [weights[1].argmax(), weights[6].argmax()] == [6, 1], "*keys* and *heavy* find each other"


@each("matrices", [NONE, TIED, THREE])
@each("size", ["small", "full"])
@each("text", ["my own gizmo", "near the", EVIL])
def test_own_words_never_give_a_grid_of_zeros(matrices: str, size: str, text: str) -> None:
    session = Asked(PAGE, **MATRICES, matrices=matrices, size=size, text=text)
    assert np.abs(session.matrix("compared")).max() > 0.05
    if text == "my own gizmo":
        is_told = "so no matrix can tell them apart" in str(session.sheet.answer)
        assert is_told == (size == "full")
        assert ("In the model *small* each word has a vector of its own" in session.prose) == is_told


def test_heads_made_by_hand_are_not_offered_where_most_queries_would_be_zero() -> None:
    assert list(Asked(PAGE, **MATRICES).options("size")) == ["small", "full"]
    session = Asked(PAGE, **MATRICES, size="by hand")
    assert "here it can be small, full" in session.warnings[0]


@pytest.mark.parametrize(("positions", "mask"), list(zip(POSITIONS, cycle(MASKS), strict=False)))
def test_scores_are_symmetric_with_one_matrix_under_every_switch(positions: str, mask: str) -> None:
    asked = MATRICES | {"size": "small", "positions": positions, "mask": mask}
    tied, own = (Asked(PAGE, **asked, matrices=one).matrix("compared") for one in (TIED, THREE))
    np.testing.assert_allclose(tied, tied.T, atol=1e-6)
    assert not np.allclose(own, own.T, atol=0.1)


IDENTITY = np.eye(3)
NAMES = tuple(map(Typed, ("tea", "his", "tea")))


def compared(scores: Any, pattern: Any = IDENTITY) -> Comparison:
    return Comparison(np.asarray(scores, dtype=float), np.asarray(pattern, dtype=float))


@each(
    ("scores", "matrices", "said"),
    [
        (IDENTITY, NONE, "In here without matrices, 3 of 3 words attend most to themselves."),
        (IDENTITY, TIED, "themselves; all scores are symmetric."),
        (IDENTITY, THREE, "themselves; no two scores of a pair differ by 0.01 or more."),
        ([[0, 2, 0], [-1, 0, 0], [0, 0, 0]], THREE, "*tea* scores 2.00 with *his*, *his* −1.00 with *tea*."),
    ],
)
def test_a_headline_counts_the_words_and_names_a_pair_only_if_its_scores_differ(
    scores: Any, matrices: Any, said: str
) -> None:
    found = three_matrices.headline(compared(scores), matrices, NAMES, unit="word", place="here")
    assert readable(found).endswith(readable(said))


@each(("pattern", "is_so"), [(np.full((2, 2), 0.5), True), ([[0.9, 0.1], [0.2, 0.8]], False)])
def test_weights_with_one_matrix_are_called_asymmetric_only_if_they_are(pattern: Any, is_so: bool) -> None:
    said = three_matrices.why(compared(np.eye(2), pattern), TIED, unit_length=True)
    assert (three_matrices.ROWS_DIFFER not in said) == is_so


@each("text", ["x", "茶"])
def test_a_single_word_has_nothing_to_be_compared_with(text: str) -> None:
    session = Asked(PAGE, **MATRICES, text=text)
    assert "A single word has no other word" in str(session.sheet.answer)
    assert session.questions == []


def test_a_head_has_a_score_for_each_query_and_key() -> None:
    asked = whole(scores(5, "piece"))
    assert solution(asked) == "25 scores"
    assert mistaken(asked) == [5, 10, 20]
    assert mistaken(whole(scores(3, "word"))) == [6], "3 may be words or pairs"
    assert scores(2, "word") is None
    assert solution(whole(mixed())) == "the values"


def test_a_cold_look_up_is_asked_about_if_one_key_is_the_best() -> None:
    assert solution(whole(cold(1, 2))) == "the value of the best key"
    assert cold(2, 3) is None
    assert cold(1, 1) is None, "the best value is the mean of all"


def test_without_matrices_the_first_row_without_a_tie_is_asked_for() -> None:
    asked = whole(three_matrices.itself(np.array([[0.4, 0.2, 0.4], [0.1, 0.8, 0.1], [0.4, 0.2, 0.4]]), NAMES))
    assert "does *his* attend" in asked.text
    assert solution(asked) == "*2 his*"
    assert three_matrices.itself(np.full((2, 2), 0.5), NAMES[:2]) is None
    raw = three_matrices.questions(compared(IDENTITY), NONE, NAMES, unit_length=False)
    assert raw == (), "a longer vector may win: nobody could tell"


@each(("matrices", "right"), [(TIED, "the same"), (THREE, "any number")])
def test_the_score_back_is_the_same_with_one_matrix_alone(matrices: Any, right: str) -> None:
    (asked,) = three_matrices.questions(compared(IDENTITY), matrices, NAMES, unit_length=True)
    assert solution(whole(asked)) == right
