"""Order invariance: two orders of the same words in every setting, and who did what to whom."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from core.measures.order import exchange
from core.measures.order.exchange import N_PAIRS, SwapCounts
from core.measures.order.verdicts import DEPTHS, OrderComparison, compare_orders
from core.model.config import POSITIONS, ModelConfig
from core.model.masks import freest_first
from core.model.models import Transformer
from core.model.positions import SCHEMES
from core.sources import LoadedModel, UntrainedError, load
from core.text.tokenizer import words_of
from pages.contract.common_controls import another_order
from pages.contract.examples import BREAD, EXAMPLES, OVEN
from pages.contract.look import Look
from pages.contract.prose import Typed
from pages.contract.question import solution
from pages.contract.question_builders import unique_labels
from pages.contract.sheet import PicturePart
from pages.order_invariance import by_layer, every_setting, who_did_what
from pages.order_invariance import compared as orders
from pages.order_invariance.two_orders import Reordered, changed_words_question, two_layers_question
from pages.sheet import build_sheet as answered_at
from tests.covering import each
from tests.pages.asked import Asked, reasons, whole
from tests.pages.session import Session, fields_of, numbers, settings
from viz.bar_rows import BarRows
from words import distance

PAGE = "order-invariance"
SO = 5
NAMES = ("the", "cat", "saw")


def opened(**parameters: Any) -> Asked:
    """Return the page with weights at initialisation."""
    return Asked(PAGE, model="random", **parameters)


def comparison_of(
    first: str = OVEN, second: str = BREAD, *, source: str = "random", seed: int = 0, **fields: Any
) -> OrderComparison:
    start = {"vocab_size": 1, "positions": "none", "mask": "bidirectional"}
    config = ModelConfig(**{**start, **fields})
    return compare_orders(
        load(source, config, first.split(), seed), load(source, config, second.split(), seed)
    )


def assert_shown(session: Asked, comparison: OrderComparison, word: int) -> None:
    weights = [comparison.first_weights[0, word], comparison.second_weights[0, word]]
    output = [comparison.first_output[word], comparison.second_output[word]]
    assert_allclose(session.matrix("orders", panel=0), weights, atol=1e-6)
    assert_allclose(session.matrix("orders", panel=1), output, atol=1e-5)
    said = "the same output in both orders" if comparison.same[word] else "another output in the second order"
    assert f"*{unique_labels(comparison.words)[word]}* gets {said}. Head 1" in session.sheet.headline
    assert ("Every other word gets the same" in session.prose) == comparison.same.all()
    assert f"at most {distance(comparison.weight_differences[word])} in any head" in session.prose
    assert f"at most {distance(comparison.output_differences[word])} in any dimension" in session.prose


@pytest.mark.long("all switches; the orders are compared in every run")
@each("setting", settings("window", "seed", heads=(1, 2, 8), layers=(1, 6)))
def test_the_switches_reach_both_orders(setting: dict[str, Any]) -> None:
    assert_shown(opened(word=2, **setting), comparison_of(**fields_of(setting)), 1)


def agreeing(mask: str, positions: str, layers: int) -> set[int]:
    """Places of the words of the oven that come out the same in both orders: the theory (C9)."""
    if mask == "bidirectional":
        return set(range(6)) if positions == "none" else set()
    if mask == "prefix":  # the orders differ among the words given; one layer deep the last has seen all
        return {SO} if positions == "none" and layers == 1 else set()
    return {0, SO} if positions == "none" and layers == 1 else {0}


def test_every_setting_gets_the_verdict_of_the_theory_in_the_table_and_in_the_picture() -> None:
    session = opened()
    table = session.table("verdicts")
    tiles = session.figure("verdicts")["data"][1]
    rows, columns = (
        np.rint((edges[1:] + edges[:-1]) / 2) for edges in map(numbers, (tiles["y"], tiles["x"]))
    )
    drawn: dict[tuple[int, int], set[int]] = {}
    for (row, column), number in np.ndenumerate(numbers(tiles["customdata"])):
        if numbers(tiles["z"])[row, column] == 1:
            place = int(table["place"][int(number)])
            drawn.setdefault((int(rows[row]), int(columns[column])), set()).add(place)

    settings = enumerate(product(freest_first(), DEPTHS))
    for (row, (mask, layers)), (column, positions) in product(settings, enumerate(POSITIONS)):
        expected = agreeing(mask, positions, layers)
        told = table[
            (table["mask"] == mask)
            & (table["positions"] == SCHEMES[positions].about.name)
            & (table["layers"] == layers)
        ]
        assert set(told["place"][told["same"]]) == drawn.get((row, column), set()) == expected
        assert list(told["word"]) == OVEN.split()
        assert (told["difference"] > 1e-4).sum() == 6 - len(expected)
    assert f"in 4 of {6 * len(POSITIONS)} settings" in session.alt("verdicts")


def test_missing_models_of_a_shipped_mask_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(source: str, config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
        if config.mask == "bidirectional":
            raise UntrainedError("it is gone")
        return load(source, config, words, seed)

    monkeypatch.setattr(every_setting, "load", gone)
    orders = {"text": "the cat saw the dog", "other": "the dog saw the cat"}
    session = Asked(PAGE, model="trained", **orders)
    assert [warning for warning in session.warnings if "it is gone" in warning]


def test_a_clicked_tile_opens_its_word_in_its_setting_and_the_seed_reaches_both_pictures() -> None:
    session = opened()
    table = session.table("verdicts")
    clicked = table.query("mask == 'causal' and positions == 'ALiBi' and layers == 1 and place == 3")
    session.click("verdicts", x=0.1, y=1.2, data=int(clicked.index[0]))
    chosen = {"word": "4", "mask": "causal", "positions": "alibi", "layers": "1"}
    assert session.link == {"model": "random", **chosen}
    setting = {"mask": "causal", "positions": "alibi", "n_layers": 1}
    assert_shown(session, comparison_of(**setting), 3)
    assert session.table("verdicts").equals(table), "the grid has every setting"
    session.set(seed=1)
    assert_shown(session, comparison_of(seed=1, **setting), 3)
    assert list(session.table("verdicts")["difference"]) != list(table["difference"])


def on_page(**parameters: Any) -> Session:
    """Return the page with weights at initialisation."""
    return Session(PAGE, model="random", **parameters)


def test_an_example_comes_into_both_boxes_in_two_orders() -> None:
    session = on_page(text="the king sings", other="sings the king")
    session.element("example_7").click()
    session.run()
    assert session.value("text") == EXAMPLES[7]
    assert words_of(session.value("other")) != words_of(EXAMPLES[7])
    assert sorted(words_of(session.value("other"))) == sorted(words_of(EXAMPLES[7]))
    assert session.warnings == []


@pytest.mark.long("acts in two boxes; examples for both are in every run")
def test_the_second_box_follows_the_first_until_one_types_there() -> None:
    session = on_page(other="so bread the cooked oven the")
    session.press("the bread …")
    assert (session.value("text"), session.value("other")) == (BREAD, OVEN)
    for text, other in (("a b c d", "a c b d"), ("", BREAD), (BREAD, OVEN)):
        session.set(text=text)
        assert session.value("other") == other
    session.set(other="so the oven the bread cooked")
    session.set(text="a b c d")
    assert session.value("other") == "so the oven the bread cooked", "the visitor's own"
    assert "press Shuffle" in session.warnings[0]


@each(
    ("text", "wanted", "expected"),
    [
        ("a b, c don't d?", (), "a don't c b, d?"),
        ("a b c", (), "b a c"),
        ("a b c d", ("b a d", "d c b a"), "d c b a"),
        ("a a b", (), "b a a"),
        ("a a", (), "a a"),
    ],
)
def test_another_order_keeps_the_first_word_and_the_last_where_it_can(
    text: str, wanted: tuple[str, ...], expected: str
) -> None:
    assert another_order(text, *wanted) == expected


def test_a_word_that_agrees_in_some_settings_is_said_to_do_so_without_positions_only_if_it_is() -> None:
    settings = list(product(("bidirectional", "causal"), ("none", "alibi")))
    table = pd.DataFrame(settings, columns=["mask", "positions"]).assign(place=1)
    for same, told in (
        ([False] * 4, "*cat* gets another output in the second order in all 4 settings."),
        ([True, False, False, False], "both orders in 1 of 4 settings, which is without positions."),
        ([True, False, True, False], "both orders in 2 of 4 settings, each without positions."),
        ([True, True, False, False], "both orders in 2 of 4 settings."),
    ):
        assert every_setting.in_settings(table.assign(same=same), "cat", 1).endswith(told)
    assert (
        every_setting.word_list(range(6), "abcdef")
        == "*a* (1), *b* (2), *c* (3), *d* (4), *e* (5) and 1 more"
    )


def test_a_shuffle_keeps_the_words() -> None:
    assert sorted(orders.shuffled(NAMES)) == sorted(NAMES)
    assert orders.shuffled(NAMES) != NAMES
    assert orders.shuffled(("tea", "tea")) == ("tea", "tea")
    assert orders.shuffle("a, b", behind_blanks=True) == {"other": "a, b"}
    assert orders.shuffle("hot tea", behind_blanks=False) == {"other": "tea hot"}


ORDERS = Reordered(
    Typed(OVEN), Typed(BREAD), tuple(map(Typed, ("the (1)", *OVEN.split()[1:3], "the (4)", "bread", "so"))),
    frozenset({1, 4}),
)  # fmt: skip


TOLD = ModelConfig(vocab_size=1, positions="rotary", mask="bidirectional")
BAG = replace(TOLD, positions="none")
MASKED = replace(TOLD, positions="none", mask="causal", n_layers=1)


def test_wrong_words_are_resolved_as_the_setting_has_it() -> None:
    bag = reasons(changed_words_question(ORDERS, BAG, frozenset(), 0))
    assert "same word: nothing tells" in bag["*oven*, *bread*"]
    assert "nothing is before or after" in bag["*oven*, *cooked*, *the \\(4\\)*, *bread*, *so*"]
    told = reasons(changed_words_question(ORDERS, TOLD, frozenset(range(6)), 1))
    assert told["none"] == "The rotary positions tell the order of the words."
    assert "attend to those that have moved" in told["*oven*, *bread*"]
    masked = reasons(changed_words_question(ORDERS, MASKED, frozenset({1, 2, 3, 4}), 1))
    assert masked["none"].startswith("Even without positions a mask tells the order")
    assert "same beginning" in masked["all 6"]
    fewer = reasons(changed_words_question(ORDERS, MASKED, frozenset({1}), 1))
    assert fewer["*oven*, *bread*"] == "", "no other word attends to the moved ones"


def test_words_that_look_like_others_when_counted_are_not_asked_about() -> None:
    many = replace(ORDERS, names=tuple(Typed(f"w{at}") for at in range(20)), moved=frozenset(range(1, 10)))
    assert changed_words_question(many, MASKED, frozenset({1, 2, 3, 4, 5, 11, 12, 13, 14}), 1) is None
    asked = whole(changed_words_question(many, MASKED, frozenset(range(1, 20)), 1))
    assert solution(asked) == "*w1*, *w2*, *w3*, *w4*, *w5* and 14 more"


def test_two_causal_layers_tell_more_than_one() -> None:
    asked = whole(two_layers_question(ORDERS, frozenset({0, 5}), frozenset({0})))
    assert solution(asked) == "*the \\(1\\)*"
    assert "This is right after one layer" in reasons(asked)["*the \\(1\\)*, *so*"]
    assert set(reasons(asked)) == {"none", "*the \\(1\\)*", "*the \\(1\\)*, *so*", "all 6"}
    both = two_layers_question(ORDERS, frozenset(), frozenset())
    assert solution(whole(both)) == "none"


WHO = {"view": "who did what to whom"}
ASKED_OF = list(product(freest_first(), POSITIONS))
SHARES = dict.fromkeys(ASKED_OF, 0.3) | {
    ("bidirectional", "none"): 0.5,
    ("bidirectional", "learned"): 1.0,
    ("bidirectional", "sinusoidal"): 0.96,
    ("bidirectional", "rotary"): 0.875,
    ("causal", "none"): 0.75,
    ("causal", "learned"): 0.9,
    ("causal", "alibi"): 0.625,
}


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch, noise_shelf: None) -> list[tuple[int, str, str]]:
    """Let the models answer rightly in these shares; return the list of the questions asked."""
    asked: list[tuple[int, str, str]] = []

    def accuracies(config: ModelConfig, question: str, load: object) -> pd.DataFrame:
        asked.append((config.n_heads, config.norm, question))
        rows = [(*one, share, share * 2 * N_PAIRS, 26) for one, share in SHARES.items()]
        return pd.DataFrame(rows, columns=["mask", "positions", "accuracy", "n_right", "n_differing"])

    monkeypatch.setattr(exchange, "accuracies", accuracies)
    return asked


def test_bars_are_the_shares_of_right_answers_of_the_controls_and_a_click_opens_a_model(
    answered: list[tuple[int, str, str]],
) -> None:
    session = Asked(PAGE, **WHO)
    heights = np.concatenate([numbers(trace["y"]) for trace in session.figure("exchange")["data"]])
    assert_allclose(heights, np.array(list(SHARES.values())))
    assert list(session.table("exchange")["accuracy"]) == list(SHARES.values())
    assert not any(session.has(name) for name in ("model", "seed", "layers", "scale", "residual", "mlp"))
    session.set(question="how they were afterwards", heads=8, norm="post")
    assert answered == [(4, "pre", "who did it"), (8, "post", "how they were afterwards")]
    session.click("exchange", x=4, y=0.5, data=[1, 4])
    assert (session.value("mask"), session.value("positions")) == ASKED_OF[len(POSITIONS) + 4]


def test_a_hall_is_told_nothing_of_bars_below_its_picture() -> None:
    link = f"/{PAGE}?view=two+orders"
    assert "All bars are 0 %" in answered_at(link, Look()).sheet.headline
    assert "bars" not in answered_at(link, Look(fills=True)).sheet.headline


@pytest.mark.usefixtures("answered")
def test_a_hall_sees_the_models_of_one_mask_and_a_sentence_about_them() -> None:
    sheet = answered_at(f"/{PAGE}?view=who+did+what+to+whom&mask=causal", Look(fills=True)).sheet
    shown = next(part for part in sheet.parts if isinstance(part, PicturePart))
    assert isinstance(shown.picture, BarRows)
    assert list(shown.picture.rows) == ["accuracy"]
    at = [one for one in SHARES if one[0] == "causal"]
    assert_allclose(np.ravel(shown.picture.shares), [SHARES[one] for one in at])
    assert f"of {len(at)} models" in sheet.headline
    assert who_did_what.choose_model([{"data": [0, 4]}], ["causal"])["mask"] == "causal"


@pytest.mark.usefixtures("answered")
@pytest.mark.parametrize(
    ("text", "other", "nouns", "asked"),
    [
        ("the dog chased the cat", "the cat chased the dog", ["dog", "cat"], None),
        ("a b c", "c a b", ["oven", "bread"], ["the oven cooked the bread", "the bread cooked the oven"]),
    ],
)
def test_the_prediction_of_the_switches_model_is_given_for_both_orders(
    text: str, other: str, nouns: list[str], asked: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[str, list[str], str, str]] = []

    def expected(model: Transformer, words: list[str], candidates: list[str]) -> list[float]:
        calls.append((" ".join(words), candidates, model.config.mask, model.config.positions))
        return [0.75, 0.004] if len(calls) == 1 else [0.0001, 0.5]

    monkeypatch.setattr(exchange, "expected", expected)
    prose = Asked(PAGE, **WHO, mask="prefix", positions="alibi", text=text, other=other).prose

    orders, (one, two) = asked or [text, other], nouns
    assert calls == [(f"{words} because the", nouns, "prefix", "alibi") for words in orders]
    assert f"After *{orders[0]} because the*, the chosen model gives *{one}* a probability of 75 %" in prose
    assert f"because the*, the chosen model gives *{two}* a probability of 50 % and *{one}* " in prose
    hostile = who_did_what.next_word([(["<b>", "because"], {"$x$": 0.5})], is_asked=True)
    assert "*<b>" not in hostile
    assert "*$x$" not in hostile


def accuracies(*rows: tuple[str, str, float, int]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["mask", "positions", "accuracy", "n_differing"])
    return table.assign(n_right=table["accuracy"] * 2 * N_PAIRS)


@each(
    ("n_right", "n_differing", "told"),
    [
        (132, 26, "differ in 26 of 128 pairs. Both answers are right in 15 of these 26 pairs"),
        (129, 1, "differ in 1 of 128 pairs, and both are right"),
        (127, 1, "differ in 1 of 128 pairs, and both are wrong"),
    ],
)
def test_answers_are_the_same_only_if_no_pair_has_two(n_right: int, n_differing: int, told: str) -> None:
    """Accuracy near chance does not tell: 132 of 256 are right with 26 pairs that have two answers."""
    assert who_did_what.judged(SwapCounts(n_right, n_differing)).endswith(told)
    share = n_right / (2 * N_PAIRS)
    table = accuracies(("causal", "none", share, n_differing), ("causal", "alibi", 1, 128))
    assert f"{told}." in who_did_what.without_positions(table)
    assert who_did_what.without_positions(table).count("** model") == 1


def test_models_that_ignore_the_order_are_named_together_and_asked_about() -> None:
    one, two = ("bidirectional", "none", 0.5, 0), ("prefix", "none", 0.5, 0)
    assert "the **bidirectional** model gives" in who_did_what.without_positions(accuracies(one))
    told = who_did_what.without_positions(accuracies(one, two))
    assert "the **bidirectional** and **prefix** models give" in told
    asked = whole(who_did_what.answers_without_order(accuracies(one)))
    assert solution(asked) == "in half of the sentences"
    assert who_did_what.answers_without_order(accuracies(two)) is None
    assert who_did_what.answers_without_order(accuracies((*one[:3], 4))) is None


def test_the_kind_of_sentence_is_held_out_and_not_the_pair() -> None:
    told = who_did_what.held_out(3, 8, exchange.SeenNounPairs(2, 5))
    assert told.endswith("Sentences of other kinds do have 2 of the 5 pairs together.")
    assert who_did_what.held_out(3, 8, None).endswith("Sentences of other kinds may have both.")


CAUSAL = replace(TOLD, positions="none", mask="causal")
SO_COURSE = by_layer.LayerChanges(
    Typed("so"), (0.0, 0.14), Typed("cooked"), (0.28, 0.3), ("the oven", "the bread")
)  # fmt: skip


@each(
    ("config", "course", "told"),
    [
        (CAUSAL, SO_COURSE, "*cooked*, for example, has seen *the oven* in the first order and *the bread*"),
        (CAUSAL, SO_COURSE, "attends to outputs that have changed, so its own output changes by 14 %."),
        (CAUSAL, replace(SO_COURSE, changes=(0.28, 0.3)), "so layer 1 already changes it by 28 %"),
        (CAUSAL, replace(SO_COURSE, before=("", "a")), "has seen nothing in the first order and *a*"),
        (replace(TOLD, mask="causal"), replace(SO_COURSE, changes=(0.0,)), "no layer changes it"),
        (replace(CAUSAL, mask="prefix"), SO_COURSE, "in per cent of its length."),
    ],
)
def test_changes_show_where_the_order_enters(
    config: ModelConfig, course: by_layer.LayerChanges, told: str
) -> None:
    assert told in by_layer.followed(course, config)
    if config.mask == "prefix":
        assert "Layer 1" not in by_layer.followed(course, config)


def test_the_changes_of_every_layer_are_drawn_and_a_click_chooses_a_word() -> None:
    session = opened(mask="causal")
    found = comparison_of(mask="causal", positions="none")
    bars = np.array([numbers(trace["y"]) for trace in session.figure("by_layer")["data"]])
    assert_allclose(bars, found.changes)
    apart = np.linalg.norm(found.first_output - found.second_output, axis=1)
    assert_allclose(bars[-1], apart / np.linalg.norm(found.first_output, axis=1), atol=1e-9)
    assert "*cooked*, for example, has seen *the oven* in the first order and *the bread*" in session.prose
    session.click("by_layer", x=2, y=0.1, data=[0, 2])
    assert session.link["word"] == "3"
    assert by_layer.layers_drawn(2) == (0, 1)
    assert by_layer.layers_drawn(30) == (0, 1, 2, 27, 28, 29)


def test_a_model_below_a_guess_is_named_unless_this_is_luck() -> None:
    told = who_did_what.below_a_guess(
        accuracies(("prefix", "alibi", 0.36, 36), ("causal", "alibi", 0.46, 10))
    )
    assert told.startswith("The prefix model with ALiBi is right in 36 % of sentences, less often than a")
    assert "causal" not in told
    assert not who_did_what.below_a_guess(accuracies(("causal", "none", 0.9, 100)))
