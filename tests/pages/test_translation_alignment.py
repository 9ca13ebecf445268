"""Alignment for free: four matrices on one target, their links, their costs, and what may be claimed."""

import re

import numpy as np
import pytest

from core.measures.translation.scoring import agreeing, aligned, cost, judged, pair_of
from core.model.alignment import SCORE_FUNCTIONS
from core.sources.translators import load_translator, record_of_translator
from core.text import language
from core.text.tokenizer import words_of
from core.text.translation import translate
from tests.pages.asked import Asked
from tests.pages.session import numbers
from viz.units import per_cent

KEY = "the key that the gardeners sold is heavy ."
REFERENCE = translate(language.parse(words_of(KEY)))
EMISSIONS = "the emissions of xyzzy and ."


def opened(**parameters: object) -> Asked:
    return Asked("translation", view="alignment for free", **parameters)


def cells(session: Asked) -> list[dict[str, object]]:
    return [trace for trace in session.figure("alignments")["data"] if trace["type"] == "heatmap"]


def test_each_matrix_is_that_of_its_score_function_on_the_reference() -> None:
    session = opened(text=KEY)
    for score, trace in zip(SCORE_FUNCTIONS, cells(session), strict=True):
        expected = aligned(load_translator(pair_of(score), words_of(KEY)), REFERENCE.words)
        np.testing.assert_allclose(numbers(trace["z"]), expected, atol=1e-5)
        limits = (trace["zmin"], trace["zmax"])
        largest = np.abs(expected).max()
        assert limits == ((0, 1) if score != "linear" else pytest.approx((-largest, largest)))


def test_the_links_of_the_rules_are_outlined() -> None:
    lines = [trace for trace in opened(text=KEY).figure("alignments")["data"] if trace["type"] == "scatter"]
    assert len(lines) == 2 * 4, "each outline on one of the paper's colour"
    for line in lines:
        corners = np.stack([numbers(line["y"]), numbers(line["x"])]).reshape(2, -1, 6)[..., :4]
        middles = {tuple(middle) for middle in corners.mean(axis=2).round().astype(int).T.tolist()}
        assert middles == {(target, source) for source, target in REFERENCE.alignment}


def test_shares_costs_and_error_rates_are_the_computed_ones() -> None:
    session = opened(text=KEY)
    prose = session.prose
    rows = dict(re.findall(r"^\| ([\w ()]+) \| \$.*?\$ \| (.*) \|$", prose, re.MULTILINE))
    for score, function in SCORE_FUNCTIONS.items():
        known, whole = (
            judged(record_of_translator(pair_of(score))),
            cost(score, len(REFERENCE.words), len(words_of(KEY))),
        )
        assert f"**{score}** {per_cent(known.hits)}" in prose
        assert rows[function.about.title].split(" | ") == [
            f"{whole.parameters:,}",
            f"{cost(score).multiplications:,}",
            f"{whole.multiplications:,}",
            *map(per_cent, (known.right, known.right_longest, known.error, known.content_error)),
        ]
        assert f"${function.about.formula}$" in prose
        right, n = agreeing(
            aligned(load_translator(pair_of(score), words_of(KEY)), REFERENCE.words),
            REFERENCE.alignment,
            REFERENCE.words,
        )
        assert f"of {n} content words:" in prose
        assert re.search(rf"content words:.*\b{score} {right}\b", prose)


def test_what_the_rules_cannot_translate_is_shown_on_one_greedy_translation() -> None:
    session = opened(text=EMISSIONS)
    assert {trace["type"] for trace in session.figure("alignments")["data"]} == {"heatmap"}
    assert "greedy translation of the model with dot-product attention" in session.prose
    assert "In this translation" not in session.prose
    assert len({numbers(trace["z"]).shape for trace in cells(session)}) == 1
    assert "xyzzy†" in set(session.table("alignments")["source word"])


@pytest.mark.usefixtures("noise_shelf")
def test_what_was_not_measured_is_said_to_be_so_and_nothing_is_claimed() -> None:
    session = opened(text=KEY)
    assert session.pictures == ["alignments"]
    assert "not measured" in session.prose
    assert "by themselves" not in session.prose
