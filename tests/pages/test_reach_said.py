"""Who is better over long ranges, where and by how much: what is said of accuracies by distance."""

import re
from itertools import product

import pandas as pd
import pytest

from core.learning.collection.members import HEADS
from core.learning.evaluation.phenomena import DISTANCES
from core.measures.distance import long_range
from core.model.config import NORMS, ModelConfig
from core.model.positions import SCHEMES
from core.sources.trained import records_of_members
from pages.interaction_distance.trained_said import at_the_longest, comparisons
from tests.covering import each

WORDS = ["1–2", "3–5", "6–10", "11–20", "21–48"]
BEST = [1, 1, 1, 0.98, 0.99]
HIGH = [0.9] * 5
NO_BETTER = "is not clearly better than the baseline"


def said(transformer: list[float], lstm: list[float], level: float = 0.25) -> str:
    rows = [
        (name, group, words, share)
        for name, shares in (("Transformer", transformer), ("LSTM", lstm))
        for group, (words, share) in enumerate(zip(WORDS, shares, strict=True))
    ]
    table = pd.DataFrame(rows, columns=["network", "group", "words", "accuracy"])
    return f"{at_the_longest(table, [level] * 5)} {comparisons(table, [level] * 5)}"


@each(
    ("transformer", "lstm", "sentences"),
    [
        (
            BEST,
            [0.96, 1, 0.98, 0.95, 0.95],
            "The accuracy of the LSTM is within 5 points of the Transformer's at every distance.",
        ),
        (
            [0.95] * 5,
            [1, 0.95, 0.9, 0.95, 0.99],
            "The accuracy of the LSTM is within 5 points of the Transformer's at every distance.",
        ),
        (
            [0.65] * 5,
            [0.98, 0.98, 0.99, 0.98, 0.97],
            "The LSTM is more accurate than the Transformer at every distance, by up to 34 points: 99 % "
            "against 65 % at 6–10 words.",
        ),
        (
            [1, 0.95, 0.86, 0.71, 0.65],
            [1, 1, 1, 0.99, 0.98],
            "The LSTM is more accurate than the Transformer at 6–10 words and more, by up to 33 points: 98 % "
            "against 65 % at 21–48 words; elsewhere the two are within 5 points.",
        ),
        (
            [0.9, 0.9, 0.9, 0.9, 0.844],
            HIGH,
            "The LSTM is more accurate than the Transformer at 21–48 words, by 5.6 points: 90 % against "
            "84 %; elsewhere the two are within 5 points.",
        ),
        (
            HIGH,
            [0.4, 0.5, 0.9, 0.86, 0.85],
            "The LSTM is less accurate than the Transformer up to 3–5 words, by up to 50 points: 40 % "
            "against 90 % at 1–2 words; elsewhere the two are within 5 points.",
        ),
        (
            HIGH,
            [0.8, 0.5, 0.9, 0.6, 0.95],
            "The LSTM is less accurate than the Transformer at 1–2, 3–5 and 11–20 words, by up to 40 points: "
            "50 % against 90 % at 3–5 words; elsewhere the two are within 5 points.",
        ),
        (
            [0.9, 0.9, 0.9, 0.5, 0.5],
            [0.5, 0.9, 0.9, 0.9, 0.8],
            "The LSTM is more accurate than the Transformer at 11–20 words and more, by up to 40 points: "
            "90 % against 50 % at 11–20 words, and less accurate at 1–2 words, by 40 points: "
            "50 % against 90 %; elsewhere the two are within 5 points.",
        ),
        (
            [0.5, 0.5, 0.5, 0.9, 0.9],
            [0.9, 0.9, 0.9, 0.5, 0.5],
            "The LSTM is more accurate than the Transformer up to 6–10 words, by up to 40 points: 90 % "
            "against 50 % at 1–2 words, and less accurate at 11–20 words and more, by up to 40 "
            "points: 50 % against 90 % at 11–20 words.",
        ),
    ],
)
def test_who_is_better_is_said_of_both_sides(
    transformer: list[float], lstm: list[float], sentences: str
) -> None:
    assert said(transformer, lstm).endswith(f"the baseline has 25 %. {sentences}")


@pytest.mark.parametrize(
    ("lstm", "ending"),
    [
        (
            [0.9, 0.9, 0.9, 0.25, 0.24],
            f"The LSTM {NO_BETTER} at 11–20 words and more.",
        ),
        ([0.2] * 5, f"The LSTM {NO_BETTER} at any distance."),
        ([0.9, 0.9, 0.25, 0.9, 0.9], f"The LSTM {NO_BETTER} at 6–10 words."),
    ],
)
def test_who_has_only_the_baseline_is_named_with_the_distances(lstm: list[float], ending: str) -> None:
    assert said(HIGH, lstm).endswith(ending)
    assert "The Transformer is not clearly better" not in said(HIGH, lstm)
    assert f"The Transformer {NO_BETTER} at any distance." in said([0.25] * 5, lstm)


def test_what_is_said_of_every_setting_of_the_switches_is_what_the_records_have() -> None:
    behind = 0
    for positions, n_heads, norm in product(SCHEMES, HEADS, NORMS):
        config = ModelConfig(vocab_size=1, n_heads=n_heads, positions=positions, norm=norm)
        records = records_of_members(long_range.rivals("agreement", config))
        table = long_range.accuracy_table("agreement", records)
        told = ". " + comparisons(table, long_range.baselines("agreement"))
        shares = {
            name: [one.accuracies[f"agreement {first}–{last}"] for first, last in DISTANCES]
            for name, one in records.items()
        }
        for name in ("LSTM", "RNN"):
            margins = [
                100 * (own - other) for own, other in zip(shares[name], shares["Transformer"], strict=True)
            ]
            assert (f"The accuracy of the {name} is within" in told) == (max(map(abs, margins)) <= 5)
            about = rf"({name} is .*accurate|accuracy of the {name} is within)"
            (sentence,) = [one for one in told.split(". The ") if re.match(about, one)]
            assert ("more accurate" in sentence) == (max(margins) > 5), (config, margins)
            assert ("less accurate" in sentence) == (min(margins) < -5), (config, margins)
            widest = max(margins, key=abs)
            if abs(widest) > 5:
                assert f" {abs(widest):.{int(abs(widest) < 10)}f} points" in sentence
        behind += "The LSTM is more accurate" in told
    assert behind, "the settings in which the Transformer has learned less than the LSTM are told"
