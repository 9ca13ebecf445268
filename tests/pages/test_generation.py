"""Generation: three models continue the typed words, and choices by hand are in the link."""

from dataclasses import replace
from functools import partial

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
    GeneratedText,
    GenerationSettings,
    continue_text,
    member_of,
)
from core.model.config import ModelConfig
from core.sources.trained import load_language_model
from core.text import language
from pages.contract.prose import JOINER, literal
from pages.contract.question import Estimate, solution
from pages.contract.sampling import DRAWN
from pages.contract.static_questions import static_question
from pages.generation import costs, texts
from pages.generation.by_hand import MOST, ByHand
from pages.generation.costs import SHARES, describe_cache_saving, doubled_text_question, table_of
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from words import counted, signed

PAGE = "generation"
TEXT = "the chef who ran"
GIVEN = tuple(TEXT.split())
CONFIG = ModelConfig(vocab_size=1)
LONG = {"stops": False, "text": TEXT}
ON = GenerationSettings(stops=False)

pytestmark = pytest.mark.usefixtures("noise_shelf")


def bars(session: Asked, writer: str, *, series: int = 0) -> np.ndarray:
    return numbers(session.figure(f"choices_{writer.lower()}")["data"][series]["x"])


def text_of(session: Asked, writer: str) -> str:
    """Return the content of a column below the name of the model."""
    return readable(session.said[session.said.index(f"**{writer}**") + 1]).translate(
        dict.fromkeys(map(ord, f"*{JOINER}"))
    )


def continued(writer: str, manner: GenerationSettings, config: ModelConfig = CONFIG) -> GeneratedText:
    return continue_text(load_language_model(member_of(writer, config)), GIVEN, manner)


def expected(writer: str, manner: GenerationSettings, step: int, *, column: str = "before") -> np.ndarray:
    table = continued(writer, manner).choices(step)
    return table[(table.index < 8) | table["answer"]][column].to_numpy()


def test_each_model_continues_the_words_and_shows_its_distribution() -> None:
    session = Asked(PAGE, **LONG, step=3)
    for writer in WRITERS:
        found = continued(writer, ON)
        np.testing.assert_allclose(bars(session, writer), expected(writer, ON, 2), atol=1e-6)
        assert text_of(session, writer) == f"{' '.join(found.words[:7])} :gray[{' '.join(found.words[7:])}]"
        title = f"{writer}, step 3, after “{' '.join(found.words[4:6])}”: "
        assert session.alt(f"choices_{writer.lower()}").startswith(title)
    session.set(step=1)
    other = Asked(PAGE, **LONG, positions="alibi", heads=2)
    np.testing.assert_array_equal(bars(session, "RNN"), bars(other, "RNN"))
    changed = continued("Transformer", ON, replace(CONFIG, positions="alibi", n_heads=2))
    assert text_of(other, "Transformer").startswith(" ".join(changed.words[:5]))


def test_words_are_drawn_as_the_menus_say() -> None:
    asked = {"way": "sampled", "temperature": "0.7", "top_k": 10, "top_p": "0.9", "seed": 4, "most": 8}
    session = Asked(PAGE, **LONG, **asked, step=2)
    sampling = Sampling(temperature=0.7, top_k=10, top_p=0.9)
    manner = replace(ON, way="sampled", sampling=sampling, seed=4, most=8)
    for writer in WRITERS:
        drawn = expected(writer, manner, 1, column="after")
        np.testing.assert_allclose(bars(session, writer, series=1), drawn, atol=1e-6)
    assert session.table("choices_rnn")[DRAWN].sum() == pytest.approx(1)
    session.set(way="greedy")
    assert DRAWN not in session.table("choices_rnn").columns


def test_steps_are_walked_as_far_as_the_longest_text_goes() -> None:
    session = Session(PAGE, **LONG, most=8, step=6)
    assert session.element("step").proto.HasField("default"), "without one a cross hides the number"
    session.press("Next →")
    session.set(most=4)
    assert session.value("step") == session.element("step").max == 4, "the last word there is"


def test_a_text_that_has_ended_stays_at_its_last_step() -> None:
    session = Asked(PAGE, text=TEXT, most=4, step=4, by_hand="R2=.;L4=the;L3=a")
    assert text_of(session, "RNN").endswith(" .")
    assert "step 2, after" in session.alt("choices_rnn")
    assert "step 4, after" in session.alt("choices_lstm")
    assert "RNN none, its last was step 2" in session.prose


def test_a_click_changes_a_word_and_the_rest_is_rewritten() -> None:
    session, own = Session(PAGE, **LONG, step=2), continued("LSTM", ON)
    words = list(session.figure("choices_lstm")["data"][-1]["customdata"])
    assert words == list(own.choices(1)["word"][: len(words)])
    session.click("choices_lstm", x=1, y=3, data=words[3])
    assert session.link["by_hand"] == f"L2={words[3]}"
    assert f"LSTM step 2 **{literal(words[3])}**" in session.prose
    assert "← by hand" in str(session.figure("choices_lstm"))
    assert "← by hand" not in str(session.figure("choices_rnn"))
    found = continued("LSTM", replace(ON, forced=((1, words[3]),)))
    asked = Asked(PAGE, **LONG, step=4, by_hand=session.link["by_hand"])
    assert text_of(asked, "LSTM").startswith(" ".join(found.words[:8]))

    session.set(another_lstm=words[2])
    assert session.link["by_hand"] == f"L2={words[3]};L2={words[2]}"
    assert session.value("another_lstm") is None
    session.set(text="mina lost")
    assert "by_hand" not in session.link, "choices go with the words they were made after"
    assert "Chosen by hand" not in session.prose
    assert session.element("undo").disabled


@each("value", ["R1=<b>", "R1=" + "a" * 5000, ";".join(["R1=the"] * (MOST + 1))])
def test_choices_that_the_link_cannot_mean_are_named_and_ignored(value: str) -> None:
    session = Asked(PAGE, **LONG, by_hand=value)
    (warning,) = session.warnings
    assert "The link asks for by\\_hand = " in warning
    assert len(readable(warning)) < 400
    assert "<b>" not in warning.replace("\\<b\\>", "")
    assert "Chosen by hand" not in session.prose


def test_the_attention_matrix_grows_by_a_row_at_each_step() -> None:
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


def test_a_hall_that_sees_the_costs_alone_hears_nothing_of_the_matrix() -> None:
    session = Session(PAGE, view="memory", large="1", panel="2", most=4)
    assert "multi-query" in session.prose
    assert "attends most to" not in session.prose
    assert "attends most to" in Asked(PAGE, view="memory", most=4).prose


def test_a_recurrent_network_shows_the_states_it_has() -> None:
    assert not Asked(PAGE, view="memory", writer="RNN", **LONG, most=4).has("quantity")
    session = Asked(PAGE, view="memory", writer="LSTM", **LONG, most=4, step=3, layer=2, quantity="cell")
    read = continued("LSTM", replace(ON, most=4)).words[:-1]
    states = remembered_states(load_language_model(member_of("LSTM", CONFIG)), read)["cell"][1]
    np.testing.assert_allclose(session.matrix("states")[:6], states[:6], atol=1e-6)
    assert np.isnan(session.matrix("states")[6:]).all()
    assert "1.02 kB of states and cells in both layers" in session.prose
    mean = signed(float(states[5].mean()))
    assert f"The 64 numbers of the cell after *{read[5]}* have the mean {mean}." in session.prose
    session.click("states", x=0, y=4)
    assert session.value("step") == 2


@each("use", USES)
def test_serial_operations_are_drawn_for_each_number_of_words(use: str) -> None:
    curves = Asked(PAGE, view="memory", cost="serial operations", **LONG, most=4).figure(f"serial_{use}")
    for curve, writer in zip(curves["data"], ("RNN", "Transformer"), strict=False):
        lengths = [int(words) for words in numbers(curve["x"])]
        costs = [serial_operations(writer, use, n, n_given=min(4, n - 1), n_layers=2) for n in lengths]
        assert numbers(curve["y"]).tolist() == costs
        assert min(lengths) == (5 if use == "writing" else 2)


def test_times_are_measured_when_asked_for_and_are_of_these_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "word_times", partial(word_times, most_seconds=0))
    session = Session(PAGE, view="memory", cost="time per word", text=TEXT, most=4, stops=False)
    assert not session.has("word_seconds")
    session.element("measure_word_times").click()
    session.run()
    assert len([trace for trace in session.figure("word_seconds")["data"] if "y" in trace]) >= 4
    assert "the same 4 words here." in session.prose or "the 4 words that it writes." in session.prose
    session.set(heads=2)
    assert not session.has("word_seconds")


VOCABULARY = list(language.vocabulary().words)


CHEF = ("the", "chef")


def written(*words: str) -> GeneratedText:
    """Return a text whose words all had a probability of 25 %; all others share the rest."""
    rows = np.full((len(words), len(VOCABULARY)), np.log(0.75 / (len(VOCABULARY) - 1)))
    for row, word in zip(rows, words, strict=True):
        row[VOCABULARY.index(word)] = np.log(0.25)
    return GeneratedText((*CHEF, *words), len(CHEF), (), rows)


def test_choices_by_hand_are_changes_of_the_link() -> None:
    assert texts.choose_by_hand("RNN", 2, "was", {}) == {"by_hand": "R3=was"}
    link = {"by_hand": ["R3=was"]}
    assert texts.choose_by_hand("LSTM", 0, "the", link) == {"by_hand": "R3=was;L1=the"}
    assert texts.take_back({"by_hand": ["R3=was;L1=the"]}) == {"by_hand": "R3=was"}
    assert texts.take_back(link) == texts.take_back({}) == {"by_hand": None}
    assert texts.chosen_in({"by_hand": ["nonsense"]}) == ()
    assert texts.chosen_in(link) == (ByHand("RNN", 2, "was"),)


def timing(network: str, words: int, taken: float) -> Timing:
    return Timing(network=network, words=words, seconds=taken, low=taken / 2, high=taken, repeats=3)


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
    page = Asked(PAGE, view="memory", heads=n_heads)
    table = page.table("memory")
    assert all((f"with {name} attention" in page.prose) == (name in kept) for name in SHARES)
    assert f"Of {counted(len(page.scene.words), 'word')} the Transformer keeps" in page.prose, "at step 1"
    assert list(table.columns) == [*WRITERS, *kept]
    assert {name: float(table[name].iloc[0] / table["Transformer"].iloc[0]) for name in kept} == kept


def test_times_are_compared_with_no_cache() -> None:
    rows = {"RNN": (1e-4, 1e-4), KEPT: (1e-3, 1e-3), ANEW: (2e-3, 5e-4)}
    at = (LENGTHS[0], LENGTHS[-1])
    table = table_of(
        [timing(name, n, one) for name, of in rows.items() for n, one in zip(at, of, strict=True)]
    )
    same, other = written("was", "."), written("is", ".")
    told = describe_cache_saving(table, same, same)
    assert f"2.0 times as long after {at[0]} words and 0.5 times as long after {at[1]} words." in told
    assert told.endswith("Both ways it writes the same 2 words here.")
    assert describe_cache_saving(table, same, other).endswith(
        "Here rounding changes the 2 words that it writes."
    )


@each(("ratio", "right"), [(2.0, "twice as much"), (1.0, "as much as before"), (1.5, None)])
def test_the_state_of_a_model_grows_with_the_text_or_stays(ratio: float, right: str | None) -> None:
    asked = doubled_text_question("model", ratio)
    assert (asked and solution(asked)) == right


def test_the_numbers_of_static_questions_follow_from_their_definitions() -> None:
    product, equal = map(static_question, ("surprisal_of_a_product", "perplexity_of_equal_words"))
    assert isinstance(product, Estimate)
    assert isinstance(equal, Estimate)
    np.testing.assert_allclose([product.right, equal.right], [np.log(16), np.exp(np.log(8))], atol=1e-4)
    mistaken = [value for one in (product, equal) for value, _ in one.mistaken]
    np.testing.assert_allclose(mistaken, [4 * np.log(4), np.log(4) / 4, np.log(8)], atol=1e-4)
