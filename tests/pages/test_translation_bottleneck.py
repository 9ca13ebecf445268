"""The bottleneck: accuracy by length, what a probe tells, one context beside many, and what is claimed."""

import numpy as np
import pytest

from core.learning.collection.translators import recurrent_pair
from core.learning.evaluation.translation import Share
from core.learning.probes import take_probe
from core.measures.translation.lengths import by_source_length
from core.measures.translation.vector import contexts, fixed_vector, told
from core.sources.probes import load_probe
from core.sources.translators import load_translator, record_of_translator
from core.text.tokenizer import words_of
from tests.pages.asked import Asked
from tests.pages.session import numbers, readable
from viz.units import per_cent

KEY = "the key that the gardeners sold is heavy ."
NETWORK = {"LSTM": "lstm", "RNN": "rnn"}
VECTORS = [("lstm", "none"), ("lstm", "dot"), ("rnn", "none"), ("rnn", "dot")]
PICTURES = ["by_length", "by_distance", "told", "contexts_none", "contexts_dot", "fixed_vector"]


def opened(**parameters: object) -> Asked:
    return Asked("translation", view="bottleneck", **parameters)


@pytest.mark.parametrize("network", NETWORK)
def test_the_claim_is_what_the_records_come_to(network: str) -> None:
    session = opened(translator=network)
    assert session.pictures == PICTURES
    alone, attending = (
        by_source_length(record_of_translator(recurrent_pair(NETWORK[network], kind)))
        for kind in ("none", "dot")
    )
    shortest, longest = (4, 6), (25, 34)
    assert f"**{network}, attention** gets {per_cent(attending[shortest].value)} of all" in session.prose
    assert f"**{network} alone** {per_cent(alone[shortest].value)}" in session.prose
    rights = (
        f"gets {per_cent(alone[longest].value)} right, with attention {per_cent(attending[longest].value)}"
    )
    assert f"25–34 words {network} alone {rights}" in session.prose
    of_each = [take_probe(f"probe-{one}-{kind}")[1].told.by_distance.values() for one, kind in VECTORS]
    for one in of_each:
        all_words = Share(sum(share.right for share in one), sum(share.n for share in one))
        assert f"{per_cent(all_words.value)} " in session.prose.partition("Of all content words")[2]


def test_curves_and_their_bars_are_the_shares_and_their_errors() -> None:
    session = opened(by_length_table=True)
    expected = by_source_length(record_of_translator(recurrent_pair("lstm", "dot")))
    curve = next(
        line
        for line in session.figure("by_length")["data"]
        if line["hovertext"][0].startswith("LSTM, attention:")
    )
    np.testing.assert_allclose(numbers(curve["y"]), [share.value for share in expected.values()])
    np.testing.assert_allclose(numbers(curve["error_y"]["array"]), [one.error for one in expected.values()])
    table = session.table("by_length")
    rows = table[table["model"] == "LSTM, attention"]
    assert rows[["first", "last", "right", "n"]].to_numpy().tolist() == [
        [*span, share.right, share.n] for span, share in expected.items()
    ]


def test_what_is_told_of_the_sentence_is_the_probes_probability_of_each_word() -> None:
    session = opened(text=KEY)
    table, words = session.table("told"), words_of(KEY)
    assert list(table["word"]) == list(words)
    for name, kind in (("LSTM alone", "none"), ("LSTM, attention", "dot")):
        expected = told(
            load_translator(recurrent_pair("lstm", kind), words), load_probe(recurrent_pair("lstm", kind))[0]
        )
        np.testing.assert_allclose(table[name], expected, atol=1e-6)
        is_told = sum(expected[at] > 0.5 for at in (1, 4, 5, 7))
        assert f"**{name}** {is_told}" in session.prose
    assert "of 4 content words" in session.prose
    record = take_probe("probe-lstm-none")[1].told
    assert f"{per_cent(record.right.value)}" in session.prose


def test_one_vector_stands_at_every_step_beside_one_context_for_each() -> None:
    session = opened(text=KEY)
    target = ("este", "lo", "klavo", "ke", "las", "jardinoras", "ha", "vendit", "gravo", ".")
    hidden = fixed_vector(load_translator(recurrent_pair("lstm", "none"), words_of(KEY))).hidden
    of_steps = contexts(load_translator(recurrent_pair("lstm", "dot"), words_of(KEY)), target)
    np.testing.assert_allclose(session.matrix("contexts_none"), np.tile(hidden, (10, 1)), atol=1e-5)
    np.testing.assert_allclose(session.matrix("contexts_dot"), of_steps, atol=1e-5)
    limits = [session.figure(name)["data"][0]["zmax"] for name in ("contexts_none", "contexts_dot")]
    assert limits == pytest.approx([max(abs(hidden).max(), abs(of_steps).max())] * 2)
    assert list(session.table("contexts_dot")["word"]) == list(target)
    assert f"change by {np.abs(np.diff(of_steps, axis=0)).mean():.2f}" in session.prose


@pytest.mark.parametrize(("network", "told_numbers", "rows"), [("LSTM", 128, 2), ("RNN", 64, 1)])
def test_the_vector_has_as_many_numbers_whatever_the_sentence(
    network: str, told_numbers: int, rows: int
) -> None:
    session = opened(translator=network)
    assert f"One vector of {told_numbers} numbers" in session.prose
    bars = [trace for trace in session.figure("fixed_vector")["data"] if trace["type"] == "bar"]
    assert len(bars) == rows
    assert all(len(numbers(trace["y"])) == 64 for trace in bars)


def test_an_unknown_word_has_no_bar_and_is_named() -> None:
    session = opened(text="the chef saw xyzzy .")
    assert "xyzzy" in session.prose
    table = session.table("told").set_index("word")
    assert table.loc["xyzzy†"].isna().all()
    assert table.loc["chef"].notna().all()


def test_a_transformer_has_no_fixed_vector_so_the_link_is_corrected() -> None:
    session = opened(translator="Transformer")
    assert session.value("translator") == "LSTM"
    assert "Transformer" in readable(session.warnings[0])


@pytest.mark.usefixtures("noise_shelf")
def test_what_was_not_measured_is_left_out_and_the_rest_goes_on() -> None:
    session = opened()
    assert session.pictures == ["contexts_none", "contexts_dot", "fixed_vector"]
    assert len(session.infos) == 1
    (warning,) = session.warnings
    assert warning.startswith(
        "The probes probe-lstm-none, probe-lstm-dot, probe-rnn-none and probe-rnn-dot are"
    )
