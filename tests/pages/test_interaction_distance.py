"""Interaction distance: counts of Figures 1 and 2 in the boxes, costs, and accuracies over long ranges."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.learning.training import Recipe
from core.measures.distance.timing import LENGTHS, NETWORKS, Timing
from core.model.config import ModelConfig
from pages.contract.arrangement import arranged
from pages.contract.look import Look
from pages.contract.prose import Typed
from pages.contract.question import Estimate, solution
from pages.contract.sheet import PicturePart
from pages.interaction_distance import cost, networks
from pages.interaction_distance.long_range import comparisons, recipes
from pages.sheet import build_sheet
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers
from tests.records import record_of
from viz.curves import Curves

PAGE = "interaction-distance"
BLANK = None
GROUPS = ["1–2", "3–5", "6–10", "11–20", "21–48"]


def written(session: Asked, picture: str) -> dict[tuple[int, int], str]:
    """Return the text in each box, by its row and column: the text at one of its points."""
    traces = session.figure(picture)["data"]
    texts = {
        (round(x, 1), round(y, 1)): text
        for trace in traces
        if trace.get("mode") == "text"
        for x, y, text in zip(numbers(trace["x"]), numbers(trace["y"]), trace["text"], strict=True)
    }
    (answers,) = (trace for trace in traces if "customdata" in trace)
    found: dict[tuple[int, int], str] = {}
    columns = (numbers(answers[name]) for name in ("customdata", "x", "y"))
    for place, x, y in zip(*columns, strict=True):
        box = int(place[0]), int(place[1])
        found[box] = found.get(box) or texts.get((round(x, 1), round(y, 1)), "")
    return found


def boxes(session: Asked, picture: str) -> list[list[int | None]]:
    """Return the count in each box, from the row of word vectors upwards."""
    texts = written(session, picture)
    shown = np.full(np.max([*texts], axis=0) + 1, BLANK, dtype=object)
    for place, text in texts.items():
        digits = re.sub("<[^>]*>", "", text)
        shown[place] = int(digits) if digits else BLANK
    return shown.tolist()


def lit(session: Asked, picture: str) -> list[tuple[int, int]]:
    """Return the boxes with a bold count."""
    return [place for place, text in written(session, picture).items() if text.startswith("<b>")]


FIGURES_1_AND_2 = [
    ({"count": "serial operations"}, [[0, 0, 0, 0, 0], [1, 2, 3, 4, 5]], [[0, 0, 0, 0, 0], [1, 1, 1, 1, 1]]),
    ({"from_": 5, "to": 1}, [[BLANK] * 4 + [0], [5, 4, 3, 2, 1]], [[BLANK] * 4 + [0], [1, 1, 1, 1, 1]]),
    ({"from_": 2}, [[BLANK, 0, BLANK, BLANK, BLANK], [BLANK, 1, 2, 3, 4]], None),
]


@each(("link", "recurrent", "attention"), FIGURES_1_AND_2)
def test_counts_agree_with_the_figures(link: dict[str, Any], recurrent: Any, attention: Any) -> None:
    session = Asked(PAGE, **link)
    assert boxes(session, "recurrent") == recurrent
    assert attention in (None, boxes(session, "attention"))
    assert ("backwards" in session.sheet.headline) == ("to" in link)
    assert session.has("from") == ("count" not in link)


@each(
    ("link", "operations", "lit_end"),
    [
        ({}, 5, (1, 4)),
        ({"from_": 2, "to": 4, "layers": 3, "mask": "causal"}, 5, (3, 3)),
        ({"count": "serial operations", "layers": 2}, 6, (2, 4)),
    ],
)
def test_the_path_has_as_many_operations_as_the_question_says(
    link: dict[str, Any], operations: int, lit_end: tuple[int, int]
) -> None:
    session = Asked(PAGE, **link)
    first = session.questions[0]
    assert isinstance(first, Estimate)
    assert int(solution(first)) == operations
    assert f" {operations} {'serial ' * ('count' in link)}operations " in session.sheet.headline
    assert len(lit(session, "recurrent")) == (1 if "count" in link else operations + 1)
    assert lit_end in lit(session, "recurrent")


def test_a_path_that_the_mask_hides_is_said_to_be_none_and_clicks_choose_another() -> None:
    session = Asked(PAGE, mask="causal", layers=2, from_=5, to=2)
    assert session.sheet.headline.startswith("No path leads")
    assert not any(isinstance(one, Estimate) for one in session.questions)
    assert lit(session, "recurrent") == lit(session, "attention") == []
    session.click("recurrent", x=3, y=0, data=[0, 3])
    session.click("attention", x=1, y=2, data=[2, 4])
    assert (session.link["from"], session.link["to"]) == ("4", "5")


def test_serial_operations_grow_with_the_sentence_and_scores_with_its_square() -> None:
    session = Asked(PAGE, view="cost", text="one two three")

    assert session.curve("operations_chart", "recurrent")["y"].tolist() == [*range(1, 257)]
    assert set(session.curve("operations_chart", "self-attention")["y"]) == {1}
    assert session.curve("scores_chart", "self-attention")["y"].tolist() == [n**2 for n in range(1, 257)]
    assert "9 scores per head" in session.sheet.headline
    assert "| 2,048 words | 4,194,304 | 16.8 MB |" in session.prose
    for picture in session.pictures:
        shapes = session.figure(picture)["layout"]["shapes"]
        assert 3 in [shape["x0"] for shape in shapes if shape["x0"] == shape["x1"]], "this sentence is marked"


def test_a_hall_sees_the_scores_alone_with_a_length_and_its_double_marked() -> None:
    in_hall = build_sheet("/interaction-distance?view=cost", Look(width=1140, height=600, fills=True))
    shown = arranged(in_hall.sheet.parts).picture
    assert shown is not None
    pictures = [panel.drawn.picture for panel in shown.panels if isinstance(panel.drawn, PicturePart)]
    (one,) = [one for one in pictures if isinstance(one, Curves)]
    assert (one.y, one.mark, one.level) == ("scores", None, None)
    assert [*one.points] == [
        (100, 10_000, "100 words: 10,000 scores"),
        (200, 40_000, "200 words: 40,000 scores"),
    ]


def measured(device: Any) -> Iterator[Timing]:
    """Invented measurements: each network takes another power of ten."""
    for words in LENGTHS:
        for power, network in enumerate(NETWORKS, start=-4):
            took = {"seconds": 10.0**power}
            spread = {"low": 0.75 * 10.0**power, "high": 3 * 10.0**power}
            yield Timing(network=network, words=words, **took, **spread, repeats=3)


def test_times_are_measured_when_the_reader_asks_and_kept_for_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cost, "forward_times", measured)
    session = Session(PAGE, view="cost", costs="measured")
    assert session.pictures == ["operations_chart", "scores_chart"]

    session.press(next(one.label for one in session.app.button if one.label.startswith("Measure on")))

    assert session.pictures == ["seconds_chart"]
    for power, network in enumerate(NETWORKS, start=-4):
        drawn = session.curve("seconds_chart", network)
        assert drawn["x"].tolist() == list(LENGTHS)
        np.testing.assert_allclose(drawn["y"], 10.0**power)
    assert "takes 100 µs in the RNN, 1 ms in the LSTM and 10 ms in self-attention." in session.prose
    bars = session.figure("seconds_chart")["data"][0]["error_y"]
    np.testing.assert_allclose(numbers(bars["array"]), 2e-4)
    np.testing.assert_allclose(numbers(bars["arrayminus"]), 0.25e-4)
    assert session.alt("seconds_chart").endswith("Bars show the middle half of the runs.")


# Verdicts and questions


def accuracies(**shares: list[float]) -> pd.DataFrame:
    rows = [
        (name, group, words, share)
        for name, row in shares.items()
        for group, (words, share) in enumerate(zip(GROUPS, row, strict=True))
    ]
    return pd.DataFrame(rows, columns=["network", "group", "words", "accuracy"])


HIGH = [0.9] * 5
ALIKE = "The accuracy of the LSTM is within 5 points of the Transformer's at every distance."
GUESSES = "The LSTM is not clearly better than the baseline"
LESS = "The LSTM is less accurate than the Transformer"
MORE = "The LSTM is more accurate than the Transformer"
REST = "; elsewhere the two are within 5 points."


@each(
    ("transformer", "lstm", "said"),
    [
        (HIGH, [0.95, 0.9, 0.85, 0.9, 0.95], ALIKE),
        (HIGH, [0.4, 0.5, 0.9, 0.86, 0.85], f"{LESS} up to 3–5 words{REST}"),
        (HIGH, [0.8, 0.5, 0.9, 0.6, 0.95], f"{LESS} at 1–2, 3–5 and 11–20 words{REST}"),
        (
            [0.9, 0.9, 0.9, 0.5, 0.5],
            [0.5, 0.9, 0.9, 0.9, 0.8],
            f"{MORE} at 11–20 words and more, and less accurate at 1–2 words{REST}",
        ),
        (HIGH, [0.2] * 5, f"{LESS} at every distance. {GUESSES} at any distance."),
    ],
)
def test_the_better_network_is_named_for_both_sides_and_guessing_ones_too(
    transformer: list[float], lstm: list[float], said: str
) -> None:
    assert comparisons(accuracies(Transformer=transformer, LSTM=lstm), [0.25] * 5) == said


def recipes_of(*steps: int) -> str:
    config = ModelConfig(vocab_size=1)
    return recipes({str(n): record_of(config, recipe=Recipe(steps=n, batch_size=64)) for n in steps})


def test_training_data_of_networks_are_named_only_if_they_are_the_same() -> None:
    assert recipes_of(5000) == "Each network was trained on 5,000 batches of 64."
    assert recipes_of(5000, 4000) == ""
    assert (cost.describe_device("cpu"), cost.describe_device("cuda")) == (cost.ON_CPU, cost.ON_GPU)


CHEF, IS = Typed("chef"), Typed("is")


@each(
    ("asked", "right", "mistakes"),
    [
        (networks.operations_between(CHEF, IS, 3, 2), "5", {1, 3}),
        (networks.operations_between(CHEF, IS, 1, 1), "2", set()),  # 1 may be either mistake
        (networks.operations_between(CHEF, CHEF, 0, 1), None, set()),
        (networks.serial_operations_before(IS, n_words=5, n_layers=3, operations=7), "7", {1, 15}),
    ],
)
def test_a_question_is_asked_only_if_it_has_one_answer(
    asked: Any, right: str | None, mistakes: set[int]
) -> None:
    assert (asked and solution(asked)) == right
    assert {value for value, _ in getattr(asked, "mistaken", ())} == mistakes
