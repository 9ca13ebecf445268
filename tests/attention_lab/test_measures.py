"""Measures of heads, by hand and in one table over many sentences."""

import re
from typing import Any

import numpy as np
import pytest

import attention_lab as lab
from tests.attention_lab.objects import TEXT, model, tokenizer
from tests.covering import each

PATTERN = np.array([[[[1.0, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]]])

BY_HAND = {
    "entropy": (0 + 1 + 1.5) / 3,
    "distance": (0 + 0.5 + 0.75) / 3,
    "sink": (0.5 + 0.25) / 2,
    "previous": (0.5 + 0.25) / 2,
    "itself": (1 + 0.5 + 0.5) / 3,
    "next": 0.0,
    "largest": (1 + 0.5 + 0.5) / 3,
}


def test_each_measure_agrees_with_its_definition() -> None:
    assert BY_HAND.keys() == lab.MEASURES.keys()
    for pattern in (PATTERN, np.where(PATTERN == 0, np.nan, PATTERN)):  # a missing number counts as nothing
        found = lab.attention(pattern, "a b c").table(list(lab.MEASURES)).iloc[0]
        assert {name: found[name] for name in BY_HAND} == pytest.approx(BY_HAND)


def test_one_word_alone_has_no_first_word_that_others_attend_to() -> None:
    found = lab.attention([[1.0]], "a").table(["sink", "previous", "itself"]).iloc[0]
    assert np.isnan(found["sink"])
    assert np.isnan(found["previous"])
    assert found["itself"] == 1


def test_a_table_has_a_row_for_each_head_of_each_sentence() -> None:
    small = lab.read(heads=8)
    texts = ["the chef ran", "hot tea is good", "who knows"]
    table = lab.table(small, texts, ["entropy", "sink"])
    assert list(table.columns) == ["sentence", "text", "layer", "head", "entropy", "sink"]
    assert len(table) == 3 * 2 * 8
    assert table.groupby("sentence")["text"].first().tolist() == texts
    second = table[table["sentence"] == 2].reset_index(drop=True)
    assert second["sink"].equals(small(texts[1]).table("sink")["sink"])
    assert lab.table(small, texts[0], "sink").shape == (16, 5)


def test_words_are_measured_instead_of_pieces() -> None:
    mine = lab.read(model("gpt2"), tokenizer())
    merged = lab.table(mine, TEXT, "distance", by_words=True)["distance"]
    assert merged.equals(mine(TEXT).by_words().table("distance")["distance"])
    assert not np.allclose(merged, lab.table(mine, TEXT, "distance")["distance"])


def test_a_function_is_a_measure() -> None:
    def total(patterns: np.ndarray) -> np.ndarray:
        return patterns.sum(axis=(-2, -1))

    found = lab.read()("hot tea").table(["entropy", total])
    assert found["total"].tolist() == pytest.approx([2.0] * 8)
    with pytest.raises(lab.LabError, match=r"total_of_all must return a number for each of \(2, 4\)"):
        lab.read()("hot tea").table([total_of_all])


def total_of_all(patterns: np.ndarray) -> np.ndarray:
    return patterns.sum()


def test_a_wrong_measure_and_no_sentence_are_refused() -> None:
    with pytest.raises(lab.LabError, match="There is no measure 'width'"):
        lab.table(lab.read(), ["hot tea"], ["width"])
    with pytest.raises(lab.LabError, match="pass at least one"):
        lab.table(lab.read(), [], ["sink"])
    crossing = lab.attention(np.ones((2, 3)) / 3, "a b", "c d e")
    with pytest.raises(lab.LabError, match="For two sentences there are entropy and largest"):
        crossing.table("sink")


@each("model", [lab.attention([[1.0]], "a"), "smollm2-135m"])
def test_a_table_of_something_else_than_a_model_is_refused_with_a_remedy(model: Any) -> None:
    said = r"takes a model that lab\.read gives, then a sentence or a list of them; got"
    for given in ((model, "hot tea"), (lab.read(), 5)):
        with pytest.raises(lab.LabError, match=said):
            lab.table(*given)


def test_an_encoder_decoder_has_only_measures_without_positions() -> None:
    translator = lab.read("translation-transformer-4-2")
    table = lab.table(translator, ["the chef ran .", "who ran ?"])
    assert list(table.columns) == ["sentence", "text", "layer", "head", "entropy", "largest"]
    with pytest.raises(lab.LabError, match="leave by_words out"):
        lab.table(translator, "the chef ran .", by_words=True)


def test_the_help_names_each_measure() -> None:
    help_text = re.sub(r"\s+", " ", str(lab.table.__doc__))
    *first, last = lab.MEASURES
    assert f"{', '.join(first)} or {last}, which" in help_text
