"""What the views of Generation say, at every branch, of numbers and texts made up for it."""

from dataclasses import replace

import numpy as np
import pytest

from core.measures.distance.timing import Timing
from core.measures.generation.by_hand import ByHand
from core.measures.generation.costs import memory_table
from core.measures.generation.memory import GATES
from core.measures.generation.surprisal import Surprisals
from core.measures.generation.timing import ANEW, KEPT, LENGTHS
from core.measures.generation.writing import WRITERS, Continued, GenerationSettings, shapes
from core.model.config import ModelConfig
from core.text import language
from pages.contract.look import Look
from pages.contract.measurement import NOTHING, Measured
from pages.contract.sheet import Columns, Formula
from pages.generation import by_hand, cost_said, fed_back, memory_said, side_by_side, surprisal
from pages.generation.cost_charts import table_of
from pages.generation.measured import About, this_text, times
from pages.generation.surprisal import SURPRISAL
from pages.generation.texts import Texts, so_far
from pages.generation.writer import Writer
from tests.covering import each

CONFIG = ModelConfig(vocab_size=1)
VOCABULARY = list(language.vocabulary().words)
GIVEN = ("the", "chef")


def written(*words: str, p: float = 0.25, forced: tuple[int, ...] = ()) -> Continued:
    """A text in which every word written had the same probability, and all others share the rest."""
    rows = np.full((len(words), len(VOCABULARY)), np.log((1 - p) / (len(VOCABULARY) - 1)))
    for row, word in zip(rows, words, strict=True):
        row[VOCABULARY.index(word)] = np.log(p)
    return Continued((*GIVEN, *words), len(GIVEN), (), rows, forced=frozenset(forced))


def texts(writer: str = "LSTM", **manner: object) -> Texts:
    manners = dict.fromkeys(WRITERS, GenerationSettings(**manner))  # type: ignore[arg-type]
    return Texts(GIVEN, Writer(config=CONFIG, source="trained", seed=0, name=writer), manners)  # type: ignore[arg-type]


RNN, LSTM = written("was", "."), written("is", "the", "key", p=0.0001, forced=(1,))


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (0, "Word 1 of each text: RNN *was* (p = 0.250); LSTM *is* (p < 0.001)."),
        (1, "LSTM *the*, by hand (p < 0.001)."),
        (2, "Word 3 of each text: RNN none, its last was word 2; LSTM *key* (p < 0.001)."),
    ],
)
def test_each_model_is_told_with_its_word_and_how_likely_it_was(step: int, said: str) -> None:
    found = side_by_side.Found(texts(), step, {"RNN": RNN, "LSTM": LSTM})
    assert side_by_side.answer(found).endswith(said)


@pytest.mark.parametrize(("page", "rows"), [(980, 2), (320, 1)])
def test_bars_stand_in_a_row_of_their_own_while_the_page_has_columns(page: int, rows: int) -> None:
    """Texts take a line or more, and their bars are compared; on a telephone each model is one column."""
    found = side_by_side.Found(texts(), 0, {"RNN": RNN, "LSTM": LSTM})
    parts = side_by_side.sheet(found, Look(page=page, width=page)).parts
    columns = [part for part in parts if isinstance(part, Columns)]
    assert len(columns) == rows
    kinds = [[[type(one).__name__ for one in column] for column in row.columns] for row in columns]
    texts_, bars = [["Text", "Text"]] * 2, [["Shown", "Pick"]] * 2
    alone = [a + b for a, b in zip(texts_, bars, strict=True)]
    assert kinds == ([texts_, bars] if rows == 2 else [alone])


def test_how_texts_go_on_where_they_end_and_what_was_put_there_is_told() -> None:
    both = {"RNN": RNN, "LSTM": LSTM}
    assert side_by_side.how(GenerationSettings()) == side_by_side.GREEDY
    assert "the same seed draws the same words" in side_by_side.how(GenerationSettings(way="sampled"))
    assert side_by_side.by_hand(both) == "Chosen by hand: LSTM word 2 **the**."
    assert side_by_side.by_hand({"RNN": RNN}) == ""
    assert side_by_side.ends(GenerationSettings(most=3), both) == "Without an end after 3 words: LSTM."
    assert (
        side_by_side.ends(GenerationSettings(most=1), {"A": LSTM, "B": LSTM})
        == "Without an end after 1 word: A and B."
    )
    assert side_by_side.ends(GenerationSettings(most=3, stops=False), both) == ""
    assert side_by_side.ends(GenerationSettings(), {"RNN": RNN}) == ""


def test_a_text_so_far_has_its_word_in_bold_and_later_ones_in_grey() -> None:
    assert so_far(LSTM, 1) == "the chef is **the** :gray[key]"
    assert so_far(LSTM, 2) == "the chef is the **key**"


def test_choices_by_hand_are_changes_of_the_link() -> None:
    assert by_hand.choose_by_hand("RNN", 2, "was", {}) == {"by_hand": "R3=was"}
    link = {"by_hand": ["R3=was"]}
    assert by_hand.choose_by_hand("LSTM", 0, "the", link) == {"by_hand": "R3=was;L1=the"}
    assert by_hand.take_back({"by_hand": ["R3=was;L1=the"]}) == {"by_hand": "R3=was"}
    assert by_hand.take_back(link) == by_hand.take_back({}) == {"by_hand": None}
    assert by_hand.chosen_in({"by_hand": ["nonsense"]}) == ()
    assert by_hand.chosen_in(link) == (ByHand("RNN", 2, "was"),)


@pytest.mark.parametrize(
    ("text", "step", "said"),
    [
        (RNN, 0, "Step 1: after *chef*, *was* is chosen, p = 0.250."),
        (LSTM, 1, "Step 2: after *is*, *the* is put there by hand, p < 0.001."),
    ],
)
def test_a_step_is_told_by_its_word_and_the_one_before(text: Continued, step: int, said: str) -> None:
    assert fed_back.answer(text, step) == said


@each(("way", "sign"), [("greedy", "arg"), ("sampled", "sim")])
def test_the_formula_says_how_the_next_word_is_chosen(way: str, sign: str) -> None:
    formula, *_ = fed_back.sheet(fed_back.Found(texts(way=way), 0, LSTM), Look()).parts
    assert isinstance(formula, Formula)
    assert sign in formula.latex


@pytest.mark.parametrize("writer", WRITERS)
def test_where_the_input_comes_from_and_what_is_left_of_the_words_before(writer: str) -> None:
    first, second = (fed_back.told(fed_back.Found(texts(writer), step, LSTM)) for step in (0, 1))
    assert first.startswith("The words given are read first;")
    assert second.startswith("Its input is *is*, the output of the step before.")
    assert ("Each state attends to the states of all words so far" in first) == (writer == "Transformer")
    assert ("the state that the step before hands on" in first) == (writer != "Transformer")


def read(*unknown: int) -> Surprisals:
    """Four words; the RNN takes each for as likely as one of two, others for certain."""
    nats = {name: np.full(4, np.log(2) if name == "RNN" else 0.0) for name in WRITERS}
    for row in nats.values():
        row[[0, *unknown]] = np.nan
    return Surprisals(("the", "chef", "was", "."), unknown, nats)


def heard(of: Surprisals, step: int) -> surprisal.Found:
    return surprisal.Found("RNN", CONFIG, written("was", "."), step, SURPRISAL, of, {"RNN": 4.5, "LSTM": 4.0})


def test_surprisal_and_perplexity_are_told_as_far_as_the_word_and_of_the_whole_text() -> None:
    found = heard(read(), 0)
    assert surprisal.answer(found) == (
        "Surprisal of word 3, *was*, in nats: RNN 0.69, LSTM 0.00, Transformer 0.00."
    )
    told = "**RNN 2.00, LSTM 1.00, Transformer 1.00**."
    assert surprisal.perplexities(found) == (
        f"Perplexity as far as this word: {told} Perplexity of the whole text: {told}"
    )
    assert surprisal.perplexities(heard(read(), 1)) == f"Perplexity of the whole text: {told}"
    assert "in training: RNN 4.50, LSTM 4.00." in surprisal.learned(found.reached)


def test_the_headline_is_about_the_measure_that_is_drawn() -> None:
    found = replace(heard(read(), 0), measure=surprisal.PROBABILITY)
    assert surprisal.answer(found) == (
        "Probability of word 3, *was*: RNN 50 %, LSTM 100 %, Transformer 100 %."
    )
    unknown = replace(heard(read(1, 2, 3), 0), measure=surprisal.PROBABILITY)
    assert surprisal.answer(unknown).endswith("so it has no probability.")


def test_a_word_that_no_model_knows_has_no_surprisal() -> None:
    found = heard(read(1, 2, 3), 0)
    assert surprisal.answer(found) == "Word 3, *was*, is known to no model, so it has no surprisal."
    assert surprisal.perplexities(found) == ""
    first = "The first word is not scored, for nothing stands before it"
    assert surprisal.not_scored(read()) == surprisal.not_scored(read(0)) == f"{first}."
    assert surprisal.not_scored(read(0, 2)) == f"{first}, and neither is 1 word that no model knows."
    assert surprisal.not_scored(read(1, 2)) == f"{first}, and neither are 2 words that no model knows."


def test_attention_is_told_by_what_is_kept_and_what_is_attended_to_most() -> None:
    words, weights = ("the", "chef", "the", "was"), np.array([0.125, 0.5, 0.375, 0.0])
    assert memory_said.answer_of_attention(words, 2, weights, 2048) == (
        "The Transformer keeps keys and values, 2.05 kB for the 3 words so far; this head attends most to "
        "*chef*, 50 %."
    )
    assert "for the 1 word so far; this head attends most to *the \\(1\\)*, 12 %." in (
        memory_said.answer_of_attention(words, 0, weights, 2048).replace("\u2060", "")
    )
    told = memory_said.told_of_attention(words, 2, weights).replace("\u2060", "")
    assert told.startswith(
        "To choose *was*, this head attends from *the \\(3\\)* to *chef* 50 %, *the \\(3\\)*"
    )
    assert "words to come" not in told
    assert "The rows below are of words to come." in memory_said.told_of_attention(words, 1, weights)


@each("name", memory_said.ROLES)
def test_states_are_told_by_their_mean_and_what_they_are_for(name: str) -> None:
    told = memory_said.told_of_states("was", name, np.array([0.5, -1.0]))
    assert told.startswith(f"The mean {memory_said.readable(name)} after *was* is −0.25")
    assert memory_said.ROLES[name] in told
    assert ("between 0 and 1: " in told) == ("What gates leave" in told) == (name in GATES)
    assert memory_said.answer_of_states("RNN", 512) == (
        "All that the RNN has of the words before are the states after the last one: 512 B in both layers, "
        "however long the text is."
    )


def timing(network: str, words: int, taken: float) -> Timing:
    return Timing(
        network=network, words=words, seconds=taken, fastest=taken, low=taken / 2, high=taken, repeats=3
    )


def test_costs_are_told_of_this_text() -> None:
    assert cost_said.serial_answer(written("was", ".")) == (
        "To learn from this text takes 4 serial operations in the Transformer, 8 in a recurrent network; to "
        "write it, 4 and 5."
    )
    table = memory_table(shapes(CONFIG), [4, 256])
    kept = 4 * 2 * 2 * 48
    assert cost_said.memory_answer(table, 4) == (
        f"To write on after 4 words the Transformer keeps {4 * kept / 1000:.3g} kB, the RNN 512 B and the "
        "LSTM 1.02 kB."
    )
    assert cost_said.memory_told(table) == f"Of 256 words the Transformer keeps {256 * kept / 1000:.3g} kB."


def test_times_are_told_after_the_longest_text_and_beside_no_cache() -> None:
    ends = (LENGTHS[0], LENGTHS[-1])
    taken = {"RNN": (1e-4, 1e-4), KEPT: (1e-3, 1e-3), ANEW: (2e-3, 5e-4)}
    table = table_of(
        [timing(name, n, at) for name, of in taken.items() for n, at in zip(ends, of, strict=True)]
    )
    assert cost_said.time_answer(table) == (
        f"One more word after {ends[1]} takes 100 µs in the RNN, 1 ms in the Transformer."
    )
    same, other, one = written("was", "."), written("is", "."), written("was")
    told = cost_said.time_told(table, same, same)
    assert f"2.0 times as long after {ends[0]} words and 0.5 times as long after {ends[1]} words." in told
    assert told.endswith("The 2 words that it writes here are the same both ways.")
    assert cost_said.time_told(table, one, one).endswith(
        "The 1 word that it writes here is the same both ways."
    )
    assert cost_said.time_told(table, same, other).endswith(
        "another text of the 2 words that it writes here."
    )


def test_times_are_those_of_this_text_and_these_models_or_none() -> None:
    wanted = About(CONFIG, ("the", "chef", "was"), 2)
    parts = ((("training", "RNN"), timing("RNN", 3, 1e-3)), (None, timing("RNN", 256, 1e-4)))
    of_text, of_words = {"training": "RNN"}, [parts[1][1]]
    found = times(Measured(wanted, parts), wanted)
    assert (list(found.of_text), found.of_words) == ([*of_text.items()], of_words)
    found = times(Measured(About(CONFIG, ("the", "chef", "is"), 2), parts), wanted)
    assert (found.of_text, found.of_words) == ({}, of_words)
    found = times(Measured(About(ModelConfig(vocab_size=1, n_heads=2), wanted.words, 2), parts), wanted)
    assert (found.of_text, list(found.of_words)) == ({}, [])
    assert times(NOTHING, wanted) == times(Measured(), wanted)


def test_the_table_of_a_text_has_its_times_where_they_were_measured() -> None:
    text = written("was", ".")
    counted = this_text(text, "RNN", {})
    assert counted.startswith("**This text**, by the RNN: 2 words given and 2 written.")
    assert "| RNN | 8 | – | 5 | – |" in counted
    assert counted.endswith("The button measures the times on this machine.")
    timed = this_text(text, "RNN", {("training", "RNN"): timing("RNN", 4, 1e-3)})
    assert "| RNN | 8 | 1 ms (500 µs to 1 ms) | 5 | – |" in timed
    assert "Measured here: medians" in timed
