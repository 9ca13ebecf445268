"""The view of probabilities: the model's logits and their softmax on the sheet, in sentences and formulas."""

from math import exp, log
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from core.measures.output_layer import WordLogits
from core.model.config import ModelConfig
from core.sources import load
from core.text.language import vocabulary
from core.text.tokenizer import words_of
from pages.controls.examples import PRAISED
from pages.explorer.probabilities import SHOWN
from pages.explorer.probabilities_said import calculated, products, told_best, told_position
from tests.pages.asked import Asked
from tests.programs import printed
from tests.real import gpt2_folder

TEXT = "I don't think the other cats saw the cat."


def seen(*logits: float, bias: float = 0.0) -> WordLogits:
    rows = np.array([[2.0, -1.0, 0.5], [1.0, 0.0, 0.0]])
    words = tuple(f"word{at}" for at in range(len(logits)))
    return WordLogits(words, np.array([3.0, 1.0, -2.0]), np.array(logits), rows, np.array([bias, 0.0]))


def test_the_answer_names_the_best_and_how_many_times_as_likely_as_the_second_it_is() -> None:
    said = told_best("after *tea* (1)", ("hot", "cold"), seen(0.0, log(8), log(2)))
    assert said == (
        "After *tea* (1), *hot* has the largest of 3 logits, 2.08, and p = 0.727: exp(1.386) = 4 times as "
        "likely as *cold*, whose logit is 1.386 lower."
    )


def test_of_logits_too_far_apart_for_a_number_the_power_alone_is_said() -> None:
    said = told_best("after *tea* (1)", ("hot", "cold"), seen(0.0, 900.0))
    assert said.endswith(": exp(900.000) times as likely as *cold*, whose logit is 900.000 lower.")


@pytest.mark.parametrize(
    ("apart", "said"),
    [(0.7, "exp(0.700) = 2.01 times"), (0.0028, "exp(0.0028) = 1.003 times"), (0.0008, "= 1.001 times")],
)
def test_two_logits_that_are_close_are_not_said_to_be_one_times_as_likely(apart: float, said: str) -> None:
    assert said in told_best("after *tea* (1)", ("hot", "cold"), seen(0.0, apart))


def test_equal_logits_are_said_to_be_equal() -> None:
    said = told_best("in place of *tea* (1)", ("hot", "cold"), seen(1.0, 1.0))
    assert said.startswith("In place of *tea* (1), *hot* has the largest of 2 logits, 1.00, and p = 0.500: ")
    assert said.endswith("as likely as *cold*, whose logit is the same.")


def test_where_the_state_is_read_is_said_for_both_objectives() -> None:
    following, masked = told_position(reads_on=True, unit="word"), told_position(reads_on=False, unit="piece")
    assert following.startswith("This model predicts the next word: h is the last state of a word")
    assert masked.startswith("This model predicts a masked piece: the mask token stands in place of it")
    assert "word" not in masked


@pytest.mark.parametrize(
    ("logits", "lines"),
    [
        ((2.0, 0.0), ["e^{2.000} = 7.389", "2 logits} &= 8.389", r"7.389\,/\,8.389 = 0.881"]),
        ((800.0, 799.0), [r"e^{800.000} = 2.73 \cdot 10^{347}", r"&= 3.73 \cdot 10^{347}", "= 0.731"]),
        ((-100.0, -101.0), [r"e^{-100.000} = 3.72 \cdot 10^{-44}", r"&= 5.09 \cdot 10^{-44}", "= 0.731"]),
    ],
)
def test_the_calculation_has_exp_sum_and_share(logits: tuple[float, ...], lines: list[str]) -> None:
    latex = calculated(seen(*logits), [r"\text{hot}", "2"])
    assert all(line in latex for line in lines), latex
    assert r"w_{\text{hot}} \cdot h &= 2.00 \cdot 3.00 + (-1.00) \cdot 1.00 + \cdots \\" in latex


@pytest.mark.parametrize(("bias", "added"), [(0.25, r"\cdots + 0.250"), (-0.25, r"\cdots - 0.250")])
def test_a_bias_is_added_with_its_sign(bias: float, added: str) -> None:
    latex = calculated(seen(2.0, 0.0, bias=bias), ["1", "2"])
    assert added in latex
    assert r"w_{1} \cdot h + b_{1}" in latex


def test_the_products_sum_to_the_logit_without_its_bias() -> None:
    assert products(seen(4.0, 3.0))["w · h"].sum() == 2 * 3 - 1 - 0.5 * 2


@pytest.mark.parametrize("place", [2, 9])
def test_the_bars_are_the_models_logits_and_torchs_softmax(place: int) -> None:
    one = load("trained", ModelConfig(vocab_size=1), words_of(PRAISED), 0)
    with torch.inference_mode():
        logits = one.model(one.tokens)[0, place - 1].double()
    shares, order = logits.softmax(-1), logits.argsort(descending=True)[:SHOWN]
    page = Asked("explorer", view="probabilities", place=place, logits_table=True)
    table = page.table("logits")
    assert list(table["word"][:SHOWN]) == [one.vocabulary.words[number] for number in order]
    assert_allclose(table["logit"][:SHOWN], logits[order], rtol=1e-6)
    assert_allclose(table["probability"][:SHOWN], shares[order], rtol=1e-6)
    assert len(table) == len(logits)
    ratio = exp(float(logits[order[0]] - logits[order[1]]))
    assert f"= {ratio:.3g} times as likely as" in page.sheet.answer


def test_a_real_model_is_shown_with_its_pieces(no_real_model: Path) -> None:
    gpt2_folder(no_real_model / "small-gpt2", trained_on=TEXT, max_len=64)
    page = Asked("explorer", view="probabilities", model="real", real="small-gpt2", text=TEXT, place=2)
    assert page.sheet.answer.startswith("After *␣don* (2), ")
    assert page.program is None


def test_what_predicts_nothing_says_why() -> None:
    (notice,) = Asked("explorer", view="probabilities", model="random").sheet.notes
    assert notice.markdown.startswith("Random weights have learned nothing")


@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_the_program_prints_the_numbers_of_the_bars(mask: str) -> None:
    page = Asked("explorer", view="probabilities", mask=mask, place=3, logits_table=True)
    rows = [line.split() for line in printed(page.code).splitlines()]
    shown = page.table("logits").head(len(rows))
    words = vocabulary().words
    assert [words[int(row[1].rstrip(":"))] for row in rows] == list(shown["word"])
    numbers = np.array([row[2:] for row in rows], dtype=float)
    assert_allclose(numbers, shown[["logit", "probability"]], atol=2e-3)
