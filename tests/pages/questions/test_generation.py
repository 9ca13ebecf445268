"""What is asked of a text before it is written: by the models' own numbers, under every way of writing."""

import pytest

from core.measures.distance.long_range import TRANSFORMER
from core.measures.generation.writing import WRITERS
from pages.contract.predict import told_apart
from pages.contract.question import Arrange, solution
from pages.controls.prose import Typed
from pages.generation.questions import greedy_text, largest_surprisal, same_seed, text_twice_as_long
from pages.generation.questions_of_cost import (
    has_of_words_before,
    most_kept,
    next_input,
    operations_to_learn,
    waits_while_it_writes,
)
from tests.pages.asked import Asked
from tests.pages.questions.read import whole


def test_the_largest_surprisal_is_asked_for() -> None:
    words = told_apart(["tea", "was", "tea"])
    asked = largest_surprisal("RNN", ["the", "tea", "was", "tea"], words, [3.0, 1.0, 6.21])
    assert asked is not None
    assert solution(asked) == f"*{Typed('tea (3)')}*"
    assert "6.2 nats" in asked.because
    assert "*the tea was tea*" in asked.text
    assert largest_surprisal("RNN", ["the", "tea"], words[:1], [3.0]) is None
    assert largest_surprisal("RNN", ["the"], (), ()) is None


@pytest.mark.parametrize(
    ("ratio", "right", "resolved"),
    [
        (2.0, "twice as much", "a key and a value"),
        (1.0, "as much as before", "states of one size"),
    ],
)
def test_what_is_kept_grows_with_the_text_or_does_not(ratio: float, right: str, resolved: str) -> None:
    asked = text_twice_as_long("model", ratio)
    assert asked is not None
    assert solution(asked) == right
    assert len(asked.options) == 3
    assert any(resolved in option.why_not for option in asked.options)
    assert text_twice_as_long("model", 1.5) is None


def test_words_are_learned_from_at_once_but_written_one_by_one() -> None:
    asked = operations_to_learn(15, 2, 4, 30)
    assert solution(asked) == "4 operations"
    assert [value for value, _ in asked.mistaken] == [30]
    assert operations_to_learn(2, 2, 4, 4).mistaken == ()
    assert "1 word in" in operations_to_learn(1, 1, 1, 1).text
    assert solution(operations_to_learn(1, 1, 1, 1)) == "1 operation"
    assert solution(whole(waits_while_it_writes())) == "yes"


def test_models_are_ordered_by_what_they_keep() -> None:
    asked = most_kept(3, {"RNN": 512, "LSTM": 1024, "Transformer": 2304})
    assert asked is not None
    assert solution(asked) == "Transformer, LSTM, RNN"
    assert most_kept(3, {"RNN": 512, "LSTM": 512}) is None


def test_a_recurrent_network_has_states_and_a_transformer_keys_and_values() -> None:
    assert solution(whole(has_of_words_before("RNN", attends=False))).startswith("the states")
    assert solution(whole(has_of_words_before(TRANSFORMER, attends=True))).startswith("keys and values")
    assert solution(whole(next_input("RNN"))) == "that word"
    assert solution(whole(greedy_text())) == "not always"
    assert solution(whole(same_seed())) == "no"


@pytest.mark.parametrize(("link", "right"), [({}, "not always"), ({"way": "sampled", "step": 2}, "no")])
def test_the_way_of_choosing_words_is_asked_about(link: dict[str, object], right: str) -> None:
    (asked,) = Asked("generation", **link).questions
    assert solution(asked) == right


def test_surprisals_are_those_of_the_picture() -> None:
    (most,) = Asked("generation", view="surprisal").questions
    assert solution(most) == "*chef*"
    assert "4.3 nats" in most.because


@pytest.mark.parametrize("writer", WRITERS)
def test_memory_asks_what_its_writer_has(writer: str) -> None:
    (longer,) = Asked("generation", view="memory", writer=writer).questions
    assert solution(longer).startswith("twice" if writer == TRANSFORMER else "as much")


def test_cost_asks_for_operations_or_for_bytes() -> None:
    page = Asked("generation", view="cost")
    assert solution(page.questions[0]) == "4 operations"
    assert "takes 4 serial operations in the Transformer, 30 in a recurrent" in page.sheet.answer
    (kept,) = Asked("generation", view="cost", cost="memory").questions
    assert isinstance(kept, Arrange)
    assert solution(kept) == "Transformer, LSTM, RNN"


@pytest.mark.parametrize("writer", WRITERS)
def test_what_is_fed_back_is_asked_of_its_writer(writer: str) -> None:
    read, has = Asked("generation", view="fed back", writer=writer).questions
    assert writer in read.text
    assert solution(has).startswith("keys" if writer == TRANSFORMER else "the states")
