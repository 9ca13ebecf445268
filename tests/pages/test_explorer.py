"""The explorer's heads: the numbers of the model of the switches, in every picture and every calculation."""

import re
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from core.measures.heads.compared import rollout
from core.measures.heads.sinks import Place, Sink
from core.measures.reading import Reading
from pages.contract.items import PageLink
from pages.contract.prose import Typed
from pages.explorer import heads
from pages.explorer import notes as note
from pages.explorer.knocked_out import knocks_out_or_puts_back, without
from pages.explorer.weights import (
    HEAD,
    MEAN,
    ROLLOUT,
    Kind,
    Selection,
    ShownWeights,
    describe_largest,
    describe_weights,
    opens,
)
from pages.sheet import build_sheet, lines
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import computed, fields_of, gaps, readable

TEXT = "the cat saw the other cat run"


def assert_matrix(session: Asked, reading: Reading, layer: int, head: int) -> None:
    assert_allclose(session.matrix("matrix"), gaps(reading, layer, head), atol=1e-6)
    title = session.figure("matrix")["layout"]["title"]["text"]
    assert f"Attention weights, layer {layer + 1}, head {head + 1}" in title


def test_a_clicked_tile_opens_its_head_and_a_click_beside_the_tiles_nothing() -> None:
    session = Asked(model="random", text=TEXT, layers=3)
    session.click("heads_grid", x=2.3, y=2.6)
    assert (session.value("layer"), session.value("head")) == (3, 2)
    assert_matrix(session, computed(TEXT, n_layers=3), 2, 1)
    for x, y in [(0.2, 1), (1, 0.2), (4.8, 1), (1, 3.9)]:
        session.click("heads_grid", x=x, y=y)
        assert (session.value("layer"), session.value("head")) == (3, 2)


@each("mass", [50, 100])
def test_the_lines_are_the_fewest_that_hold_the_share_asked_for(mass: int) -> None:
    session = Asked(
        model="random", text=TEXT, view="heads", drawn="lines", mask="bidirectional", head=1, mass=mass
    )
    lines = session.drawing("lines")["lines"]
    assert session.drawing("lines")["words"] == TEXT.split()
    for query, weights in enumerate(computed(TEXT, mask="bidirectional").patterns()[0, 0]):
        heaviest_first = np.sort(weights)[::-1]
        needed = 1 + int(np.sum(np.cumsum(heaviest_first) < mass / 100 - 1e-6))
        drawn = [weight for at, _, weight in lines if at == query]
        assert_allclose(drawn, heaviest_first[:needed], atol=1e-6)


NAMES = tuple(map(Typed, ("tea", "so", "tea")))

TITLES: dict[Kind, str] = {
    HEAD: "Layer 1 · head 2",
    MEAN: "Layer 2 · mean over 4 heads",
    ROLLOUT: "Rollout over layers 1 to 2",
}

CAUSAL = np.tri(3, dtype=bool)

PATTERN = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.1, 0.5, 0.4]])


def test_a_sign_that_attends_stands_in_quotation_marks_and_no_italics() -> None:
    shown = ShownWeights(HEAD, TITLES[HEAD], PATTERN)
    said = readable(describe_largest(shown, tuple(map(Typed, ("tea", ".", "!"))), CAUSAL))
    assert said.startswith("In layer 1, head 2, “.” gives 75 % of its attention to itself")
    chosen = readable(describe_weights(shown, tuple(map(Typed, ("tea", ".", "!"))), CAUSAL, Selection(2, 1)))
    assert "“!” gives 50 % of its attention to “.”" in chosen


@each(
    ("selected", "kind", "said"),
    [
        (Selection(1, 2), HEAD, "head 2, *so* may not attend to *tea (3)*: that weight is masked"),
        (Selection(2), HEAD, "*tea (3)* gives 50 % of its attention to *so*, more than to any other word."),
        (Selection(None, 1), HEAD, "*so* gives 75 % of its attention to itself, more than any other word"),
        (Selection(2, 2), MEAN, "over 4 heads, *tea (3)* gives 40 % of its attention to itself."),
        (Selection(0, 1), ROLLOUT, "layers 1 to 2, nothing of the state of *tea (1)* comes from"),
    ],
)
def test_the_headline_has_the_selected_weight(selected: Selection, kind: Kind, said: str) -> None:
    assert said in readable(
        describe_weights(ShownWeights(kind, TITLES[kind], PATTERN), NAMES, CAUSAL, selected)
    )
    level = ShownWeights(HEAD, TITLES[HEAD], np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0.4, 0.4, 0.2]]))
    for one in (Selection(2), Selection(None, 1)):
        assert "more than" not in describe_weights(level, NAMES, ~CAUSAL | CAUSAL, one)


def test_a_click_on_a_word_of_the_lines_selects_it_and_a_second_one_nothing() -> None:
    assert heads.keep({"side": "query", "place": 2}) == {"query": 3, "key": None}
    assert heads.keep({"side": "key", "place": 0}) == {"query": None, "key": 1}
    asked = Asked("explorer", view="heads", drawn="lines", query=9, head=2)
    assert asked.drawing("lines")["chosen"] == ["query", 8]
    asked.change(heads.keep({"side": "none", "place": 0}))
    assert asked.drawing("lines")["chosen"] is None


def test_a_click_opens_a_cell_and_asks_for_the_prediction_of_its_query_where_there_is_one() -> None:
    point, block = {"x": 1, "y": 4, "data": None}, {"x": 1, "y": 4, "data": "7,3"}
    assert opens(predicts=False)([point], {}) == {"query": 5, "key": 2}
    assert opens(predicts=True)([point], {}) == {"query": 5, "key": 2, "place": 5}
    assert opens(predicts=False)([block], {}) == {"query": 8, "key": 4}


def test_a_click_knocks_a_head_out_or_puts_it_back() -> None:
    assert knocks_out_or_puts_back({"2.3": (1, 2)})([{"data": [1, 2]}], {}) == {"silenced": ["1.2", "2.3"]}
    assert knocks_out_or_puts_back({"2.3": (1, 2)})([{"data": [2, 3]}], {}) == {"silenced": []}
    assert without({"1.2": (0, 1)}) == "without head 2 of layer 1"
    assert without({"1.2": (0, 1), "2.3": (1, 2)}) == "without 2 heads"
    assert without({}) == ""


CONFIGURATIONS: list[dict[str, Any]] = [
    {},
    {"positions": "alibi"},
    {"scale": False},
    {"heads": 8, "head": 8, "mask": "bidirectional", "seed": 3},
]

CELLS = [(1, 1), (7, 2)], [(5, 5), (2, 6)]
"""Two of them for every other configuration: the first word and one before, itself and one after."""


@each(("chosen", "cells"), zip(CONFIGURATIONS, CELLS * 2, strict=True))
def test_every_number_is_the_one_that_the_model_computed(
    chosen: dict[str, Any], cells: list[tuple[int, int]]
) -> None:
    fields = fields_of({name: chosen[name] for name in chosen if name not in ("layer", "head")})
    for query, key in cells:
        session = Asked(
            model="random", text=TEXT, view="heads", query=query, key=key, **{"head": 1, **chosen}
        )
        c = computed(TEXT, **fields).calculation(
            chosen.get("layer", 1) - 1, chosen.get("head", 1) - 1, query - 1, key - 1
        )
        (latex,) = session.latex
        plain = re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", latex)
        shown = np.array([float(number) for number in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", plain)])
        vectors = [*c.q[:2], *c.k[:2], *c.v[:2], *c.weighted_value[:2]]
        numbers = [c.dot, c.exponential, c.row_sum, c.weight, *([c.bias] if c.bias else [])]
        numbers += [c.dot * c.scale, c.score] if c.allowed else []
        assert [one for one in vectors if not np.isclose(shown, one, rtol=0, atol=6e-3).any()] == []
        assert [one for one in numbers if not np.isclose(shown, one, rtol=6e-3, atol=6e-4).any()] == []
        assert ("sqrt" in latex) == chosen.get("scale", True)
        assert ("bias" in latex) == (c.bias != 0)
        assert ("-\\infty" in latex) == (not c.allowed)
        assert not re.search(r"-0\.0+(?!\d)", latex), "a negative zero"
        drawn = session.matrix("matrix")[query - 1, key - 1]
        assert_allclose(drawn, c.weight if c.allowed else np.nan, atol=1e-6)


def test_the_table_behind_the_calculation_has_every_dimension() -> None:
    c = computed(TEXT).calculation(0, 0, 5, 2)
    table = Asked(model="random", text=TEXT, view="heads", head=1, query=6, key=3).table("calculation")
    columns = {"q": c.q, "k": c.k, "v": c.v, "weight · v": c.weight * c.v}
    for name, values in columns.items():
        assert_allclose(table[name], values, rtol=1e-6)
    assert_allclose(table["q · k"].sum(), c.dot, rtol=1e-6)
    assert list(table.index) == list(range(1, 17))


@each(("show", "layer", "residual"), [("head", 1, True), ("mean over heads", 2, True), ("rollout", 1, False)])
def test_matrix_and_lines_keep_the_choice_up_to_the_layer(show: str, layer: int, residual: bool) -> None:
    link = {"view": "heads", "layers": 3, "layer": layer + 1, "head": 1, "show": show, "mass": 100}
    session = Asked(model="random", text=TEXT, residual=residual, **link)
    patterns = computed(TEXT, n_layers=3, residual=residual).patterns()
    weights = {
        "head": patterns[layer, 0],
        "mean over heads": patterns[layer].mean(axis=0),
        "rollout": rollout(patterns[: layer + 1], residual=residual),
    }[show]
    assert_allclose(np.nan_to_num(session.matrix("matrix")), weights, atol=1e-6)
    session.set(drawn="lines")
    drawn = np.zeros_like(weights)
    for query, key, weight in session.drawing("lines")["lines"]:
        drawn[int(query), int(key)] = weight
    assert_allclose(drawn, weights, atol=1e-6)


STREET = "we walk on the street ."


@pytest.mark.usefixtures("noise_shelf")
@each(
    ("link", "place", "sampled", "expected"),
    [
        ({"mask": "causal"}, "first word", 0.61, note.SEEN_BY_ALL),
        ({"mask": "causal", "window": 2}, "first word", 0.61, note.ALWAYS_THERE),
        ({"mask": "bidirectional"}, "first word", 0.61, note.ALWAYS_THERE),
        ({"mask": "bidirectional"}, "full stop", 0.61, note.SAYS_LITTLE),
        ({"mask": "causal"}, "first word", 0.29, note.NO_HABIT),
        ({"mask": "causal"}, "full stop", None, note.SAYS_LITTLE),
    ],
)
def test_a_trained_head_rests_where_it_does_so_in_other_sentences_too(
    monkeypatch: pytest.MonkeyPatch, link: dict[str, Any], place: Place, sampled: float | None, expected: str
) -> None:
    rows = [(1, 2, place, sampled, 0.15), (1, 1, place, 0.97, 0.15), (2, 2, place, 0.98, 0.15)]
    rows += [(1, 2, "itself", 0.99, 0.15)]
    known = [row for row in rows if row[3] is not None]
    table = pd.DataFrame(known, columns=["layer", "head", "score", "value", "baseline"])
    monkeypatch.setattr(note, "attention_sink", lambda *_: Sink(place, 0.8, 0.2, 5))
    monkeypatch.setattr(note, "cached_head_scores", lambda _: table)
    prose = Asked(text=STREET, view="heads", head=2, **link).prose.replace("**", "")
    reasons = {note.SEEN_BY_ALL, note.ALWAYS_THERE, note.SAYS_LITTLE, note.NO_HABIT, note.NOT_LEARNED}
    assert [reason for reason in reasons if reason in prose] == [expected]
    assert ("Over 128 sentences" in prose) == (sampled is not None)
    assert sampled is None or f"the shares are {100 * sampled:.0f} % and 15 %" in prose


@each(
    ("text", "named"),
    [
        ("we walk .", "goes to the full stop."),
        ("no ! do we walk ?", "goes to what ends a sentence, “!” “?”."),
    ],
)
def test_only_a_full_stop_is_called_one(monkeypatch: pytest.MonkeyPatch, text: str, named: str) -> None:
    monkeypatch.setattr(note, "attention_sink", lambda *_: Sink("full stop", 0.8, 0.2, 5))
    assert named in readable(Asked(text=text, view="heads", model="random").prose).replace("**", "")


@each("link", [{"query": 3}, {"key": 4}, {"place": 4}])
def test_the_question_is_about_the_row_that_the_link_selects(link: dict[str, Any]) -> None:
    asked = Asked("explorer", **link)
    (word,) = re.findall(r", \*(.+?)\* gives ", readable(str(asked.sheet.headline)))
    (question,) = asked.questions
    assert word.split(" (")[0] in readable(question.text)


def test_a_link_leads_to_every_stage_of_the_head_with_all_that_is_chosen() -> None:
    def links(**asked: Any) -> list[dict[str, str]]:
        items = Asked("explorer", **asked)._form.items["cell"]
        return [dict(item.parameters) for item in items if isinstance(item, PageLink)]

    chosen = {"text": TEXT, "positions": "alibi", "norm": "post", "layer": "2", "head": "4"}
    (link,) = links(**chosen)
    assert link == {"view": "one head", "size": "full", **chosen}
    steps = Asked("step-by-step", **link)
    assert steps.refused == []
    assert_allclose(steps.scene.pattern, Asked("explorer", **{**link, "view": "heads"}).scene.pattern)
    assert links(window=2) == [], "step by step knows no windows"


@each(("switches", "head"), [({"head": 1}, 1), ({"heads": 2}, 2), ({"heads": 1}, None), ({"heads": 8}, 3)])
def test_links_that_name_a_head_show_it_and_others_the_opening_one_if_there_are_as_many(
    switches: dict[str, int], head: int | None
) -> None:
    session = Asked(view="heads", **switches)
    assert session.warnings == []
    assert session.value("head") == (1 if head is None else head)


def link_of(parameters: dict[str, int]) -> str:
    """Return a link to the heads of a short sentence."""
    return f"/explorer?view=heads&text=the keys are&{urlencode(parameters)}"


def test_a_stop_shows_the_calculation_of_its_cell_before_all_heads() -> None:
    for parameters, names in (
        ({"query": 3, "key": 1, "stop": 1}, ["calculation", "heads_grid"]),
        ({"query": 3, "key": 1}, ["heads_grid", "calculation"]),
        ({"stop": 1}, ["heads_grid"]),
    ):
        keys = "\n".join(lines(build_sheet(link_of(parameters)))).splitlines()
        places = [next(at for at, line in enumerate(keys) if line.startswith(f"[{name}]")) for name in names]
        assert places == sorted(places)


def test_a_mask_has_a_line_of_the_calculation_only_where_it_hides_a_word() -> None:
    for key, is_said in ((1, False), (3, True)):
        said = "\n".join(lines(build_sheet(link_of({"query": 2, "key": key}))))
        assert (r"\text{mask}" in said) is is_said
