"""Step by step: every stage of the head as the browser gets it, what is changed in it, and the link."""

import json
from typing import Any

import numpy as np
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from core.measures.stages import Change, Walk, parse, small, walk
from core.measures.stages.latex import of_all_words, of_one_word
from core.model.config import POSITIONS, ModelConfig, Positions
from core.model.family_options import NormKind
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from core.sources import load
from core.text.tokenizer import words_of
from pages.contract.sheet import Code
from pages.controls.examples import MARIA, TEA
from pages.step_by_step.stages_drawn import COLUMNS_TOGETHER, MOST_COLUMNS, MOST_ROWS
from pages.step_by_step.told import TOLD, told_of
from pages.syllabus.slips import SLIPS
from tests.covering import covering, each
from tests.pages.asked import Asked
from tests.pages.session import Session, readable
from viz.theme import DARK
from viz.units import two_decimals

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


@each("stage_name", ["embeddings", "k", "scores", "softmax", "weighted sum", "heads", "output"])
@each("form", ["all words", "one word"])
def test_the_size_in_the_headline_is_that_of_what_is_drawn(stage_name: str, form: str) -> None:
    session = Asked(PAGE, stage=stage_name, form=form, head=2, **({"word": 3} if form == "one word" else {}))
    said, drawn = readable(str(session.sheet.answer)), stage(session, stage_name)["result"]
    assert f"{drawn['nRows']} × {drawn['nColumns']} number" in said
    rows = "1 row" if drawn["nRows"] == 1 else f"{drawn['nRows']} rows"
    assert f"{rows} and {drawn['nColumns']} column" in session.strip.alt
    assert "in layer 1, head 2" in said
    assert ("for *his*" in said) == (form == "one word")


def test_the_form_for_one_word_shows_all_weights_of_a_head_with_many_dimensions() -> None:
    session = Asked(PAGE, size="full", text=MARIA, form="one word", word=9, stage="weighted sum", head=2)
    weights, values = stage(session, "weighted sum")["operands"]
    assert len(weights["columns"]) == weights["nColumns"] == len(words_of(MARIA))
    assert len(values["rows"]) == values["nRows"]
    assert len(stage(session, "weighted sum")["result"]["columns"]) == 12


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


def test_a_formula_starts_from_the_stage_before_it() -> None:
    unscaled = Asked(PAGE, positions="none", scale=False, stage="mask")
    assert "= S + M" in unscaled.latex[0]
    scaled = Asked(PAGE, positions="none", stage="mask")
    assert "= S_{\\text{scaled}} + M" in scaled.latex[0]


def test_the_slope_of_the_head_is_told() -> None:
    assert "In head 1 m is 1/16." in stage(Asked(PAGE, **SMALL), "bias")["says"]
    assert "In head 2 m is 1/256." in stage(Asked(PAGE, **SMALL, head=2), "bias")["says"]


@each("positions", POSITIONS)
def test_a_scheme_explains_itself_at_the_stage_where_it_enters(positions: Positions) -> None:
    scheme = SCHEMES[positions]
    entered = {"embed": ["positions"], "rotate": ["q", "k"], "bias": ["bias"], None: []}
    stages = [one for one in ("positions", "q", "k", "bias") if one in entered[scheme.injection_point()]]
    session = Asked(PAGE, positions=positions)
    told = [one["name"] for one in sheets(session)["stages"] if scheme.about.says in one["says"]]
    assert told == stages
    for name in stages:
        session = Asked(PAGE, positions=positions, stage=name)
        assert session.latex[2] == f"{scheme.about.formula}"
        assert scheme.about.source in session.prose


def test_rotary_positions_and_an_additive_bias_are_told_of() -> None:
    said = stage(Asked(PAGE, positions="rotary"), "k")["says"]
    assert SCHEMES["rotary"].about.says in said
    assert "turn" not in stage(Asked(PAGE, positions="rotary"), "v")["says"]
    assert Asked(PAGE, positions="rotary", stage="q").latex[1].endswith(r"\right) R_i")
    assert "adds a vector b" in stage(Asked(PAGE, size="full"), "v")["says"]
    assert "adds a vector b" not in stage(Asked(PAGE, **SMALL), "v")["says"]


@each(
    ("name", "slip"),
    [
        ("scale", "E10"),
        ("bias", "E2"),
        ("weighted sum", "E7"),
        ("weighted sum", "E12"),
        ("heads", "E4"),
        ("heads", "E11"),
    ],
)
def test_a_source_that_slips_gets_a_footnote_where_it_does(name: str, slip: str) -> None:
    assert f"In truth {SLIPS[slip].truth}" in Asked(PAGE, **SMALL, stage=name).prose


def test_every_stage_there_can_be_is_told_of() -> None:
    named = {"states", "segments", "positions", "embedding norm", "norm"} | {
        one.name for one in walked().stages
    }
    assert set(TOLD) == named


@pytest.mark.parametrize(("kind", "subtracts"), [("layer", True), ("rms", False)])
def test_a_norm_is_told_of_as_what_it_is(kind: NormKind, subtracts: bool) -> None:
    config = ModelConfig(vocab_size=1, d_model=8, n_heads=2, n_layers=1, norm="pre", norm_kind=kind)
    found = walk(load("random", config, words_of(TEA), 0))
    stage = next(one for one in found.stages if one.name == "norm")
    told = told_of(stage)
    assert ("The mean of each row is subtracted" in told.says) == subtracts
    assert (r"\hat{\mu}" in of_one_word(stage)) == subtracts
    assert ("root mean square" in told.says) != subtracts


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


def test_the_latex_is_that_of_the_open_stage() -> None:
    session = Asked(PAGE, **SMALL, stage="k", latex=True)
    (latex,) = (part.write() for part in session.parts if isinstance(part, Code))
    assert latex.splitlines()[1].startswith(r"k &= x \cdot K")


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
