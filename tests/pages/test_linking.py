"""Which head links two words: the weight of a cell in every head, and the heads that have a name."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.measures.heads.scores import KINDS, kinds_of_heads, measure_heads
from core.measures.reading import read
from core.model.masks import MASKS
from core.sources import load
from pages.contract.prose import Typed
from pages.explorer.linking import Linked, describe_head_kinds, describe_linked_heads
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import readable
from tests.real import LONG, N_HEADS, N_LAYERS, bert_folder, gpt2_folder, one_model

TEXT = "I don't think the other cats saw the cat"
NAME = "small-gpt2"


def opened(**parameters: Any) -> Asked:
    return Asked(linking_table=True, **parameters)


def told(weights: list[list[float]], *, equal: float = 0.2, shown: Any = None, key: str = "trophy") -> str:
    linked = Linked(Typed("it"), Typed(key), np.array(weights), equal, shown)
    return readable(describe_linked_heads(linked))


@each(
    ("weights", "facts", "said"),
    [
        (
            [[0.1, 0.5], [0.2, 0.3]],
            {"shown": (2, 1)},
            "Of 4 heads, head 2 of layer 1 has the largest weight: there *it* gives 50 % of its attention to "
            "*trophy*. Equal weights would give 20 %; 2 of the 4 heads, this one included, are above that. "
            "The chosen head, head 1 of layer 2, has rank 3 with 20 %.",
        ),
        (
            [[0.5, 0.1], [0.5, 0.1]],
            {"shown": (1, 1)},
            "Of 4 heads, 2 have the largest weight, head 1 of layer 1 and head 1 of layer 2: there *it* "
            "gives 50 % of its attention to *trophy*. Equal weights would give 20 %; only these heads are "
            "above that.",
        ),
        (
            [[0.5, 0.5], [0.5, 0.5], [0.3, 0.1]],
            {},
            "Of 6 heads, 4 have the largest weight: there *it* gives 50 % of its attention to *trophy*. "
            "Equal weights would give 20 %; 5 of the 6 heads, these included, are above that.",
        ),
        (
            [[0.2, 0.2]],
            {},
            "*it* gives 20 % of its attention to *trophy* in all 2 heads. Equal weights would give 20 %.",
        ),
        (
            [[1.0, 1.0]],
            {"equal": 1.0, "key": "it"},
            "*it* gives 100 % of its attention to itself in all 2 heads: it may attend to nothing else.",
        ),
    ],
)
def test_the_largest_weight_is_compared_with_equal_weights_and_the_shown_head(
    weights: list[list[float]], facts: dict[str, Any], said: str
) -> None:
    assert told(weights, **facts) == said


def test_kinds_of_heads_are_counted_and_their_measure_is_named() -> None:
    kinds = {(1, 1): ("previous word",), (2, 1): ("induction", "first word"), (2, 2): ("first word",)}
    said = describe_head_kinds(kinds, measured={*KINDS}, sample=32)
    assert "are 1 induction head, 1 previous-token head and 2 first-token sinks." in said
    assert "over 32 sentences of a small artificial English, for induction over 8 rows" in said
    assert "In this sentence it may attend elsewhere." in said, "a sink may give most to another word here"
    alone = describe_head_kinds({(1, 1): ("next word",)}, measured={"next word"}, sample=128)
    assert "is 1 next-token head." in alone
    assert "induction" not in alone, "which was not measured"
    none = describe_head_kinds({}, measured={"previous word", "first word"}, sample=128)
    assert none.startswith("On average over 128 sentences of a small artificial English, no head gives more")
    assert none.endswith(
        "to any of these: the word before; the first word, from all other words that may attend to it."
    )


@each("mask", MASKS)
@each(("query", "key"), [(5, 2), (2, 5), (1, 1)])
def test_under_every_mask_a_cell_is_followed_to_every_head_or_said_to_be_masked(
    mask: str, query: int, key: int
) -> None:
    page = opened(mask=mask, query=query, key=key)
    reading, cell = page.scene.reading, (query - 1, key - 1)
    allowed = MASKS[mask].allowed(len(page.scene.words))[0, 0].numpy()
    why = " ".join(page.infos)
    masked = "may not attend to" in why and "So this weight is 0 in all 8 heads" in why
    assert masked == (not allowed[cell])
    if masked:
        assert not page.has("head_weights")
        assert ("which comes later" in why) == (mask == "causal")
        assert ("other way round" in why) == bool(allowed[cell[::-1]])
    elif allowed[cell[0]].sum() == 1:
        assert "it may attend to nothing else" in page.prose
    else:
        table = page.table("head_weights")
        weights = [reading.pattern(layer, head)[cell] for layer in range(2) for head in range(4)]
        assert_allclose(table["weight"], sorted(weights, reverse=True), atol=1e-6)
        assert f"Of 8 heads, head {table['head'][0]} of layer {table['layer'][0]} has" in page.prose


def test_beyond_the_window_the_window_is_named() -> None:
    page = opened(mask="bidirectional", window=2, query=5, key=1)
    why = readable(" ".join(page.infos))
    assert "Under a window of ±2 words, *the*" in why
    assert "which comes later" not in why


@pytest.mark.usefixtures("decoder")
def test_a_window_of_a_real_model_is_one_of_pieces_where_words_are_shown() -> None:
    page = opened(model="real", real=NAME, text=TEXT, tokens="words", window=1, query=6, key=1)
    assert "a window of ±1 token, *cats* may not attend to *I*." in readable(" ".join(page.infos))


def test_a_bar_opens_its_head_and_the_matrix_shows_a_head_again() -> None:
    page = opened(query=5, key=2, show="mean over heads")
    assert "The head in the matrix" not in page.prose, "the matrix shows a mean"
    best = page.table("head_weights").iloc[0]
    page.click("head_weights", x=0.5, y=0, data=[int(best["layer"]), int(best["head"])])
    assert (page.scene.layer + 1, page.scene.head + 1) == (best["layer"], best["head"])
    assert "show" not in page.link
    assert "The head in the matrix" not in page.prose, "it is the first one"


def test_without_a_cell_no_head_is_sought_and_random_weights_have_no_names() -> None:
    assert "Which heads" not in opened().prose
    assert "Which heads" not in opened(query=5).prose
    assert (
        "Random weights have learned nothing, so no head has a name"
        in opened(model="random", query=5, key=2).prose
    )


@pytest.fixture
def decoder(no_real_model: Path) -> Any:
    return gpt2_folder(no_real_model / NAME, trained_on=TEXT, max_len=LONG)


@pytest.mark.long("a real decoder; small models are followed in every run")
@pytest.mark.usefixtures("decoder")
@each("tokens", ["tokens", "words"])
def test_a_real_decoder_is_followed_between_pieces_and_between_words(tokens: str) -> None:
    text = "I think the zebra saw the other cats"  # which was not trained on zebra
    page = opened(model="real", real=NAME, text=text, tokens=tokens, query=4, key=2)
    pieces = one_model(f"real/{NAME}").split(text)
    groups = pieces.groups if tokens == "words" else tuple((at,) for at in range(len(pieces.texts)))
    assert (len(groups[3]) > 1) == (tokens == "words")
    reading = read(load(f"real/{NAME}", page.scene.switches.config, pieces.texts, 0))
    weights = [
        reading.pattern(layer, head)[np.ix_(groups[3], groups[1])].sum(axis=1).mean()
        for layer in range(N_LAYERS)
        for head in range(N_HEADS)
    ]
    table = page.table("head_weights")
    assert_allclose(table["weight"], sorted(weights, reverse=True), atol=1e-6)
    known = kinds_of_heads(measure_heads(load(f"real/{NAME}", page.scene.switches.config, (), 0)))
    named = {(row.layer, row.head): row.kind for row in table.itertuples() if getattr(row, "kind", "")}
    assert named == {head: ", ".join(KINDS[one] for one in kinds) for head, kinds in known.items()}


def test_where_heads_cannot_be_measured_they_are_sorted_and_the_reason_is_said(no_real_model: Path) -> None:
    bert_folder(no_real_model / "short", max_len=8)
    page = opened(model="real", real="short", text="the cat saw the cats", query=4, key=3)
    assert page.has("head_weights")
    assert "No head is named here. A sentence that heads are measured on: short reads" in page.prose
