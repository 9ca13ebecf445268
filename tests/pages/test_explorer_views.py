"""The other views of the explorer: hiding, compare, head scores, similarity and probabilities."""

from math import exp, log
from typing import Any, Never

import numpy as np
import pandas as pd
import pytest
import torch
from numpy.testing import assert_allclose

from core.measures.heads.sample import sample_sentences
from core.measures.heads.scores import ENTROPY, FOCUS, measure_heads
from core.measures.over_sentences import Spread, WeightEffectComparison
from core.measures.prediction import WordLogits, distribution, predict
from core.measures.reading import Reading, read
from core.model.config import ModelConfig
from core.sources import UnavailableError, load
from core.text.language import vocabulary
from core.text.tokenizer import words_of
from pages.contract.arrangement import arranged
from pages.contract.examples import PRAISED
from pages.contract.look import Look
from pages.contract.prose import Typed
from pages.contract.question import Estimate, solution
from pages.contract.question_builders import unique_labels
from pages.contract.scene import Scene
from pages.contract.sheet import PicturePart
from pages.explorer import over_sentences
from pages.explorer.compare import CHANGES_LISTED, SAME_START, describe_largest_change, matched
from pages.explorer.head_scores import describe_head, specialist
from pages.explorer.hiding import HidingEffects, describe_agreement, does_a_large_weight_matter
from pages.explorer.over_sentences import AGREEING, DISAGREEING, describe_spread
from pages.explorer.probabilities import (
    SHOWN,
    calculated,
    describe_likeliest,
    describe_ratio,
    ratio_of_probabilities,
)
from pages.explorer.similarity import (
    OTHERS,
    SENTENCE,
    UNRELATED,
    columns_in,
    nearest_sentence,
    usual,
    with_words,
)
from pages.sheet import build_sheet
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, computed, fields_of, gaps, numbers, readable, settings
from viz.head_scores import score_names
from viz.layout.figure import unpacked
from viz.named_bars import SHOWN as WORDS_SHOWN

PLACE = "layer 1, head 2"


def hidden(weights: list[float], changes: list[float], unit: str = "word") -> HidingEffects:
    names = unique_labels(["tea", "was", "tea", "hot", "and", "good"][: len(weights)])
    return HidingEffects(names, np.array(weights), np.array(changes), "the prediction", Typed("now"), unit)


@each(
    ("weights", "changes", "unit", "said"),
    [
        (
            [0.3],
            [0.25],
            "word",
            "Of the other words, *now* may attend only to *tea*; hiding it changes the prediction by 25 %.",
        ),
        ([], [], "word", "none can be hidden to change the prediction."),
        ([0.6, 0.2, 0.1], [0, 0, 0], "word", "but no hidden word changes the prediction."),
        ([0.1, 0.2, 0.6], [0.1, 0.3, 0.5], "word", "and hiding it changes the prediction most."),
        ([0.6, 0.2, 0.1], [0.1, 0.3, 0.5], "token", "but hiding *tea (3)* changes the prediction most."),
    ],
)
def test_the_largest_mean_weight_is_compared_with_the_largest_change(
    weights: list[float], changes: list[float], unit: str, said: str
) -> None:
    told = readable(describe_agreement(hidden(weights, changes, unit)))
    assert told.endswith(said)
    assert len(told.replace(" (", "(").split()) <= 25


def test_a_hall_sees_one_head_and_the_changes_and_a_sentence_about_both() -> None:
    whole = Asked("explorer", view="hiding").table("hiding")
    sheet = build_sheet("/explorer?view=hiding", Look(fills=True)).sheet
    picture = arranged(sheet.parts).picture
    assert picture is not None
    (shown,) = (panel.drawn for panel in picture.panels)
    assert isinstance(shown, PicturePart)
    table = shown.picture.table()
    assert table is not None
    assert list(table) == ["weight in this head", "change if hidden"]
    assert np.array_equal(table, whole.drop(columns="mean weight"), equal_nan=True)
    said = readable(sheet.headline)
    assert f"*{table['weight in this head'].idxmax()}*, with" in said
    assert f"Hiding *{table['change if hidden'].idxmax()}* changes the prediction most" in said


@each(
    ("median", "said"),
    [
        (0.85, "in much the same order"),
        (0.6, "in a similar order, but not the same one"),
        (0.1, "in orders that differ a lot"),
    ],
)
def test_the_median_says_how_alike_a_hundred_sentences_are_ranked(median: float, said: str) -> None:
    quartiles = median - 0.1, median, median + 0.1
    told = describe_spread(Spread(quartiles, n_agreeing=57, n_first=89, n=90), unit="token")
    assert f"rank the tokens {said}." in told
    assert "changes the prediction most in 57 of 90 sentences" in told
    assert "sink" not in told
    at_first = describe_spread(Spread(quartiles, n_agreeing=0, n_first=90, n=90), unit="token")
    assert "most in none of 90 sentences" in at_first
    assert "In every sentence this is the first token, an attention sink." in at_first
    assert "Without the first token" not in at_first


@each("heaviest", [0, 1])
def test_the_sink_is_left_out_where_it_is_heaviest_in_every_sentence(
    monkeypatch: pytest.MonkeyPatch, heaviest: int
) -> None:
    others = (
        WeightEffectComparison("the cat", 0.9, 2, 2, 0.8, 0.8),
        WeightEffectComparison("the dog", 0.5, 1, 3, 0.1, 0.7),
    )
    compared = [
        WeightEffectComparison("the cat", 0.2, 0, 2, 0.1, 0.8, others[0]),
        WeightEffectComparison("the dog", 0.1, heaviest, 3, 0.1, 0.7, others[1]),
    ]
    monkeypatch.setattr(over_sentences, "compared_by", lambda _: compared)
    page = Asked("explorer", view="hiding")
    is_sink = heaviest == 0
    assert ("So the result says nothing about the other words." in page.prose) == is_sink
    assert ("changes the prediction most in 1 of 2 sentences" in page.prose) == is_sink
    assert (AGREEING in page.buttons) == is_sink, "only without the first word do weight and effect agree"
    assert DISAGREEING in page.buttons


def test_without_results_over_sentences_the_rest_of_the_view_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(scene: Scene) -> Never:
        raise UnavailableError("The file is gone.")

    monkeypatch.setattr(over_sentences, "compared_by", fail)
    page = Asked("explorer", view="hiding")
    assert page.pictures == ["hiding"]
    assert "The file is gone." in page.infos


def test_an_example_opens_a_sentence_in_which_weight_and_effect_agree_or_do_not() -> None:
    page = Asked("explorer", view="hiding", mask="bidirectional", heads=2)
    before = page.table("over_sentences")
    for label, told in ((AGREEING, "and hiding it changes"), (DISAGREEING, "but hiding")):
        page.press(label)
        assert told in readable(page.sheet.headline)
        text = page.link["text"]
        assert text in list(before["sentence"])
        marked = float(before.set_index("sentence")["rank correlation"][text])
        assert page.picture("over_sentences").marked == pytest.approx(marked, abs=1e-4)
        assert page.table("over_sentences").equals(before)


def test_a_large_weight_does_not_say_that_its_word_matters() -> None:
    keys = unique_labels(["tea", "was"])
    asked = does_a_large_weight_matter(PLACE, keys[1], keys, (0.1, 0.9))
    assert asked is not None
    assert solution(asked) == "not by itself"
    for weights in ((1.0,), (), (0.5, 0.5)):
        assert does_a_large_weight_matter(PLACE, keys[1], keys[: len(weights)], weights) is None


TEXT = "the cat saw the other cat run"

A = {"positions": "rotary", "n_heads": 2, "n_layers": 3, "norm": "post", "seed": 4}

LINK = {"view": "compare", "model": "random", "text": TEXT} | {
    {"n_heads": "heads", "n_layers": "layers"}.get(name, name): value for name, value in A.items()
}


def assert_shows(session: Asked, a: Reading, b: Reading, layer: int, head: int) -> None:
    first = gaps(a, layer, head)
    second = gaps(b, min(layer, b.config.n_layers - 1), min(head, b.config.n_heads - 1))
    change = np.nan_to_num(second) - np.nan_to_num(first)
    change[np.isnan(first) & np.isnan(second)] = np.nan
    for panel, expected in enumerate((first, second, change)):
        assert_allclose(session.matrix("comparison", panel=panel), expected, atol=1e-6)


def test_a_switch_of_b_changes_b_alone_and_b_follows_a_in_the_others() -> None:
    session, spelt = Asked(**LINK, b_positions="as A", layer=2, head=2), {True: "on", False: "off"}
    for setting in settings():
        said = {name: spelt[one] if isinstance(one, bool) else one for name, one in setting.items()}
        session.set(**{f"b_{name}": one for name, one in said.items()})
        assert_shows(session, computed(TEXT, **A), computed(TEXT, **{**A, **fields_of(setting)}), 1, 1)
    session = Asked(**LINK, head=1)
    session.set(scale=False, heads=4)
    fields = {**A, "scale": False, "n_heads": 4}
    assert_shows(session, computed(TEXT, **fields), computed(TEXT, **{**fields, "positions": "none"}), 0, 0)


def test_a_b_with_fewer_heads_and_layers_shows_its_last_ones_and_says_so() -> None:
    session = Asked(**LINK, layer=3, head=2, b_layers="1", b_heads="1")

    assert session.infos == ["B has no layer 3 · head 2: the picture shows its layer 1 · head 1."]
    b = computed(TEXT, **{**A, "positions": "none", "n_layers": 1, "n_heads": 1})
    assert_shows(session, computed(TEXT, **A), b, 2, 1)


def test_the_largest_changes_are_listed_largest_first() -> None:
    session = Asked(**LINK)
    listed, change = session.tables[0], np.nan_to_num(session.matrix("comparison", panel=2))
    largest = np.sort(np.abs(change), axis=None)[::-1][:CHANGES_LISTED]
    assert_allclose(np.abs(listed["change"]), largest, atol=1e-6)
    assert_allclose(listed["B"] - listed["A"], listed["change"], atol=1e-6)
    cell = np.unravel_index(np.argmax(np.abs(change)), change.shape)
    named = [listed[side][0].split(" (")[0] for side in ("query", "key")]
    assert named == [TEXT.split()[at] for at in cell]


def in_sight(session: Asked) -> list[str]:
    """Return the switches of B beside "B is A, except"."""
    keys = [getattr(node, "key", None) or "" for node in session.element("variant")]
    return [key for key in keys if key.startswith("b_")]


def test_only_the_switches_in_which_b_differs_are_in_sight() -> None:
    session = Session(**LINK, b_mask="bidirectional")
    assert in_sight(session) == ["b_positions", "b_mask"]

    session.set(b_positions="as A", b_heads="8", b_seed=1)
    assert in_sight(session) == ["b_mask", "b_heads", "b_seed"]
    assert session.value("b_positions") == "as A"


@pytest.mark.usefixtures("noise_shelf")
def test_what_a_and_b_predict_stands_side_by_side() -> None:
    text, at = "Maria met Zuko near the stores", 3
    session = Asked(text=text, view="compare", place=at + 1)
    a, b = (
        predict(load("trained", ModelConfig(vocab_size=1, positions=positions), text.split(), 0))
        for positions in ("sinusoidal", "none")
    )
    assert f": A rank {a.rank(at)}, " in session.prose
    assert f"; B rank {b.rank(at)}, " in session.prose
    assert f"**A {a.loss:.2f} nats per word**, **B {b.loss:.2f} nats per word**" in session.prose
    table = distribution(a, b, at)
    table = table[(table.index < WORDS_SHOWN) | table["answer"]]
    drawn = [numbers(bars["x"]) for bars in session.figure("prediction_bars")["data"]]
    assert_allclose(drawn, [table["before"], table["after"]], atol=1e-6)


def test_heads_of_two_trainings_are_matched_on_the_sentence_and_an_ablation_is_none() -> None:
    """B without its residual connections is A with something taken out: no second training."""
    swapped = np.array([[0.9, 0.2], [0.1, 0.8]])
    assert "a partner in B with another number: A1 with B2 and A2 with B1." in matched(swapped)
    assert "has the same number as its partner in B." in matched(1 - swapped)
    assert matched(np.zeros((2, 2))) == SAME_START
    link = {"view": "compare", "text": "the chef is happy .", "b_positions": "rotary"}
    assert "Paired by their weights on this sentence, " in Asked(**link).prose
    ablated = {"b_positions": "as A", "b_residual": "off"}
    for other in (ablated, {"b_heads": "2"}, {"heads": 1}, {"model": "random"}):
        assert SAME_START not in Asked(**{**link, **other}).prose


def change(a: float, b: float, n: int = 2) -> str:
    row = {"query": "so", "key": "tea (1)", "A": a, "B": b, "change": b - a}
    others = [{**row, "key": "so", "A": 0, "B": 0, "change": 0}] * (n - 1)
    return readable(describe_largest_change(pd.DataFrame([row, *others]), "layer 1, head 2"))


TELLS = "with which *so* attends to *tea (1)*"


@each(
    ("a", "b", "said"),
    [
        (0.2, 0.9, "*so* gives *tea (1)* 20 % of its attention in A and 90 % in B"),
        (0.9, 0.2, "*so* gives *tea (1)* 90 % of its attention in A and 20 % in B"),
        (0.5, 0.5002, f"the weight {TELLS} rises by 2·10⁻⁴ from A to B"),
        (0.5002, 0.5, f"the weight {TELLS} falls by 2·10⁻⁴ from A to B"),
    ],
)
def test_a_change_is_told_as_far_as_its_digits_show_it(a: float, b: float, said: str) -> None:
    where = "In layer 1, head 2,"
    assert change(a, b) == f"{where} {said}: the largest change."
    assert change(a, b, n=1) == f"{where} {said}."
    assert (
        change(0.5, 0.5, n=1) == f"{where} *so* attends to *tea (1)* with the same weight in A and B, 0.500."
    )


def measured(
    *, source: str = "random", seed: int = 0, width: int | None = None, **fields: Any
) -> pd.DataFrame:
    """Return the measures of `core`."""
    config = ModelConfig(vocab_size=1, **fields)
    return measure_heads(load(source, config, vocabulary().words, seed), width=width)


def line_at(session: Any, x: int, y: int) -> int | None:
    """Return the line of the table that a click at this place of the tiles reports; None outside of them."""
    (tiles,) = session.figure("head_scores")["data"]
    lines = unpacked(tiles["customdata"])
    return int(lines[y][x]) if 0 <= y < len(lines) and 0 <= x < len(lines[0]) else None


def assert_shows_scores(session: Asked, table: pd.DataFrame) -> None:
    """The figure has rows of scores, and as columns the heads, a gap after each layer, and equal weights.

    Many scores of a few heads are turned: then the first row names a layer.
    """
    table = table[table["score"] != ENTROPY]
    names, values = score_names(table), session.matrix("head_scores")
    if len(values) != len(names):
        values = values.T[:, 1:]
    for at, score in enumerate(names):
        rows = table[table["score"] == score].sort_values(["layer", "head"])
        expected = [number for _, layer in rows.groupby("layer") for number in (*layer["value"], np.nan)]
        assert_allclose(values[at], [*expected, rows["baseline"].iloc[0]], rtol=1e-5)
    assert len(values) == len(names)


@each("setting", [{"heads": 8, "layers": 1, "mask": "bidirectional", "scale": False}, {"window": 2}])
def test_the_figure_shows_the_scores_of_the_model_that_the_switches_ask_for(setting: dict[str, Any]) -> None:
    session, fields = Asked(view="head scores", model="random", seed=7, **setting), fields_of(setting)
    assert_shows_scores(session, measured(seed=7, width=fields.pop("window", None), **fields))


def one_score(value: float, baseline: float) -> pd.DataFrame:
    two = {"layer": [1, 2], "head": [2, 3], "score": "itself", "value": [value, 0.0], "baseline": baseline}
    return pd.DataFrame(two)


@each(
    ("value", "baseline", "begins"),
    [
        (0.09, 0.05, "No head clearly stands out"),
        (0.11, 0.05, "Of all heads"),
        (0.53, 0.4, "No head clearly stands out"),
        (0.57, 0.4, "Of all heads"),
        (0.2, 0.3, "No head puts more attention on anything"),
    ],
)
def test_a_head_stands_out_that_is_clearly_above_equal_weights(
    value: float, baseline: float, begins: str
) -> None:
    """Twice what they give, or a quarter of the way from there to all."""
    assert specialist(one_score(value, baseline)).startswith(begins)
    told = describe_head(one_score(value, baseline), 0, 1)
    assert (f"puts {100 * value:.0f} % of its attention on the query word itself." in told) == (
        value > baseline
    )
    assert ("no more attention on anything" in told) == (value < baseline)


def test_a_clicked_tile_opens_its_head_on_the_sentence_and_cell_that_show_it() -> None:
    session = Asked(view="head scores", model="random", positions="alibi", text="the old king sings")
    table = measured(positions="alibi")
    score = "earlier mention"
    row, below = (score_names(table).index(name) for name in (score, ENTROPY))
    for x, y in [(4, 0), (10, 3), (3, below)]:
        session.click("head_scores", x=x, y=y, data=line_at(session, x, y))
        assert session.value("view") == "head scores", "a click beside the heads opens nothing"
    session.click("head_scores", x=7, y=row, data=line_at(session, 7, row))
    (opened,) = table[(table["layer"] == 2) & (table["head"] == 3) & (table["score"] == score)].itertuples()
    words = sample_sentences()[opened.sentence].words
    assert session.value("text") == " ".join(words)
    assert (session.value("view"), session.value("layer"), session.value("head")) == ("heads", 2, 3)
    assert (session.value("query"), session.value("key")) == (opened.query + 1, opened.key + 1)
    reading = read(load("random", ModelConfig(vocab_size=1, positions="alibi"), words, 0))
    assert_allclose(np.nan_to_num(session.matrix("matrix")), reading.pattern(1, 2), atol=1e-6)


def test_what_was_chosen_before_does_not_stay_with_a_head_that_is_opened() -> None:
    """The focus has no cell of its own, and a head is what was clicked."""
    session = Asked(model="random", view="heads", query=3, key=2, show="rollout")
    session.set(view="head scores")
    row = score_names(measured()).index(FOCUS)
    session.click("head_scores", x=1, y=row, data=line_at(session, 1, row))
    assert (session.value("view"), session.value("layer"), session.value("head")) == ("heads", 1, 2)
    assert (session.value("query"), session.value("key"), session.value("show")) == (None, None, "head")


def test_the_list_of_sentences_has_no_empty_lines_and_on_a_telephone_its_width() -> None:
    assert sum(column.width or 0 for column in columns_in(Look(page=350, width=350)).values()) < 350
    assert with_words(f" one two \n\n   \n{'word ' * 257}\nthree") == ("one two", "three")


def test_the_nearest_sentence_shares_more_words_than_one_of_the_same_meaning() -> None:
    cosines, shared = {"a b": 0.9, "c d": 0.7, "b e": 0.1}, {"a b": 2, "c d": 0, "b e": 2}
    asked = nearest_sentence("MiniLM", "a b f", cosines, shared)
    assert asked is not None
    assert solution(asked) == "*“a b”*"
    assert [bool(option.why_not) for option in asked.options] == [False, True, False]
    assert "0.90" in asked.because
    assert nearest_sentence("MiniLM", "a", {}, {}) is None
    assert nearest_sentence("MiniLM", "a", {"b": 0.5, "c": 0.5}, {"b": 0, "c": 0}) is None
    long = "tea " * 60
    asked = nearest_sentence("", long, {long + "a": 0.9, long + "b": 0.5}, {long + "a": 1, long + "b": 1})
    assert asked is not None
    assert solution(asked).endswith("a”*"), "two answers that begin alike"
    assert len(asked.text) < 300


def seen(*logits: float, bias: float = 0.0) -> WordLogits:
    rows = np.array([[2.0, -1.0, 0.5], [1.0, 0.0, 0.0]])
    words = tuple(f"word{at}" for at in range(len(logits)))
    return WordLogits(words, np.array([3.0, 1.0, -2.0]), np.array(logits), rows, np.array([bias, 0.0]))


@each(
    ("logits", "said"),
    [
        ((0.0, log(8), log(2)), "After *tea* (1), *hot* is the likeliest word, with p = 0.727: its logit, "
         "2.08, is the largest of 3. The logit of *cold* is 1.386 lower, so *hot* is exp(1.386) = 4 times "
         "as likely."),
        ((0.0, 900.0), " is 900.000 lower, so *hot* is exp(900.000) times as likely."),
        ((0.0, 0.0028), "exp(0.0028) = 1.003 times"),
        ((1.0, 1.0), "*hot* and *cold* are the likeliest words, with p = 0.500 each: their logit, 1.00, is"),
    ],
)  # fmt: skip
def test_the_answer_names_the_best_and_how_many_times_as_likely_as_the_second_it_is(
    logits: tuple[float, ...], said: str
) -> None:
    names, found = ("hot", "cold"), seen(*logits)
    best = describe_likeliest("after *tea* (1)", names, found, unit="word")
    assert said in f"{best} {describe_ratio(names, found)}"


@each(
    ("logits", "lines"),
    [
        ((2.0, 0.0), ["e^{2.000} = 7.389", "2 logits} &= 8.389", r"7.389\,/\,8.389 = 0.881"]),
        ((800.0, 799.0), [r"e^{800.000} = 2.73 \cdot 10^{347}", r"&= 3.73 \cdot 10^{347}", "= 0.731"]),
        ((-100.0, -101.0), [r"e^{-100.000} = 3.72 \cdot 10^{-44}", r"&= 5.09 \cdot 10^{-44}", "= 0.731"]),
    ],
)
def test_the_calculation_has_products_bias_exp_sum_and_share(
    logits: tuple[float, ...], lines: list[str]
) -> None:
    latex = calculated(seen(*logits), [r"\text{hot}", "2"])
    assert all(line in latex for line in lines), latex
    assert r"w_{\text{hot}} \cdot h &= 2.00 \cdot 3.00 + (-1.00) \cdot 1.00 \\ &\quad + \cdots \\" in latex
    for bias, added in ((0.25, r"\cdots + 0.250"), (-0.25, r"\cdots - 0.250")):
        assert added in calculated(seen(*logits, bias=bias), ["1", "2"])


def test_the_bars_are_the_models_logits_and_torchs_softmax() -> None:
    place, one = 9, load("trained", ModelConfig(vocab_size=1), words_of(PRAISED), 0)
    with torch.inference_mode():
        logits = one.model(one.tokens)[0, place - 1].double()
    shares, order = logits.softmax(-1), logits.argsort(descending=True)[:SHOWN]
    page = Asked("explorer", view="probabilities", place=place)
    table = page.table("logits")
    assert list(table["word"][:SHOWN]) == [one.vocabulary.words[number] for number in order]
    assert_allclose(table["logit"][:SHOWN], logits[order], rtol=1e-6)
    assert_allclose(table["probability"][:SHOWN], shares[order], rtol=1e-6)
    assert len(table) == len(logits)
    ratio = exp(float(logits[order[0]] - logits[order[1]]))
    assert f"= {ratio:.3g} times as likely." in page.prose


def test_the_ratio_of_two_probabilities_is_exp_of_the_difference_as_it_is_read() -> None:
    asked = ratio_of_probabilities(12.728, 9.959)
    assert isinstance(asked, Estimate)
    assert asked.right == pytest.approx(exp(12.728 - 9.959))
    assert "exp(2.769)" in asked.because
    assert [value for value, _ in asked.mistaken] == pytest.approx([12.728 / 9.959, 2.769])
    near = ratio_of_probabilities(-1.0, -1.6)
    assert near is not None
    assert near.mistaken == (), "equal mistakes"
    assert [ratio_of_probabilities(3.0, second) for second in (2.9, 3.0, -10.0)] == [None] * 3, "too unlike"


def test_ones_own_sentence_is_not_compared_with_those_about_the_cat() -> None:
    assert usual(SENTENCE) == OTHERS
    own = usual("Bread is baked in the oven.")
    assert own == ("oven. the in baked is Bread", "Bread is baked", *UNRELATED)
    assert not any("cat" in one for one in own)
    assert usual("Bread") == UNRELATED
    assert usual("no no") == ("no", *UNRELATED)
