"""Translation: what is shown is what the chosen translator does with the sentence typed."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from core.decoding import Sampling
from core.learning.collection import take
from core.learning.collection.translators import name_of_pair, recurrent_pair, transformer_pair
from core.learning.evaluation.translation import Share
from core.learning.probes import take_probe
from core.measures.translation.alignment import (
    Reference,
    judged,
    judged_by_place,
    n_right,
    pair_of,
    rates_of_test_set,
    reference,
    share_aligned,
    targets_of,
)
from core.measures.translation.attending import Attending, InPieces, attending
from core.measures.translation.knock_out import KnockOut, hidden_effects, translate_without
from core.measures.translation.vector import by_source_length, contexts, fixed_vector
from core.measures.translation.vector import told as told_by_probe
from core.measures.translation.writing import Strategy, Written, write
from core.model.alignment import SCORE_FUNCTIONS
from core.model.trace import Trace
from core.sources.probes import load_probe
from core.sources.translators import load_translator, record_of_translator
from core.text import language
from core.text.language import START
from core.text.tokenizer import words_of
from core.text.translation import Translation
from core.words import per_cent
from pages.contract.prose import Typed
from pages.contract.question import Estimate, solution, texts
from pages.translation import aligned, by_length, cross_attention, decoding, in_pieces, knock_out, translate
from pages.translation.decoding import MOST_GIVEN
from pages.translation.source_sentence import KEY, no_reference
from pages.translation.translator import USUAL, Translator, translator_of
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.programs import printed
from viz.bar_rows import FULL

PAGE = "translation"
WORDS = KEY.split()
RIGHT = ["este", "lo", "klavo", "ke", "las", "jardinoras", "ha", "vendit", "gravo", "."]
LSTM, FIXED = recurrent_pair("lstm", "dot"), recurrent_pair("lstm", "none")
TRANSFORMER, RECURRENT = translator_of(USUAL), translator_of(LSTM)
EXACT = Translation(("lo", "klavo"), frozenset({(1, 1), (0, 0)}))


def test_the_usual_translator_has_four_heads_and_two_layers() -> None:
    assert transformer_pair(4, 2) == USUAL


def opened(view: str, **parameters: object) -> Asked:
    return Asked(PAGE, view=view, **parameters)


def bars(session: Any, picture: str) -> np.ndarray:
    return np.array([numbers(row["y"]) for row in session.figure(picture)["data"]]) / FULL


def written(*words: str, chosen: float = -0.25) -> Written:
    return Written(words, np.zeros((len(words), 2)), np.full(len(words), chosen), ())


def test_the_translation_is_the_models_and_is_compared_with_the_rules() -> None:
    session = Session(PAGE, step=3)
    found = write(load_translator(USUAL, WORDS), Strategy())
    np.testing.assert_allclose(bars(session, "certainty")[0], np.exp(found.chosen), atol=1e-6)
    top = found.choices(2).head(8)
    np.testing.assert_allclose(numbers(session.figure("choices")["data"][0]["x"]), top["before"], atol=1e-6)
    assert "green-badge[right]" in session.prose
    wrong = Session(PAGE, translator="LSTM", attention="none", rules_table=True)
    assert "este lo :red[**klavo**]" in wrong.prose
    assert "*este lo kefo antiko laso" in wrong.prose


def test_a_translation_is_right_if_it_is_that_of_the_rules() -> None:
    text = written("lo", "klavo", "</s>")
    assert translate.compared(text, ("lo", "klavo")).startswith(":green-badge[right]")
    assert translate.compared(text, ("lo", "gato")).endswith(": lo :red[**gato**]")
    assert translate.compared(text, None) == ""


def test_what_the_model_has_learned_is_what_its_record_says() -> None:
    shown = Asked(PAGE, translator="LSTM").table("learned")
    record = record_of_translator(LSTM)
    for words, row in shown.iterrows():
        assert row["sentences right"] == record.accuracies[f"sentences {words}"]
    assert len(shown) == 6


def test_each_strategy_chooses_the_words_that_core_chooses_and_is_named() -> None:
    asked = {"translator": "LSTM", "attention": "none"}
    sampling = Sampling(temperature=2.0, top_k=10, top_p=0.9)
    drawn = write(load_translator(FIXED, WORDS), Strategy(way="sampled", sampling=sampling, seed=4))
    session = Asked(PAGE, **asked, way="sampled", temperature="2", top_k=10, top_p="0.9", seed=4, step=2)
    np.testing.assert_allclose(bars(session, "certainty")[0], np.exp(drawn.chosen), atol=1e-6)
    after = numbers(session.figure("choices")["data"][1]["x"])
    np.testing.assert_allclose(after, drawn.choices(1)["after"].head(len(after)), atol=1e-6)
    assert session.sheet.answer.startswith("Sampling takes")
    beam = write(load_translator(FIXED, WORDS), Strategy(way="beam", width=5))
    session.set(way="beam")
    session.set(beam=5)
    assert session.sheet.answer.startswith("Beam search of width 5 takes")
    kept = [one for one in beam.tree if one.rank is not None]
    points = session.figure("beam_tree")["data"][-1]["customdata"]
    assert [one.step for one in kept if one.step in set(points)] == list(points)
    session.click("beam_tree", x=1, y=1, data=4)
    assert session.value("step") == 4


@each(
    ("way", "own", "greedy", "said"),
    [
        ("greedy", -0.5, -0.5, "the sum over its words."),
        ("beam", -0.25, -0.5, "The greedy translation has −1.000 nats."),
        ("beam", -0.5, -0.25, "−0.500 nats: the beam dropped"),
        ("sampled", -0.5, -0.25, "The greedy translation has −0.500 nats."),
    ],
)
def test_a_translation_is_compared_with_the_greedy_one(
    way: str, own: float, greedy: float, said: str
) -> None:
    text, other = written("la", "</s>", chosen=own), written("lo", "</s>", chosen=greedy)
    assert said in decoding.worth(text, other, way)
    assert decoding.worth(text, text, "beam").endswith("writes the same words.")


def test_an_end_and_a_cut_are_told_apart() -> None:
    assert "itself" in decoding.ending(written("lo", "</s>"))
    assert "cut off after 1 step." in decoding.ending(written("lo"))


@pytest.mark.parametrize("n_given", [MOST_GIVEN, MOST_GIVEN + 5])
def test_so_many_words_are_given_at_most_and_a_note_says_so(n_given: int) -> None:
    session = Session(PAGE, begins="lo gravo " * (n_given // 2) + "lo" * (n_given % 2))
    given = ("lo", "gravo") * (MOST_GIVEN // 2)
    words = [readable(option.content) for option in session.element("step_word").proto.options]
    assert tuple(words[:MOST_GIVEN]) == given
    assert tuple(words) == write(load_translator(USUAL, WORDS), Strategy(prefix=given)).words
    limit = f"At most 32 words can be given: the first of your {n_given}."
    assert session.infos == [limit] * (n_given > MOST_GIVEN)


def test_a_translation_begins_as_one_likes_and_strange_words_are_named_once() -> None:
    session = Asked(PAGE, begins="este la <b> snark snark")
    found = write(load_translator(USUAL, WORDS), Strategy(prefix=("este", "la")))
    np.testing.assert_allclose(bars(session, "certainty")[0], np.exp(found.chosen), atol=1e-6)
    (note,) = session.infos
    assert "snark" in note
    assert "<b>" not in note
    assert note.count("snark") == 1
    session.set(way="beam")
    assert list(session.figure("beam_tree")["data"][-1]["customdata"])[:2] == [1, 2]


def test_a_word_that_is_given_is_not_said_to_be_written_by_the_model() -> None:
    given = Asked(PAGE, begins="la")
    assert "Step 1 is set by you to *la*, for which the model has p < 0.001." in readable(
        str(given.sheet.answer)
    )
    given.set(step=2)
    assert "Step 2 writes *" in readable(str(given.sheet.answer))


def test_a_wrong_word_is_one_click_away_and_is_the_likeliest_wrong_one() -> None:
    session = Asked(PAGE, way="beam")
    session.press("Begin with a wrong word")
    choices = write(load_translator(USUAL, WORDS), Strategy()).choices(1)
    wrong = next(word for word in choices["word"] if word != "lo")
    assert session.link == {"way": "greedy", "begins": f"este {wrong}"}
    assert "not right" in session.prose
    assert ":red[**lo**]" in session.prose
    assert translate.with_mistake(written("lo", "</s>")) == ()


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


def test_a_step_is_named_by_at_most_four_words_before_it() -> None:
    words = ("a", "b", "c", "d", "e", "f")
    assert translate.named(words, 0) == "word 1 after the start"
    assert translate.named(words, 4) == "word 5 after “a b c d”"
    assert translate.named(words, 5) == "word 6 after “… b c d e”"


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
    assert "green-badge[right]" in stopped.prose
    assert "A full stop is added" in stopped.prose
    assert "A full stop is added" not in Asked(PAGE).prose
    unknown = opened("cross-attention", text="the <b>snark</b> is heavy")
    assert "unknown" in unknown.prose
    assert unknown.has("alignment")


def test_why_the_rules_have_no_translation_is_said_as_typed() -> None:
    assert no_reference(Reference(EXACT), has_unknown=False) == ""
    assert "translate known words only" in no_reference(Reference(None, "<b>"), has_unknown=True)
    told = no_reference(Reference(None, "at word 2 *x*"), has_unknown=False)
    assert "have no translation of this sentence: at word 2 \\*x\\*." in told


@pytest.mark.parametrize("kind", ["cross-attention", "encoder", "decoder"])
def test_rows_and_columns_are_the_words_of_their_side(kind: str) -> None:
    session = opened("cross-attention", layer=1, head=3, kind=kind)
    assert len(session.figure("alignment")["data"]) == (3 if kind == "cross-attention" else 1)
    fed, out = ["&lt;s&gt;", *RIGHT], [*RIGHT, "&lt;/s&gt;"]
    rows = {"cross-attention": out, "encoder": WORDS, "decoder": fed}[kind]
    layout = session.figure("alignment")["layout"]
    assert layout["yaxis"]["ticktext"] == rows
    assert layout["xaxis"]["ticktext"] == (fed if kind == "decoder" else WORDS)
    assert session.has("aligned") == (kind == "cross-attention")
    if kind != "cross-attention":
        pattern = session.matrix("alignment")
        assert f"head 3 of layer 1 of the {kind} is {pattern.max():.2f}: *" in session.sheet.answer


def test_every_heads_share_of_aligned_words_is_drawn_and_a_click_chooses_a_head() -> None:
    session = opened("cross-attention")
    rates = rates_of_test_set(load_translator(USUAL, (START,)).model)
    cross, exact = attending(load_translator(USUAL, WORDS), RIGHT).cross, reference(WORDS).translation
    assert exact is not None
    here = [n_right(head, exact, content=True) for layer in cross for head in layer]
    shown = bars(session, "aligned")
    np.testing.assert_allclose(shown[0], share_aligned(rates["content words"].to_numpy()), atol=1e-6)
    np.testing.assert_allclose(shown[1], np.array(here) / len(targets_of(exact, content=True)), atol=1e-6)
    session.click("aligned", x=6, y=0, data=[0, 6])
    assert (session.value("layer"), session.value("head")) == (2, 3)
    assert f"Head 3 of layer 2 aligns {per_cent(float(shown[0][6]))} of content" in session.sheet.answer


@pytest.mark.parametrize("score", ["dot", "linear"])
def test_every_score_functions_share_is_drawn_and_a_click_chooses_one(score: str) -> None:
    session = opened("cross-attention", translator="LSTM", attention=score)
    known = {one: judged(record_of_translator(pair_of(one))) for one in SCORE_FUNCTIONS}
    np.testing.assert_allclose(bars(session, "aligned")[0], [one.hits for one in known.values()], atol=1e-6)
    assert not session.has("head")
    assert not session.has("kind")
    assert f"with {score} attention aligns {per_cent(known[score].hits)} of" in session.sheet.answer
    trace = session.figure("alignment")["data"][0]
    largest = np.abs(session.matrix("alignment")).max()
    assert (trace["zmin"], trace["zmax"]) == (
        (0, 1) if score == "dot" else pytest.approx((-largest, largest))
    )
    rows = [row for row in session.prose.splitlines() if "| $" in row]
    assert [f"| {per_cent(one.hits)} |" in row for one, row in zip(known.values(), rows, strict=True)] == [
        True
    ] * 4
    session.click("aligned", x=2, y=0, data=[0, 2])
    assert session.value("attention") == list(SCORE_FUNCTIONS)[2]


def test_an_rnn_has_one_score_function_and_nothing_to_compare_it_with() -> None:
    session = opened("cross-attention", translator="RNN")
    assert session.has("alignment")
    assert not session.has("aligned")


@pytest.mark.usefixtures("noise_shelf")
def test_score_functions_that_were_not_measured_are_said_to_be_so() -> None:
    session = opened("cross-attention", translator="LSTM")
    assert session.pictures == ["alignment"]
    assert "not measured" in session.prose


@pytest.mark.parametrize(
    ("share", "by_place", "said"),
    [
        (0.17, 0.25, "aligns 17 % of content words, fewer than relative place does (25 %)."),
        (0.25, 0.17, "aligns 25 % of content words, more than relative place does (17 %)."),
        (0.27, 0.25, "about as many as"),
        (0.23, 0.25, "about as many as"),
    ],
)
def test_a_head_is_compared_with_the_same_relative_place(share: float, by_place: float, said: str) -> None:
    assert said in cross_attention.headline("head 1 of layer 2", share, by_place)
    assert judged_by_place().hits < 0.5


def test_the_best_head_is_named_with_its_share() -> None:
    rates = pd.DataFrame(
        {"layer": [1, 2], "head": [1, 3], "content words": [0.7, 0.09], "best": [False, True]}
    )
    told = aligned.best_aligned(rates)
    assert "On 128 other sentences, head 3 of layer 2 aligns most." in told
    assert told.endswith(f"On these 256 it aligns {per_cent(share_aligned(0.09))}.")


def test_a_translation_without_content_words_is_not_counted() -> None:
    weights = np.eye(2)
    assert "aligns **1 of 1 content word**" in cross_attention.in_this_sentence(weights, EXACT, "head 1")
    articles = Translation(("lo",), frozenset({(0, 0)}))
    assert cross_attention.in_this_sentence(weights, articles, "head 1") == ""


def test_without_attention_there_is_none_to_be_seen() -> None:
    for view in ("cross-attention", "knock out"):
        session = opened(view, translator="LSTM", attention="none")
        assert "the fixed vector alone" in " ".join(session.infos)


def test_what_is_knocked_out_is_missing() -> None:
    session = opened("knock out", translator="LSTM")
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
    assert all(word in session.prose.split("**Without *gardeners* and attention**")[1] for word in both)
    assert tuple(printed(session.code, alone=False).split()) == both


@pytest.mark.parametrize(
    ("cut", "heads", "layers", "named"),
    [
        (["1.4", "2.2"], {(0, 3), (1, 1)}, set(), "head 4 of layer 1 and head 2 of layer 2"),
        (["layer 1", "layer 2"], set(), {0, 1}, "cross-attention of layer 1 and cross-attention of layer 2"),
    ],
    ids=["heads of two layers", "two layers"],
)
def test_parts_of_two_layers_can_be_missing_together(
    cut: list[str], heads: set[tuple[int, int]], layers: set[int], named: str
) -> None:
    session = opened("knock out", hidden=5, cut=cut)
    missing = KnockOut(4, frozenset(heads), frozenset(layers))
    without = translate_without(load_translator(USUAL, WORDS), missing)
    assert tuple(printed(session.code, alone=False).split()) == without
    assert session.value("cut") == cut
    told = session.prose.split(f"**Without *gardeners*, {named}**")[-1]
    assert all(word in told for word in without)
    headline = readable(str(session.sheet.answer))
    assert headline.startswith(f"Without *gardeners*, {named} the translation changes. Hiding *gardeners*")


SOURCE, INTACT = tuple(map(Typed, ("the", "<b>", "the"))), ("lo", "klavo", "lo")
EFFECTS = np.array([[0.0, 0.0, 0.04], [0.1, 0.2, 0.0], [0.0, 0.9, 0.3], [0.0, 0.0, 0.0]])


def test_the_word_that_costs_most_is_named_with_what_it_costs() -> None:
    told = knock_out.most_costly(EFFECTS, SOURCE, INTACT)
    assert told.endswith("costs most: it lowers the probability of *lo* (3) by 0.90.")
    assert "<b>" not in told
    told = knock_out.most_costly(EFFECTS[:, ::2], SOURCE[::2], INTACT)
    assert told == "Hiding *the* (2) costs most: it lowers the probability of *lo* (3) by 0.30."
    assert "by 0.05 or more" in knock_out.most_costly(np.full((4, 3), 0.0499), SOURCE, INTACT)
    assert "</s>" not in knock_out.most_costly(np.eye(4, 3)[::-1], SOURCE, INTACT)


def test_a_hidden_word_that_costs_little_is_said_to_cost_no_word_much() -> None:
    headline = readable(str(opened("knock out", hidden=1).sheet.answer))
    assert headline.endswith("Hiding *the* (1) alone makes no word less probable by 0.05 or more.")


def test_words_that_are_not_needed_are_named() -> None:
    words = tuple(map(Typed, ("the", "key", "the")))
    each_effect = (EFFECTS, np.minimum(EFFECTS, 0.0499), EFFECTS * [0.1, 1, 0.1])
    spared = [knock_out.needless(effects, words) for effects in each_effect]
    assert spared[0] == ""
    assert spared[1].startswith("Without *the* (1), *key*, *the*")
    assert spared[2] == "Without *the* (1), *the* (3), one at a time, no word loses 0.05 or more."


@each(
    ("translator", "earlier", "told"),
    [
        (TRANSFORMER, True, "states of other words."),
        (RECURRENT, False, "states of later words, the last"),
    ],
)
def test_a_hidden_word_reaches_the_decoder_through_the_states_that_depend_on_it(
    translator: Translator, earlier: bool, told: str
) -> None:
    """Another word in the middle of the source: a recurrent encoder reads one way, a Transformer both."""
    assert told in knock_out.other_ways(translator)
    sources = (["the", word, "is", "tired", "."] for word in ("chef", "key"))
    model = take(name_of_pair(translator.pair))
    tokens = torch.cat([language.encode(words).tokens for words in sources])
    trace = Trace(keep=["encoder.*"])
    model((tokens, tokens[:, :1]), trace=trace)
    name = "encoder.norm" if translator.is_transformer else "encoder.layers.0.hidden"
    one, other = trace[name]
    assert (one != other).any(dim=-1).tolist() == [earlier, True, True, True, True]


def test_a_recurrent_decoder_has_one_attention_to_knock_out() -> None:
    assert knock_out.parts_of(RECURRENT) == ["attention"]
    assert knock_out.parts_of(TRANSFORMER)[-3:] == ["2.4", "layer 1", "layer 2"]


def test_a_word_that_is_not_needed_is_asked_for_among_those_that_are() -> None:
    words = [Typed(word) for word in "abcdef"]
    asked = knock_out.needless_word(words, [0.9, 0.01, 0.02, 0.8, 0.7, 0.95])
    assert asked is not None
    assert [option.text for option in asked.options] == ["*a*", "*b*", "*d*", "*f*"]
    assert solution(asked) == "*b*"
    assert knock_out.needless_word(words[:2], [0.9, 0.2]) is None
    assert knock_out.needless_word(words[:2], [0.01, 0.2]) is None
    assert knock_out.needless_word(words[:1], [0.01]) is None
    assert knock_out.needless_word(words[:2], [math.nan, 0.9]) is None


@pytest.mark.parametrize("network", ["LSTM", "RNN"])
def test_one_vector_stands_at_every_step_beside_one_context_for_each(network: str) -> None:
    session = opened("bottleneck", translator=network, text=KEY)
    assert session.pictures == ["contexts_none", "contexts_dot", "by_length", "told"]
    alone, attending_ = (recurrent_pair(network.lower(), kind) for kind in ("none", "dot"))  # type: ignore[arg-type]
    vector = fixed_vector(load_translator(alone, words_of(KEY)))
    of_steps = contexts(load_translator(attending_, words_of(KEY)), RIGHT)
    np.testing.assert_allclose(session.matrix("contexts_none"), np.tile(vector.hidden, (10, 1)), atol=1e-5)
    np.testing.assert_allclose(session.matrix("contexts_dot"), of_steps, atol=1e-5)
    limits = [session.figure(name)["data"][0]["zmax"] for name in ("contexts_none", "contexts_dot")]
    assert limits == pytest.approx([max(abs(vector.hidden).max(), abs(of_steps).max())] * 2)
    assert f"change by {np.abs(np.diff(of_steps, axis=0)).mean():.2f}" in session.prose
    assert f"from one vector of {len(vector.hidden) + len(vector.cell)} numbers" in session.sheet.answer


def test_curves_and_their_bars_are_the_shares_and_their_errors() -> None:
    session = opened("bottleneck")
    expected = by_source_length(record_of_translator(LSTM))
    lines = {
        line["hovertext"][0].split(":")[0]: line
        for line in session.figure("by_length")["data"]
        if line["hovertext"]
    }
    assert set(lines) == {"LSTM alone", "LSTM, attention", "Transformer"}
    curve = lines["LSTM, attention"]
    np.testing.assert_allclose(numbers(curve["y"]), [share.value for share in expected.values()])
    np.testing.assert_allclose(numbers(curve["error_y"]["array"]), [one.error for one in expected.values()])


def test_what_is_told_of_the_sentence_is_the_probes_probability_of_each_word() -> None:
    session = opened("bottleneck", text=KEY)
    table, words = session.table("told"), words_of(KEY)
    assert list(table["word"]) == list(words)
    for name, pair in (("LSTM alone", FIXED), ("LSTM, attention", LSTM)):
        expected = told_by_probe(load_translator(pair, words), load_probe(pair)[0])
        np.testing.assert_allclose(table[name], expected, atol=1e-6)
        assert f"**{name}** {sum(expected[at] > 0.5 for at in (1, 4, 5, 7))}" in session.prose
    record = take_probe("probe-lstm-none")[1].told
    found = Share(
        sum(one.right for one in record.by_distance.values()),
        sum(one.n for one in record.by_distance.values()),
    )
    assert f"it finds: LSTM alone {per_cent(found.value)}" in session.prose
    unknown = opened("bottleneck", text="the chef saw xyzzy .").table("told").set_index("word")
    assert unknown.loc["xyzzy†"].isna().all()
    assert unknown.loc["chef"].notna().all()


@pytest.mark.usefixtures("noise_shelf")
def test_what_was_not_measured_is_left_out_and_the_rest_goes_on() -> None:
    session = opened("bottleneck")
    assert session.pictures == ["contexts_none", "contexts_dot"]
    assert len(session.infos) == 1
    (warning,) = session.warnings
    assert warning.startswith("The probes probe-lstm-none and probe-lstm-dot are")


def test_a_transformer_has_no_fixed_vector_so_the_link_is_corrected() -> None:
    session = opened("bottleneck", translator="Transformer")
    assert session.value("translator") == "LSTM"
    assert "Transformer" in readable(session.warnings[0])


SPANS = ("4–6", "7–9", "25–34")


def claimed(attending_: Sequence[int], alone: Sequence[int]) -> str:
    shares = [dict(zip(SPANS, (Share(n, 100) for n in of), strict=True)) for of in (alone, attending_)]
    return by_length.claim(*shares, alone="alone", attending="attending")


MORE, FEWER = "more sentences are right", "fewer sentences are right"
REST = "elsewhere the difference is not more than 2 standard errors."


@each(
    ("attending_", "alone", "said"),
    [
        ([100, 90, 70], [50, 20, 10], f"**With attention {MORE} at every length**."),
        ([90, 50, 3], [5, 5, 1], f"**With attention {MORE} up to 7–9 words**; {REST}"),
        ([90, 90, 70], [88, 89, 10], f"**With attention {MORE} at 25–34 words**; {REST}"),
        ([50, 50, 50], [50, 48, 55], "At no length is the difference more than 2 standard errors."),
        ([10, 20, 5], [60, 90, 70], f"**With attention {FEWER} at every length**."),
        (
            [90, 50, 10],
            [50, 50, 60],
            f"**With attention {MORE} at 4–6 words, and {FEWER} at 25–34 words**; {REST}",
        ),
    ],
)
def test_where_attention_is_better_is_said_of_both_sides(
    attending_: list[int], alone: list[int], said: str
) -> None:
    assert f" {said}" in claimed(attending_, alone)


def test_length_is_not_blamed_for_a_difference_that_short_sentences_have() -> None:
    assert claimed([100, 97, 76], [48, 12, 0]).endswith("so length is not its only reason.")
    assert "only reason" not in claimed([90, 90, 80], [90, 30, 20])
    none_right = "**alone** gets none right, however short"
    assert none_right in claimed([93, 53, 1], [0, 0, 0])
    assert none_right not in claimed([93, 53, 1], [1, 0, 0])
    assert by_length.claim({}, {"4–6": Share(1, 2)}, alone="a", attending="b").startswith("One of the two")


@each(
    ("alone", "attending_", "right"),
    [(2, 94, "clearly fewer"), (94, 20, "clearly more"), (95, 96, "about as many"), (86, 94, None)],
)
def test_sentences_right_without_attention_are_asked_for_if_that_is_no_luck(
    alone: int, attending_: int, right: str | None
) -> None:
    shares = {"4–6": (Share(alone, 100), Share(attending_, 100))}
    asked = by_length.right_without_attention("LSTM", shares)
    assert (asked and solution(asked)) == right
    assert by_length.right_without_attention("RNN", {}) is None


def test_the_end_of_a_translation_takes_a_step() -> None:
    def known(asked: Estimate | None) -> set[float]:
        assert asked is not None
        return set(dict(asked.mistaken))

    assert known(translate.steps_of_writing(3, 4)) == {1, 3}
    assert known(translate.steps_of_writing(1, 2)) == set(), "1 may be either mistake"
    assert translate.steps_of_writing(0, 1) is None
    page = Asked(PAGE)
    assert f"takes {solution(page.questions[0])} steps" in page.sheet.answer


@each("translator", ["Transformer", "LSTM", "RNN"])
def test_no_question_says_of_recurrent_networks_what_holds_for_transformers_alone(translator: str) -> None:
    for view in ("translate", "cross-attention", "knock out"):
        questions = opened(view, translator=translator).questions
        assert 1 <= len(questions) <= 2
        for asked in questions:
            said = " ".join(texts(asked))
            assert "at once" not in said
            assert "self-attention" not in said


def in_pieces_of(**more: Any) -> InPieces:
    none = np.zeros((1, 1, 1, 1), dtype=np.float32)
    found = Attending(("<s>", "a"), ("a", "<b>"), none, none, none, np.zeros(2))
    usual: dict[str, Any] = {"target": (4, 9), "n_given": 0, "n_too_many": 0, "text": "a <b>"}
    return InPieces(found, source=(1,), start=0, ends=(9,), longest=8, **usual | more)


def test_how_a_pretrained_model_came_to_an_end_is_said() -> None:
    assert in_pieces.headline("T5", in_pieces_of()).endswith("one after the other, and ended by itself.")
    assert "was cut off" in in_pieces.headline("T5", in_pieces_of(target=(4, 5)))
    assert in_pieces.headline("T5", in_pieces_of(target=(9,))) == "T5 wrote 1 piece and ended by itself."


def test_what_was_written_is_quoted_as_typed_with_what_was_given() -> None:
    told = in_pieces.what_is_written("T5", in_pieces_of(n_given=1, n_too_many=1))
    assert told.startswith("**T5 writes** *a ")
    assert "<b>" not in told
    assert told.endswith("Given, not chosen: **a**. 1 piece more had no room.")
    assert in_pieces.what_is_written("T5", in_pieces_of(text=" ")) == "**T5 writes** special tokens alone."
    assert in_pieces.given(in_pieces_of(n_given=1)) == "Given, not chosen: **a**."


def test_tasks_are_named_until_the_text_begins_with_one() -> None:
    tasks = ("run: ", "saw <b>: ", *(f"t{n}: " for n in range(5)))
    told = in_pieces.tasks_named("T5", tasks, "the cat")
    assert told.count("*") - told.count("\\*") == 2 * in_pieces.MOST_TASKS
    assert "<b>" not in told
    assert in_pieces.tasks_named("T5", tasks, " run: the cat") == ""
    assert in_pieces.tasks_named("T5", (), "the cat") == ""
