"""What the views of Interaction distance say, at every branch, of numbers made up for it."""

from dataclasses import replace

import numpy as np
import pytest

from core.learning.training import Recipe
from core.measures.distance import costs
from core.measures.distance.long_range import Influences
from core.measures.distance.timing import Timing
from core.model.config import ModelConfig
from pages.contract.look import Look
from pages.contract.sheet import Columns, Shown, Text
from pages.interaction_distance import growth, influence, measured_time, networks
from pages.interaction_distance.networks import DISTANCE, SERIAL, Choices, Found
from pages.interaction_distance.pair import Pair
from pages.interaction_distance.trained import recipes
from pages.shell import Scene
from tests.covering import each
from tests.records import record_of

TEA = ("Zuko", "made", "his", "uncle", "tea")


def found(
    source: int,
    target: int,
    *,
    words: tuple[str, ...] = TEA,
    layers: int = 1,
    mask: str = "bidirectional",
    count: str = DISTANCE,
) -> Found:
    config = ModelConfig(vocab_size=1, n_layers=layers, mask=mask)
    scene = Scene(words, None, 0, 0)  # type: ignore[arg-type]  # switches are not asked for here
    return networks.find(scene, Choices(count, Pair(words, config, source, target)))


def said(of: Found) -> tuple[str, str, str]:
    """The answer, and what stands below either network."""
    sheet = networks.sheet(of, Look())
    (columns,) = sheet.parts
    assert isinstance(columns, Columns)
    below = [column[-1] for column in columns.columns]
    assert all(isinstance(one, Text) for one in below)
    return sheet.answer, *(one.markdown for one in below)  # type: ignore[union-attr, return-value]


@each(
    ("of", "expected"),
    [
        (
            found(0, 4, mask="causal"),
            (
                "Between *Zuko* and the state of *tea* lie 5 operations in the recurrent network, 1 in "
                "self-attention.",
                "One operation after the other.",
                "The price: 25 scores per head instead of 5 recurrent steps.",
            ),
        ),
        (
            found(3, 1, layers=2),
            (
                "Between *uncle* and the state of *made* lie 4 operations in a recurrent network that reads "
                "backwards, 2 in self-attention.",
                "One operation after the other.",
                "Between any two words: 2 operations. The price: 50 scores per head instead of 10 recurrent "
                "steps.",
            ),
        ),
        (
            found(0, 0, words=("so",)),
            (
                "Between *so* and the state of *so* lies 1 operation in the recurrent network, 1 in "
                "self-attention.",
                "One operation after the other.",
                "The price: 1 score per head instead of 1 recurrent step.",
            ),
        ),
        (
            found(3, 1, mask="causal"),
            (
                "No path leads from *uncle* to the state of *made*, which stands before it.",
                "A network that reads onwards carries nothing back.",
                "The mask hides it.",
            ),
        ),
        (
            found(0, 4, layers=2, count=SERIAL),
            (
                "Before the state of *tea* stand 6 serial operations in the recurrent network, 2 in "
                "self-attention.",
                "Each state waits for the one before it.",
                "All states of a layer are computed at once.",
            ),
        ),
        (
            found(0, 0, words=("so",), count=SERIAL),
            (
                "Before the state of *so* stands 1 serial operation in the recurrent network, 1 in "
                "self-attention.",
                "Each state waits for the one before it.",
                "All states of a layer are computed at once.",
            ),
        ),
    ],
)
def test_both_networks_are_told_by_their_counts(of: Found, expected: tuple[str, str, str]) -> None:
    assert said(of) == expected


def test_a_click_on_a_vector_is_where_the_path_starts_and_on_a_state_where_it_ends() -> None:
    assert networks.choose([{"data": [0, 3]}], {}) == {"from": 4}
    assert networks.choose([{"data": [2, 1]}], {}) == {"to": 2}
    (columns,) = networks.sheet(found(0, 4, count=SERIAL), Look()).parts
    assert isinstance(columns, Columns)
    shown = [part for column in columns.columns for part in column if isinstance(part, Shown)]
    assert [part.on_click for part in shown] == [None, None], "serial operations are of every state"


def test_growth_is_told_of_the_sentence_typed() -> None:
    of = growth.Found(costs.interaction_table(range(1, 10)), 5)
    assert growth.operations_answer(of) == (
        "Over 5 words the first word reaches the last after 5 operations in a recurrent network, after 1 in "
        "self-attention."
    )
    assert "Over 1 word the first word reaches the last after 1 operation in" in growth.operations_answer(
        replace(of, n_words=1)
    )


@pytest.mark.parametrize("layers", [1, 3])
def test_the_price_is_told_of_the_sentence_typed_and_of_longer_ones(layers: int) -> None:
    of = growth.Found(costs.price_table([1, 3], n_layers=layers), 3, layers)
    together = " in 3 layers together" * (layers > 1)
    assert growth.price_answer(of) == (
        f"Over 3 words self-attention computes {9 * layers} scores per head{together}, a recurrent network "
        f"takes {3 * layers} steps."
    )
    plural = "s" * (layers > 1)
    one = replace(of, n_words=1)
    assert growth.price_answer(one).endswith(
        f"{layers} score{plural} per head{together}, a recurrent network takes {layers} step{plural}."
    )
    listed = growth.scores_listed(one)
    assert f"per head{together}, in float32: 1 word: {layers} score{plural}, {4 * layers} B;" in listed
    assert f"3 words: {9 * layers:,} scores, {36 * layers} B;" in growth.scores_listed(of)
    assert f"2,048 words: {2048**2 * layers:,} scores" in growth.scores_listed(of)


def test_times_are_told_at_the_longest_sentence_or_asked_for() -> None:
    look = {"fastest": 0.0, "low": 0.0, "high": 0.0, "repeats": 3}
    timings = [
        Timing(network=network, words=words, seconds=10.0**power * words, **look)  # type: ignore[arg-type]
        for words in (8, 10)
        for network, power in (("RNN", -5), ("LSTM", -3))
    ]
    assert measured_time.answer(timings) == "At 10 words: RNN 100 µs, LSTM 10 ms."
    nothing = measured_time.sheet(measured_time.Found((), 5), Look())
    assert (
        nothing.answer
        == "Over 5 words a recurrent layer takes 5 serial steps, self-attention 1, but 25 scores."
    )
    one = measured_time.counts(1)
    assert one == "Over 1 word a recurrent layer takes 1 serial step, self-attention 1, but 1 score."
    assert nothing.parts == (Text(f"{measured_time.INVITATION} {measured_time.PARALLEL}"),)


def test_influence_is_told_by_its_mean_distance_and_by_the_share_of_a_word() -> None:
    norms = {"Transformer": [2, 1, 1, 0, 0], "LSTM": [0, 0, 4, 0, 0], "RNN": [1, 999, np.nan, 0, 0]}
    rows = {name: np.array(row, dtype=float) for name, row in norms.items()}
    of = influence.Found(Pair(TEA, ModelConfig(vocab_size=1), 0, 2), Influences(rows), (1,))
    assert influence.answer(of) == (
        "The mean distance of the influence on the state of *his*, in words: 1.2 in the Transformer, 0.0 in "
        "the LSTM, not a number in the RNN."
    )
    assert influence.shares_told(of) == (
        "The share of *Zuko*: 50 % in the Transformer, 0 % in the LSTM, not a number in the RNN."
    )
    sheet = influence.sheet(of, Look())
    assert sheet.unknown == (1,)
    assert influence.choose([{"data": [1, 2]}], {}) == {"from": 3}


def test_what_networks_have_learned_from_is_said_only_where_it_is_the_same() -> None:
    config = ModelConfig(vocab_size=1)
    one, other = (record_of(config, recipe=Recipe(steps=n, batch_size=64)) for n in (5000, 4000))
    assert recipes({"LSTM": one, "RNN": one}) == "Each network was trained on 5,000 batches of 64."
    assert recipes({"LSTM": one, "RNN": other}) == ""


@each(("lstm", "is_told"), [(1.0, True), (3.0, False)])
def test_that_an_lstm_is_faster_than_an_rnn_is_explained_where_it_is(lstm: float, is_told: bool) -> None:
    ends = {"RNN": 2.0, "LSTM": lstm, "self-attention": 9.0}
    timings = [
        Timing(network=name, words=words, seconds=end, fastest=end, low=end, high=end, repeats=1)
        for words in (8, 64)
        for name, end in (ends if words == 64 else dict.fromkeys(ends, 1.0)).items()
    ]
    assert measured_time.one_kernel(timings) == measured_time.ONE_KERNEL * is_told
