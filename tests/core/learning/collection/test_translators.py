"""Every translator that pages compare is in the list, by its name, and all of them are small."""

from functools import partial

import pytest

from core.learning.checkpoints import build
from core.learning.collection.member_training import make_record, new_training
from core.learning.collection.translators import name_of_pair, transformer_pair, translators
from core.learning.evaluation import translation as evaluation
from core.learning.tasks import TRANSLATION
from core.learning.training import Recipe, measure
from core.model.recurrent_pair import ATTENTIONS
from core.text import language, translation


def test_a_translator_reads_our_language_and_writes_the_other() -> None:
    assert {f"translation-lstm-{attention}" for attention in ATTENTIONS} <= translators().keys()
    for name, config in translators().items():
        assert name_of_pair(config) == name
        model = build(config)
        assert model.encoder.embed.num_embeddings == len(language.vocabulary())
        assert model.decoder.embed.num_embeddings == len(translation.vocabulary()) == config.vocab_size


def test_a_translator_is_trained_and_measured_as_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    few = partial(evaluation.accuracies, n=2), partial(measure, n_batches=1, size=5)
    monkeypatch.setattr(evaluation, "accuracies", few[0])
    monkeypatch.setattr(evaluation, "LONGEST", 13)
    monkeypatch.setattr("core.learning.collection.member_training.measure", few[1])
    recipe = Recipe(steps=2, batch_size=3)
    training = new_training(transformer_pair(2, 1), TRANSLATION, recipe)
    assert [step.step for step in training.steps()] == [1, 2]
    record = make_record(training.model, TRANSLATION, recipe)
    assert record.task == "translation"
    assert {"sentences", "sentences 25–34", "alignment error rate"} <= record.accuracies.keys()
