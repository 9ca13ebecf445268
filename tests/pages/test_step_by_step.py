"""Step by step: every stage of the head as the browser gets it, what is changed in it, and the link."""

import json
from typing import Any

import numpy as np
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from core.measures.stages import Change, Walk, parse, small, walk
from core.model.config import POSITIONS, ModelConfig, Positions
from core.model.details import NormKind
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from core.sources import load
from core.text.tokenizer import words_of
from pages.controls.prose import literal
from pages.controls.sentence import MARIA, TEA
from pages.lecture.slips import SLIPS
from pages.step_by_step.stages_drawn import COLUMNS_TOGETHER, MOST_COLUMNS, MOST_ROWS
from pages.step_by_step.told import TOLD, told_of
from tests.covering import covering
from tests.pages.session import Session, readable

PAGE = "step-by-step"
EVIL = '<b>x</b> $y$ **z** ![](http://evil) 茶 👩\u200d🔬 "\u202e'


def sheets(session: Session) -> dict[str, Any]:
    """What the browser draws."""
    sent: dict[str, Any] = json.loads(session.element("strip").proto.json)
    return sent


def stage(session: Session, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in sheets(session)["stages"] if one["name"] == name)
    return found


def tell(session: Session, event: str, value: Any) -> None:
    """Let the browser report an event of the strip."""
    widgets = session.app._tree.get_widget_states()
    name = f"$$STREAMLIT_INTERNAL_KEY_{session.element('strip').proto.id}__events"
    reported = json.dumps([{"event": event, "value": value}])
    widgets.widgets.append(WidgetState(id=name, json_trigger_value=reported))
    session.run(widgets)


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
    session = Session(PAGE)

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
    session = Session(PAGE, positions=positions, mask=mask, scale=scale, head=2, seed=7)

    expected = walked(positions=positions, mask=mask, scale=scale, head=1, seed=7).stages
    drawn = sheets(session)["stages"]
    assert [one["name"] for one in drawn] == [one.name for one in expected]
    for one, stage_ in zip(drawn, expected, strict=True):
        assert_shown(one["result"], stage_.result.matrix)
    assert session.warnings == []


@pytest.mark.parametrize("layer", [1, 2])
@pytest.mark.parametrize("positions", ["alibi", "rotary", "sinusoidal"])
def test_the_model_of_the_switches_is_shown_as_far_as_there_is_room(layer: int, positions: str) -> None:
    session = Session(PAGE, size="full", text=MARIA, positions=positions, layer=layer, head=3)

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
    session = Session(PAGE, form="one word", word=3)

    for drawn, expected in zip(sheets(session)["stages"], walked().stages, strict=True):
        assert_shown(drawn["result"], expected.result.matrix[2:3])
    q, k = stage(session, "scores")["operands"]
    assert (q["rows"], k["nColumns"]) == (["his"], 5)
    assert sheets(session)["row"] == 2
    session.set(word=None)
    assert stage(session, "q")["result"]["rows"] == ["tea"]


def test_a_stage_that_is_opened_is_in_the_link_with_its_formula_and_its_numbers() -> None:
    session = Session(PAGE, steps_table=True)
    for one in walked().stages:
        tell(session, "stage", {"name": one.name, "question": 1})

        assert session.value("stage") == one.name
        assert sheets(session)["stage"] == one.name
        assert [line.value for line in session.app.latex][:2] == [
            f"$$\n{line}\n$$" for line in forms(one.name)
        ]
        assert TOLD[one.name].source in session.prose
        np.testing.assert_allclose(session.table("steps").to_numpy(), one.result.matrix, atol=1e-6)
        assert TOLD[one.name].title.lower() in sheets(session)["alt"]


ENTERING = {"bias": r"S_{\text{scaled}}", "mask": r"S_{\text{biased}}", "softmax": r"S_{\text{masked}}"}
"""What a stage starts from, where that depends on the stages before it."""


def forms(name: str) -> tuple[str, str]:
    return TOLD[name].matrix.replace("ENTERING", ENTERING.get(name, "")), TOLD[name].word


def test_a_formula_starts_from_the_stage_before_it() -> None:
    unscaled = Session(PAGE, positions="none", scale=False, stage="mask")
    assert "= S + M" in unscaled.app.latex[0].value
    scaled = Session(PAGE, positions="none", stage="mask")
    assert "= S_{\\text{scaled}} + M" in scaled.app.latex[0].value


def test_a_stage_opens_whatever_other_pages_were_told_before() -> None:
    session = Session("training")
    session.set(steps=9)
    session.go("step-by-step")
    tell(session, "stage", {"name": "q", "question": 1})
    assert session.value("stage") == "q"


def test_the_slope_of_the_head_is_told() -> None:
    assert "In head 1 m is 1/16." in stage(Session(PAGE), "bias")["says"]
    assert "In head 2 m is 1/256." in stage(Session(PAGE, head=2), "bias")["says"]


@pytest.mark.parametrize("positions", POSITIONS)
def test_a_scheme_explains_itself_at_the_stage_where_it_enters(positions: Positions) -> None:
    scheme = SCHEMES[positions]
    entered = {"embed": ["positions"], "rotate": ["q", "k"], "bias": ["bias"], None: []}
    stages = [one for one in ("positions", "q", "k", "bias") if one in entered[scheme.injection_point()]]
    session = Session(PAGE, positions=positions)
    told = [one["name"] for one in sheets(session)["stages"] if scheme.about.says in one["says"]]
    assert told == stages
    for name in stages:
        session = Session(PAGE, positions=positions, stage=name)
        assert session.app.latex[2].value == f"$$\n{scheme.about.formula}\n$$"
        assert scheme.about.source in session.prose


def test_rotary_positions_and_an_additive_bias_are_told_of() -> None:
    said = stage(Session(PAGE, positions="rotary"), "k")["says"]
    assert SCHEMES["rotary"].about.says in said
    assert "turn" not in stage(Session(PAGE, positions="rotary"), "v")["says"]
    assert Session(PAGE, positions="rotary", stage="q").app.latex[1].value == "$$\nq_i = R_i Q^\\top x_i\n$$"
    assert "adds a vector b" in stage(Session(PAGE, size="full"), "v")["says"]
    assert "adds a vector b" not in stage(Session(PAGE), "v")["says"]


@pytest.mark.parametrize(
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
    assert f"In truth {SLIPS[slip].truth}" in Session(PAGE, stage=name).prose


def test_every_stage_there_can_be_is_told_of() -> None:
    named = {"states", "segments", "positions", "embedding norm", "norm"} | {
        one.name for one in walked().stages
    }
    assert set(TOLD) == named


@pytest.mark.parametrize(("kind", "subtracts"), [("layer", True), ("rms", False)])
def test_a_norm_is_told_of_as_what_it_is(kind: NormKind, subtracts: bool) -> None:
    config = ModelConfig(vocab_size=1, d_model=8, n_heads=2, n_layers=1, norm="pre", norm_kind=kind)
    found = walk(load("random", config, words_of(TEA), 0))
    told = told_of(next(one for one in found.stages if one.name == "norm"))
    assert ("The mean of each row is subtracted" in told.says) == subtracts
    assert (r"\hat{\mu}" in told.word) == subtracts
    assert ("root mean square" in told.says) != subtracts


def test_a_changed_entry_is_in_the_link_and_followed_by_everything_after_it() -> None:
    session = Session(PAGE, stage="q")
    tell(session, "change", {"matrix": "q", "row": 4, "column": 1, "value": 2.5})
    tell(session, "change", {"matrix": "scores", "row": 2, "column": 0, "value": -1})

    assert session.app.query_params["edit"] == ["q.5.2.2.5", "scores.3.1.-1"]
    expected = walked(TEA, parse("q.5.2.2.5"), parse("scores.3.1.-1")).stages
    for drawn, stage_ in zip(sheets(session)["stages"], expected, strict=True):
        assert_shown(drawn["result"], stage_.result.matrix)
        assert stage_.result.changed is not None
        assert drawn["result"]["changed"] == stage_.result.changed.tolist()
    assert sheets(session)["changes"] == "2 changes"
    assert "1 entry changed" in sheets(session)["alt"]


def test_an_entry_changed_again_has_its_last_value_and_all_can_be_undone() -> None:
    session = Session(PAGE, edit=["q.5.2.2.5", "k.1.1.1"])
    tell(session, "change", {"matrix": "q", "row": 4, "column": 1, "value": -3})
    assert session.app.query_params["edit"] == ["k.1.1.1", "q.5.2.-3"]

    tell(session, "reset", True)
    assert "edit" not in session.app.query_params
    assert sheets(session)["changes"] == ""
    assert_shown(stage(session, "softmax")["result"], walked().stages[8].result.matrix)


@pytest.mark.parametrize(
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
    session = Session(PAGE, edit=[written, "q.1.1.1"])

    (warning,) = session.warnings
    assert f"The link asks for edit = {written[:30]}" in readable(warning)
    assert said in readable(warning)
    assert session.app.query_params["edit"] in ("q.1.1.1", ["q.1.1.1"])
    assert sheets(session)["changes"] == "1 change"


def test_what_is_said_of_an_impossible_change_stays_until_the_entries_are_changed() -> None:
    session = Session(PAGE, edit=["q.9.1.1", "q.1.1.1"])
    before = session.warnings
    session.run()
    assert len(before) == 1
    assert session.warnings == before
    tell(session, "change", {"matrix": "q", "row": 0, "column": 1, "value": 2})
    assert session.warnings == []


def test_a_change_that_a_shorter_sentence_lacks_gets_a_sentence() -> None:
    session = Session(PAGE, edit="q.5.2.1")
    session.set(text="just two")
    assert "q has no entry 5.2: it has 2 rows" in readable(session.warnings[0])
    assert "edit" not in session.app.query_params


def test_more_changes_than_can_be_kept_get_a_sentence() -> None:
    session = Session(PAGE, edit=[f"q.1.1.{value}" for value in range(9)])
    assert "At most 8 entries can be changed" in session.warnings[0]
    assert len(session.app.query_params["edit"]) == 8


@pytest.mark.parametrize("value", ["zz", "-1", "<b>", "", "9" * 100])
def test_mangled_parameters_are_named_and_ignored(value: str) -> None:
    names = ("stage", "form", "size", "head", "seed", "view", "latex", "mask", "scale")
    session = Session(PAGE, **dict.fromkeys(names, value))
    assert len(session.warnings) == len(names)
    for name in names:
        assert any(f"asks for {name} = {literal(value)}, but" in one for one in session.warnings)
    assert session.link == {}
    assert sheets(session)["stage"] == "embeddings"

    session = Session(PAGE, form="one word", word=value)
    assert f"asks for word = {literal(value)}, but" in session.warnings[0]


def test_a_stage_that_a_switch_takes_away_gives_way_to_the_first() -> None:
    session = Session(PAGE, stage="bias")
    session.set(positions="none")
    assert session.value("stage") == "embeddings"
    assert "here it can be embeddings, q, k" in session.warnings[0]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("one", "all words"),
        ("one two " * 128, "all words"),
        ("one two " * 128, "one word"),
        (EVIL, "one word"),
    ],
)
def test_any_sentence_has_its_stages(text: str, form: str) -> None:
    session = Session(PAGE, text=text, form=form, stage="softmax", steps_table=True, latex=True, code=True)
    rows = stage(session, "softmax")["result"]
    assert rows["nColumns"] == len(words_of(text))
    assert len(rows["columns"]) <= MOST_COLUMNS
    assert "\u202e" not in session.element("strip").proto.json
    assert session.warnings == []


def test_no_words_get_a_note() -> None:
    session = Session(PAGE, text="  ")
    assert not session.has("strip")
    assert "type at least one word" in session.infos[0]


def test_unknown_words_are_marked_where_the_model_has_learned_words() -> None:
    session = Session(PAGE, size="full", text="the zzyzx")
    assert "**zzyzx**†" in session.prose
    assert session.warnings == []


def test_the_latex_is_that_of_the_open_stage() -> None:
    session = Session(PAGE, stage="k", latex=True)
    (latex,) = [one.value for one in session.app.code]
    assert latex.splitlines()[1].startswith(r"k &= x \cdot K")


@pytest.mark.usefixtures("empty_shelf")
def test_a_model_that_nobody_has_trained_gets_a_sentence() -> None:
    session = Session(PAGE, size="full")
    assert "`python -m core.learning.collection causal-alibi-4-pre` trains it" in session.warnings[0]
    assert not session.has("strip")


def test_the_colours_are_those_of_the_theme() -> None:
    dark, light = (sheets(Session(PAGE, theme=theme))["colours"] for theme in ("dark", "light"))
    assert dark["query"] != light["query"]
    assert dark["sequential"][0][1] == dark["paper"]
