"""What pages measure of translators is what the models themselves say, computed here word by word."""

from itertools import islice

import numpy as np
import pytest
import torch
from torch import Tensor

from core.decoding import Sampling
from core.learning.collection import take
from core.learning.collection.translators import (
    TranslatorConfig,
    name_of_pair,
    recurrent_pair,
    transformer_pair,
)
from core.learning.evaluation.alignment import implied
from core.learning.evaluation.translation import alignment_error_rates, best_head, weights
from core.measures.translation.alignment import (
    ALL_WORDS,
    CONTENT_WORDS,
    n_right,
    rates_of_test_set,
    reference,
    targets_of,
)
from core.measures.translation.attending import attending
from core.measures.translation.knock_out import KnockOut, hidden_effects, translate_without
from core.measures.translation.writing import Strategy, write
from core.model.trace import Trace
from core.sources.translators import LoadedTranslator, load_translator, record_of_translator
from core.text import language, translation
from core.text.language import START
from core.text.translation import END

WORDS = ["the", "key", "that", "the", "gardeners", "sold", "is", "heavy", "."]
RIGHT = ["este", "lo", "klavo", "ke", "las", "jardinoras", "ha", "vendit", "gravo", "."]
LSTM, FIXED, TRANSFORMER = (
    recurrent_pair("lstm", "dot"),
    recurrent_pair("lstm", "none"),
    transformer_pair(2, 1),
)
ALL = pytest.mark.parametrize("config", [LSTM, FIXED, TRANSFORMER], ids=name_of_pair)
ATTENDING = pytest.mark.parametrize("config", [LSTM, TRANSFORMER], ids=name_of_pair)


def loaded(config: TranslatorConfig) -> LoadedTranslator:
    return load_translator(config, WORDS)


def logits(config: TranslatorConfig, fed: list[str], **edits: Tensor) -> Tensor:
    """One row for each word that comes next, by the model itself."""
    source = language.encode(WORDS).tokens
    target = translation.vocabulary().encode([START, *fed])
    with torch.inference_mode():
        return take(name_of_pair(config))((source, target))[0].double()


def by_hand(config: TranslatorConfig, prefix: list[str]) -> list[str]:
    """The greedy translation after a prefix, everything computed anew for every word."""
    words = translation.vocabulary().words
    while END not in prefix and len(prefix) < 64:
        prefix = [*prefix, words[int(logits(config, prefix)[-1].argmax())]]
    return prefix


@ALL
def test_greedy_takes_the_likeliest_word_each_time(config: TranslatorConfig) -> None:
    found = write(loaded(config), Strategy())
    assert list(found.words) == by_hand(config, [])
    assert found.ended
    assert found.words[:-1] == found.sentence
    probabilities = logits(config, list(found.sentence)).softmax(-1).numpy()
    np.testing.assert_allclose(np.exp(found.log_probabilities), probabilities, atol=1e-6)
    assert found.total == pytest.approx(np.log(probabilities.max(axis=1)).sum(), abs=1e-5)
    table = found.choices(2)
    assert table["before"].is_monotonic_decreasing
    assert list(table["word"][table["answer"]]) == [found.words[2]]
    assert (table["before"] == table["after"]).all()


@ALL
def test_after_words_that_are_given_it_goes_on(config: TranslatorConfig) -> None:
    given = ("este", "la")
    greedy = write(loaded(config), Strategy(prefix=given))
    assert list(greedy.words) == by_hand(config, list(given))
    beam = write(loaded(config), Strategy(way="beam", prefix=given))
    assert beam.words == greedy.words, "a beam of width 1 is greedy"
    best = [one for one in beam.tree if one.best]
    assert tuple(one.word for one in best) == beam.words
    assert [one.step for one in best] == list(range(1, len(best) + 1))
    np.testing.assert_allclose([one.total for one in best], np.cumsum(beam.chosen), atol=1e-4)
    sampling = Sampling(top_k=1)
    drawn = write(loaded(config), Strategy(way="sampled", sampling=sampling, prefix=given))
    assert drawn.words == greedy.words


def test_what_was_drawn_can_have_been_drawn() -> None:
    """With top k = 2 two words are left at each step, whose probabilities a temperature brings together."""
    sampling = Sampling(temperature=3.0, top_k=2)
    one, same, other = (
        write(loaded(FIXED), Strategy(way="sampled", sampling=sampling, seed=seed)) for seed in (5, 5, 6)
    )
    assert one.words == same.words != other.words
    assert one.drawn is not None
    assert ((one.drawn > 0).sum(axis=1) == 2).all()
    for step, word in enumerate(one.words):
        table = one.choices(step).head(2)
        assert word in set(table["word"])
        odds = (table["before"][0] / table["before"][1]) ** (1 / 3)
        assert table["after"][0] / table["after"][1] == pytest.approx(odds, rel=1e-4)


def test_the_tree_of_a_beam_leads_to_its_sentence() -> None:
    beam = write(loaded(FIXED), Strategy(way="beam", width=4))
    best = [one for one in beam.tree if one.best]
    assert tuple(one.word for one in best) == beam.words
    np.testing.assert_allclose(np.cumsum([one.log_probability for one in best]), [one.total for one in best])
    assert best[-1].total == pytest.approx(beam.total, abs=1e-4)
    for step in range(1, max(one.step for one in beam.tree) + 1):
        kept = [one for one in beam.tree if one.step == step and one.rank is not None]
        assert [one.rank for one in kept] == list(range(len(kept)))
        assert len(kept) <= 4
        assert [one.total for one in kept] == sorted((one.total for one in kept), reverse=True)
        before = [one for one in beam.tree if one.step == step - 1]
        for one in kept if before else []:
            assert before[one.parent].total + one.log_probability == pytest.approx(one.total)


def test_the_reference_is_that_of_the_rules_or_says_where_the_sentence_leaves_the_language() -> None:
    found = reference(WORDS)
    assert found.translation is not None
    assert list(found.translation.words) == RIGHT
    missing = reference(WORDS[:-1])
    assert missing.translation is None
    assert "the end" in missing.why
    assert "'snark'" in reference(["the", "snark", "."]).why


def test_a_transformer_attends_within_and_between_the_sentences() -> None:
    config = transformer_pair(2, 1)
    trace = Trace()
    source, fed = language.encode(WORDS).tokens, translation.vocabulary().encode([START, *RIGHT])
    with torch.inference_mode():
        found_logits = take(name_of_pair(config))((source, fed), trace=trace)[0].double().log_softmax(-1)
    found = attending(loaded(config), RIGHT)
    assert found.fed == (START, *RIGHT)
    assert found.written == (*RIGHT, END)
    paths = {
        "encoder": "encoder.blocks.0.attention",
        "decoder": "decoder.blocks.0.attention",
        "cross": "decoder.blocks.0.cross_attention",
    }
    for name, path in paths.items():
        np.testing.assert_array_equal(getattr(found, name)[0], trace[f"{path}.pattern"][0].numpy())
    wanted = translation.vocabulary().encode(found.written)[0]
    right = found_logits.gather(1, wanted[:, None])[:, 0].numpy()
    np.testing.assert_allclose(found.log_probabilities, right)


def test_a_recurrent_pair_has_its_alignment_alone_and_one_with_the_fixed_vector_nothing() -> None:
    found, nothing = (
        attending(loaded(LSTM), RIGHT),
        attending(loaded(FIXED), ["klavo", "snark"]),
    )
    assert found.cross.shape == (1, 1, len(RIGHT) + 1, len(WORDS))
    np.testing.assert_allclose(found.cross.sum(axis=-1), 1, atol=1e-6)
    assert len(found.encoder) == len(found.decoder) == len(nothing.cross) == 0
    assert nothing.written == ("klavo", "<unk>", END)


@ATTENDING
def test_alignment_is_judged_by_the_links_of_the_rules(config: TranslatorConfig) -> None:
    """Counted here link by link: of a word the heaviest source word, right if the rules link the two."""
    exact = reference(WORDS).translation
    assert exact is not None
    cross = attending(loaded(config), RIGHT).cross
    content = targets_of(exact, content=True)
    assert {RIGHT[at] for at in content} == {"klavo", "jardinoras", "vendit", "gravo", "este"}
    for head in np.ndindex(cross.shape[:2]):
        heaviest = cross[head].argmax(axis=-1)[: len(RIGHT)]
        hits = [(int(s), t) for t, s in enumerate(heaviest) if (int(s), t) in exact.alignment]
        assert n_right(cross[head], exact, content=False) == len(hits)
        assert n_right(cross[head], exact, content=True) == sum(t in content for _, t in hits)


def test_the_rates_of_the_test_set_are_those_of_every_head() -> None:
    table = rates_of_test_set(load_translator(TRANSFORMER, (START,)).model, n=7)
    sentences = tuple(islice(translation.sentences(0, split="test"), 14))
    model = take(name_of_pair(TRANSFORMER))
    assert list(zip(table["layer"], table["head"], strict=True)) == [(1, 1), (1, 2)]
    rates = alignment_error_rates(model, sentences, content=True)
    np.testing.assert_allclose(table["content words"], rates.flatten())
    assert implied(weights(model, sentences)[0][0, 0])
    layer, head = best_head(model, content=True, n=7)
    assert table.loc[table["best"], ["layer", "head"]].to_numpy().tolist() == [[layer + 1, head + 1]]


@pytest.mark.parametrize("config", [transformer_pair(4, 2), recurrent_pair("lstm", "additive")])
def test_error_rates_have_one_value_in_the_table_of_heads_and_in_the_record(config: TranslatorConfig) -> None:
    rates = rates_of_test_set(load_translator(config, (START,)).model)
    best, known = rates.query("best").iloc[0], record_of_translator(config).accuracies
    assert known[ALL_WORDS] == pytest.approx(rates["all words"].min(), abs=2e-3)
    assert best["content words"] == pytest.approx(known[CONTENT_WORDS], abs=2e-3)


def test_all_heads_together_are_the_layer_and_a_recurrent_pair_has_one() -> None:
    heads = KnockOut(heads=frozenset({(0, 0), (0, 1)}))
    layer, one = KnockOut(layers=frozenset({0})), KnockOut(heads=frozenset({(0, 0)}))
    # With all heads silent the output layer still adds its bias; without the layer not even that.
    intact = write(loaded(TRANSFORMER), Strategy()).sentence
    assert translate_without(loaded(TRANSFORMER), KnockOut()) == intact
    assert intact not in [translate_without(loaded(TRANSFORMER), missing) for missing in (heads, layer)]
    assert translate_without(loaded(LSTM), one) == translate_without(loaded(LSTM), layer)
    assert translate_without(loaded(LSTM), KnockOut()) == write(loaded(LSTM), Strategy()).sentence


@pytest.mark.parametrize("config", [LSTM, transformer_pair(2, 2)], ids=name_of_pair)
def test_effects_of_hidden_words_are_those_of_each_alone(config: TranslatorConfig) -> None:
    """Two of them computed on their own: by another pair of source and mask, as padding hides words."""
    effects = hidden_effects(loaded(config), RIGHT)
    assert effects.shape == (len(RIGHT) + 1, len(WORDS))
    source = language.encode(WORDS).tokens
    fed = translation.vocabulary().encode([START, *RIGHT])
    wanted = translation.vocabulary().encode([*RIGHT, END])[0][:, None]
    model = take(name_of_pair(config))
    layers = [""] if config is LSTM else [f"decoder.blocks.{at}.cross_attention." for at in range(2)]
    with torch.inference_mode():
        intact = model((source, fed))[0].double().softmax(-1).gather(1, wanted)[:, 0]
        for word in (1, 4):
            seen = torch.ones(1, 1, 1, len(WORDS), dtype=torch.bool)
            seen[..., word] = False
            trace = Trace(edits={f"{layer}allowed": lambda _, seen=seen: seen for layer in layers})
            hidden = model((source, fed), trace=trace)[0].double().softmax(-1).gather(1, wanted)[:, 0]
            np.testing.assert_allclose(effects[:, word], (intact - hidden).numpy(), atol=2e-5)
    assert effects[RIGHT.index("jardinoras"), 4] > 0.5, "the word itself is needed"
