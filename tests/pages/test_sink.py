"""The note on an attention sink: there where a head has one, with its numbers, and nowhere else."""

import pandas as pd
import pytest

from core.measures.equal_weights import equal_weights
from core.measures.heads.sinks import Place, Sink, attention_sink
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from pages.explorer import sink as note
from tests.pages.asked import Asked

STREET = "we walk on the street ."
CAT = "the cat saw the other cat run ."
SHARP = {"model": "random", "scale": False, "positions": "none"}


def said(session: Asked) -> str:
    return session.prose.replace("**", "")


@pytest.mark.parametrize("view", ["all heads", "matrix", "lines"])
def test_the_share_on_the_first_word_is_named_with_what_chance_would_give(view: str) -> None:
    config = ModelConfig(vocab_size=1, scale=False, positions="none")
    reading = read(load("random", config, STREET.split(), 4))
    rest = attention_sink(reading.pattern(1, 0), equal_weights(reading.allowed()), reading.words)
    assert rest is not None

    prose = said(Asked(text=STREET, view=view, seed=4, layer=2, head=1, **SHARP))

    assert f"{100 * rest.share:.0f} % of this head's attention goes to the first word, we." in prose
    left_out = "left out is 1 that sees little else"
    assert f"{100 * rest.chance:.0f} % (mean over 4 of the 5 other queries; {left_out})" in prose
    assert note.NOT_LEARNED in prose


@pytest.mark.parametrize(
    ("narrow", "blind", "said_so"),
    [
        (0, 0, "5 queries"),
        (2, 0, "5 of the 7 other queries; left out are 2 that see little else"),
        (0, 1, "5 of the 6 other queries; left out is 1 that cannot see it"),
        (1, 3, "5 of the 9 other queries; left out are 1 that sees little else and 3 that cannot see it"),
    ],
)
def test_queries_that_are_left_out_are_counted(
    monkeypatch: pytest.MonkeyPatch, narrow: int, blind: int, said_so: str
) -> None:
    monkeypatch.setattr(
        note, "attention_sink", lambda *_: Sink("full stop", 0.8, 0.2, 5, n_blind=blind, n_narrow=narrow)
    )
    assert f"(mean over {said_so})" in said(Asked(text=STREET, view="matrix", model="random"))


def test_the_full_stop_is_named() -> None:
    prose = said(Asked(text=CAT, view="matrix", mask="bidirectional", seed=6, layer=2, head=1, **SHARP))

    assert "goes to the full stop. Equal weights would give it 12 %" in prose


def test_a_head_that_rests_nowhere_has_no_note() -> None:
    assert "attention goes to" not in Asked(model="random", text=STREET, view="matrix").prose


@pytest.mark.parametrize("show", ["mean over heads", "rollout"])
def test_the_note_is_about_a_head_only(show: str) -> None:
    session = Asked(text=STREET, view="matrix", seed=4, layer=2, head=1, show=show, **SHARP)

    assert "attention goes to" not in session.prose


@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize(
    ("mask", "place", "sampled", "expected"),
    [
        ("causal", "first word", 0.61, note.SEEN_BY_ALL),
        ("bidirectional", "first word", 0.61, note.ALWAYS_THERE),
        ("bidirectional", "full stop", 0.61, note.SAYS_LITTLE),
        ("causal", "first word", 0.29, note.NO_HABIT),
        ("bidirectional", "full stop", 0.29, note.NO_HABIT),
        ("causal", "full stop", None, note.SAYS_LITTLE),
    ],
)
def test_a_trained_head_rests_where_it_does_so_in_other_sentences_too(
    monkeypatch: pytest.MonkeyPatch, mask: str, place: Place, sampled: float | None, expected: str
) -> None:
    rows = [(1, 2, place, sampled, 0.15), (1, 1, place, 0.97, 0.15), (2, 2, place, 0.98, 0.15)]
    rows += [(1, 2, "itself", 0.99, 0.15)]
    known = [row for row in rows if row[3] is not None]
    table = pd.DataFrame(known, columns=["layer", "head", "score", "value", "baseline"])
    monkeypatch.setattr(note, "attention_sink", lambda *_: Sink(place, 0.8, 0.2, 5))
    monkeypatch.setattr(note, "measured", lambda _: table)

    prose = said(Asked(text=STREET, view="matrix", mask=mask, head=2))

    reasons = {note.SEEN_BY_ALL, note.ALWAYS_THERE, note.SAYS_LITTLE, note.NO_HABIT, note.NOT_LEARNED}
    assert [reason for reason in reasons if reason in prose] == [expected]
    assert ("Over 128 sentences" in prose) == (sampled is not None)
    if sampled is not None:
        assert f"the shares are {100 * sampled:.0f} % and 15 %" in prose


@pytest.mark.usefixtures("noise_shelf")
def test_a_window_takes_the_first_word_out_of_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is not said to be seen by every query."""
    monkeypatch.setattr(note, "attention_sink", lambda *_: Sink("first word", 0.8, 0.2, 5))
    monkeypatch.setattr(note, "HABIT", 0)
    for window, expected in (("off", note.SEEN_BY_ALL), (2, note.ALWAYS_THERE)):
        prose = said(Asked(text=STREET, view="matrix", window=window))
        assert [why for why in (note.SEEN_BY_ALL, note.ALWAYS_THERE) if why in prose] == [expected]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("we walk .", "goes to the full stop."),
        ("do we walk ?", r"goes to what ends a sentence, \?."),
        ("no ! do we walk ?", r"goes to what ends a sentence, \! \?."),
    ],
)
def test_only_a_full_stop_is_called_one(monkeypatch: pytest.MonkeyPatch, text: str, named: str) -> None:
    monkeypatch.setattr(note, "attention_sink", lambda *_: Sink("full stop", 0.8, 0.2, 5))

    assert named in said(Asked(text=text, view="matrix", model="random")).replace("\u2060", "")
