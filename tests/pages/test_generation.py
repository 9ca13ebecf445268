"""Generation: three models go on with the words typed, and what is chosen by hand is in the link."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from core.decoding import Sampling
from core.measures.distance.timing import Timing
from core.measures.generation.costs import (
    ANEW,
    KEPT,
    LENGTHS,
    USES,
    cache_bytes,
    remembered_states,
    serial_operations,
    sharing,
    word_times,
)
from core.measures.generation.writing import (
    WRITERS,
    Continued,
    GenerationSettings,
    Surprisals,
    continue_text,
    member_of,
)
from core.model.config import ModelConfig
from core.sources.rivals import load_language_model
from core.text import language
from core.text.tokenizer import MAX_WORDS
from pages.contract.prose import literal
from pages.contract.question import solution
from pages.generation import costs, texts
from pages.generation.by_hand import MOST, ByHand
from pages.generation.costs import cache_said, table_of
from pages.generation.memory import (
    operations_to_learn,
    shared_by_all_heads,
    text_twice_as_long,
    waits_while_it_writes,
)
from pages.generation.side_by_side import ends, greedy_text, next_input, rule, same_seed, told_by_hand
from pages.generation.surprisal import (
    PROBABILITY,
    SURPRISAL,
    headline,
    not_scored,
    perplexities,
    perplexity_of_equal_words,
    surprisal_of_a_product,
)
from pages.generation.texts import so_far
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from viz.bar_rows import FULL

PAGE = "generation"
TEXT = "the chef who ran"
GIVEN = tuple(TEXT.split())
CONFIG = ModelConfig(vocab_size=1)
LONG = {"stops": False, "text": TEXT}

pytestmark = pytest.mark.usefixtures("noise_shelf")


def bars(session: Asked, writer: str, *, series: int = 0) -> np.ndarray:
    return numbers(session.figure(f"choices_{writer.lower()}")["data"][series]["x"])


def expected(writer: str, manner: GenerationSettings, step: int, *, column: str = "before") -> np.ndarray:
    table = continue_text(load_language_model(member_of(writer, CONFIG)), GIVEN, manner).choices(step)
    return table[(table.index < 8) | table["answer"]][column].to_numpy()


def text_of(session: Asked, writer: str) -> str:
    """What a column shows below the name of the model."""
    shown = [text.value for text in session.app.markdown]
    return readable(shown[shown.index(f"**{writer}**") + 1]).replace("**", "")


def test_each_model_goes_on_with_the_words_and_shows_what_it_chose_from() -> None:
    session = Session(PAGE, **LONG, step=3)
    for writer in WRITERS:
        found = continue_text(
            load_language_model(member_of(writer, CONFIG)), GIVEN, GenerationSettings(stops=False)
        )
        np.testing.assert_allclose(
            bars(session, writer), expected(writer, GenerationSettings(stops=False), 2), atol=1e-6
        )
        before, later = found.words[:7], " ".join(found.words[7:])
        assert text_of(session, writer) == f"{' '.join(before)} :gray[{later}]"
        title = f"Probabilities of word 3 after “{' '.join(found.words[4:6])}”, {writer}: "
        assert session.alt(f"choices_{writer.lower()}").startswith(title)
    colours = {session.figure(f"choices_{w.lower()}")["data"][0]["marker"]["color"] for w in WRITERS}
    assert len(colours) == 3


def test_the_switches_choose_the_transformer_and_no_other() -> None:
    session, other = Session(PAGE, **LONG), Session(PAGE, **LONG, positions="alibi", heads=2)
    np.testing.assert_array_equal(bars(session, "RNN"), bars(other, "RNN"))
    changed = continue_text(
        load_language_model(member_of("Transformer", replace(CONFIG, positions="alibi", n_heads=2))),
        GIVEN,
        GenerationSettings(),
    )
    assert text_of(other, "Transformer").startswith(" ".join(changed.words[:5]))
    np.testing.assert_allclose(
        bars(other, "Transformer")[0], np.exp(changed.log_probabilities[0].max()), atol=1e-6
    )


def test_words_are_drawn_as_the_menus_say() -> None:
    asked = {"way": "sampled", "temperature": "0.7", "top_k": 10, "top_p": "0.9", "seed": 4, "most": 8}
    session = Asked(PAGE, **LONG, **asked, step=2)
    sampling = Sampling(temperature=0.7, top_k=10, top_p=0.9)
    manner = GenerationSettings(way="sampled", sampling=sampling, seed=4, most=8, stops=False)
    for writer in WRITERS:
        drawn = expected(writer, manner, 1, column="after")
        np.testing.assert_allclose(bars(session, writer, series=1), drawn, atol=1e-6)
    table = session.table("choices_rnn")
    assert list(table.columns) == ["word", "the model", "drawn from", "chosen"]
    assert table["drawn from"].sum() == pytest.approx(1)
    assert "drawn from" not in Asked(PAGE, **LONG).table("choices_rnn").columns


def test_steps_are_walked_as_far_as_the_longest_text_goes() -> None:
    session = Session(PAGE, **LONG, most=4)
    for label, step in (("Next →", 2), ("Next →", 3), ("← Back", 2)):
        session.press(label)
        assert session.value("step") == step
    session.set(most=8)
    session.set(step=7)
    session.set(most=4)
    assert session.value("step") == session.element("step").max == 4, "the last word there is"


def test_a_text_that_has_ended_stays_at_its_last_step() -> None:
    session = Session(PAGE, text=TEXT, most=4, step=4, by_hand="R2=.;L4=the;L3=a")
    assert text_of(session, "RNN").split()[-1] == "."
    assert ":gray" not in text_of(session, "RNN")
    assert "word 2 after" in session.alt("choices_rnn")
    assert "word 4 after" in session.alt("choices_lstm")
    assert "RNN none, its last was word 2" in session.prose


def test_a_click_puts_another_word_there_and_the_rest_is_written_anew() -> None:
    session = Session(PAGE, **LONG, step=2)
    own = continue_text(
        load_language_model(member_of("LSTM", CONFIG)), GIVEN, GenerationSettings(stops=False)
    )
    words = list(session.figure("choices_lstm")["data"][-1]["customdata"])
    assert words[: len(words)] == list(own.choices(1)["word"][: len(words)])
    session.click("choices_lstm", x=1, y=3, data=words[3])
    assert session.link["by_hand"] == f"L2={words[3]}"
    manner = GenerationSettings(stops=False, forced=((1, words[3]),))
    found = continue_text(load_language_model(member_of("LSTM", CONFIG)), GIVEN, manner)
    assert readable(text_of(session, "LSTM")).startswith(" ".join(found.words[:6]))
    assert f"LSTM word 2 **{literal(words[3])}**" in session.prose
    assert "← by hand" in str(session.figure("choices_lstm"))
    assert "← by hand" not in str(session.figure("choices_rnn"))

    session.set(step=4)
    second = found.choices(3)["word"][2]
    session.element("another_lstm").set_value(second)
    session.run()
    assert session.link["by_hand"] == f"L2={words[3]};L4={second}"
    assert session.value("another_lstm") is None
    session.set(step=2)
    session.element("another_lstm").set_value(words[1])
    session.run()
    again = continue_text(
        load_language_model(member_of("LSTM", CONFIG)), GIVEN, replace(manner, forced=((1, words[1]),))
    )
    assert text_of(session, "LSTM").replace(":gray[", "").rstrip("]") == " ".join(again.words)


def test_undo_takes_back_the_last_choice_and_what_it_took_back_is_there_again() -> None:
    session = Session(PAGE, **LONG, by_hand="R4=key;T1=the;R2=was")
    assert "Chosen by hand: RNN word 2 **was**, Transformer word 1 **the**" in session.prose
    session.press("Take back the last word")
    assert session.link["by_hand"] == "R4=key;T1=the"
    assert "RNN word 4 **key**" in session.prose
    session.press("Take back the last word")
    session.press("Take back the last word")
    assert "by_hand" not in session.link
    assert "Chosen by hand" not in session.prose
    assert session.element("undo").disabled


def test_choices_go_with_the_words_they_were_made_after() -> None:
    session = Session(PAGE, **LONG, by_hand="R4=key")
    session.set(way="sampled")
    assert session.link["by_hand"] == "R4=key"
    session.set(text="mina lost")
    assert "by_hand" not in session.link
    assert "Chosen by hand" not in session.prose


@pytest.mark.parametrize(
    "value",
    ["<script>alert(1)</script>", "R1=<b>", "R1=" + "a" * 5000, ";".join(["R1=the"] * (MOST + 1))],
)
def test_choices_that_the_link_cannot_mean_are_named_and_ignored(value: str) -> None:
    session = Session(PAGE, **LONG, by_hand=value)
    (warning,) = session.warnings
    assert "The link asks for by\\_hand = " in warning
    assert len(readable(warning)) < 400
    assert "<b>" not in warning.replace("\\<b\\>", "")
    assert "by_hand" not in session.link
    assert "Chosen by hand" not in session.prose


def test_special_words_and_marks_can_be_chosen_too() -> None:
    session = Session(PAGE, **LONG, by_hand="R1=<unk>;L1=,;T1=<pad>")
    assert session.warnings == []
    assert text_of(session, "RNN").startswith(f"{TEXT} <unk>")
    assert "<unk>" not in session.prose, "escaped, as everything is"


def test_unknown_words_are_named_and_a_full_box_leaves_no_room() -> None:
    session = Session(PAGE, text="the <b>snark</b> ran")
    assert "unknown" in session.prose
    assert "<b>" not in session.prose
    full = Session(PAGE, text="the " * MAX_WORDS)
    assert any(f"at most {MAX_WORDS} words" in readable(one) for one in full.warnings)
    nearly = Session(PAGE, text="the " * (MAX_WORDS - 1), stops=False)
    assert nearly.element("step").max == 1


def test_what_was_read_is_drawn_word_by_word_and_a_click_goes_to_the_step_that_wrote_it() -> None:
    session = Asked(PAGE, view="surprisal", writer="LSTM", text=f"{TEXT} snark", stops=False, most=4, step=2)
    assert "snark†" in str(session.figure("surprisals"))
    nats, probabilities = (
        session.table("surprisals")[[f"{name}, {unit}" for name in WRITERS]].to_numpy().T
        for unit in ("nats", "probability")
    )
    for shown in (nats / np.nanmax(nats), probabilities):
        rows = [numbers(row["y"]) / FULL for row in session.figure("surprisals")["data"]]
        np.testing.assert_allclose(rows, shown, atol=1e-6)
        session.set(measure="probability")
    for column, step in ((8, 4), (2, 1)):
        session.click("surprisals", x=column, y=0, data=[0, column])
        assert session.value("step") == step


def test_what_is_attended_to_grows_by_a_row_at_each_step() -> None:
    session = Asked(PAGE, view="memory", **LONG, most=4, layer=2, head=3)
    for step in (1, 2, 4):
        session.set(step=step)
        n = len(GIVEN) + step - 1
        read = np.tri(7, dtype=bool) & (np.arange(7) < n)[:, None]
        assert np.array_equal(~np.isnan(session.matrix("attended")), read)
        kept = cache_bytes(replace(CONFIG, d_model=48), n)
        assert f"keeps {kept / 1000:.3g} kB of keys and values" in session.prose
    session.click("attended", x=0, y=5)
    assert session.value("step") == 3


@pytest.mark.parametrize(("writer", "n_bytes"), [("RNN", "512 "), ("LSTM", "1.02 k")])
def test_a_recurrent_network_shows_the_states_it_has(writer: str, n_bytes: str) -> None:
    session = Asked(PAGE, view="memory", writer=writer, **LONG, most=4, step=3, layer=2)
    assert np.array_equal(np.isnan(session.matrix("states")).all(axis=1), np.arange(7) >= 6)
    name = "hidden" if writer == "RNN" else "cell"
    read = continue_text(
        load_language_model(member_of(writer, CONFIG)), GIVEN, GenerationSettings(most=4, stops=False)
    ).words[:-1]
    session.set(quantity={"hidden": None, "cell": "cell state"}[name])
    states = remembered_states(load_language_model(member_of(writer, CONFIG)), read)[name][1]
    np.testing.assert_allclose(session.matrix("states")[:6], states[:6], atol=1e-6)
    assert session.has("quantity") == (writer == "LSTM")
    assert not session.has("head"), "there are none"
    assert n_bytes in session.prose
    session.click("states", x=0, y=4)
    assert session.value("step") == 2


def test_serial_operations_are_drawn_and_those_of_this_text_listed() -> None:
    session = Asked(PAGE, view="memory", cost="serial operations", **LONG, most=4)
    for use in USES:
        curves = session.figure(f"serial_{use}")["data"]
        for curve, writer in zip(curves, ("RNN", "Transformer"), strict=False):
            n, found = (numbers(curve[axis]) for axis in ("x", "y"))
            given = {int(words): min(4, int(words) - 1) for words in n}
            expected = [serial_operations(writer, use, at, n_given=k, n_layers=2) for at, k in given.items()]
            assert found.tolist() == expected
            assert min(given) == (5 if use == "writing" else 2)


def test_times_are_measured_when_asked_for_and_are_of_these_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "word_times", partial(word_times, most_seconds=0))
    session = Session(PAGE, view="memory", cost="time per word", text=TEXT, most=4, stops=False)
    assert not session.has("word_seconds")
    assert "Press the button" in session.prose
    session.element("measure_word_times").click()
    session.run()
    curves = [trace for trace in session.figure("word_seconds")["data"] if "y" in trace]
    assert len(curves) >= 4
    assert "4 words that it writes here" in session.prose
    session.set(most=1)
    assert session.has("word_seconds"), "it is not about this text"
    session.set(heads=2)
    assert not session.has("word_seconds")


@pytest.mark.parametrize("writer", WRITERS)
def test_outputs_go_back_as_inputs_as_far_as_the_step(writer: str) -> None:
    asked = {"writer": writer, **LONG, "most": 4, "by_hand": f"{writer[0]}2=key"}
    session = Asked(PAGE, **asked, step=3)
    manner = GenerationSettings(most=4, stops=False, forced=((1, "key"),))
    words = continue_text(load_language_model(member_of(writer, CONFIG)), GIVEN, manner).words
    table = session.table("fed_back")
    assert list(table["written"]) == list(words[4:])
    assert list(table["read"]) == list(words[3:-1])
    assert list(table["by hand"]) == [False, True, False, False]
    assert f"reads {words[5]} and writes" in session.alt("fed_back")
    session.set(step=2)
    assert "*key* is put there by hand" in session.prose
    session.click("fed_back", x=0, y=0, data="1")
    assert session.value("step") == 1


def test_every_word_of_the_language_can_stand_in_the_link() -> None:
    assert not [word for word in language.vocabulary().words if set(word) & set(";= \t\n")]


def test_what_plays_on_one_page_stands_still_on_another() -> None:
    session = Session("translation")
    session.press("▶ Play (P)")
    assert "❚❚ Pause (P)" in [button.label for button in session.app.button]
    session.go("generation")
    assert "▶ Play (P)" in [button.label for button in session.app.button]


VOCABULARY = list(language.vocabulary().words)


CHEF = ("the", "chef")


def written(*words: str, p: float = 0.25, forced: tuple[int, ...] = ()) -> Continued:
    """A text in which every word written had the same probability, and all others share the rest."""
    rows = np.full((len(words), len(VOCABULARY)), np.log((1 - p) / (len(VOCABULARY) - 1)))
    for row, word in zip(rows, words, strict=True):
        row[VOCABULARY.index(word)] = np.log(p)
    return Continued((*CHEF, *words), len(CHEF), (), rows, forced=frozenset(forced))


RNN, LSTM = written("was", "."), written("is", "the", "key", p=0.0001, forced=(1,))


def test_a_text_so_far_has_its_word_in_bold_and_later_ones_in_grey() -> None:
    assert so_far(LSTM, 1) == "the chef is **the** :gray[key]"
    assert so_far(LSTM, 2) == "the chef is the **key**"


def test_choices_by_hand_are_changes_of_the_link() -> None:
    assert texts.choose_by_hand("RNN", 2, "was", {}) == {"by_hand": "R3=was"}
    link = {"by_hand": ["R3=was"]}
    assert texts.choose_by_hand("LSTM", 0, "the", link) == {"by_hand": "R3=was;L1=the"}
    assert texts.take_back({"by_hand": ["R3=was;L1=the"]}) == {"by_hand": "R3=was"}
    assert texts.take_back(link) == texts.take_back({}) == {"by_hand": None}
    assert texts.chosen_in({"by_hand": ["nonsense"]}) == ()
    assert texts.chosen_in(link) == (ByHand("RNN", 2, "was"),)


def read(*unknown: int) -> Surprisals:
    """Four words; the RNN takes each for as likely as one of two, others for certain."""
    nats = {name: np.full(4, np.log(2) if name == "RNN" else 0.0) for name in WRITERS}
    for row in nats.values():
        row[[0, *unknown]] = np.nan
    return Surprisals(("the", "chef", "was", "."), unknown, nats)


def timing(network: str, words: int, taken: float) -> Timing:
    return Timing(network=network, words=words, seconds=taken, low=taken / 2, high=taken, repeats=3)


def test_texts_without_an_end_and_words_put_there_by_hand_are_named() -> None:
    both = {"RNN": RNN, "LSTM": LSTM}
    assert told_by_hand(both) == "Chosen by hand: LSTM word 2 **the**."
    assert told_by_hand({"RNN": RNN}) == ""
    assert ends(GenerationSettings(most=3), both) == "Without an end after 3 words: LSTM."
    assert (
        ends(GenerationSettings(most=3, stops=False), both) == ends(GenerationSettings(), {"RNN": RNN}) == ""
    )


@each(("way", "sign"), [("greedy", "arg"), ("sampled", "sim")])
def test_the_formula_says_how_the_next_word_is_chosen(way: Any, sign: str) -> None:
    assert sign in rule(GenerationSettings(way=way)).latex


def test_surprisal_and_perplexity_are_told_as_far_as_the_word_and_of_the_whole_text() -> None:
    assert "a surprisal of 0.69 nats for the RNN, 0.00 for the LSTM" in headline(read(), 0, 2, SURPRISAL)
    assert "a probability of 50 % for the RNN, 100 % for the LSTM" in headline(read(), 0, 2, PROBABILITY)
    told = "**RNN 2.00, LSTM 1.00, Transformer 1.00**."
    assert perplexities(read(), 2) == (
        f"Perplexity as far as this word: {told} Perplexity of the whole text: {told}"
    )
    assert perplexities(read(), 3) == f"Perplexity of the whole text: {told}"


def test_a_word_that_no_model_knows_has_no_surprisal() -> None:
    assert headline(read(1, 2, 3), 0, 2, SURPRISAL).endswith("so it has no surprisal.")
    assert perplexities(read(1, 2, 3), 2) == ""
    assert not_scored(read()) == not_scored(read(0))
    assert not_scored(read(0, 2)).endswith("and neither is 1 word that no model knows.")
    assert not_scored(read(1, 2)).endswith("and neither are 2 words that no model knows.")


@each(
    ("n_heads", "kept"),
    [(1, {}), (2, {"multi-query": 1 / 2}), (8, {"grouped-query": 1 / 2, "multi-query": 1 / 8})],
)
def test_heads_that_share_keys_and_values_keep_a_share_of_the_bytes(
    n_heads: int, kept: dict[str, float]
) -> None:
    config = replace(CONFIG, n_heads=n_heads)
    found = {name: cache_bytes(one, 7) / cache_bytes(config, 7) for name, one in sharing(config).items()}
    assert found == kept
    table = Asked(PAGE, view="memory", heads=n_heads).table("memory")
    assert {name: float(table[name].iloc[0] / table["Transformer"].iloc[0]) for name in kept} == kept
    assert list(table.columns) == [*WRITERS, *kept]


def test_times_are_told_beside_no_cache() -> None:
    rows = {"RNN": (1e-4, 1e-4), KEPT: (1e-3, 1e-3), ANEW: (2e-3, 5e-4)}
    at = (LENGTHS[0], LENGTHS[-1])
    table = table_of(
        [timing(name, n, one) for name, of in rows.items() for n, one in zip(at, of, strict=True)]
    )
    same, other = written("was", "."), written("is", ".")
    told = cache_said(table, same, same)
    assert f"2.0 times as long after {at[0]} words and 0.5 times as long after {at[1]} words." in told
    assert told.endswith("The 2 words that it writes here are the same both ways.")
    assert cache_said(table, same, other).endswith("another text of the 2 words that it writes here.")


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
    asked = operations_to_learn(15, 4, 30)
    assert solution(asked) == "4 operations"
    assert [value for value, _ in asked.mistaken] == [30]
    assert operations_to_learn(2, 4, 4).mistaken == ()
    assert "1 word in" in operations_to_learn(1, 1, 1).text
    assert solution(operations_to_learn(1, 1, 1)) == "1 operation"
    assert solution(waits_while_it_writes()) == "yes"


@pytest.mark.parametrize("writer", WRITERS)
def test_memory_asks_what_its_writer_has(writer: str) -> None:
    longer, _ = Asked("generation", view="memory", writer=writer, heads=2).questions
    assert solution(longer).startswith("twice" if writer == "Transformer" else "as much")


def test_questions_are_answered_by_reasoning() -> None:
    assert [solution(one) for one in (greedy_text(), same_seed(), next_input("RNN")) if one] == [
        *("not always", "no", "that word"),
    ]
    assert surprisal_of_a_product().right == pytest.approx(-np.log(1 / 16))
    assert perplexity_of_equal_words().right == 8
    shared = shared_by_all_heads(4)
    assert shared is not None
    assert shared.right == 25
    assert shared_by_all_heads(1) is None
    assert solution(Asked(PAGE, way="sampled").questions[0]) == "no"
    assert solution(Asked(PAGE, view="memory", cost="serial operations").questions[0]) == "4 operations"
