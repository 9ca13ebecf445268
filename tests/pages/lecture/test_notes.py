"""Notes state what views say at other settings that a lecturer tries; entries state no measured number.

What a step states of its own view, `test_shipped.py` asks.
"""

import re

import pytest

from core.learning.checkpoints import build
from core.learning.evaluation.classification import AMONG, SEEN
from core.measures.classification.reviews import CLASSIFIERS
from core.model.config import ModelConfig
from core.sources.classifiers import record_of_classifier
from pages.sheet import answered
from pages.terms import TERMS
from tests.covering import each
from tests.pages.stated import Number, numbers, quoted, sheet_of, unsupported

TRIED = [
    ("/gradients?follow=Jacobians", "the gradient vanishes"),
    ("/gradients?follow=Jacobians&scale_of_weights=3", "the gradient explodes"),
    ("/classification?view=one+review&text=the+film+was+good+.", "(All 7|7 of 7) classifiers"),
    ("/translation?view=translate", r"takes 11 steps(.|\n)*badge\[right\]"),
    ("/step-by-step?view=why+three+matrices&matrices=Q+%3D+K", "7 of 7 words .* scores are symmetric"),
    ("/step-by-step?view=soft+lookup&text=the+gardeners+near+the+lamp+are&sharpness=0.1", "weight of 1.00"),
    ("/architectures?view=encoder+or+decoder", "Architecture of a Transformer encoder"),
    ("/architectures?view=encoder+or+decoder&mask=causal", "nothing else in the drawing changes"),
    (
        "/order-invariance?view=two+orders",
        "causal, none positions, 1 layer(?!.*causal, none positions, 2 layers)",
    ),
    ("/generation?view=surprisal&step=4", r"Transformer: seem 7\.7"),
    ("/interaction-distance?view=long+range&far=recall", "LSTM 93 % .*66 % at 21–48"),
    (
        "/step-by-step?view=soft+lookup&text=the+keys+near+the+lamp+are&sharpness=0.1",
        "weight of 1.00",
    ),
    (
        "/step-by-step?view=soft+lookup&text=the+keys+near+the+lamp+are&sharpness=∞",
        r"0\.000 from the mean",
    ),
    ("/step-by-step?view=why+three+matrices&matrices=three", "2 of 7 words attend most to themselves"),
    ("/heads?view=two+things&maria=80", "94 % of Zuko's: 50 % on average"),
    ("/blocks?view=layer+norm&others=true", r"the statistics of \*\*Maria\*\* changed by \*\*0\*\*"),
]
"""What a lecturer is told to try, or reads off a picture, and what the view says then."""


@each(("link", "says"), TRIED)
def test_what_the_notes_tell_of_other_settings_is_what_the_views_say(link: str, says: str) -> None:
    found = answered(link)
    assert found.refused == ()
    assert re.search(says, sheet_of(found))


READ_OFF = [
    ("RNN last state", AMONG, 0.55),
    ("RNN mean", AMONG, 0.99),
    ("RNN mean", SEEN, 1.00),
    ("LSTM mean", SEEN, 1.00),
]
"""Accuracies of classifiers by kind of review: the notes tell a lecturer to read them off the grid."""


@each(("title", "kind", "accuracy"), READ_OFF)
def test_the_grid_of_accuracies_has_what_the_notes_read_off_it(
    title: str, kind: str, accuracy: float
) -> None:
    measured = record_of_classifier(CLASSIFIERS[title]).accuracies[kind]
    assert f"{measured:.2f}" == f"{accuracy:.2f}"


def test_a_feed_forward_layer_has_two_thirds_of_the_parameters_of_a_block() -> None:
    model = build(ModelConfig(vocab_size=2, d_model=48, n_layers=1))
    sizes = {name: part.numel() for name, part in model.named_parameters() if name.startswith("blocks.0")}
    share = sum(n for name, n in sizes.items() if ".mlp." in name) / sum(sizes.values())
    assert share == pytest.approx(2 / 3, abs=0.01)


BY_DEFINITION = {
    "confidence": "95 of 100 is what the number means",
    "total variation": "100 % is the largest there can be",
    "floating-point number": "the bits of each format",
}
"""Entries with numbers that nobody measured."""


def test_no_entry_has_a_measured_number() -> None:
    assert {term.name for term in TERMS.values() if [*numbers(term.sentence)]} == set(BY_DEFINITION)


@pytest.mark.parametrize(
    ("text", "sheet", "missing"),
    [
        ("It falls from 48 % to 2 %.", "48.3 % at first, then 2 %", []),
        ("It falls to 49 %.", "48.3 % at first", ["49 %"]),
        ("It has 49.", "49 %", ["49"]),
        ("A loss of 7.12 nats, or 2 bits.", "7.1 nats, 2 nats", ["2 bits"]),
        ("Times 1.04 and 0.2.", "1.041, 0.24", []),
        ("Equations 30 and 31, Figure 4, of 2017, GPT-2, between 0 and 1", "", []),
        ("Eight heads and six blocks", "8 heads", ["6"]),
        ("A word “was”, and *is*", "was", ["is"]),
        ("“is it so?” It wasn’t “so”.", "soon", ["so"]),
    ],
)
def test_what_a_sheet_does_not_say_is_found(text: str, sheet: str, missing: list[str]) -> None:
    assert unsupported(text, sheet) == missing


def test_formulas_are_no_quotations_and_numbers_agree_within_their_last_digit() -> None:
    assert list(quoted("“h = tanh(W h)” and *d*, “x₁”, *layer 1*")) == ["layer 1"]
    assert Number(0.9, 0.05).agrees(Number(0.931, 0.0005))
    assert not Number(0.90, 0.005).agrees(Number(0.931, 0.0005))
