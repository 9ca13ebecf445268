"""A real model that reads on: a GPT-2 opened in the app predicts pieces, and has a score for induction."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch.nn.functional import cross_entropy

from core.measures.heads.sample import shown_texts
from core.measures.heads.scores import INDUCTION, measure_heads
from core.measures.reading import read
from core.model.models import Transformer
from core.pretrained import read as read_folder
from core.sources import PretrainedInfo, load
from pages.contract.attention import HIDDEN
from pages.explorer.head_scores import ON_RANDOM_TOKENS
from pages.order_invariance.compared import BLANKS_BELONG, SAME_WORDS
from tests.pages.asked import Asked
from tests.pages.session import Session, numbers, readable
from tests.real import LONG, N_HEADS, N_LAYERS, gpt2_folder, one_model
from viz.head_scores import score_names
from viz.layout.figure import unpacked

NAME, TEXT = "small-gpt2", "I don't think the other cats saw the 東 cat."
LABELS = ["I", "␣don", "'t", "␣think", "␣the", "␣other", "␣cats", "␣saw", "␣the"]
SOURCE = f"real/{NAME}"


@pytest.fixture
def gpt2(no_real_model: Path) -> Transformer:
    return gpt2_folder(no_real_model / NAME, trained_on=TEXT.replace("東 ", ""), max_len=LONG)


def opened(**parameters: Any) -> Asked:
    return Asked(model="real", real=NAME, **({"text": TEXT} | parameters))


def the_model() -> PretrainedInfo:
    return one_model(SOURCE)


@pytest.mark.usefixtures("gpt2")
def test_a_piece_that_is_a_part_of_a_letter_is_written_as_its_byte_everywhere() -> None:
    session = Session(
        model="real",
        real=NAME,
        text=TEXT,
        view="heads",
        place=4,
        needed_table=True,
        prediction_bars_table=True,
    )
    first = the_model().split(TEXT).texts.index("æ")
    menu = session.element("place")
    assert menu.label == "After token"
    assert [menu.options[at] for at in (3, first)] == ["4 ␣think", f"{first + 1} ⟨E6⟩"]
    assert session.element("query").options[first + 1] == f"{first + 2} ⟨9D⟩"
    assert "⟨E6⟩" in session.figure("matrix")["layout"]["yaxis"]["ticktext"]
    assert "Next token after “␣think” (4): " in session.alt("prediction_bars")
    assert "The next token in the sentence is **␣the**: " in readable(session.prose)
    table = session.table("prediction_bars")
    words = set(table["word"])
    assert list(table["word"][table["answer"]]) == ["␣the"]
    assert len(words) == len(table), "all are distinct"
    assert not {"æ", "Ġthe", "\ufffd"} & words
    assert {"⟨E6⟩", "⟨9D⟩"} <= set(opened(view="heads", place=1).table("prediction_bars")["word"])


def test_the_sentence_is_shown_in_pieces_and_the_next_one_is_predicted(
    gpt2: Transformer, no_real_model: Path
) -> None:
    session, pieces = opened(view="heads", layer=2, head=3, place=4), the_model().split(TEXT)
    assert list(session.figure("matrix")["layout"]["yaxis"]["ticktext"])[: len(LABELS)] == LABELS
    reading = read(load(SOURCE, the_model().config, pieces.texts, 0))
    assert_allclose(np.nan_to_num(session.matrix("matrix")), reading.pattern(1, 2), atol=1e-6)
    tokenizer = read_folder(no_real_model / NAME).tokenizer
    assert tokenizer is not None
    tokens = tokenizer.encode(TEXT).tokens
    with torch.inference_mode():
        logits = gpt2.float()(tokens)[0]
    loss = cross_entropy(logits[:-1], tokens[0, 1:])
    assert f"Loss on this sentence: **{loss:.2f} nats per token**" in session.prose
    likeliest = logits[3].softmax(-1).sort(descending=True).values
    shown = numbers(session.figure("prediction_bars")["data"][0]["x"])
    assert_allclose(np.sort(shown)[::-1][:3], likeliest[:3], rtol=1e-4)
    session.set(place=len(pieces.texts))
    assert "so no next token is scored" in session.prose
    session.set(tokens="words", special=False)
    assert not session.has("special"), "it has none"
    assert HIDDEN not in session.prose
    session.set(view="probabilities", place=2)
    assert session.sheet.headline.startswith("After *␣don* (2), ")
    assert session.program is None


@pytest.mark.usefixtures("gpt2")
def test_its_own_mask_is_no_ablation_and_pieces_are_spelt_as_in_the_figure() -> None:
    session = Asked("masking", model="real", real=NAME, text="I think the cats", query=2)
    assert "ablation" not in session.prose
    session.set(preset="none")
    assert f"another mask. {NAME} was trained with the causal mask." in readable(session.prose)
    session.set(view="mask values")
    assert "nothing is masked for *␣think*" in session.prose


@pytest.mark.usefixtures("gpt2")
def test_two_orders_of_the_same_words_differ_in_the_blank_before_the_first() -> None:
    orders = {"text": "I saw the other cats", "other": "I saw the cats other"}
    session = Asked("order-invariance", model="real", real=NAME, **orders)
    assert session.warnings == []
    assert "␣cats" in session.alt("orders")
    assert ", *␣cats* gets" in session.prose
    session.set(other="I cats saw other the", text="saw I the other cats")
    (note,) = map(readable, session.warnings)
    assert note.startswith("The two orders must have the same tokens: only the first has ")
    assert "; only the second has ␣saw" in note
    assert note.endswith(BLANKS_BELONG)
    session.set(other="I cats saw")
    (note,) = map(readable, session.warnings)
    assert note.endswith(SAME_WORDS)
    session.set(text="saw I, the other cats.")
    session.press("Shuffle the words")
    assert session.warnings == []
    assert session.value("other") != session.value("text")


@pytest.mark.usefixtures("gpt2", "tiny_model")
def test_a_model_that_reads_on_has_a_score_for_induction() -> None:
    assert "Induction" not in Asked(model="real", real="tiny", view="head scores").prose
    session, table = opened(view="head scores"), measure_heads(load(SOURCE, the_model().config, (), 0))
    names = score_names(table)
    assert names[-3:] == [INDUCTION, "focus", "entropy"]
    assert readable(ON_RANDOM_TOKENS) in readable(session.prose)
    mine, at = table[table["score"] == INDUCTION], names.index(INDUCTION)
    assert len(mine) == N_LAYERS * N_HEADS
    row = session.matrix("head_scores")[at]
    assert_allclose(row[:N_HEADS], mine[mine["layer"] == 1]["value"], rtol=1e-5)
    assert_allclose(row[-1], mine["baseline"].iloc[0], rtol=1e-5)

    (tiles,) = session.figure("head_scores")["data"]
    line = int(unpacked(tiles["customdata"])[at][N_HEADS + 2])
    session.click("head_scores", x=N_HEADS + 2, y=at, data=line)

    text = shown_texts()[-1]
    assert session.value("text") == text
    assert (session.value("view"), session.value("layer"), session.value("head")) == ("heads", 2, 2)
    assert session.value("tokens") == "words"
    query, key = session.value("query") - 1, session.value("key") - 1
    words = text.split()
    assert words[key - 1] == words[query]
    assert f"**{words[query]}** ({query + 1}) attends to **{words[key]}** ({key + 1})" in session.prose
    last = the_model().split(text).groups[query][-1]
    assert last > query, "the vocabulary has these words in several tokens"
    assert session.value("place") == last + 1
