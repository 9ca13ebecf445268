"""Models for other tasks: the part below the head is read, and the labels of classifiers like BERT."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from core.model.models import EncoderDecoder, Transformer
from core.pretrained import FolderError, outline_of, read
from core.pretrained.label_head import LONGEST_LABEL
from tests.core.pretrained.folders import CASES, saved, tokens_of
from tests.core.pretrained.test_reading import with_fields, with_tensors

HEADS = {
    "BertForMultipleChoice": "bert-without-output",
    "BertForNextSentencePrediction": "bert-without-output",
    "BertForQuestionAnswering": "bert-without-output",
    "DistilBertForQuestionAnswering": "distilbert",
    "RobertaForTokenClassification": "roberta-without-output",
    "GPT2ForTokenClassification": "gpt2",
    "BloomForSequenceClassification": "bloom",
    "Qwen2ForTokenClassification": "qwen2",
    "Qwen3ForSequenceClassification": "qwen3",
    "MistralForTokenClassification": "mistral-window",
    "BartForSequenceClassification": "bart",
}


@torch.no_grad()
@pytest.mark.parametrize("model", HEADS)
def test_a_model_for_another_task_is_read_without_its_head(model: str, tmp_path: Path) -> None:
    theirs = saved(replace(CASES[HEADS[model]], model=model), tmp_path)
    found, tokens = read(tmp_path), tokens_of(5, seed=1)
    assert found.architecture == model
    left_out = any(
        why in found.left_out.values()
        for why in ("the head for another task", "whether two sentences follow each other")
    )
    assert left_out == (found.label_head is None)
    if isinstance(found.model, EncoderDecoder):
        return
    assert not isinstance(found.model, Transformer)
    expected = theirs.base_model(tokens).last_hidden_state
    torch.testing.assert_close(found.model(tokens), expected, rtol=1e-5, atol=1e-5)


CLASSIFIERS = {
    "BertForSequenceClassification": "bert-without-output",
    "DistilBertForSequenceClassification": "distilbert",
    "RobertaForSequenceClassification": "roberta-without-output",
    "XLMRobertaForSequenceClassification": "xlm-roberta",
}
LABELS = {0: "NEGATIVE", 1: "NEUTRAL", 2: "POSITIVE"}


def classifier_in(folder: Path, model: str = "BertForSequenceClassification", **more: Any) -> Any:
    case = CASES[CLASSIFIERS[model]]
    fields = {**case.fields, "id2label": LABELS, "label2id": {one: at for at, one in LABELS.items()}, **more}
    return saved(replace(case, model=model, fields=fields), folder)


@torch.inference_mode()
@pytest.mark.parametrize("model", CLASSIFIERS)
def test_its_probabilities_agree_with_transformers(model: str, tmp_path: Path) -> None:
    theirs, tokens = classifier_in(tmp_path, model), tokens_of(7, seed=1)
    found = read(tmp_path)
    assert found.label_head is not None
    assert found.label_head.labels == tuple(LABELS.values())
    assert not any("classifier" in name or "dense" in name for name in found.left_out)
    expected = theirs(tokens).logits.double().softmax(dim=-1)
    torch.testing.assert_close(
        found.label_head.probabilities(found.model(tokens)), expected, rtol=1e-5, atol=1e-6
    )
    assert outline_of(tmp_path).label_head is not None


@pytest.mark.parametrize(
    "fields",
    [{"problem_type": "multi_label_classification"}, {"architectures": ["BertForTokenClassification"]}],
)
def test_a_head_without_labels_that_exclude_each_other_is_left_out(
    fields: dict[str, Any], tmp_path: Path
) -> None:
    classifier_in(tmp_path)
    with_fields(tmp_path, **fields)
    found = read(tmp_path)
    assert found.label_head is None
    assert found.left_out["classifier.weight"] == "the head for another task"


def test_a_head_of_one_number_is_left_out(tmp_path: Path) -> None:
    classifier_in(tmp_path, id2label={0: "score"}, label2id={"score": 0})
    assert read(tmp_path).label_head is None


def test_labels_are_named_by_number_if_the_folder_does_not_and_none_is_long_or_unseen(tmp_path: Path) -> None:
    classifier_in(tmp_path)
    for said in (None, "odd"):
        with_fields(tmp_path, id2label=said)
        head = read(tmp_path).label_head
        assert head is not None
        assert head.labels == ("LABEL_0", "LABEL_1", "LABEL_2")
    with_fields(tmp_path, id2label={"0": "a" * 999, "2": "b\u202e", "7": "none"})
    head = read(tmp_path).label_head
    assert head is not None
    assert head.labels == ("a" * LONGEST_LABEL, "LABEL_1", "b⟨202E⟩")


def test_a_head_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    classifier_in(tmp_path)

    def cut(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return tensors | {"classifier.bias": tensors["classifier.bias"][:2]}

    with_tensors(tmp_path, cut)
    with pytest.raises(FolderError, match=r"classifier.bias must have shape \(3,\), got \(2,\)"):
        read(tmp_path)
