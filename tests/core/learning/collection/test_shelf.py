"""The shelf holds every model of the collection, each is what its record says, and the index lists them."""

import json
from functools import partial
from hashlib import sha256

import pytest
import torch

from core.learning.checkpoints import build, load
from core.learning.collection import FOLDER, MEMBERS, path_of, record_of
from core.learning.collection.checkpoint_store import INDEX, SUMS
from core.learning.collection.member_training import make_record, new_training
from core.learning.collection.members import SHIPPED
from core.learning.collection.translators import transformer_pair
from core.learning.evaluation import translation as evaluation
from core.learning.probes.probe_store import INDEX as INDEX_OF_PROBES
from core.learning.probes.probe_store import PROBES
from core.learning.tasks import CLASSIFICATION, TRANSLATION
from core.learning.training import Recipe
from core.measures.blocks.norms import FILE as TRAININGS
from core.measures.findings import FILE as FINDINGS
from core.measures.findings.over_sentences import FILE as OVER_SENTENCES
from core.measures.masking.future import CHEAT
from core.model.config import ModelConfig
from core.text import language

LARGEST = 36_000_000
"""Bytes that all checkpoints together may take."""

TOKENS = torch.tensor([[5, 9, 2, 7]])


def test_the_shelf_holds_every_member_and_nothing_else() -> None:
    names = (CHEAT, *SHIPPED, *PROBES)
    lists = {INDEX, FINDINGS, INDEX_OF_PROBES, OVER_SENTENCES, TRAININGS, SUMS}
    assert {path.name for path in FOLDER.iterdir()} == {*lists, *(path_of(n).name for n in names)}


def test_the_collection_is_small_enough_to_be_handed_out() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= LARGEST


@pytest.mark.long("files that change only when the collection is trained anew: one that does not load")
def test_every_model_loads_and_agrees_with_its_record() -> None:
    for name, member in ((name, MEMBERS[name]) for name in SHIPPED):
        record = record_of(name)
        learned = (record.config, record.task, record.recipe)
        assert learned == (member.config, member.task.name, member.recipe), name
        assert {"python", "torch"} <= record.versions.keys(), name
        assert all(0 <= share <= 1 for share in (record.accuracy, *record.accuracies.values())), name
        asked = (TOKENS, TOKENS) if member.task is TRANSLATION else TOKENS
        logits = load(path_of(name))(asked)
        expected = (1, 2) if member.task is CLASSIFICATION else (1, 4, member.config.vocab_size)
        assert logits.shape == expected, name
        assert logits.isfinite().all(), name


def test_the_index_agrees_with_the_checkpoints() -> None:
    index = json.loads((FOLDER / INDEX).read_text("utf-8"))
    assert list(index) == list(SHIPPED)
    for name, row in index.items():
        record = record_of(name)
        assert row == {
            "task": record.task,
            "steps": record.recipe.steps,
            "seed": record.recipe.seed,
            "loss": record.loss,
            "accuracy": record.accuracy,
            "accuracies": record.accuracies,
            "sha256": sha256(path_of(name).read_bytes()).hexdigest(),
        }


def test_a_model_outside_the_collection_is_refused_by_name() -> None:
    with pytest.raises(KeyError, match="'causal-telepathy' is not in the collection"):
        record_of("causal-telepathy")


def test_a_member_is_known_by_its_name_and_sees_no_answers() -> None:
    for name, member in MEMBERS.items():
        assert member.name == name
        assert member.config.vocab_size == len(member.task.vocabulary()), name
        if isinstance(member.config, ModelConfig):
            assert member.config.mask in member.task.masks, name
        if member.task is TRANSLATION:
            assert build(member.config).encoder.embed.num_embeddings == len(language.vocabulary())


@pytest.mark.usefixtures("little_asked")
def test_a_translator_is_trained_and_measured_as_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "accuracies", partial(evaluation.accuracies, n=1))
    monkeypatch.setattr(evaluation, "LONGEST", 3)
    recipe = Recipe(steps=1, batch_size=3)
    training = new_training(transformer_pair(2, 1), TRANSLATION, recipe)
    assert [step.step for step in training.steps()] == [1]
    record = make_record(training.model, TRANSLATION, recipe)
    assert record.task == "translation"
    assert {"sentences", "sentences 25–34", "alignment error rate"} <= record.accuracies.keys()
