"""The other parts of step by step: the soft look-up, attention without parameters, and Q = K."""

from itertools import cycle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.measures.stages import MOST_CHANGES, Bare, attend_bare, look_up
from core.model.config import POSITIONS
from core.model.masks import MASKS
from core.text.tokenizer import words_of
from pages.controls.examples import TEA
from pages.step_by_step.bare import answer
from pages.step_by_step.changes import add
from pages.step_by_step.lookup import STOPS, kind_of
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import numbers
from tests.pages.test_step_by_step import PAGE, SMALL, walked
from tests.programs import printed, printed_matrix

STREET = "the cat walks on the street"
LOOKUP, BARE, SYMMETRY = ({"view": name} for name in ("soft lookup", "without parameters", "Q = K"))


@pytest.mark.parametrize(("stop", "word"), [*((stop, None) for stop in list(STOPS)[::2]), ("0.5", 3)])
def test_the_store_shows_the_look_up_at_every_temperature(stop: str, word: int | None) -> None:
    asked = {} if word is None else {"word": word}
    session = Asked(PAGE, **SMALL, **LOOKUP, sharpness=stop, **asked)

    found, at = walked(), 4 if word is None else word - 1
    expected = look_up(found.scores[at], found.v, found.allowed[at], temperature=STOPS[stop])
    n = at + 1  # the mask hides the words after it
    bars, *strips = session.figure("store")["data"]
    np.testing.assert_allclose(numbers(bars["x"]), expected.weights[:n], atol=1e-6)
    cells = np.vstack([numbers(strip["z"]) for strip in strips])
    wanted = np.vstack([found.v[:n], expected.output, expected.best, expected.mean])
    assert session.figure("store")["layout"]["yaxis"]["ticktext"].count("<b>his</b>") == (n >= 3)
    np.testing.assert_allclose(cells, wanted, atol=1e-6)
    assert f"{expected.from_best:.3f} away from the best value" in session.prose
    assert f"{expected.entropy:.2f} of at most {np.log2(n):.2f} bits" in session.prose
    np.testing.assert_allclose(session.table("store")["weight"], expected.weights[:n])


def test_the_distances_go_from_the_best_value_to_the_mean() -> None:
    session = Asked(PAGE, **SMALL, **LOOKUP)
    table = session.table("distances")
    best, mean = (table[table["from"] == end]["distance"].to_list() for end in ("best value", "mean"))
    assert [best[0], mean[-1]] == pytest.approx([0, 0], abs=1e-9)
    assert best == sorted(best)
    assert mean == sorted(mean, reverse=True)
    assert list(table["temperature"][::2]) == list(STOPS)


def test_a_change_is_seen_by_the_look_up_as_well() -> None:
    session = Asked(PAGE, **SMALL, **LOOKUP, edit="scores.5.5.500", sharpness="5")
    assert "the best key is tea (5), with a weight of 1.00" in session.prose


@each("unit", [True, False])
@each("text", [TEA, STREET])
def test_words_look_at_themselves_where_vectors_are_of_one_length(unit: bool, text: str) -> None:
    session = Asked(PAGE, **SMALL, **BARE, unit=unit, text=text)

    expected = attend_bare(walked(text).vectors, normalised=unit)
    np.testing.assert_allclose(session.matrix("bare"), expected.scores, atol=1e-6)
    np.testing.assert_allclose(session.matrix("bare", panel=1), expected.pattern, atol=1e-6)
    n = len(words_of(text))
    if unit:
        assert f"**{n} of {n} words: every word attends most to itself" in session.prose
    else:
        assert f"**{int(expected.looks_at_itself.sum())} of {n} words" in session.prose
    assert not session.has("head")


def test_a_word_that_looks_elsewhere_when_lengths_differ_is_named() -> None:
    prose = Asked(PAGE, **SMALL, **BARE, unit=False, seed=2).prose
    pattern = attend_bare(walked(seed=2).vectors, normalised=False).pattern
    (at,) = [at for at in range(5) if pattern[at].argmax() != at]
    words = words_of(TEA)
    assert "**4 of 5 words attend most to themselves.**" in prose
    assert f"**{words[at]}** attends most to **{words[pattern[at].argmax()]}**" in prose
    assert "The lengths of the vectors run from" in prose


@pytest.mark.parametrize(("size", "model"), [("small", None), ("full", "random"), ("full", "trained")])
def test_without_parameters_has_the_switches_that_change_its_word_vectors_alone(
    size: str, model: str | None
) -> None:
    session = Asked(PAGE, **BARE, size=size, **({"model": model} if model else {}))
    assert not any(session.has(name) for name in ("positions", "mask", "scale", "heads", "layers", "norm"))
    assert session.has("seed") == (model != "trained")


@pytest.mark.usefixtures("noise_shelf")
def test_unknown_words_are_said_to_share_one_vector() -> None:
    two = Asked(PAGE, **BARE, size="full", text="xyzzy saw plugh").prose
    assert "as a repeated word does, and unknown words all share one vector." in two
    assert "as a repeated word does." in Asked(PAGE, **BARE, size="full", text="xyzzy met the dog").prose


@pytest.mark.parametrize(("text", "symmetric"), [("tea tea", True), ("tea tea tea", True), (TEA, False)])
def test_weights_are_called_symmetric_only_where_they_are(text: str, symmetric: bool) -> None:
    session = Asked(PAGE, **SYMMETRY, text=text, positions="none")
    pattern = session.matrix("symmetry", panel=2)
    assert np.allclose(pattern, pattern.T, atol=1e-6) == symmetric
    named = "With K = Q the attention weights of this sentence are symmetric too"
    assert (named in session.prose) == symmetric
    assert (
        "With K = Q the scores are symmetric, but the attention weights are not" in session.prose
    ) != symmetric


@pytest.mark.parametrize(("positions", "mask"), list(zip(POSITIONS, cycle(MASKS), strict=False)))
def test_scores_are_symmetric_with_one_matrix_under_every_switch(positions: str, mask: str) -> None:
    session = Asked(PAGE, **SYMMETRY, positions=positions, mask=mask, head=2)
    own, tied, pattern = (session.matrix("symmetry", panel=at) for at in range(3))
    np.testing.assert_allclose(tied, tied.T, atol=1e-6)
    assert not np.allclose(own, own.T, atol=0.1)
    np.testing.assert_allclose(session.table("symmetry"), own, atol=1e-6)
    assert not np.allclose(pattern, pattern.T, atol=0.01)
    assert f"is {np.abs(own - own.T).max():.2f} for the head as it is and 0 with K = Q." in session.prose


PROGRAMS: list[dict[str, Any]] = [
    {**LOOKUP, "sharpness": "0.5", "edit": "q.5.1.2", "positions": "rotary"},
    {**LOOKUP, "sharpness": "0", "word": 3, "size": "full"},
]


@pytest.mark.parametrize("asked", PROGRAMS, ids=str)
def test_the_program_of_a_look_up_prints_its_weights_and_its_output(asked: dict[str, Any]) -> None:
    session = Asked(PAGE, **asked)
    *weights, output = printed(session.code).splitlines()
    bars, *strips = session.figure("store")["data"]
    shown = numbers(bars["x"])
    np.testing.assert_allclose([float(line.split()[-1]) for line in weights[: len(shown)]], shown, atol=6e-4)
    assert [float(line.split()[-1]) for line in weights[len(shown) :]] == [0.0] * (5 - len(shown))
    cells = numbers(strips[len(shown)]["z"])[0]
    np.testing.assert_allclose([float(one) for one in output.split()[1:]][: len(cells)], cells, atol=6e-4)


def test_the_program_without_parameters_prints_the_weights() -> None:
    session = Asked(PAGE, **BARE, size="full")
    rows = printed_matrix(session.code, 5)
    np.testing.assert_allclose(rows, session.matrix("bare", panel=1), atol=6e-4)


def test_the_program_about_symmetry_prints_three_numbers() -> None:
    session = Asked(PAGE, **SMALL, **SYMMETRY, seed=3)
    own, tied, pattern = (session.matrix("symmetry", panel=at) for at in range(3))
    expected = [np.abs(one - one.T).max() for one in (own, tied, pattern)]
    lines = printed(session.code).splitlines()
    np.testing.assert_allclose([float(line) for line in lines], expected, atol=6e-4)


AS_MUCH = "*word 1* and *word 2* as much to a word with the same vector"


@each(
    ("pattern", "vectors", "said"),
    [
        ([[1.0]], [5], "The only word attends to itself."),
        ([[0.6, 0.4], [0.4, 0.6]], [5, 6], "2 of 2 words: every word attends most to itself."),
        ([[0.6, 0.4], [0.6, 0.4]], [5, 6], "1 of 2 words attends most to itself."),
        ([[0.4, 0.6], [0.6, 0.4]], [5, 6], "0 of 2 words attend most to themselves."),
        (np.eye(3)[[0, 1, 1]], [5, 6, 7], "2 of 3 words attend most to themselves."),
        (
            np.full((2, 2), 0.5),
            [5, 5],
            f"2 of 2 words: every word attends most to itself, {AS_MUCH}.",
        ),
        (
            [[0.5, 0.5, 0], [0.5, 0.5, 0], [0.6, 0, 0.4]],
            [5, 5, 6],
            f"2 of 3 words attend most to themselves, {AS_MUCH}.",
        ),
    ],
)
def test_words_that_attend_to_themselves_are_counted(pattern: Any, vectors: Any, said: str) -> None:
    weights = np.asarray(pattern, dtype=float)
    n = len(weights)
    walk = SimpleNamespace(vectors=np.array(vectors, dtype=float)[:, None])
    labels = tuple(f"word {at}" for at in range(1, n + 1))
    seen = SimpleNamespace(labels=labels, scene=SimpleNamespace(unit="word"), walk=walk)
    found = Bare(np.zeros((n, 2)), weights, weights, np.zeros((n, 2)))
    assert answer(seen, found) == said  # type: ignore[arg-type]


def test_a_change_of_an_entry_replaces_the_one_before_and_what_is_no_change_leaves_the_link() -> None:
    asked = {"matrix": "q", "row": 4, "column": 1, "value": -3.0}  # the browser counts from 0
    link = {"edit": ["q.5.2.2.5", "k.1.1.1", "nonsense"]}
    assert add(asked, link) == {"edit": ("k.1.1.1", "q.5.2.-3")}
    full = {"edit": [f"q.1.{column}.1" for column in range(1, MOST_CHANGES + 1)]}
    changed = add(asked, full)["edit"]
    assert len(changed) == MOST_CHANGES
    assert changed[-1] == "q.5.2.-3"


@each(
    ("scores", "temperature", "said"),
    [
        ([3.0], "5", "Only one key is visible: at every temperature it has all of the weight."),
        ([2.0, 2.0, 2.0], "0", "All visible keys match alike: at every temperature the output is the"),
        ([2.0, 2.0, 2.0], "1", "All visible keys match alike: at every temperature the output is the"),
        ([2.0, 2.0, 2.0], "∞", "All visible keys match alike: at every temperature the output is the"),
        ([2.0, 1.0, 0.0], "∞", "an average, not a look-up: every visible key has the same weight."),
        ([0.5, 0.0], "10", "an average, not a look-up: every visible key has nearly the same weight."),
        ([1.0, 0.0], "1", "The keys share the weight: the query matches them softly."),
        ([1.0, 1.0, 0.0], "1", "The keys share the weight: the query matches them softly."),
        ([6.0, 0.0], "1", "This is a dictionary: the best key has nearly all of the weight."),
        ([0.1, 0.0], "0", "This is a dictionary: the best key has all of the weight."),
        ([6.0, 6.0, 0.0], "1", "The 2 best keys share nearly all of the weight: the output is nearly their"),
        ([0.1, 0.1, 0.0], "0", "The 2 best keys share all of the weight: the output is their mean value."),
    ],
)
def test_the_kind_of_look_up_is_chosen_by_the_weights(
    scores: list[float], temperature: str, said: str
) -> None:
    n = len(scores)
    found = look_up(np.array(scores), np.eye(n), np.full(n, True), temperature=STOPS[temperature])
    assert said in kind_of(found)


@pytest.mark.parametrize("stop", STOPS)
def test_keys_that_tie_are_given_the_weight_of_each(stop: str) -> None:
    prose = Asked(PAGE, **LOOKUP, word=3, sharpness=stop).prose
    assert "best keys are Zuko (1), made (2), his (3), alike, with a weight of 0.33 each at T =" in prose
    assert "away from the mean of the best values" in prose
    assert "All visible keys match alike" in prose
