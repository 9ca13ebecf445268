"""What the views of Translation say, at every branch, on numbers made up."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from core.decoding import Sampling
from core.learning.collection import take
from core.learning.collection.translators import name_of_pair
from core.measures.translation.attending import Attending
from core.measures.translation.in_pieces import InPieces
from core.measures.translation.knock_out import KnockOut
from core.measures.translation.reference import Reference
from core.measures.translation.scoring import Judged
from core.measures.translation.writing import Strategy, Written
from core.model.trace import Trace
from core.text import language
from core.text.translation import Translation
from pages.controls.prose import Typed
from pages.shell.scene import Scene
from pages.translation import alignment_said, attention_said, forcing, in_pieces, knock_out, translate_said
from pages.translation.in_pieces import A_COLUMN, A_SQUARE
from pages.translation.kinds import CROSS, DECODER, ENCODER
from pages.translation.source_sentence import SourceSentence, no_reference
from pages.translation.translate import named
from pages.translation.translator import USUAL, Translator, recurrent_pair, translator_of
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import readable

TRANSFORMER, RECURRENT = translator_of(USUAL), translator_of(recurrent_pair("lstm", "dot"))
EXACT = Translation(("lo", "klavo"), frozenset({(1, 1), (0, 0)}))
BASELINES = {"by_place": 0.26, "at_random": 0.09}
NOT_DIVIDED = "It is not divided by the length, and each further word lowers it: shorter translations are"


def said(*words: str, translator: Translator = TRANSFORMER) -> SourceSentence:
    typed = tuple(map(Typed, words))
    return SourceSentence(Scene(typed, translator, 0, 0), typed, translator)


def written(*words: str, chosen: float = -0.25) -> Written:
    n = len(words)
    return Written(words, np.zeros((n, 2)), np.full(n, chosen), ())


def test_the_answer_of_a_translation_has_its_steps_and_their_log_probability() -> None:
    assert translate_said.answer(written("lo", "</s>")) == (
        "Word by word, in 2 steps, with a log-probability of −0.500 nats in all."
    )
    assert "in 1 step, with a log-probability of 0.000 nats" in translate_said.answer(written("lo", chosen=0))


def test_a_translation_is_right_where_it_is_that_of_the_rules() -> None:
    text = written("lo", "klavo", "</s>")
    assert translate_said.compared(text, ("lo", "klavo")).startswith(":green-badge[right] Word for word")
    wrong = translate_said.compared(text, ("lo", "gato"))
    assert wrong == ":red-badge[not right] By the rules: lo :red[**gato**]"
    assert translate_said.compared(text, None) == ""


@each(
    ("strategy", "parts"),
    [
        (Strategy(way="beam", width=1), ("keeps the one hypothesis", NOT_DIVIDED)),
        (Strategy(way="beam", width=3), ("keeps the 3 hypotheses", NOT_DIVIDED)),
        (Strategy(prefix=("lo",)), ("Greedy", "after the words it begins with")),
        (Strategy(), ("Greedy: the likeliest word each time, given",)),
        (Strategy(way="sampled", sampling=Sampling(), seed=1), ("Each word is drawn by chance",)),
    ],
)
def test_every_way_to_write_says_how_it_chooses(strategy: Strategy, parts: tuple[str, ...]) -> None:
    told = translate_said.how(strategy)
    assert all(part in told for part in parts)
    assert (NOT_DIVIDED in told) == (strategy.way == "beam")


def test_an_end_and_a_cut_are_told_apart() -> None:
    assert translate_said.ending(written("lo", "</s>")) == "It ended by itself after 2 steps."
    assert translate_said.ending(written("lo")) == (
        "It was cut off after 1 step without having come to an end."
    )


@each(
    ("way", "own", "greedy", "said"),
    [
        ("greedy", -0.5, -0.5, "**−1.000 nats**, the sum over its words."),
        ("beam", -0.25, -0.5, "**−0.500 nats**; that of the greedy one is −1.000 nats."),
        ("beam", -0.5, -0.25, "**−1.000 nats**; the greedy one has −0.500 nats: the beginning of"),
        ("sampled", -0.5, -0.25, "**−1.000 nats**; that of the greedy one is −0.500 nats."),
    ],
)
def test_a_translation_is_compared_with_the_greedy_one(
    way: str, own: float, greedy: float, said: str
) -> None:
    text, other = written("la", "</s>", chosen=own), written("lo", "</s>", chosen=greedy)
    assert said in translate_said.worth(text, other, way)


def test_the_same_words_as_the_greedy_ones_are_said_to_be_the_same() -> None:
    text = written("la", "</s>")
    assert translate_said.worth(text, text, "beam").endswith("**−0.500 nats**; the greedy one is the same.")


def test_words_that_the_second_language_does_not_have_are_left_out_and_named() -> None:
    begins = tuple(map(Typed, ("lo", "<b>", "</s>", "<b>")))
    assert translate_said.given(begins) == ("lo",)
    (note,) = translate_said.not_given(begins)
    assert "does not have **" in note
    assert "<b>" not in note
    assert note.count("**") == 4, "each once"
    assert translate_said.not_given((Typed("lo"),) * 32) == []
    assert translate_said.not_given((Typed("lo"),) * 33) == [
        "At most 32 words can be given: the first of your 33."
    ]


def test_a_step_is_named_by_at_most_four_words_before_it() -> None:
    words = ("a", "b", "c", "d", "e", "f")
    assert named(words, 0) == "word 1 after the start"
    assert named(words, 4) == "word 5 after “a b c d”"
    assert named(words, 5) == "word 6 after “… b c d e”"


def test_why_the_rules_have_no_translation_is_said_as_typed() -> None:
    assert no_reference(Reference(EXACT), has_unknown=False) == ""
    assert "translate known words only" in no_reference(Reference(None, "<b>"), has_unknown=True)
    told = no_reference(Reference(None, "at word 2 *x*"), has_unknown=False)
    assert "have no translation of this sentence: at word 2 \\*x\\*." in told


@each(
    ("hits", "said"),
    [
        ({"dot": 0.92, "linear": 0.65, "additive": 0.5}, "linear: from 65 % with linear to 92 % with dot."),
        ({"dot": 0.7, "a": 0.8, "b": 0.9}, "functions dot, a and b: from 70 % with dot to 90 % with b."),
        ({"dot": 0.92, "a": 0.1}, "with the score function dot, 92 % of them."),
        ({"dot": 0.4, "a": 0.5}, "; 50 % of content words at most attend most to a word that they translate"),
        ({}, "Nobody: training asked for the next word and never told which words belong together."),
    ],
)
def test_only_score_functions_that_align_more_than_half_are_claimed(
    hits: dict[str, float], said: str
) -> None:
    told = alignment_said.answer(hits, **BASELINES)
    assert said in told
    assert ("align by themselves" in told) == any(share > 0.5 for share in hits.values())


def test_what_a_baseline_does_as_well_is_not_claimed() -> None:
    for baselines in ({"by_place": 0.75, "at_random": 0.1}, {"by_place": 0.1, "at_random": 0.75}):
        assert "align by themselves" not in alignment_said.answer({"dot": 0.7}, **baselines)


def test_shares_stand_beside_both_baselines() -> None:
    told = alignment_said.shares({"dot": 0.92, "linear": 0.3}, **BASELINES)
    assert "**dot** 92 %, **linear** 30 %. Baselines that read nothing" in told
    assert told.endswith("the source word at the same relative place 26 %, one drawn at random 9 %.")
    assert alignment_said.shares({}, **BASELINES) == ""


def test_counts_of_the_sentence_are_listed_where_it_has_content_words() -> None:
    assert alignment_said.in_this_sentence({"dot": 4, "same relative place": 1}, 5) == (
        "In this translation, of 5 content words: dot 4, same relative place 1."
    )
    assert alignment_said.in_this_sentence({"dot": 0}, 0) == ""


def test_the_reading_without_a_softmax_is_said_to_be_ours() -> None:
    told = alignment_said.unlike_others()
    assert told.startswith("*Linear*: This reading of linear attention is ours.")
    assert "a softmax always follows there; here none does" in told


RATES = pd.DataFrame(
    {
        "layer": [1, 2],
        "head": [1, 3],
        "all words": [0.8, 0.29],
        "content words": [0.7, 0.09],
        "best": [False, True],
    }
)


def test_the_best_head_is_named_with_its_rates() -> None:
    told = attention_said.best_aligned(RATES)
    assert "On 128 other sentences, layer 2, head 3 has the lowest error rate" in told
    assert told.endswith("on these 256 it has 9 %.")
    placed = by_place(0.7)
    alone = attention_said.aligned_by(RATES[1:], placed, None)
    assert alone.startswith("The decoder aligns content words better than relative place: error rates 9 %")
    assert "an error rate of 70 % (content words) and 60 % (all words)." in attention_said.by_place(placed)


def by_place(content_error: float) -> Judged:
    return Judged(right=0, right_longest=0, error=0.6, content_error=content_error, hits=0.2)


@pytest.mark.parametrize(
    ("rate", "baseline", "said"),
    [
        (0.83, 0.75, "worse than relative place: error rates 83 % and 75 %."),
        (0.75, 0.83, "better than relative place: error rates 75 % and 83 %."),
        (0.77, 0.75, "about as well as relative place: error rates 77 % and 75 %."),
        (0.73, 0.75, "about as well as relative place: error rates 73 % and 75 %."),
        (0.75, 0.75, "about as well as relative place: error rates 75 % and 75 %."),
    ],
)
def test_a_head_is_compared_with_the_same_relative_place(rate: float, baseline: float, said: str) -> None:
    rates = RATES[:1].assign(**{"content words": rate})
    headline = attention_said.aligned_by(rates, by_place(baseline), None)
    assert headline == f"The decoder aligns content words {said}"


def test_words_of_this_sentence_are_counted_under_the_head_shown() -> None:
    weights = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]], dtype=np.float32)
    told = attention_said.in_this_sentence(weights, EXACT, (1, 0))
    assert "the head shown, layer 2, head 1, attends most" in told
    assert told.endswith("**1 of 1 content word**.")
    told = attention_said.in_this_sentence(weights[:, ::-1].copy(), EXACT, None)
    assert "In this translation the decoder attends most" in told
    assert told.endswith("**0 of 1 content word**.")


@pytest.mark.parametrize(("kind", "side"), [(ENCODER, "encoder"), (DECODER, "decoder")])
def test_the_largest_weight_within_a_language_is_named_query_first(kind: str, side: str) -> None:
    pattern, words = np.array([[0.1, 0.9], [0.3, 0.7]]), (("a", "<b>"), ("c", "d"))
    told = attention_said.largest(pattern, *words, "Layer 1 · head 2", kind)
    assert told == f"The largest weight of layer 1 · head 2 of the {side} is 0.90: *a* attends to *d*."
    told = attention_said.largest(pattern.T, *words, "Layer 1 · head 2", kind)
    assert "attends to *c*" in told
    assert "<b>" not in told


def forced(after: tuple[float, ...], *, at: int = 0, instead: str = "la") -> forcing.Found:
    before = (0.9, 0.5, 0.4, 0.8)
    return forcing.Found(
        said("the", "key"),
        forcing.Choices(at, instead),
        ("lo", "klavo", "."),
        np.array([before, after]),
        ("la", "klavo"),
    )


@pytest.mark.parametrize(
    ("after", "answer", "told"),
    [
        ((0.1, 0.5, 0.1, 0.5), "every later word that was likely stays likely.", ""),
        (
            (0.1, 0.4, 0.1, 0.5),
            "1 later word is no longer likely: it is 1 word on.",
            "*klavo* (0.500 → 0.400).",
        ),
        (
            (0.9, 0.1, 0.1, 0.1),
            "2 later words are no longer likely, and the last of them is 3 words on.",
            "*klavo* (0.500 → 0.100), *",
        ),
    ],
)
def test_words_that_are_no_longer_likely_are_counted_and_named(
    after: tuple[float, ...], answer: str, told: str
) -> None:
    found = forced(after)
    assert forcing.answer(found) == f"With *la* in place of *lo*, {answer}"
    assert told in forcing.told(found)
    assert bool(told) == bool(forcing.told(found))
    assert found.fed == ("la", "klavo", ".")


def test_bars_are_called_the_right_words_where_the_rules_have_some() -> None:
    for text, right in (("the cat sleeps", "right words"), ("cat the the", "its own words")):
        asked = Asked("translation", view="teacher forcing", text=text)
        assert list(asked.table("forced")) == ["word", right, "one wrong"]


def test_a_wrong_word_says_nothing_of_the_words_before_it() -> None:
    found = forced((0.1, 0.1, 0.1, 0.9), at=1, instead="<b>")
    assert "every later word that was likely stays" in forcing.answer(found)
    assert "<b>" not in forcing.answer(found)
    assert found.fed == ("lo", "<b>", ".")


SOURCE, INTACT = ("the", "<b>", "the"), ("lo", "klavo", "lo")
EFFECTS = np.array([[0.0, 0.0, 0.04], [0.1, 0.2, 0.0], [0.0, 0.9, 0.3], [0.0, 0.0, 0.0]])


def test_the_word_that_costs_most_is_named_with_what_it_costs() -> None:
    words = tuple(map(Typed, SOURCE))
    told = knock_out.answer(EFFECTS, words, INTACT)
    assert told.endswith("costs most: it lowers the probability of *lo* (3) by 0.90.")
    assert "<b>" not in told
    told = knock_out.answer(EFFECTS[:, ::2], words[::2], INTACT)
    assert told == "Hiding *the* (2) costs most: it lowers the probability of *lo* (3) by 0.30."
    assert "by 0.05 or more" in knock_out.answer(np.full((4, 3), 0.0499), words, INTACT)
    assert "</s>" not in knock_out.answer(np.eye(4, 3)[::-1], words, INTACT)


def test_words_that_are_not_needed_are_named() -> None:
    words = tuple(map(Typed, ("the", "key", "the")))
    spared = [
        knock_out.told(effects, words, TRANSFORMER)[1]
        for effects in (EFFECTS, np.minimum(EFFECTS, 0.0499), EFFECTS * [0.1, 1, 0.1])
    ]
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
    changed = (one != other).any(dim=-1).tolist()
    assert changed == [earlier, True, True, True, True]


@each(
    ("translator", "missing", "said"),
    [
        (TRANSFORMER, KnockOut(), ""),
        (TRANSFORMER, KnockOut(word=2), "*the* (3)"),
        (
            TRANSFORMER,
            KnockOut(word=1, heads=frozenset({(0, 1)}), layers=frozenset({1})),
            "*key*, head 1.2, cross-attention of layer 2",
        ),
        (RECURRENT, KnockOut(layers=frozenset({0})), "attention"),
    ],
)
def test_what_is_missing_is_named(translator: Translator, missing: KnockOut, said: str) -> None:
    words = tuple(map(Typed, ("the", "key", "the")))
    assert knock_out.missing_told(translator, words, missing) == said
    part = "a head" if translator is TRANSFORMER else "the attention"
    assert f"knock out {part}: the" in knock_out.invitation(translator)


def test_a_recurrent_decoder_has_one_attention_to_knock_out() -> None:
    assert knock_out.parts(RECURRENT) == ["attention"]
    assert knock_out.parts(TRANSFORMER)[-3:] == ["2.4", "layer 1", "layer 2"]


def in_pieces_of(**more: Any) -> InPieces:
    none = np.zeros((1, 1, 1, 1), dtype=np.float32)
    attending = Attending(("<s>", "a"), ("a", "<b>"), none, none, none, np.zeros(2))
    usual: dict[str, Any] = {"target": (4, 9), "n_given": 0, "n_too_many": 0, "text": "a <b>"}
    return InPieces(attending, source=(1,), start=0, ends=(9,), longest=8, **usual | more)


def test_how_a_pretrained_model_came_to_an_end_is_said() -> None:
    assert in_pieces.answer("T5", in_pieces_of()) == (
        "T5 wrote 2 pieces, one after the other, and ended by itself."
    )
    assert in_pieces.answer("T5", in_pieces_of(target=(4, 5))).endswith(
        "and was cut off without having come to an end."
    )
    assert in_pieces.answer("T5", in_pieces_of(target=(9,))) == "T5 wrote 1 piece and ended by itself."


def test_what_was_written_is_quoted_as_typed_with_what_was_given() -> None:
    told = in_pieces.what_is_written("T5", in_pieces_of(n_given=1, n_too_many=1))
    assert told.startswith("**T5 writes** *a ")
    assert "<b>" not in told
    assert told.endswith("Given, not chosen: **a**. 1 piece more had no room.")
    assert in_pieces.what_is_written("T5", in_pieces_of(text=" ")) == "**T5 writes** special tokens alone."
    assert in_pieces.given(in_pieces_of(n_given=1)) == "Given, not chosen: **a**."


def test_only_a_row_of_cross_attention_has_pieces_of_the_source_as_columns() -> None:
    assert [A_COLUMN in in_pieces.how_to_read(kind) for kind in (CROSS, ENCODER, DECODER)] == [
        True,
        False,
        False,
    ]
    assert "every piece of the source attends" in in_pieces.how_to_read(ENCODER)[0]
    assert in_pieces.how_to_read(CROSS)[-1] == A_SQUARE


def test_tasks_are_named_until_the_text_begins_with_one() -> None:
    tasks = ("run: ", "saw <b>: ", *(f"t{n}: " for n in range(5)))
    told = in_pieces.tasks_named("T5", tasks, "the cat")
    assert told.count("*") - told.count("\\*") == 2 * in_pieces.MOST_TASKS
    assert "<b>" not in told
    assert in_pieces.tasks_named("T5", tasks, " run: the cat") == ""
    assert in_pieces.tasks_named("T5", (), "the cat") == ""


def test_a_word_that_is_given_is_not_said_to_be_written_by_the_model() -> None:
    given = Asked("translation", view="translate", begins="la")
    assert "Step 1 is set by you to *la*, for which the model has p < 0.001." in readable(
        str(given.sheet.answer)
    )
    given.set(step=2)
    assert "Step 2 writes *" in readable(str(given.sheet.answer))
