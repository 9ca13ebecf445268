"""Translation: the page shows the results of the chosen translator for the typed sentence."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from core.decoding import Sampling
from core.learning.collection import load_listed_member
from core.learning.collection.translators import TranslatorConfig, name_of_pair, recurrent_pair
from core.learning.evaluation.translation import Share
from core.learning.probes.probe_store import take_probe
from core.measures.translation.alignment import (
    ReferenceTranslation,
    judged,
    n_right,
    pair_of,
    rates_of_test_set,
    reference,
    share_aligned,
    targets_of,
)
from core.measures.translation.attending import PieceTranslation, TranslatorAttention, attending
from core.measures.translation.knock_out import KnockOut, hidden_effects, translate_without
from core.measures.translation.vector import by_source_length, contexts, fixed_vector, word_probabilities
from core.measures.translation.writing import Strategy, WrittenTranslation, write
from core.model.alignment import SCORE_FUNCTIONS
from core.model.trace import Trace
from core.sources.probes import load_probe
from core.sources.trained import load_translator, record_of_translator
from core.text import language
from core.text.language import START
from core.text.tokenizer import words_of
from core.text.translation import Translation
from pages.contract.arrangement import arranged
from pages.contract.look import Look
from pages.contract.prose import Typed
from pages.contract.question import solution
from pages.contract.sheet import PicturePart
from pages.sheet import build_sheet
from pages.translation import aligned, by_length, cross_attention, decoding, in_pieces, knock_out, translate
from pages.translation.bottleneck import BY_LENGTH
from pages.translation.decoding import MOST_GIVEN
from pages.translation.source_sentence import KEY, no_reference
from pages.translation.translator import USUAL, translator_of
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.programs import printed
from words import per_cent

PAGE = "translation"
WORDS = KEY.split()
RIGHT = ["este", "lo", "klavo", "ke", "las", "jardinoras", "ha", "vendit", "gravo", "."]
LSTM, FIXED = recurrent_pair("lstm", "dot"), recurrent_pair("lstm", "none")
EXACT = Translation(("lo", "klavo"), frozenset({(1, 1), (0, 0)}))


def opened(view: str, **parameters: object) -> Asked:
    return Asked(PAGE, view=view, **parameters)


def bars(session: Any, picture: str) -> np.ndarray:
    return np.array([numbers(row["y"]) for row in session.figure(picture)["data"]])


def written(*words: str, chosen: float = -0.25) -> WrittenTranslation:
    return WrittenTranslation(words, np.zeros((len(words), 2)), np.full(len(words), chosen), ())


def test_the_translation_is_the_models_and_is_compared_with_the_rules() -> None:
    session, found = Asked(PAGE, step=3), write(load_translator(USUAL, WORDS), Strategy())
    np.testing.assert_allclose(bars(session, "certainty")[0], np.exp(found.chosen), atol=1e-6)
    top = found.choices(2).head(8)
    np.testing.assert_allclose(numbers(session.figure("choices")["data"][0]["x"]), top["before"], atol=1e-6)
    text = written("lo", "klavo", "</s>")
    assert translate.marked_reference(text, ("lo", "klavo")).startswith(":green-badge[right]")
    assert translate.marked_reference(text, ("lo", "gato")).endswith(": lo :red[**gato**]")
    assert translate.marked_reference(text, None) == ""
    assert "itself" in decoding.ending(text)
    assert "cut off after 1 step." in decoding.ending(written("lo"))


def test_each_strategy_chooses_the_words_that_core_chooses_and_is_named() -> None:
    asked = {"translator": "LSTM", "attention": "none"}
    sampling = Sampling(temperature=2.0, top_k=10, top_p=0.9)
    drawn = write(load_translator(FIXED, WORDS), Strategy(way="sampled", sampling=sampling, seed=4))
    session = Asked(PAGE, **asked, way="sampled", temperature="2", top_k=10, top_p="0.9", seed=4, step=2)
    np.testing.assert_allclose(bars(session, "certainty")[0], np.exp(drawn.chosen), atol=1e-6)
    after = numbers(session.figure("choices")["data"][1]["x"])
    np.testing.assert_allclose(after, drawn.choices(1)["after"].head(len(after)), atol=1e-6)
    assert session.sheet.headline.startswith("Sampling at temperature 2 takes")
    beam = write(load_translator(FIXED, WORDS), Strategy(way="beam", width=5))
    session.set(way="beam")
    session.set(beam=5)
    assert session.sheet.headline.startswith("Beam search of width 5 takes")
    kept = [one for one in beam.tree if one.rank is not None]
    points = session.figure("beam_tree")["data"][-1]["customdata"]
    assert [one.step for one in kept if one.step in set(points)] == list(points)
    session.click("beam_tree", x=1, y=1, data=4)
    assert session.value("step") == 4


@each(
    ("way", "own", "greedy", "said"),
    [
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


def test_the_number_of_given_words_is_limited_and_a_note_says_so() -> None:
    given = ("lo", "gravo") * (MOST_GIVEN // 2)
    session = Asked(PAGE, begins=" ".join((*given, "lo")))
    found = write(load_translator(USUAL, WORDS), Strategy(prefix=given))
    np.testing.assert_allclose(bars(session, "certainty")[0], np.exp(found.chosen), atol=1e-6)
    assert session.infos == ["At most 32 words can be given: the first of your 33."]


def test_a_translation_begins_as_one_likes_and_strange_words_are_named_once() -> None:
    session = Asked(PAGE, begins="este la <b> snark snark", step=1)
    found = write(load_translator(USUAL, WORDS), Strategy(prefix=("este", "la")))
    np.testing.assert_allclose(bars(session, "certainty")[0], np.exp(found.chosen), atol=1e-6)
    assert "Step 1 is set by you to *este*, for which" in readable(str(session.sheet.headline))
    (note,) = session.infos
    assert note.count("snark") == 1
    assert "<b>" not in note
    session.set(way="beam")
    assert list(session.figure("beam_tree")["data"][-1]["customdata"])[:2] == [1, 2]


def test_a_hall_sees_the_source_above_the_picture() -> None:
    found = build_sheet("/translation?way=beam", Look(fills=True))
    picture = arranged(found.sheet.parts).picture
    assert picture is not None
    panel = picture.panels[0]
    assert isinstance(panel.drawn, PicturePart)
    assert "the key that the gardeners sold is heavy" in f"{panel.heading} {panel.drawn.picture.title}"


def test_a_wrong_word_is_one_click_away_and_is_the_likeliest_wrong_one() -> None:
    session = Asked(PAGE, way="beam")
    session.press("Begin with another word")
    choices = write(load_translator(USUAL, WORDS), Strategy()).choices(1)
    wrong = next(word for word in choices["word"] if word != "lo")
    assert session.link == {"way": "greedy", "begins": f"este {wrong}"}
    assert ":red[**lo**]" in session.prose
    assert translate.with_mistake(written("lo", "</s>")) == ()


def test_words_that_come_twice_are_two_steps_of_the_buttons_the_row_and_the_bars() -> None:
    session = Session(PAGE, text="mina lost her lamp but zuko found it .")
    labels = [option.content for option in session.element("step").proto.options]
    assert len(set(labels)) == len(labels)
    assert [label.strip("\u2060") for label in labels].count("ha") == 2
    for label, step in (("Next →", 2), ("Next →", 3), ("← Back", 2)):
        session.press(label)
        assert session.value("step") == step
    session.set(step=len(labels))
    assert session.value("step") == len(labels)
    session.click("certainty", x=4, y=0, data=[0, 4])
    assert session.value("step") == 5


def test_a_missing_full_stop_is_added_and_words_outside_the_rules_are_named() -> None:
    stopped = Asked(PAGE, text=KEY.removesuffix(" ."))
    assert "green-badge[right]" in stopped.prose
    assert "A full stop is added" in stopped.prose
    unknown = opened("cross-attention", text="the <b>snark</b> is heavy")
    assert "unknown" in unknown.prose
    assert unknown.has("alignment")
    assert no_reference(ReferenceTranslation(EXACT), has_unknown=False) == ""
    assert "translate known words only" in no_reference(ReferenceTranslation(None, "<b>"), has_unknown=True)
    told = no_reference(ReferenceTranslation(None, "at word 2 *x*"), has_unknown=False)
    assert "have no translation of this sentence: at word 2 \\*x\\*." in told


@each("kind", ["cross-attention", "decoder"])
def test_rows_and_columns_are_the_words_of_their_side(kind: str) -> None:
    session = opened("cross-attention", layer=1, head=3, kind=kind)
    fed, out = ["&lt;s&gt;", *RIGHT], [*RIGHT, "&lt;/s&gt;"]
    layout = session.figure("alignment")["layout"]
    rows = {"cross-attention": out, "decoder": fed}[kind]
    assert layout["yaxis"]["ticktext"] == rows
    assert layout["xaxis"]["ticktext"] == (fed if kind == "decoder" else WORDS)
    assert session.has("aligned") == (kind == "cross-attention")
    if kind != "cross-attention":
        largest = session.matrix("alignment")[1:].max()  # the first row has one key
        assert f"head 3 of layer 1 of the {kind} is {largest:.2f}: " in session.sheet.headline


def test_every_heads_share_of_aligned_words_is_drawn_and_a_click_chooses_a_head() -> None:
    session = opened("cross-attention")
    rates = rates_of_test_set(load_translator(USUAL, (START,)).model)["content words"].to_numpy()
    cross, exact = attending(load_translator(USUAL, WORDS), RIGHT).cross, reference(WORDS).translation
    assert exact is not None
    here = [n_right(head, exact, content=True) for layer in cross for head in layer]
    shown = bars(session, "aligned")
    np.testing.assert_allclose(shown[0], share_aligned(rates), atol=1e-6)
    np.testing.assert_allclose(shown[1], np.array(here) / len(targets_of(exact, content=True)), atol=1e-6)
    names = session.figure("aligned")["layout"]["xaxis"]["ticktext"]
    assert "layer 2, head 4" in names[-1]
    session.click("aligned", x=6, y=0, data=[0, 6])
    assert (session.value("layer"), session.value("head")) == (2, 3)
    assert (
        f"Head 3 of layer 2 finds the source word of {per_cent(float(shown[0][6]))} of content"
        in session.sheet.headline
    )


def test_every_score_functions_share_is_drawn_and_a_click_chooses_one() -> None:
    session = opened("cross-attention", translator="LSTM", attention="linear")
    known = {one: judged(record_of_translator(pair_of(one))).hits for one in SCORE_FUNCTIONS}
    np.testing.assert_allclose(bars(session, "aligned")[0], list(known.values()), atol=1e-6)
    assert (
        f"with linear attention finds the source word of {per_cent(known['linear'])} of"
        in session.sheet.headline
    )
    trace, largest = session.figure("alignment")["data"][0], np.abs(session.matrix("alignment")).max()
    assert (trace["zmin"], trace["zmax"]) == pytest.approx((-largest, largest)), "it has signs"
    rows = [row for row in session.prose.splitlines() if "| $" in row]
    assert [
        hits for hits, row in zip(known.values(), rows, strict=True) if f"| {per_cent(hits)} |" not in row
    ] == []
    session.click("aligned", x=2, y=0, data=[0, 2])
    assert session.value("attention") == list(SCORE_FUNCTIONS)[2]


@each(
    ("share", "by_place", "said"),
    [
        (
            0.17,
            0.25,
            "finds the source word of 17 % of content words, fewer than a guess by position (25 %).",
        ),
        (0.25, 0.17, "finds the source word of 25 % of content words, more than a guess by position (17 %)."),
        (0.27, 0.25, "about as many as"),
    ],
)
def test_a_head_is_compared_with_the_same_relative_place(share: float, by_place: float, said: str) -> None:
    assert said in cross_attention.headline("head 1 of layer 2", share, by_place)


def test_the_best_head_is_named_with_its_share_and_articles_are_not_counted() -> None:
    rates = {"layer": [1, 2], "head": [1, 3], "content words": [0.7, 0.09], "best": [False, True]}
    told = aligned.best_aligned(pd.DataFrame(rates))
    assert "Head 3 of layer 2 was chosen as the best on 128 other sentences." in told
    assert told.endswith(f"On these 256 it aligns {per_cent(share_aligned(0.09))}.")
    weights, articles = np.eye(2), Translation(("lo",), frozenset({(0, 0)}))
    assert "aligns **the only content word**" in cross_attention.in_this_sentence(weights, EXACT, "head 1")
    assert cross_attention.in_this_sentence(weights, articles, "head 1") == ""


@each(
    ("pair", "link", "missing", "named"),
    [
        (LSTM, {"translator": "LSTM", "cut": ["attention"]}, KnockOut(4, layers=frozenset({0})),
         "*gardeners* and attention"),
        (USUAL, {"cut": ["1.4", "2.2"]}, KnockOut(4, frozenset({(0, 3), (1, 1)})),
         "*gardeners*, head 4 of layer 1 and head 2 of layer 2"),
    ],
)  # fmt: skip
def test_ablated_heads_are_missing(
    pair: TranslatorConfig, link: dict[str, Any], missing: KnockOut, named: str
) -> None:
    session = opened("knock out", **link)
    shown = numbers(session.figure("hidden_effects")["data"][0]["z"])
    np.testing.assert_allclose(shown, hidden_effects(load_translator(pair, WORDS), RIGHT), atol=1e-6)
    session.click("hidden_effects", x=4, y=5)
    assert session.value("hidden") == 5
    marked = session.figure("hidden_effects")["layout"]["xaxis"]["ticktext"][4]
    assert marked.startswith("<b>"), "the column that the headline is about"
    assert "gardeners" in marked
    without = translate_without(load_translator(pair, WORDS), missing)
    assert tuple(printed(session.code, alone=False).split()) == without
    told = session.prose.split(f"**Without {named}**")
    assert len(told) == 2
    assert all(word in told[1] for word in without)


SOURCE, INTACT = tuple(map(Typed, ("the", "<b>", "the"))), ("lo", "klavo", "lo")
EFFECTS = np.array([[0.0, 0.0, 0.04], [0.1, 0.2, 0.0], [0.0, 0.9, 0.3], [0.0, 0.0, 0.0]])


def test_the_word_that_costs_most_is_named_with_its_cost() -> None:
    told = knock_out.most_costly(EFFECTS, SOURCE, INTACT)
    assert told.endswith("costs most: it lowers the probability of *lo* (3) by 0.90.")
    assert "<b>" not in told
    told = knock_out.most_costly(EFFECTS[:, ::2], SOURCE[::2], INTACT)
    assert told == "Hiding *the* (2) costs most: it lowers the probability of *lo* (3) by 0.30."
    assert "by 0.05 or more" in knock_out.most_costly(np.full((4, 3), 0.0499), SOURCE, INTACT)
    assert "</s>" not in knock_out.most_costly(np.eye(4, 3)[::-1], SOURCE, INTACT)
    words = tuple(map(Typed, ("the", "key", "the")))
    assert knock_out.needless(EFFECTS, words) == ""
    assert knock_out.needless(np.minimum(EFFECTS, 0.0499), words).startswith(
        "Without *the* (1), *key*, *the*"
    )
    spared = knock_out.needless(EFFECTS * [0.1, 1, 0.1], words)
    assert spared == "Without *the* (1), *the* (3), one at a time, no word loses 0.05 or more."


def test_the_headline_names_missing_parts_and_the_cost_of_the_hidden_word() -> None:
    def told(missing: KnockOut, effects: np.ndarray = EFFECTS, without: Sequence[str] = ("lo",)) -> str:
        return knock_out.headline(effects, SOURCE, INTACT, without, missing, "*x*")

    changes, first = "Without *x* the translation changes.", "Hiding *the* (1) alone"
    assert told(KnockOut(0)) == f"{changes} {first} costs *klavo* most: its probability falls by 0.10."
    assert (
        told(KnockOut(0), EFFECTS / 10) == f"{changes} {first} makes no word less probable by 0.05 or more."
    )
    same = told(KnockOut(layers=frozenset({0})), without=INTACT)
    assert same == "Without *x* the translation stays the same."


@each(
    ("pair", "earlier", "told"),
    [
        (USUAL, True, "of other words."),
        (LSTM, False, "of later words: the decoder starts with the last state and the last cell"),
    ],
)
def test_a_hidden_word_reaches_the_decoder_through_the_states_that_depend_on_it(
    pair: TranslatorConfig, earlier: bool, told: str
) -> None:
    """Another word in the middle of the source: a recurrent encoder reads one way, a Transformer both."""
    assert f"states {told}" in knock_out.other_ways(translator_of(pair), 5)
    sources = (["the", word, "is", "tired", "."] for word in ("chef", "key"))
    tokens, trace = torch.cat([language.encode(words).tokens for words in sources]), Trace(keep=["encoder.*"])
    load_listed_member(name_of_pair(pair))((tokens, tokens[:, :1]), trace=trace)
    one, other = trace["encoder.norm" if earlier else "encoder.layers.0.hidden"]
    assert (one != other).any(dim=-1).tolist() == [earlier, True, True, True, True]


@each("network", ["lstm", "rnn"])
def test_one_vector_stands_at_every_step_beside_one_context_for_each(network: Any) -> None:
    session = opened("bottleneck", translator=network.upper(), text=KEY)
    alone, attending_ = (recurrent_pair(network, kind) for kind in ("none", "dot"))  # type: ignore[arg-type]
    vector = fixed_vector(load_translator(alone, words_of(KEY)))
    of_steps = contexts(load_translator(attending_, words_of(KEY)), RIGHT)
    np.testing.assert_allclose(session.matrix("contexts_none"), np.tile(vector.hidden, (10, 1)), atol=1e-5)
    np.testing.assert_allclose(session.matrix("contexts_dot"), of_steps, atol=1e-5)
    limits = [session.figure(name)["data"][0]["zmax"] for name in ("contexts_none", "contexts_dot")]
    assert limits == pytest.approx([max(abs(vector.hidden).max(), abs(of_steps).max())] * 2)
    assert f"change by {np.abs(np.diff(of_steps, axis=0)).mean():.2f}" in session.prose
    assert f"has one vector of {len(vector.hidden) + len(vector.cell)} numbers" in session.sheet.headline


def test_curves_and_their_bars_are_the_shares_and_their_errors() -> None:
    session = opened("bottleneck", shows=BY_LENGTH)
    assert session.pictures == ["by_length"], "a hall sees the curves alone"
    lines = [line for line in session.figure("by_length")["data"] if line["hovertext"]]
    named = {line["hovertext"][0].split(":")[0]: line for line in lines}
    assert set(named) == {"LSTM, no attention", "LSTM, attention", "Transformer"}
    curve, expected = named["LSTM, attention"], by_source_length(record_of_translator(LSTM)).values()
    np.testing.assert_allclose(numbers(curve["y"]), [share.value for share in expected])
    np.testing.assert_allclose(numbers(curve["error_y"]["array"]), [one.error for one in expected])
    of_alone = by_source_length(record_of_translator(FIXED)).values()
    furthest = max(zip(of_alone, expected, strict=True), key=lambda both: both[1].value - both[0].value)
    marked = {note["text"] for note in session.figure("by_length")["layout"]["annotations"]}
    assert {f"<b>{per_cent(share.value)}</b>" for share in furthest} <= marked
    *_, alone = of_alone
    *_, attending_ = expected
    ends = f"{per_cent(attending_.value)} wholly right with attention and {per_cent(alone.value)} without."
    assert session.sheet.headline.endswith(ends)


def test_the_recovery_of_the_sentence_is_the_probes_probability_of_each_word() -> None:
    session = opened("bottleneck", text=KEY)
    table, words = session.table("told"), words_of(KEY)
    assert [word.partition(" ")[0] for word in table.index] == list(words)
    for name, pair in (("LSTM, no attention", FIXED), ("LSTM, attention", LSTM)):
        expected = word_probabilities(load_translator(pair, words), load_probe(pair)[0])
        np.testing.assert_allclose(table[name], expected, atol=1e-6)
        n = sum(expected[at] > 0.5 for at in (1, 4, 5, 7))
        assert f"{n or 'none'} in the vector of **{name}**" in session.prose
    shares = take_probe("probe-lstm-none")[1].counts.by_distance.values()
    found = sum(one.right for one in shares) / sum(one.n for one in shares)
    assert f"it finds: LSTM, no attention {per_cent(found)}" in session.prose
    unknown = opened("bottleneck", text="the chef saw xyzzy .").table("told")
    assert unknown.loc["xyzzy†"].isna().all()
    assert unknown.loc["chef"].notna().all()


@pytest.mark.usefixtures("noise_shelf")
def test_missing_measurements_are_left_out_and_the_rest_is_shown() -> None:
    session = opened("bottleneck")
    assert session.pictures == ["contexts_none", "contexts_dot"]
    (warning,) = session.warnings
    assert warning.startswith("The probes probe-lstm-none and probe-lstm-dot are")
    session = opened("bottleneck", shows=BY_LENGTH)
    assert session.pictures == []
    assert session.sheet.headline == by_length.NO_RECORDS
    session = opened("cross-attention", translator="LSTM")
    assert session.pictures == ["alignment"]
    assert "not measured" in session.prose


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
        ([90, 50, 10], [50, 50, 60], f"**With attention {MORE} at 4–6 words, and {FEWER} at 25–34 words**;"),
    ],
)
def test_where_attention_is_better_is_said_of_both_sides(
    attending_: list[int], alone: list[int], said: str
) -> None:
    assert f" {said}" in claimed(attending_, alone)


def test_length_is_not_blamed_for_a_difference_that_short_sentences_have() -> None:
    def cautioned(attending_: Sequence[int], alone: Sequence[int]) -> str:
        shares = [dict(zip(SPANS, (Share(n, 100) for n in of), strict=True)) for of in (alone, attending_)]
        return by_length.already_there(*shares)

    assert cautioned([100, 97, 76], [48, 12, 0]).endswith("so length is not the only reason.")
    assert cautioned([90, 90, 80], [90, 30, 20]) == cautioned([93, 53, 1], [0, 0, 0]) == ""
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


@each(("n_words", "n_steps", "mistakes"), [(3, 4, {1, 3}), (1, 2, set()), (0, 1, None)])
def test_the_end_of_a_translation_takes_a_step(
    n_words: int, n_steps: int, mistakes: set[float] | None
) -> None:
    asked = translate.steps_of_writing(n_words, n_steps)
    assert (asked and set(dict(asked.mistaken))) == mistakes


def in_pieces_of(**more: Any) -> PieceTranslation:
    none = np.zeros((1, 1, 1, 1), dtype=np.float32)
    found = TranslatorAttention(("<s>", "a"), ("a", "<b>"), none, none, none)
    usual: dict[str, Any] = {"target": (4, 9), "n_given": 0, "n_too_many": 0, "text": "a <b>"}
    return PieceTranslation(found, source=(1,), ends=(9,), **usual | more)


def test_the_end_of_a_pretrained_models_text_is_explained_with_its_given_words() -> None:
    assert in_pieces.headline("T5", in_pieces_of()).endswith("one after the other, and ended by itself.")
    assert "was cut off" in in_pieces.headline("T5", in_pieces_of(target=(4, 5)))
    assert in_pieces.headline("T5", in_pieces_of(target=(9,))) == "T5 wrote 1 token and ended by itself."
    told = in_pieces.what_is_written("T5", in_pieces_of(n_given=1, n_too_many=1))
    assert told.startswith("**The whole text is** *a ")
    assert in_pieces.headline("T5", in_pieces_of(n_given=1)).startswith("After 1 given token, T5 wrote ")
    assert "<b>" not in told
    assert told.endswith("Given, not chosen: **a**. 1 token more had no room.")
    assert in_pieces.given(in_pieces_of(n_given=1)) == "Given, not chosen: **a**."
    assert in_pieces.what_is_written("T5", in_pieces_of(text=" ")) == "**T5 writes** special tokens alone."


def test_tasks_are_named_until_the_text_begins_with_one() -> None:
    tasks = ("run: ", "saw <b>: ", *(f"t{n}: " for n in range(5)))
    told = in_pieces.tasks_named("T5", tasks, "the cat")
    assert told.count("*") - told.count("\\*") == 2 * in_pieces.MOST_TASKS
    assert "<b>" not in told
    assert in_pieces.tasks_named("T5", tasks, " run: the cat") == in_pieces.tasks_named("T5", (), "cat") == ""
