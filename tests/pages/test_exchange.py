"""Who did what to whom: bars for every mask and position scheme, and sentences that follow the numbers."""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.learning.collection import take
from core.measures.order import exchange
from core.model.config import POSITIONS, ModelConfig
from core.model.masks import freest_first
from core.model.models import Transformer
from core.model.positions import INJECTION_POINTS, SCHEMES
from pages.order_invariance.orders import schemes_in_brief
from tests.pages.asked import Asked
from tests.pages.session import numbers
from tests.shelf import SpoiltShelf
from viz.bar_rows import FULL

PAGE = "order-invariance"
WHO = {"view": "who did what to whom"}
SETTINGS = list(product(freest_first(), POSITIONS))
SHARES = dict.fromkeys(SETTINGS, 0.3) | {
    ("bidirectional", "none"): 0.5,
    ("bidirectional", "learned"): 1.0,
    ("bidirectional", "sinusoidal"): 0.96,
    ("bidirectional", "rotary"): 0.875,
    ("causal", "none"): 0.75,
    ("causal", "learned"): 0.9,
    ("causal", "alibi"): 0.625,
}

pytestmark = pytest.mark.usefixtures("noise_shelf")
Questions = list[tuple[int, str, str]]


def told(
    monkeypatch: pytest.MonkeyPatch, shares: dict[tuple[str, str], float], others: float = 1.0
) -> Questions:
    """Have the models answer rightly in these shares, or as the others do; what was asked for is listed."""
    asked: Questions = []

    def accuracies(config: ModelConfig, question: str, load: object) -> pd.DataFrame:
        asked.append((config.n_heads, config.norm, question))
        return pd.DataFrame(SETTINGS, columns=["mask", "positions"]).assign(
            accuracy=[shares.get(setting, others) for setting in SETTINGS],
            n_right=[shares.get(setting, others) * 2 * exchange.N_PAIRS for setting in SETTINGS],
            n_differing=26,
        )

    monkeypatch.setattr(exchange, "accuracies", accuracies)
    return asked


def test_a_bar_is_as_high_as_the_share_of_right_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    told(monkeypatch, SHARES)
    session = Asked(PAGE, **WHO)
    bars = session.figure("exchange")["data"]

    heights = np.concatenate([numbers(trace["y"]) for trace in bars])
    np.testing.assert_allclose(heights, FULL * np.array(list(SHARES.values())))
    assert list(session.table("exchange")["accuracy"]) == list(SHARES.values())
    assert session.alt("exchange") == (
        "Accuracy on “who did it”, by mask and position scheme. The largest bars: bidirectional: "
        "learned 100 %, sinusoidal 96 %, rotary 88 %; prefix: none 30 %, learned 30 %, sinusoidal 30 %; "
        "causal: learned 90 %, none 75 %, alibi 62 %."
    )


def test_what_the_model_of_the_switches_makes_of_the_order_is_told_where_the_mask_is_said_to_reveal_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[ModelConfig] = []

    def replies_of(config: ModelConfig, question: str, load: object) -> exchange.Replies:
        asked.append(config)
        return exchange.Replies(132, 26)

    monkeypatch.setattr(exchange, "replies_of", replies_of)
    session = Asked(PAGE, view="every setting", heads=2, norm="post")
    assert "reveals the order" in session.prose
    assert "right in 52 %, and chance is 50 %" in session.prose
    assert "differ in 26 of 128 pairs" in session.prose
    assert asked == [ModelConfig(vocab_size=1, n_heads=2, norm="post", positions="none", mask="causal")]
    assert schemes_in_brief() in session.prose


def test_every_scheme_is_named_with_what_it_changes() -> None:
    line = schemes_in_brief()
    assert line.startswith("What position schemes change")
    assert line in Asked(PAGE, **WHO).prose
    for name, scheme in SCHEMES.items():
        point = scheme.injection_point()
        assert (f"*{name}*" in line) == (point is not None)
        if point is not None:
            assert f"*{name}*" in line.split(f"the {INJECTION_POINTS[point]}: ")[1].split(";")[0]


def test_models_that_are_missing_are_named_and_not_counted(spoilt_shelf: SpoiltShelf) -> None:
    missing = [f"causal-{positions}-4-pre" for positions in ("learned", "rotary")]
    for name in missing:
        spoilt_shelf.lose(f"{name}.safetensors")
    session = Asked(PAGE, **WHO)
    assert f"Of {len(SETTINGS) - 2} models," in session.prose
    (warning,) = session.warnings
    assert warning.startswith(f"The models {' and '.join(missing)} have not been trained yet.")


def test_without_any_there_is_a_sentence_instead_of_a_picture(
    empty_shelf: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(monkeypatch, {}, others=float("nan"))
    session = Asked(PAGE, **WHO)
    (warning,) = session.warnings
    assert warning.startswith("The models bidirectional-none-4-pre, ")
    assert session.pictures == []


def test_heads_norm_and_question_are_those_of_the_controls(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = told(monkeypatch, SHARES)
    session = Asked(PAGE, **WHO)
    session.set(question="how they were then")
    session.set(heads=8, norm="post")
    assert asked == [
        (4, "pre", "who did it"),
        (4, "pre", "how they were then"),
        (8, "post", "how they were then"),
    ]
    assert "so the" in session.prose
    assert Asked(PAGE, **WHO, question="how they were then").value("question") == "how they were then"


def test_how_many_sentences_are_new_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told(monkeypatch, SHARES)
    monkeypatch.setattr(exchange, "n_unseen", {"who did it": 109}.__getitem__)
    prose = Asked(PAGE, **WHO).prose
    assert "Held out: in **109 of these 256 sentences**" in prose
    found = exchange.met_together("who did it")
    assert found is not None
    assert f"Sentences of other kinds do have {found.met} of the {found.n} pairs together." in prose


def test_switches_that_no_trained_model_follows_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    told(monkeypatch, SHARES)
    session = Asked(PAGE, **WHO)
    assert all(session.has(name) for name in ("positions", "mask", "heads", "norm"))
    assert not any(session.has(name) for name in ("model", "seed", "layers", "scale", "residual", "mlp"))


@pytest.mark.parametrize(("row", "column"), [(0, 1), (1, 4)])
def test_a_clicked_bar_sets_the_switches_to_its_model(
    row: int, column: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(monkeypatch, SHARES)
    session = Asked(PAGE, **WHO)
    session.click("exchange", x=column, y=0.5, data=[row, column])
    assert (session.value("mask"), session.value("positions")) == SETTINGS[len(POSITIONS) * row + column]


@pytest.mark.parametrize("mask", ["prefix"])
@pytest.mark.parametrize(
    ("orders", "nouns", "asked"),
    [
        (
            {},
            ["oven", "bread"],
            ["the oven cooked the bread because the", "the bread cooked the oven because the"],
        ),
        (
            {"text": "the dog chased the cat", "other": "the cat chased the dog"},
            ["dog", "cat"],
            ["the dog chased the cat because the", "the cat chased the dog because the"],
        ),
        (
            {"text": "a b c", "other": "c a b"},
            ["oven", "bread"],
            ["the oven cooked the bread because the", "the bread cooked the oven because the"],
        ),
    ],
)
def test_what_the_model_of_the_switches_expects_is_told_for_both_orders(
    mask: str, orders: dict[str, Any], nouns: list[str], asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told(monkeypatch, SHARES)
    calls: list[tuple[str, list[str], str, str]] = []

    def expected(model: Transformer, words: list[str], candidates: list[str]) -> list[float]:
        calls.append((" ".join(words), candidates, model.config.mask, model.config.positions))
        return [0.75, 0.004] if len(calls) == 1 else [0.0001, 0.5]

    monkeypatch.setattr(exchange, "expected", expected)
    prose = Asked(PAGE, **WHO, mask=mask, positions="alibi", **orders).prose

    assert calls == [(words, nouns, mask, "alibi") for words in asked]
    one, other = nouns
    assert f"after *{asked[0]}* 75 % for *{one}* and 0.4 % for *{other}*;" in prose
    assert f"after *{asked[1]}* <0.1 % for *{one}* and 50 % for *{other}*." in prose


@pytest.mark.long("files that change only when the collection is trained anew: numbers of others than these")
def test_the_numbers_are_those_of_the_models_on_the_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "finding", lambda name, what: None)
    session = Asked(PAGE, **WHO, heads=2, norm="none")
    table = session.table("exchange")
    assert list(zip(table["mask"], table["positions"], strict=True)) == SETTINGS
    for row in (0, len(POSITIONS) + 1):
        mask, positions = SETTINGS[row]
        model = take(f"{mask}-{positions}-2-none")
        assert table["accuracy"][row] == exchange.replies(model, "who did it").accuracy
    assert table["accuracy"][0] == 0.5
