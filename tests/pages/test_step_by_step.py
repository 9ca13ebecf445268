"""Step by step: every stage of the head as the browser gets it, its changes, and the link."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from core.measures.stages.lookup import NONE, THREE, TIED, Comparison, Lookup, compare, look_up
from core.measures.stages.stage import Change, Stage
from core.measures.stages.walk import Walk, small, walk
from core.model.config import POSITIONS, ModelConfig
from core.model.masks import MASKS
from core.sources import load
from core.text.tokenizer import words_of
from pages.contract.examples import MARIA, TEA
from pages.contract.prose import Typed
from pages.contract.question import solution
from pages.contract.sheet import Code
from pages.sheet import build_sheet
from pages.step_by_step import three_matrices
from pages.step_by_step.one_head import n_scores_question
from pages.step_by_step.soft_lookup import STOPS, kind_of, zero_temperature_question
from pages.step_by_step.stages import COLUMNS_TOGETHER, MOST_COLUMNS, MOST_ROWS
from pages.step_by_step.walking import MOST_CHANGES, add_change, parse
from tests.covering import covering, each
from tests.pages.asked import Asked, mistaken
from tests.pages.session import Session, numbers, readable
from tests.programs import printed, printed_matrix
from words import two_decimals

PAGE = "step-by-step"
SMALL: dict[str, Any] = {"size": "small", "positions": "alibi"}
EVIL = '<b>x</b> $y$ **z** ![](http://evil) 茶 👩\u200d🔬 "\u202e'


def sheets(session: Asked) -> dict[str, Any]:
    """Return the drawing as the browser gets it."""
    strip = session.strip
    sent = {"stages": strip.stages, "stage": strip.opened, "changes": strip.changed}
    drawn: dict[str, Any] = json.loads(json.dumps(sent | {"alt": strip.alt}))
    return drawn


def stage(session: Asked, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in sheets(session)["stages"] if one["name"] == name)
    return found


def walked(text: str = TEA, *changes: Change, head: int = 0, seed: int = 0, **fields: Any) -> Walk:
    """Return the results of `core` with the small model."""
    config = small(ModelConfig(vocab_size=1, **{"positions": "alibi", **fields}))
    return walk(load("random", config, words_of(text), seed), head=head, changes=changes)


def assert_shown(drawn: dict[str, Any], matrix: np.ndarray) -> None:
    """The numbers sent are those of the matrix, as far as there is room."""
    values = np.array([[-np.inf if one is None else one for one in row] for row in drawn["values"]])
    rows, columns = values.shape
    np.testing.assert_array_equal(values.astype(np.float32), matrix[:rows, :columns])
    assert [drawn["nRows"], drawn["nColumns"]] == list(matrix.shape)
    assert (len(drawn["rows"]), len(drawn["columns"])) == values.shape


def assert_stages(session: Asked, stages: Sequence[Stage]) -> None:
    """The strip has these stages, each with its result and its operands."""
    for drawn, expected in zip(sheets(session)["stages"], stages, strict=True):
        assert drawn["name"] == expected.name
        grids = [expected.result] + [operand.grid for operand in expected.operands]
        for one, grid in zip([drawn["result"], *drawn["operands"]], grids, strict=True):
            assert_shown(one, grid.matrix)


@each("switches", covering({"positions": POSITIONS, "mask": tuple(MASKS), "scale": (True, False)}))
def test_every_switch_of_the_small_model_shows_all_numbers_of_its_own_stages(
    switches: dict[str, Any],
) -> None:
    session = Asked(PAGE, **switches, head=2, seed=7, stage="softmax")

    stages = walked(**switches, head=1, seed=7).stages
    assert_stages(session, stages)
    assert not any("are shown" in one["hint"] for one in sheets(session)["stages"])
    weights = next(one for one in stages if one.name == "softmax").result.matrix
    np.testing.assert_allclose(session.table("steps").to_numpy(), weights, atol=1e-6)


def test_a_full_head_is_shown_as_far_as_there_is_room_and_its_matrices_side_by_side() -> None:
    full = {"text": MARIA, "positions": "alibi", "layer": 2, "head": 3}
    session = Asked(PAGE, size="full", stage="scores", **full)

    config = ModelConfig(vocab_size=1, positions="alibi")
    stages = walk(load("trained", config, words_of(MARIA), 0), layer=1, head=2).stages
    assert_stages(session, stages)
    for one in sheets(session)["stages"]:
        drawn = [one["result"], *one["operands"]]
        assert sum(len(grid["columns"]) for grid in drawn) <= COLUMNS_TOGETHER
        assert all(len(grid["rows"]) <= MOST_ROWS for grid in drawn)
        cut = any(len(g["columns"]) < g["nColumns"] or len(g["rows"]) < g["nRows"] for g in drawn)
        assert ("sums run over all" in one["hint"]) == cut

    found = {one.name: one.result.matrix for one in stages}
    data = [numbers(one["z"]) for one in session.figure("side_by_side")["data"] if one["type"] == "heatmap"]
    np.testing.assert_allclose(data[0], found["scale"], atol=1e-6)
    np.testing.assert_allclose(np.nan_to_num(data[-1]), found["softmax"], atol=1e-6)
    session.click("side_by_side", x=0, y=4)
    assert (session.value("form"), session.value("word")) == ("one word", 5)
    for other in ({"size": "full", "stage": "q"}, {"size": "small", "stage": "scores"}):
        assert not Asked(PAGE, **full, **other).has("side_by_side")


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


def test_a_changed_entry_is_followed_by_everything_after_it() -> None:
    session = Asked(PAGE, **SMALL, edit=["q.5.2.2.5", "scores.3.1.-1"])

    expected = walked(TEA, parse("q.5.2.2.5"), parse("scores.3.1.-1")).stages
    assert_stages(session, expected)
    for drawn, one in zip(sheets(session)["stages"], expected, strict=True):
        assert one.result.changed is not None
        assert drawn["result"]["changed"] == one.result.changed.tolist()
    assert sheets(session)["changes"] == "2 changes"


@each("mask", MASKS)
@each(("text", "is_told"), [("the books near the lamp are", True), ("made made made made", False)])
def test_words_that_ask_nothing_are_said_to_divide_their_attention_equally(
    text: str, is_told: bool, mask: str
) -> None:
    """A query of 0 is what every reader stumbles over: why has this row equal weights?"""
    session = Asked(PAGE, text=text, mask=mask, stage="softmax")

    assert ("The other words ask nothing" in session.prose) == is_told
    queries, rows = (
        np.array(
            [
                [-np.inf if one is None else one for one in row]
                for row in stage(session, name)["result"]["values"]
            ]
        )
        for name in ("q", "softmax")
    )
    for query, weights in zip(queries, rows, strict=True):
        assert query.any() or len(set(weights[weights > 0].round(5))) == 1


@each(
    ("edit", "said"),
    [
        (["q.2.1.1"], "q of *made*, dimension noun, one: set by you to 1.00; the matrices give 6.00."),
        (["scores.2.1.3"], "S scaled of *made*, *Zuko*: set by you to 3.00; the matrices give 4.24."),
        (["q.2.1.1", "scores.2.1.3"], "set by you to 3.00; the matrices give 0.71."),
    ],
)
def test_an_entry_set_by_hand_is_compared_with_the_computed_one(edit: list[str], said: str) -> None:
    name = "scale" if "scores" in edit[-1] else "q"
    session = Asked(PAGE, edit=edit, stage=name)
    for prose in (session.prose, Asked(PAGE, edit=edit, view="soft lookup").prose):
        assert said in readable(prose)
        assert "asks for a singular noun" not in prose, "it describes the head without changes"
    grid = stage(session, name)["result"]
    assert f"give {two_decimals(grid['computed'][1][0])}." in said
    assert sum(value is not None for line in grid["computed"] for value in line) == 1
    assert "set by hand" in next(
        part.text() for part in session.parts if isinstance(part, Code) and callable(part.text)
    )


@each(
    ("written", "said"),
    [
        ("q.9.1.1", "q has no entry 9.1: it has 5 rows and 4 columns"),
        ("<b>", "a change is written like q.2.1.-0.5"),
        ("9" * 4000, "a change is written like"),
    ],
)
def test_an_impossible_change_gets_a_sentence_and_leaves_the_link(written: str, said: str) -> None:
    session = Asked(PAGE, **SMALL, edit=[written, "q.1.1.1"])

    (warning,) = session.warnings
    assert f"The link asks for edit = {written[:30]}" in readable(warning)
    assert said in readable(warning)
    assert sheets(session)["changes"] == "1 change"


@each(("text", "form"), [("one two " * 128, "all words"), (EVIL, "one word")])
def test_any_sentence_has_its_stages(text: str, form: str) -> None:
    session = Asked(PAGE, **SMALL, text=text, form=form, stage="softmax", latex_table=True)
    rows = stage(session, "softmax")["result"]
    assert rows["nColumns"] == len(words_of(text))
    assert len(rows["columns"]) == rows["nColumns"] or form == "all words"
    assert len(rows["columns"]) <= MOST_COLUMNS or form == "one word"
    assert "\u202e" not in json.dumps(sheets(session), ensure_ascii=False)
    assert session.warnings == []


def test_a_report_of_the_strip_is_in_the_link_of_its_page() -> None:
    session = Session(PAGE)
    session.report("strip", "stage", {"name": "q", "question": 1})
    assert session.value("stage") == "q"
    session.report("strip", "change", {"matrix": "q", "row": 4, "column": 1, "value": 2.5})
    session.report("strip", "change", {"matrix": "scores", "row": 2, "column": 0, "value": -1})
    assert session.link["edit"] == ["q.5.2.2.5", "scores.3.1.-1"]
    sent = json.loads(session.element("strip").proto.json)
    assert (sent["stage"], sent["changes"], sent["heard"]) == ("q", "2 changes", 1)
    assert sent["stages"] == sheets(Asked(PAGE, **session.link))["stages"]
    session.set(text="just two")
    assert "q has no entry 5.2: it has 2 rows" in readable(session.warnings[0])
    assert "edit" not in session.link
    session.report("strip", "change", {"matrix": "q", "row": 0, "column": 0, "value": 3})
    session.report("strip", "reset", True)
    assert "edit" not in session.link


def test_the_page_forgets_impossible_changes_and_says_why_until_the_entries_are_changed() -> None:
    session = Session(PAGE, **SMALL, edit=["q.9.1.1", *(f"q.1.1.{value}" for value in range(9))])
    assert any("At most 8 entries can be changed" in one for one in session.warnings)
    assert len(session.link["edit"]) == 7, "the first of the eight is impossible"
    session.report("strip", "change", {"matrix": "q", "row": 0, "column": 1, "value": 2})
    assert session.warnings == []


def test_a_change_of_an_entry_replaces_the_last_and_an_equal_value_leaves_the_link() -> None:
    asked = {"matrix": "q", "row": 4, "column": 1, "value": -3.0}  # the browser counts from 0
    link = {"edit": ["q.5.2.2.5", "k.1.1.1", "nonsense"]}
    assert add_change(asked, link) == {"edit": ("k.1.1.1", "q.5.2.-3")}
    full = {"edit": [f"q.1.{column}.1" for column in range(1, MOST_CHANGES + 1)]}
    changed = add_change(asked, full)["edit"]
    assert len(changed) == MOST_CHANGES
    assert changed[-1] == "q.5.2.-3"


LOOKUP, MATRICES = {"view": "soft lookup"}, {"view": "why three matrices"}


@each(("stop", "word"), [("0.5", 3), ("∞", 5)])
def test_the_store_and_its_program_have_the_look_up_at_every_temperature(stop: str, word: int) -> None:
    session = Asked(PAGE, **SMALL, **LOOKUP, sharpness=stop, word=word)

    found, at = walked(), word - 1
    expected = look_up(found.scores[at], found.v, found.allowed[at], temperature=STOPS[stop])
    bars, *strips = session.figure("store")["data"]
    np.testing.assert_allclose(numbers(bars["x"])[:word], expected.weights[:word], atol=1e-6)
    cells = np.vstack([numbers(strip["z"]) for strip in strips])
    wanted = np.vstack([found.v[:word], expected.output, expected.best, expected.mean])
    np.testing.assert_allclose(cells, wanted, atol=1e-6)
    np.testing.assert_allclose(session.table("store")["weight"], expected.weights[:word])
    *weights, output = printed(session.code).splitlines()
    np.testing.assert_allclose([float(one.split()[-1]) for one in weights], expected.weights, atol=6e-4)
    np.testing.assert_allclose([float(one) for one in output.split()[1:]], expected.output, atol=6e-4)


def test_the_distances_go_from_the_best_value_to_the_mean() -> None:
    table = Asked(PAGE, **SMALL, **LOOKUP).table("distances")
    best, mean = (table[table["from"] == end]["distance"].to_list() for end in ("best value", "mean"))
    assert [best[0], mean[-1]] == pytest.approx([0, 0], abs=1e-9)
    assert best == sorted(best)
    assert mean == sorted(mean, reverse=True)
    assert list(table["temperature"][::2]) == list(STOPS)


@each(
    ("scores", "temperature", "said"),
    [
        ([0.5, 0.0], "10", "an average, not a lookup: every allowed key has nearly the same weight."),
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


@each(("matrices", "unit"), [(NONE, False), (TIED, True), (THREE, True)])
def test_the_picture_and_the_program_compare_by_the_chosen_matrices(matrices: Any, unit: bool) -> None:
    session = Asked(PAGE, **MATRICES, matrices=matrices, **({"unit": unit} if matrices == NONE else {}))
    config = ModelConfig(vocab_size=1, positions="none", mask="bidirectional")
    found = walk(load("trained", config, words_of(three_matrices.BOOKS), 0), head=1)
    expected = compare(found.x, found.q, found.k, matrices=matrices, scale=found.scale, unit_length=unit)
    np.testing.assert_allclose(session.matrix("compared"), expected.scores, atol=1e-5)
    np.testing.assert_allclose(session.matrix("compared", panel=1), expected.pattern, atol=1e-6)
    np.testing.assert_allclose(printed_matrix(session.code, 7, alone=False), expected.pattern, atol=6e-4)
    assert session.has("unit") == (matrices == NONE)


@each("size", ["small", "full"])
def test_own_words_never_give_a_grid_of_zeros(size: str) -> None:
    for matrices, text in ((NONE, EVIL), (TIED, "near the"), (THREE, "my own gizmo")):
        session = Asked(PAGE, **MATRICES, matrices=matrices, size=size, text=text)
        assert np.abs(session.matrix("compared")).max() > 0.05
    session = Asked(PAGE, **MATRICES, matrices=NONE, size=size, text="my own gizmo")
    assert ("so no matrix can tell them apart" in str(session.sheet.headline)) == (size == "full")
    assert ("In the model *small* each word has its own vector" in session.prose) == (size == "full")


IDENTITY = np.eye(3)
NAMES = tuple(map(Typed, ("tea", "his", "tea")))


def compared(scores: Any, pattern: Any = IDENTITY) -> Comparison:
    return Comparison(np.asarray(scores, dtype=float), np.asarray(pattern, dtype=float))


TO_HIS = [[0.2, 0.7, 0.1], [0.3, 0.4, 0.3], [0.1, 0.1, 0.8]]
UNDECIDED = [[1 / 3] * 3, [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]]
ONE_OF_THREE = [[0.2, 0.7, 0.1], [0.3, 0.4, 0.3], [0.1, 0.8, 0.1]]


@each(
    ("pattern", "matrices", "said"),
    [
        (IDENTITY, NONE, "without matrices, all 3 words attend most to themselves. Queries"),
        (TO_HIS, NONE, "without matrices, 2 of 3 words attend most to themselves. Queries"),
        (IDENTITY, TIED, "With Q = K in here, a word asks for what it is: all 3 words"),
        (TO_HIS, TIED, "a word asks for what it is: 2 of 3 words attend most to themselves."),
        (ONE_OF_THREE, TIED, "scores are symmetric, and 1 of 3 words attends most to itself."),
        (UNDECIDED, TIED, "2 of 3 words attend most to themselves, and 1 gives equal weights to all."),
        (IDENTITY, THREE, "all 3 words attend most to themselves, though queries and keys could find"),
        (np.full((3, 3), 1 / 3), THREE, "In here, 0 of 3 words attend most to themselves."),
        (TO_HIS, THREE, "let *tea* find *his* with 70 %, while *his* gives *tea* 30 %."),
    ],
)
def test_a_headline_names_the_words_with_the_largest_weights(pattern: Any, matrices: Any, said: str) -> None:
    found = three_matrices.headline(compared(IDENTITY, pattern), matrices, NAMES, unit="word", place="here")
    assert readable(said) in readable(found)
    assert len(found.split()) <= 25


@each(
    ("pattern", "told"),
    [
        (np.full((2, 2), 0.5), (False, False, False)),
        ([[0.9, 0.1], [0.2, 0.8]], (True, True, False)),
        ([[0.4, 0.6], [0.2, 0.8]], (True, True, True)),
    ],
)
def test_weights_with_one_matrix_are_called_asymmetric_only_if_they_are(
    pattern: Any, told: tuple[bool, ...]
) -> None:
    said = three_matrices.why(compared(np.eye(2), pattern), TIED, NAMES, unit_length=True)
    found = (
        three_matrices.ROWS_DIFFER in said,
        "in both directions, but" in said,
        three_matrices.LONGER in said,
    )
    assert found == told


@each("positions", ["none", "rotary"])
def test_with_one_matrix_only_a_word_with_a_longer_query_gets_more_than_the_word_itself(
    positions: Any,
) -> None:
    config = ModelConfig(vocab_size=1, positions=positions, mask="bidirectional")
    found = walk(load("trained", config, words_of(three_matrices.BOOKS), 0), head=1)
    by_one = compare(found.x, found.q, found.k, matrices=TIED, scale=found.scale)
    lengths = np.linalg.norm(found.q, axis=1)
    assert (
        (by_one.scores <= np.diagonal(by_one.scores)[:, None]) | (lengths > lengths[:, None] - 1e-6)
    ).all()


def test_the_example_has_no_zero_query_and_its_weights_differ_by_direction() -> None:
    page = Asked(PAGE, view="why three matrices", matrices=TIED)
    scores, weights = (page.matrix("compared", panel=at) for at in (0, 1))
    np.testing.assert_allclose(scores, scores.T, atol=1e-5)
    assert (np.abs(scores) > 0.01).mean() > 0.9
    assert np.abs(weights - weights.T).max() > 0.1
    assert "in both directions, but" in page.prose


ROWS = np.array([[0.4, 0.2, 0.4], [0.1, 0.8, 0.1], [0.4, 0.2, 0.4]])


def looked_up(scores: list[float], values: list[list[float]]) -> Lookup:
    n = len(scores)
    return look_up(
        np.array(scores, dtype=float), np.array(values, dtype=float), np.full(n, True), temperature=1
    )


@each(
    ("asked", "right"),
    [
        (n_scores_question(5, "token", is_masked=False), "25 scores"),
        (n_scores_question(2, "word", is_masked=False), None),
        (zero_temperature_question(looked_up([2, 0], [[1], [3]])), "the value of the best key"),
        (zero_temperature_question(looked_up([2, 0], [[0], [3]])), None),
        (zero_temperature_question(looked_up([2, 0], [[3], [3]])), None),
        (zero_temperature_question(looked_up([2, 2, 0], [[1], [2], [3]])), None),
        (zero_temperature_question(looked_up([2], [[1]])), None),
        (three_matrices.most_attended_question(ROWS, NAMES, 1), "*2 his*"),
        (three_matrices.most_attended_question(ROWS, NAMES, 0), None),
        (three_matrices.symmetry_question(TIED), "the same"),
        (three_matrices.symmetry_question(THREE), "any number"),
    ],
)
def test_a_question_is_asked_only_if_it_has_one_answer(asked: Any, right: str | None) -> None:
    assert (asked and solution(asked)) == right


def test_mistakes_differ_and_a_longer_vector_that_may_win_is_not_asked_about() -> None:
    assert mistaken(n_scores_question(5, "token", is_masked=False)) == [5, 10, 20]
    assert mistaken(n_scores_question(3, "word", is_masked=False)) == [6], "3 may be words or pairs"
    assert three_matrices.questions(compared(IDENTITY), NONE, NAMES, unit_length=False) == ()


def test_the_question_without_matrices_stays_with_its_word_under_other_settings() -> None:
    link = "/step-by-step?view=why three matrices&matrices=none"
    first = build_sheet(link)
    (text,) = (one.text for one in first.sheet.questions() if one is not None)
    assert first.ask.pinned.keys() == {"asked"}
    pinned = f"{link}&asked={first.ask.pinned['asked']}"
    for switch in ("", "&weights=random", "&positions=none", "&norm=post"):
        found = [one.text for one in build_sheet(f"{pinned}{switch}").sheet.questions() if one is not None]
        assert found == [text], switch
    wanted = [build_sheet(f"{link}&asked={word}").sheet.questions() for word in range(1, 8)]
    assert len({one.text for (one,) in wanted if one is not None}) > 1, (
        "of another word if the link asks for one"
    )


@each("asked", ["0", "999", "x"])
def test_a_missing_word_does_not_change_the_question(asked: str) -> None:
    link = "/step-by-step?view=why three matrices&matrices=none"
    usual = [one.text for one in build_sheet(link).sheet.questions() if one is not None]
    assert [
        one.text for one in build_sheet(f"{link}&asked={asked}").sheet.questions() if one is not None
    ] == usual


@each(("stage", "place"), [("heads", "layer 1"), ("output", "layer 1"), ("softmax", "head 1 of layer 1")])
def test_a_stage_of_all_heads_names_no_single_head(stage: str, place: str) -> None:
    assert Asked(PAGE, stage=stage).sheet.headline.startswith(f"In {place}, ")
