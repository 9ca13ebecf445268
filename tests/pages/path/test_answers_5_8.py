"""The claims of the questions of stops 5 to 8, computed without the pages that ask them."""

from collections.abc import Sequence
from math import exp

import numpy as np
import pytest
import torch

from core.learning.collection import name_of
from core.measures.architectures.models import random_pair, run_pair
from core.measures.order.exchange import expected
from core.measures.positions.schemes import learned_table
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.model.positions.alibi import Alibi
from core.model.trace import Trace
from core.sources import load
from core.sources.random_weights import fresh
from core.sources.trained import load_member, record_of_member
from core.text.tokenizer import words_of
from pages.contract.examples import MARIA
from pages.contract.question import Estimate
from pages.contract.static_questions import PATH_QUESTIONS, StaticChoice, StaticEstimate
from pages.path.stops import STOPS
from tests.covering import each
from tests.pages.asked import Asked

OVEN, BREAD = (words_of(text) for text in ("the oven cooked the bread so", "the bread cooked the oven so"))
ORDER = [0, 4, 2, 3, 1, 5]
"""The place of each word of the oven in the other order."""


def right(name: str) -> str:
    one = PATH_QUESTIONS[name]
    assert isinstance(one, StaticChoice)
    return one.right


def number(name: str) -> float:
    one = PATH_QUESTIONS[name]
    assert isinstance(one, StaticEstimate)
    asked = one.asked()
    assert isinstance(asked, Estimate)
    return asked.right


def outputs(words: Sequence[str], mask: str, layer: int) -> torch.Tensor:
    """Return the outputs of a layer of the trained model without positions."""
    loaded = load("trained", ModelConfig.of_switches(mask=mask, positions="none"), words, 0)
    trace = Trace()
    with torch.no_grad():
        loaded.model(loaded.tokens, trace=trace)
    return trace[f"blocks.{layer}.out"][0].double()


def alike(mask: str, layer: int) -> set[int]:
    """Return the words of the oven whose outputs of a layer are the same in both orders, up to rounding."""
    apart = outputs(OVEN, mask, layer) - outputs(BREAD, mask, layer)[ORDER]
    return {at for at, one in enumerate(apart.abs().amax(dim=1)) if one < 1e-3}


def test_one_causal_layer_sees_a_bag_of_words_and_a_second_their_order() -> None:
    assert tuple(BREAD[at] for at in ORDER) == OVEN
    assert alike("bidirectional", 0) == alike("bidirectional", 1) == set(range(6))
    assert alike("causal", 0) == {0, 5}
    assert right("one_causal_layer") == "the first *the*, and *so*"
    assert alike("causal", 1) == {0}
    assert right("two_causal_layers").startswith("its output changes")


def test_only_the_last_two_words_change_if_they_swap() -> None:
    first, second = map(words_of, ("the old chef cooked soup here", "the old chef cooked here soup"))
    apart = outputs(first, "causal", 1) - outputs(second, "causal", 1)[[0, 1, 2, 3, 5, 4]]
    changed = {at for at, one in enumerate(apart.abs().amax(dim=1)) if one > 1e-3}
    assert changed == {4, 5}
    assert right("moved_but_not_changed") == "the last two alone"


def test_a_model_without_positions_and_mask_gives_both_orders_the_same_answer() -> None:
    model = load_member(name_of(ModelConfig.of_switches(mask="bidirectional", positions="none")))
    assert isinstance(model, Transformer)
    both = [expected(model, [*order[:5], "because", "the"], ["oven", "bread"]) for order in (OVEN, BREAD)]
    np.testing.assert_allclose(both[0], both[1], rtol=1e-3)
    assert all(oven > bread for oven, bread in both)
    assert right("the_other_order") == "*oven* again, which is wrong now"


def test_training_has_not_changed_the_learned_vector_of_position_200() -> None:
    name = name_of(ModelConfig.of_switches(positions="learned"))
    model = load_member(name)
    assert isinstance(model, Transformer)
    table = learned_table(model, seed=record_of_member(name).recipe.seed)
    assert table.longest_sentence == 59
    assert table.turned()[199] < 0.1 < 5 < table.turned()[:50].min()
    assert not list(Alibi(ModelConfig(vocab_size=1, positions="alibi")).parameters())
    assert "learned" in right("beyond_the_longest")


def test_eight_heads_are_half_as_wide_as_four_and_cost_the_same() -> None:
    four, eight = (ModelConfig(vocab_size=7, d_model=64, n_heads=k) for k in (4, 8))
    assert (four.d_head, eight.d_head) == (16, 8)

    def n_parameters(config: ModelConfig) -> int:
        model = fresh(config, ["a"], seed=0).model
        return sum(one.numel() for name, one in model.named_parameters() if "attention" in name)

    assert n_parameters(four) == n_parameters(eight)
    assert right("cost_of_eight").startswith("nothing")


def test_the_same_word_gets_the_same_output_twice_without_positions_and_mask() -> None:
    for layer in (0, 1):
        the, _, _, again, *_ = outputs(OVEN, "bidirectional", layer)
        torch.testing.assert_close(the, again)
        the, _, _, again, *_ = outputs(OVEN, "causal", layer)
        assert not torch.allclose(the, again)
    assert right("the_same_word_twice") == "not at all"


def normalised(vector: torch.Tensor) -> torch.Tensor:
    return (vector - vector.mean()) / vector.std(correction=0)


def test_layer_norm_undoes_a_factor_and_sees_one_word() -> None:
    vectors = torch.randn(3, 8, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(normalised(3 * vectors[0]), normalised(vectors[0]))
    others = torch.cat([vectors[:1], 3 * vectors[1:] + 1])
    every = torch.nn.functional.layer_norm
    torch.testing.assert_close(every(others, (8,))[0], every(vectors, (8,))[0])
    assert right("three_times_the_vector") == "the same numbers as without the factor"
    assert right("the_others_change") == "nothing"


def test_cross_attention_is_target_by_source_and_the_source_makes_keys_and_values() -> None:
    assert number("a_shorter_pair") == 7 * 5
    words = words_of("the chef is tired .")
    seen = run_pair(random_pair(ModelConfig.of_switches(), 0), words, trained=None)
    assert len(seen.source) == 5
    parts = seen.anatomy.inside["decoder.blocks.0.cross_attention"]
    shapes = {part.name.rpartition(".")[2]: part.shape for part in parts}
    n_target = len(seen.target)
    assert shapes["q"][1] == n_target
    assert shapes["k"][1] == shapes["v"][1] == 5
    assert shapes["pattern"][1:] == (n_target, 5)


def test_a_source_word_reaches_all_keys_and_values_and_no_query_of_the_first_block() -> None:
    pair = random_pair(ModelConfig.of_switches(), 0)
    source, target = torch.tensor([[3, 4, 5, 6, 7]]), torch.tensor([[1, 8, 9]])
    traces = []
    for word in (5, 11):
        source[0, 2] = word
        trace = Trace()
        with torch.no_grad():
            pair((source, target), trace=trace)
        traces.append({n: trace[f"decoder.blocks.0.cross_attention.{n}"][0] for n in "qkv"})
    first, second = traces
    torch.testing.assert_close(first["q"], second["q"])
    for name in "kv":
        assert (first[name] - second[name]).abs().amax(dim=(0, 2)).min() > 1e-4
    assert right("a_source_word_replaced") == "the keys and values of all source words; the queries stay"


def test_the_head_of_cross_attention_that_is_drawn_reads_the_verb_for_both_its_words() -> None:
    view = STOPS[7].views[1]
    shown = Asked(view.link.address, **view.link.parameters)
    weights, words = shown.matrix("computed"), list(words_of(MARIA))
    assert "*ha enkontrit* is *met*" in view.says
    assert [words[row.argmax()] for row in weights[:4]] == ["met", "met", "Maria", "Zuko"]


@each(
    ("name", "expected"),
    [
        ("probability_of_a_loss", 100 * exp(0)),
        ("three_numbers", np.linalg.matrix_rank(np.eye(3))),
        ("all_weight_on_one", 100 / 2),
        ("product_of_halves", 100 * 0.5**6),
        ("hidden_of_eleven", np.triu(np.ones((11, 11)), 1).sum()),
    ],
)
def test_a_number_is_its_arithmetic(name: str, expected: float) -> None:
    assert number(name) == pytest.approx(expected, abs=0.05)


def test_a_head_returns_the_weighted_mean() -> None:
    mean = np.array([0.5, 0.5]) @ np.array([[4, 0], [0, 2]])
    assert right("cost_of_a_mean") == f"({mean[0]:.0f}, {mean[1]:.0f})"
