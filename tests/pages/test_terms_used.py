"""A word that a student does not know has an entry; `test_every_sheet.py` asks every view."""

import re
from pathlib import Path

from pages.contract.parameters import PARAMETERS
from pages.contract.sheet import Columns, Fold, Sheet, Text
from pages.path.stops import STOPS
from pages.syllabus import CONCEPTS
from pages.terms import TERMS
from pages.terms.spelled import every_spelling, term_of
from tests.covering import each
from tests.pages.words_used import ORDINARY, said_in, unexplained


@each(
    ("said", "found"),
    [
        ("The heads attend to the keys.", []),
        ("The dropout of the heads is small.", ["dropout"]),
        ("Values in fp8 and a GELU.", ["GELU", "fp8"]),
        ("Quantised weights of tied heads.", ["Quantised"]),
        ("*dropout*, **dropout**, `dropout`, $dropout$ and [drop](/dropout).", []),
        ("**The dropout of *so* is small.**", ["dropout"]),
        ("Planned, stopping, noisier, carries: forms of plain words.", ["noisier"]),
    ],
)
def test_a_word_without_an_entry_is_found(said: str, found: list[str]) -> None:
    assert unexplained([said]) == found


def test_all_that_a_sheet_says_is_asked() -> None:
    inside = Columns(((Text("one"),), (Fold("two", (Text("three", "remark"),)),)))
    assert said_in(Sheet(headline="zero", parts=(inside,), below_sentence=(Text("first"),))) == [
        "zero", "first", "one", "two", "three",
    ]  # fmt: skip


def test_no_term_passes_for_an_ordinary_word() -> None:
    assert [word for word in sorted(ORDINARY) if term_of(word) is not None] == []


UNKNOWN_AT_FIRST = """
query, key, value, head, layer, mask, causal, pre-norm, post-norm, residual, feed-forward, learned positions,
sinusoidal, alibi, rotary, relative bias, real weights, window, nats, loss, D(‖), knock out, one-hot, seed,
slope, output projection, temperature, entropy, rank, NaN, float16, norm, gain, ReLU, </s>, Verano, beam,
alignment error rate, LSTM, cell, probe, logit, greedy, surprisal, perplexity, autoregressive
"""
"""Words that readers did not know at their first use."""


@each("text", UNKNOWN_AT_FIRST.replace("\n", " ").strip().split(", "))
def test_words_unknown_to_readers_have_an_entry(text: str) -> None:
    assert term_of(text.strip()) is not None


def test_meanings_of_parameters_use_known_words() -> None:
    assert unexplained(parameter.meaning for parameter in PARAMETERS.values()) == []


def test_entries_use_known_words() -> None:
    assert unexplained(term.markdown for term in TERMS.values()) == []


GOLDEN = Path(__file__).parents[1] / "golden" / "__snapshots__" / "test_sheets"
DECKS = Path(__file__).parents[2] / "lectures"

LISTS = ("glossary", "home", "sources")
"""Pages that list terms, whose own texts do not count as uses."""

LOOKED_UP = frozenset(
    {
        *("attention sink", "masked-word prediction", "pooling", "multi-head attention"),
        *(
            "held out",
            "length extrapolation",
            "one-hot vector",
            "padding",
            "prompt",
            "quantization",
            "residual stream",
            "sigmoid",
            "tensor",
        ),
    }
)
"""Terms of the field that a student looks up, although no text of the app uses them."""


def test_a_term_that_nothing_uses_has_no_entry() -> None:
    lists = tuple(f"test_sheet[{one}" for one in LISTS)
    golden = [file for file in GOLDEN.glob("*.txt") if not file.name.startswith(lists)]
    said = [file.read_text("utf-8") for file in (*golden, *DECKS.glob("*.toml"))]
    said += [f"{stop.title} {stop.goal} {' '.join(stop.remember)}" for stop in STOPS]
    said += [concept.title for concept in CONCEPTS.values()]
    lines = {line for text in said for line in text.splitlines()}
    sentences = re.sub(r"^> .*$|\]\(.*?\)", "", "\n".join(lines), flags=re.M)
    used = {term.name for term in map(term_of, set(every_spelling().findall(sentences))) if term}
    assert set(TERMS) - used <= LOOKED_UP <= set(TERMS)
