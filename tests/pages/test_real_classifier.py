"""A real sequence classifier: the view hiding shows its labels and what each piece does to them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.pretrained import read
from pages.explorer.hiding import CHANGE, describe_labels
from tests.core.pretrained.test_other_tasks import CLASSIFIERS, classifier_in
from tests.pages.asked import Asked
from tests.pages.session import readable
from tests.real import NAME, PIECES, write_tokenizer
from words import per_cent

TEXT = "the other cats don't think."


def opened(**more: Any) -> Asked:
    return Asked("explorer", view="hiding", model="real", real=NAME, text=TEXT, **more)


@torch.inference_mode()
@pytest.mark.parametrize("model", CLASSIFIERS)
def test_labels_and_changes_agree_with_transformers(model: str, no_real_model: Path) -> None:
    theirs = classifier_in(no_real_model / NAME, model)
    write_tokenizer(no_real_model / NAME, PIECES)
    session = opened()
    tokenizer = read(no_real_model / NAME).tokenizer
    assert tokenizer is not None
    tokens = tokenizer.encode(TEXT).tokens
    whole = theirs(tokens).logits[0].softmax(-1)
    best = theirs.config.id2label[int(whole.argmax())]
    assert f"the label **{best}** with {per_cent(float(whole.max()))};" in readable(session.prose)
    changes = session.table("hiding")[CHANGE].to_numpy()
    assert np.isnan(changes[0]), "[CLS], at which the label is predicted, always sees itself"
    for at in range(1, tokens.shape[1]):
        seen = torch.ones_like(tokens).index_fill(1, torch.tensor([at]), 0)
        moved = (theirs(tokens, attention_mask=seen).logits[0].softmax(-1) - whole).abs().sum() / 2
        assert changes[at] == pytest.approx(float(moved), abs=2e-5)
    assert "changes the probabilities of the labels" in str(session.sheet.headline)
    assert not any("output layer" in one for one in session.infos)
    assert "mask token" not in session.prose
    assert "masked" not in "\n".join(map(str, session.questions))


def test_a_classifier_without_a_choice_among_labels_predicts_nothing(no_real_model: Path) -> None:
    classifier_in(no_real_model / NAME, problem_type="multi_label_classification")
    write_tokenizer(no_real_model / NAME, PIECES)
    session = opened()
    assert ["has no output layer" in one for one in session.infos] == [True]
    assert CHANGE not in session.table("hiding")


def test_of_many_labels_the_likeliest_are_named() -> None:
    assert describe_labels([("good", 0.75), ("*bad*", 0.25)]) == (
        r"The model gives the text the label **good** with 75 %; \*bad\* 25 %."
    )
    many = [(f"L{at}", 0.125) for at in range(8)]
    assert describe_labels(many).count("L") == 5
    assert describe_labels(many).endswith(", and 3 more.")
