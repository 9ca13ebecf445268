"""Translation: what is shown is what the chosen translator does with the sentence typed."""

import re

import numpy as np
import pytest

from core.decoding import Sampling
from core.learning.collection.translators import recurrent_pair, transformer_pair
from core.measures.translation.aligned import rates_of_test_set
from core.measures.translation.forcing import continued, expected
from core.measures.translation.knock_out import KnockOut, hidden_effects, translate_without
from core.measures.translation.scoring import ALL_WORDS, CONTENT_WORDS
from core.measures.translation.writing import Strategy, write
from core.sources.translators import load_translator, record_of_translator
from core.text.language import START
from pages.translation.sentences import KEY
from pages.translation.translate_said import MOST_GIVEN
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.programs import printed
from viz.bar_rows import FULL

PAGE = "translation"
WORDS = KEY.split()
RIGHT = ["este", "lo", "klavo", "ke", "las", "jardinoras", "ha", "vendit", "gravo", "."]
USUAL, LSTM = transformer_pair(4, 2), recurrent_pair("lstm", "dot")


def bars(session: Asked, picture: str) -> np.ndarray:
    return np.array([numbers(row["y"]) for row in session.figure(picture)["data"]]) / FULL


def test_the_translation_is_the_models_and_is_compared_with_the_rules() -> None:
    session = Session(PAGE, step=3)
    written = write(load_translator(USUAL, WORDS), Strategy())
    assert [option.content for option in session.element("step_word").proto.options]
    np.testing.assert_allclose(bars(session, "certainty")[0], np.exp(written.chosen), atol=1e-6)
    top = written.choices(2).head(8)
    np.testing.assert_allclose(numbers(session.figure("choices")["data"][0]["x"]), top["before"], atol=1e-6)
    assert "right] Word for word" in session.prose
    wrong = Session(PAGE, translator="LSTM", attention="none", rules_table=True)
    assert "not right] By the rules: este lo :red[**klavo**]" in wrong.prose
    assert "*este lo kefo antiko laso" in wrong.prose


def test_what_the_model_has_learned_is_what_its_record_says() -> None:
    shown = Asked(PAGE, translator="LSTM").table("learned")
    record = record_of_translator(LSTM)
    for words, row in shown.iterrows():
        assert row["sentences right"] == record.accuracies[f"sentences {words}"]
    assert len(shown) == 6


def test_each_strategy_chooses_the_words_that_core_chooses() -> None:
    asked = {"translator": "LSTM", "attention": "none"}
    fixed = recurrent_pair("lstm", "none")
    sampling = Sampling(temperature=2.0, top_k=10, top_p=0.9)
    drawn = write(load_translator(fixed, WORDS), Strategy(way="sampled", sampling=sampling, seed=4))
    session = Asked(PAGE, **asked, way="sampled", temperature="2", top_k=10, top_p="0.9", seed=4, step=2)
    np.testing.assert_allclose(bars(session, "certainty")[0], np.exp(drawn.chosen), atol=1e-6)
    after = numbers(session.figure("choices")["data"][1]["x"])
    np.testing.assert_allclose(after, drawn.choices(1)["after"].head(len(after)), atol=1e-6)
    beam = write(load_translator(fixed, WORDS), Strategy(way="beam", width=5))
    session.set(way="beam")
    session.set(beam=5)
    kept = [one for one in beam.tree if one.rank is not None]
    drawn = session.figure("beam_tree")["data"][-1]["customdata"]
    assert [one.step for one in kept if one.step in set(drawn)] == list(drawn)
    assert session.value("step") in set(drawn)
    session.click("beam_tree", x=1, y=1, data=4)
    assert session.value("step") == 4


@pytest.mark.parametrize("n_given", [MOST_GIVEN, MOST_GIVEN + 5])
def test_so_many_words_are_given_at_most_and_a_note_says_so(n_given: int) -> None:
    session = Session(PAGE, begins="lo gravo " * (n_given // 2) + "lo" * (n_given % 2))
    given = ("lo", "gravo") * (MOST_GIVEN // 2)
    words = [readable(option.content) for option in session.element("step_word").proto.options]
    assert tuple(words[:MOST_GIVEN]) == given
    assert tuple(words) == write(load_translator(USUAL, WORDS), Strategy(prefix=given)).words
    limit = f"At most 32 words can be given: the first of your {n_given}."
    assert session.infos == [limit] * (n_given > MOST_GIVEN)


def test_a_translation_begins_as_one_likes() -> None:
    session = Asked(PAGE, begins="este la <b> snark </s>")
    written = write(load_translator(USUAL, WORDS), Strategy(prefix=("este", "la")))
    np.testing.assert_allclose(bars(session, "certainty")[0], np.exp(written.chosen), atol=1e-6)
    assert session.infos[0].startswith("Verano does not have")
    assert "snark" in session.infos[0]
    assert "<b>" not in session.infos[0]
    session.set(way="beam")
    assert list(session.figure("beam_tree")["data"][-1]["customdata"])[:2] == [1, 2]


def test_steps_are_walked_with_buttons_and_the_row_of_words() -> None:
    session = Session(PAGE)
    n = len(write(load_translator(USUAL, WORDS), Strategy()).words)
    session.press("Next →")
    session.press("Next →")
    session.press("← Back")
    assert session.value("step") == 2
    session.set(step_word=n)
    assert session.value("step") == n
    assert f"Word {n} after “… ha vendit gravo .”" in str(session.figure("choices")["layout"])
    session.click("certainty", x=4, y=0, data=[0, 4])
    assert session.value("step") == 5


def test_words_that_come_twice_are_two_steps() -> None:
    session = Session(PAGE, text="mina lost her lamp but zuko found it .")
    labels = [option.content for option in session.element("step_word").proto.options]
    assert len(set(labels)) == len(labels)
    assert [label.strip("\u2060") for label in labels].count("ha") == 2
    for step in (2, 3):
        session.press("Next →")
        assert session.value("step") == session.value("step_word") == step


def test_a_missing_full_stop_is_added_and_what_the_rules_do_not_have_is_said() -> None:
    stopped = Asked(PAGE, text=KEY.removesuffix(" ."))
    assert "right] Word for word" in stopped.prose
    assert "A full stop is added" in stopped.prose
    assert "A full stop is added" not in Asked(PAGE).prose
    unknown = Asked(PAGE, text="the <b>snark</b> is heavy", view="cross-attention")
    assert "unknown" in unknown.prose
    assert unknown.has("alignment")


@pytest.mark.parametrize("kind", ["cross-attention", "encoder", "decoder"])
def test_rows_and_columns_are_the_words_of_their_side(kind: str) -> None:
    session = Asked(PAGE, view="cross-attention", layer=1, head=3, kind=kind)
    assert len(session.figure("alignment")["data"]) == (3 if kind == "cross-attention" else 1)
    fed, written = ["&lt;s&gt;", *RIGHT], [*RIGHT, "&lt;/s&gt;"]
    rows = {"cross-attention": written, "encoder": WORDS, "decoder": fed}[kind]
    layout = session.figure("alignment")["layout"]
    assert layout["yaxis"]["ticktext"] == rows
    assert layout["xaxis"]["ticktext"] == (fed if kind == "decoder" else WORDS)
    assert session.has("error_rates") == (kind == "cross-attention")


def test_error_rates_are_those_of_every_head_and_a_click_chooses_one() -> None:
    session = Asked(PAGE, view="cross-attention", text="the old chef is tired .")
    table = rates_of_test_set(load_translator(USUAL, (START,)).model)
    shown = bars(session, "error_rates")
    np.testing.assert_allclose(shown[:2], [table["all words"], table["content words"]], atol=1e-6)
    session.click("error_rates", x=6, y=0, data=[0, 6])
    assert (session.value("layer"), session.value("head")) == (2, 3)
    recurrent = Asked(PAGE, view="cross-attention", translator="LSTM")
    assert not recurrent.has("head")
    assert not recurrent.has("kind")
    known = record_of_translator(recurrent_pair("lstm", "dot")).accuracies
    rates = rates_of_test_set(load_translator(recurrent_pair("lstm", "dot"), (START,)).model).iloc[0]
    assert (rates["content words"], rates["all words"]) == pytest.approx(
        (known[CONTENT_WORDS], known[ALL_WORDS])
    )


def test_without_attention_there_is_none_to_be_seen() -> None:
    for view in ("cross-attention", "knock out"):
        session = Asked(PAGE, view=view, translator="LSTM", attention="none")
        assert "the fixed vector alone" in " ".join(session.infos)


def test_a_wrong_word_makes_others_unlikely() -> None:
    session = Asked(PAGE, view="teacher forcing", wrong=4, instead="laso")
    right = expected(load_translator(USUAL, WORDS), RIGHT, (*RIGHT, "</s>"))
    np.testing.assert_allclose(bars(session, "forced")[0], right, atol=1e-6)
    free = continued(load_translator(USUAL, WORDS), (*RIGHT[:3], "laso"))
    for word in free:
        assert word in session.prose.rsplit("the model writes:", 1)[1]
    session.click("forced", x=4, y=0, data=[0, 4])
    assert session.value("wrong") == 5


def test_what_is_knocked_out_is_missing() -> None:
    session = Asked(PAGE, view="knock out", translator="LSTM")
    intact = session.code
    shown = numbers(session.figure("hidden_effects")["data"][0]["z"])
    np.testing.assert_allclose(shown, hidden_effects(load_translator(LSTM, WORDS), RIGHT), atol=1e-6)
    session.click("hidden_effects", x=4, y=5)
    assert session.value("hidden") == 5
    without = translate_without(load_translator(LSTM, WORDS), KnockOut(word=4))
    assert all(word in session.prose.split("**Without *gardeners***")[1] for word in without)
    assert tuple(printed(session.code, alone=False).split()) == without
    assert printed(intact, alone=False).split() == RIGHT
    session.set(cut=["attention"])
    both = translate_without(load_translator(LSTM, WORDS), KnockOut(word=4, layers=frozenset({0})))
    assert all(word in session.prose.split("**Without *gardeners*, attention**")[1] for word in both)
    assert tuple(printed(session.code, alone=False).split()) == both


@pytest.mark.parametrize(
    ("cut", "heads", "layers"),
    [(["1.4", "2.2"], {(0, 3), (1, 1)}, set()), (["layer 1", "layer 2"], set(), {0, 1})],
    ids=["heads of two layers", "two layers"],
)
def test_parts_of_two_layers_can_be_missing_together(
    cut: list[str], heads: set[tuple[int, int]], layers: set[int]
) -> None:
    session = Asked(PAGE, view="knock out", hidden=5, cut=cut)
    without = translate_without(
        load_translator(USUAL, WORDS), KnockOut(4, frozenset(heads), frozenset(layers))
    )
    assert tuple(printed(session.code, alone=False).split()) == without
    assert session.value("cut") == cut
    told = session.prose.split("**Without *gardeners*, ")[-1]
    headline = readable(str(session.sheet.answer))
    assert re.search(
        r"changes\. Hiding \*gardeners\* alone costs \*\w+\* most: its probability falls by \d\.\d\d\.$",
        headline,
    )
    assert all(word in told for word in (*cut, *without))


def test_a_hidden_word_that_costs_little_is_said_to_cost_no_word_much() -> None:
    headline = readable(str(Asked(PAGE, view="knock out", hidden=1).sheet.answer))
    assert headline.endswith("Hiding *the* (1) alone makes no word less probable by 0.05 or more.")
