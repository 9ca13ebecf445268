"""Fields of `config.json`: those that transformers never reads change nothing, and all others are heard."""

import inspect
import json
import re
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import torch

from core.model.models import Transformer
from core.pretrained import FAMILIES, FolderError, outline_of, read
from tests.core.pretrained.folders import CASES, LLAMA_3, written
from tests.core.pretrained.test_reading import logits_of, with_fields

TO_TRAIN_OR_GENERATE = re.compile(
    r"\w*drop(out)?\w*|init\w*|num_labels|problem_type|classifier_dropout|use_cache|output_\w+|return_dict|"
    r"\w+_token_id|summary_\w+|is_encoder_decoder|chunk_size_feed_forward|pretraining_tp|_attn_implementation|"
    r"slow_but_exact|reorder_and_upcast_attn|sinusoidal_pos_embds|id2label"
)
"""Fields that the modelling code reads to train, to generate, for another task, or to distribute the work."""

OURS = {"architectures", "model_type", "tie_word_embeddings"}
"""Fields that every family reads here, though its modelling code does not."""

WITHOUT_EFFECT = {kind: {"sliding_window"} for kind in ("qwen2", "qwen3")}
"""Fields that are read only with `use_sliding_window`."""

OF_FOUR = {
    "_attn_implementation", "_attn_implementation_autoset", "_commit_hash", "_name_or_path",
    "attn_implementation", "bad_words_ids", "begin_suppress_tokens", "bos_token_id",
    "chunk_size_feed_forward", "cross_attention_hidden_size", "diversity_penalty", "do_sample",
    "early_stopping", "encoder_no_repeat_ngram_size", "eos_token_id", "exponential_decay_length_penalty",
    "finetuning_task", "forced_bos_token_id", "forced_eos_token_id", "gradient_checkpointing", "id2label",
    "is_encoder_decoder", "label2id", "length_penalty", "max_length", "min_length", "model_max_length",
    "no_repeat_ngram_size", "num_beam_groups", "num_beams", "num_labels", "num_return_sequences",
    "output_attentions", "output_hidden_states", "output_scores", "prefix", "problem_type", "pruned_heads",
    "remove_invalid_values", "repetition_penalty", "return_dict", "return_dict_in_generate", "sep_token_id",
    "suppress_tokens", "task_specific_params", "temperature", "tf_legacy_loss", "tie_encoder_decoder",
    "tokenizer_class", "top_k", "top_p", "torch_dtype", "torchscript", "transformers_version", "typical_p",
    "use_bfloat16", "xla_device",
}  # fmt: skip
"""Fields that version 4 of transformers wrote into the configuration of any family."""

PUBLISHED: dict[str, dict[str, Any]] = {
    "gpt2": {"n_ctx": 37, "n_special": 0, "predict_special_tokens": True, "summary_type": "cls_index",
             "task_specific_params": {"text-generation": {"do_sample": True}}, "_num_labels": 1},
    "bert": {"directionality": "bidi", "pooler_fc_size": 768, "pooler_num_attention_heads": 12,
             "pooler_num_fc_layers": 3, "pooler_size_per_head": 128, "pooler_type": "first_token_transform",
             "position_embedding_type": "absolute", "output_past": True, "gradient_checkpointing": False,
             "classifier_dropout": None, "language": "english", "name": "Bert", "model_max_length": 512},
    "distilbert": {"tie_weights_": True, "sinusoidal_pos_embds": True, "qa_dropout": 0.1,
                   "seq_classif_dropout": 0.2, "output_past": True, "finetuning_task": "sst-2"},
    "roberta": {"position_embedding_type": "absolute", "tokenizer_class": "BertTokenizer",
                "_attn_implementation_autoset": True, "classifier_dropout": None},
    "xlm-roberta": {"position_embedding_type": "absolute", "output_past": True, "use_cache": True,
                    "classifier_dropout": None, "pad_token_id": 1},
    "bloom": {"n_inner": None, "offset_alibi": 100, "seq_length": 37, "skip_bias_add": True,
              "skip_bias_add_qkv": False, "bias_dropout_fusion": True, "masked_softmax_fusion": True,
              "attention_softmax_in_fp32": True, "pretraining_tp": 1, "unk_token_id": 0},
    "bart": {"_num_labels": 3, "add_bias_logits": False, "add_final_layer_norm": False, "prefix": " ",
             "classif_dropout": 0.1, "force_bos_token_to_be_generated": True, "normalize_before": False,
             "normalize_embedding": True, "save_step": 3, "output_past": True, "num_hidden_layers": 2,
             "static_position_embeddings": False, "extra_pos_embeddings": 2, "length_penalty": 2.0},
    "t5": {"n_positions": 512, "output_past": True, "gradient_checkpointing": False,
           "task_specific_params": {"summarization": {"prefix": "summarize: ", "num_beams": 4}}},
    "llama": {"rope_scaling": None, "rope_interleaved": False, "is_llama_config": True, "pretraining_tp": 1,
              "transformers.js_config": {"dtype": "q4"}, "unsloth_fixed": True, "max_sequence_length": 37},
    "qwen2": {"use_mrope": False, "max_window_layers": 21, "sliding_window": 32768, "rope_scaling": None,
              "use_sliding_window": False, "_attn_implementation_autoset": True},
    "qwen3": {"max_window_layers": 36, "sliding_window": None, "rope_scaling": None, "rope_theta": 77.0,
              "use_sliding_window": False, "head_dim": 10},
    "mistral": {"sliding_window": None, "rope_theta": 77.0, "quantization_config": {}},
}  # fmt: skip
"""Fields beside sizes that published folders of each family have had."""


def fields_read(kind: str) -> tuple[set[str], set[str]]:
    """Return the fields of the configuration of a family in transformers, and those that code of it reads."""
    import transformers

    theirs = getattr(transformers, CASES[kind].config)
    code = inspect.getsource(
        import_module("transformers.models.{0}.modeling_{0}".format(kind.replace("-", "_")))
    )
    found = {
        *re.findall(r"config(?:\.|, \")(\w+)", code),
        *re.findall(r"self\.(\w+)", inspect.getsource(theirs)),
    }
    found |= {theirs.attribute_map.get(name, name) for name in found}
    return set(theirs().to_dict()), found


@pytest.fixture
def folder(kind: str, tmp_path: Path) -> Path:
    written(kind, tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", FAMILIES)
def test_fields_that_transformers_never_reads_change_nothing_and_all_others_are_heard(
    kind: str, folder: Path
) -> None:
    import transformers

    ours, found = fields_read(kind)
    path, expected = folder / "config.json", logits_of(folder)
    before = json.loads(path.read_text("utf-8"))
    unread = (ours | {*OF_FOUR, *transformers.GenerationConfig().to_dict()}) - found - OURS
    assert len(unread) > 50
    for others in (dict.fromkeys(unread, 7), PUBLISHED[kind]):
        path.write_text(json.dumps(before | others), "utf-8")
        assert torch.equal(logits_of(folder), expected)

    heard = (ours & found) - OURS - WITHOUT_EFFECT.get(kind, set())
    heard = {name for name in heard if not TO_TRAIN_OR_GENERATE.fullmatch(name)}
    assert len(heard) > 5
    for name in [*heard, "tie_word_embeddings"]:
        path.write_text(json.dumps(before | {name: "nonsense"}), "utf-8")
        with pytest.raises(FolderError, match="nonsense"):
            outline_of(folder)


ODD = ("x", -1, 0, 3, 1.5, 1e400, True, None, {}, {"a": [1]}, [[1]])
"""Possible values of a field."""


ONE_VALUE = [("llama", len(ODD))]
THREE_VALUES = [
    pytest.param(kind, 4, marks=pytest.mark.long("three values for each field")) for kind in FAMILIES
]


@pytest.mark.parametrize(("kind", "step"), [*ONE_VALUE, *THREE_VALUES])
def test_with_any_value_of_a_field_the_folder_is_read_or_refused(kind: str, step: int, folder: Path) -> None:
    """Each field says something else than its neighbours, and something else in each family."""
    path = folder / "config.json"
    before = json.loads(path.read_text("utf-8"))
    names = [*before, *PUBLISHED[kind], *("n_inner", "head_dim", "rope_scaling", "layer_types", "strange")]
    for at, name in enumerate(dict.fromkeys(names), start=list(FAMILIES).index(kind)):
        for value in ODD[at % step :: step]:
            path.write_text(json.dumps(before | {name: value}), "utf-8")
            with suppress(FolderError):
                assert outline_of(folder).family, f"{name} = {value!r} is read as no family"


@pytest.mark.parametrize("kind", ["llama-3"])
def test_with_any_rotary_parameters_the_folder_is_read_or_refused(kind: str, folder: Path) -> None:
    values = (*ODD, "linear", "default", 1e-300)
    for at, name in enumerate([*LLAMA_3, "type"]):
        for value in values[at % 3 :: 3]:
            with_fields(folder, rope_parameters={**LLAMA_3, name: value})
            with suppress(FolderError):
                assert outline_of(folder).family == "Llama"


def test_an_unknown_field_is_refused_unless_it_is_empty(tmp_path: Path) -> None:
    written("gpt2", tmp_path)
    with_fields(tmp_path, strange=7)
    with pytest.raises(FolderError, match="not known here: strange"):
        read(tmp_path)
    with_fields(tmp_path, strange={})
    assert isinstance(read(tmp_path).model, Transformer)
