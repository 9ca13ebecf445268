"""What is asked of a text before it is written: by the models' own numbers, under every way of writing."""

import re

import pytest

from core.measures.distance.long_range import TRANSFORMER
from core.measures.generation.writing import WRITERS
from pages.contract.predict import told_apart
from pages.contract.question import Arrange, Choose, Estimate, Sketch, solution
from pages.controls.prose import Typed
from pages.generation.questions import (
    NextWord,
    best_reader,
    greedy_text,
    largest_surprisal,
    likeliest_word,
    row_of_weights,
    same_seed,
    share_of_likeliest,
    text_twice_as_long,
)
from pages.generation.questions_of_cost import (
    has_of_words_before,
    most_kept,
    next_input,
    operations_to_learn,
    waits_while_it_writes,
)
from tests.pages.asked import Asked


def next_word(*shares: float, before: str = "the tea") -> NextWord:
    words = ("was", "is", ".", "near", "of")[: len(shares)]
    return NextWord("LSTM", tuple(before.split()), words, shares, n_words=531)


def test_the_likeliest_word_is_asked_for_among_the_next_ones_in_the_order_of_the_alphabet() -> None:
    asked = likeliest_word(next_word(0.4, 0.2, 0.1, 0.05, 0.01))
    assert asked is not None
    assert solution(asked) == "*was*"
    assert [option.text for option in asked.options] == [f"*{Typed('.')}*", "*is*", "*near*", "*was*"]
    assert "*the tea*" in asked.text
    assert asked.because == "*was* has the largest probability.", "its share is asked for next"


def test_two_words_of_one_probability_are_not_asked_for() -> None:
    assert likeliest_word(next_word(0.4, 0.4, 0.1)) is None


def test_of_a_long_text_its_last_words_are_named() -> None:
    assert next_word(1.0, before="a b c d e").read == "a b c d e"
    assert next_word(1.0, before="a b c d e f").read == "… b c d e f"


def test_a_model_that_is_unsure_is_not_certain_of_its_likeliest_word() -> None:
    asked = share_of_likeliest(next_word(0.4, 0.2))
    assert asked.right == pytest.approx(40)
    assert [value for value, _ in asked.mistaken] == [100]
    assert asked.because == "60 % is left for all other words."
    assert share_of_likeliest(next_word(0.97, 0.01)).mistaken == ()


def test_the_largest_surprisal_is_asked_for() -> None:
    words = told_apart(["tea", "was", "tea"])
    asked = largest_surprisal("RNN", ["the", "tea", "was", "tea"], words, [3.0, 1.0, 6.21])
    assert asked is not None
    assert solution(asked) == f"*{Typed('tea (3)')}*"
    assert "6.2 nats" in asked.because
    assert "*the tea was tea*" in asked.text
    assert largest_surprisal("RNN", ["the", "tea"], words[:1], [3.0]) is None
    assert largest_surprisal("RNN", ["the"], (), ()) is None


def test_the_model_that_is_best_elsewhere_need_not_be_best_on_one_text() -> None:
    tests = {"RNN": 5.0, "LSTM": 4.0, "Transformer": 3.0}
    asked = best_reader("RNN", {"RNN": 2.0, "LSTM": 4.0, "Transformer": 6.0}, tests)
    assert asked is not None
    assert solution(asked) == "RNN"
    (said,) = [option.why_not for option in asked.options if option.why_not]
    assert said.startswith("The Transformer has the smallest perplexity on test sentences, but not")
    assert said.endswith("The writer expects its own words best.")
    other = best_reader("RNN", {"RNN": 4.0, "LSTM": 2.0, "Transformer": 6.0}, tests)
    assert other is not None
    assert solution(other) == "LSTM"
    assert not [option for option in other.options if option.why_not.endswith("best.")]


def test_the_model_that_is_best_everywhere_needs_no_explanation() -> None:
    values = {"RNN": 4.0, "LSTM": 6.0, "Transformer": 2.0}
    asked = best_reader("RNN", values, values)
    assert asked is not None
    assert not [option for option in asked.options if option.why_not]
    assert best_reader("RNN", {}, values) is None


def test_a_row_is_drawn_over_the_words_so_far() -> None:
    asked = row_of_weights("layer 1, head 2", told_apart(["tea", "tea"]), [0.25, 0.75])
    assert asked is not None
    assert solution(asked) == f"{Typed('tea (1)')} 25 %, {Typed('tea (2)')} 75 %"
    assert asked.because.endswith("gets 75 %. Equal weights would be 50 % each.")
    assert row_of_weights("layer 1, head 2", told_apart(["tea"]), [1.0]) is None
    assert row_of_weights("layer 1, head 2", (), ()) is None


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
    assert solution(waits_while_it_writes()) == "yes"


def test_models_are_ordered_by_what_they_keep() -> None:
    asked = most_kept(3, {"RNN": 512, "LSTM": 1024, "Transformer": 2304})
    assert asked is not None
    assert solution(asked) == "Transformer, LSTM, RNN"
    assert most_kept(3, {"RNN": 512, "LSTM": 512}) is None


def test_a_recurrent_network_has_states_and_a_transformer_keys_and_values() -> None:
    assert solution(has_of_words_before("RNN", attends=False)).startswith("the states")
    assert solution(has_of_words_before(TRANSFORMER, attends=True)).startswith("keys and values")
    assert solution(next_input("RNN")) == "that word"
    assert solution(greedy_text()) == "not always"
    assert solution(same_seed()) == "no"


@pytest.mark.parametrize("link", [{}, {"text": "the uncle of", "step": 3}, {"way": "sampled", "step": 2}])
def test_the_next_word_is_the_highest_bar_of_the_transformer(link: dict[str, object]) -> None:
    page = Asked("generation", **link)
    said = str(page.sheet.parts)
    estimate = next(one for one in page.questions if isinstance(one, Estimate))
    ((word, share),) = re.findall(
        r"Probabilities of word \d+ after [^:]*, Transformer: (\S+) ([\d.]+\d)", said
    )
    assert estimate.right / 100 == pytest.approx(float(share), abs=5e-4)
    assert f"*{Typed(word)}*" in estimate.text
    chosen = page.questions[0]
    if isinstance(chosen, Choose):
        assert solution(chosen) == f"*{Typed(word)}*"
    assert page.questions[-1] == (same_seed() if link.get("way") else greedy_text())


def test_surprisals_are_those_of_the_picture() -> None:
    page = Asked("generation", view="surprisal")
    most, best = page.questions
    assert solution(most) == "*chef*"
    assert "4.3 nats" in most.because
    assert solution(best) == "RNN"
    assert "RNN 4.72, LSTM 5.37, Transformer 7.07" in best.because


@pytest.mark.parametrize("writer", WRITERS)
def test_memory_asks_what_its_writer_has(writer: str) -> None:
    page = Asked("generation", view="memory", writer=writer)
    *row, longer = page.questions
    assert solution(longer).startswith("twice" if writer == TRANSFORMER else "as much")
    assert [type(one) for one in row] == [Sketch] * (writer == TRANSFORMER)


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
