"""A folder is read completely, or refused with a sentence that names its error."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.model.models import EncoderDecoder
from core.pretrained import FolderError, read, with_configs
from tests.core.pretrained.folders import LLAMA_3, SLIDING, VOCAB, tokens_of, written

Tensors = dict[str, Tensor]
FILE, INDEX = "model.safetensors", "model.safetensors.index.json"


def folder_of(name: str, folder: Path) -> Path:
    written(name, folder)
    return folder


def with_fields(folder: Path, **fields: Any) -> None:
    """Other fields in the configuration; None takes one away."""
    path = folder / "config.json"
    said = json.loads(path.read_text("utf-8")) | fields
    path.write_text(json.dumps({name: value for name, value in said.items() if value is not None}), "utf-8")


def with_tensors(folder: Path, change: Callable[[Tensors], Tensors]) -> None:
    tensors = change(load_file(folder / FILE))
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, folder / FILE)


def assert_refused(folder: Path, reason: str) -> None:
    with pytest.raises(FolderError, match=re.escape(reason)):
        read(folder)


def logits_of(folder: Path) -> Tensor:
    model = read(folder).model
    tokens = tokens_of(5, seed=1)
    return model((tokens, tokens)) if isinstance(model, EncoderDecoder) else model(tokens)


def test_all_that_is_wrong_with_the_tensors_is_named(tmp_path: Path) -> None:
    def change(tensors: Tensors) -> Tensors:
        del tensors["transformer.h.0.attn.c_attn.weight"], tensors["transformer.ln_f.bias"]
        tensors["transformer.h.1.attn.c_attn.bias"] = torch.ones(19)
        return tensors | {"transformer.ln_f.weight": torch.ones(19), "transformer.strange": torch.ones(3)}

    with_tensors(folder_of("gpt2", tmp_path), change)
    assert_refused(
        tmp_path,
        "not the weights of GPT-2: h.0.attn.c_attn.weight is missing; "
        "h.1.attn.c_attn.bias must have shape (63,), got (19,); "
        "ln_f.weight must have shape (21,), got (19,); ln_f.bias is missing; strange is not known",
    )


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("qwen2", lambda found: found | {"model.layers.0.self_attn.o_proj.bias": torch.ones(60)},
         "layers.0.self_attn.o_proj.bias is not known"),
        ("gpt2", lambda found: {name: tensor.to(torch.int8) for name, tensor in found.items()},
         "must hold floating point numbers, got torch.int8"),
        ("gpt2", lambda found: found | {"lm_head.weight": found["transformer.wte.weight"] * math.nan},
         "lm_head.weight must hold finite numbers, got nan"),
        ("gpt2", lambda found: {f"module.{one}": found[one] for one in found}, "c_attn.weight is missing"),
    ],
)  # fmt: skip
def test_tensors_of_another_model_are_refused(
    name: str, change: Callable[[Tensors], Tensors], reason: str, tmp_path: Path
) -> None:
    with_tensors(folder_of(name, tmp_path), change)
    assert_refused(tmp_path, reason)


@pytest.mark.parametrize(
    ("name", "tensor", "number"),
    [("gpt2", "h.1.attn.c_attn.weight", math.nan), ("t5", "shared.weight", -math.inf)],
)
def test_a_number_that_is_not_finite_is_refused_by_the_name_of_its_tensor(
    name: str, tensor: str, number: float, tmp_path: Path
) -> None:
    def spoilt(tensors: Tensors) -> Tensors:
        (found,) = (one for one in tensors if one.endswith(tensor))
        tensors[found].view(-1)[-1] = number
        return tensors

    with_tensors(folder_of(name, tmp_path), spoilt)
    assert_refused(tmp_path, f"{tensor} must hold finite numbers, got {number}")


@pytest.mark.parametrize(
    ("name", "tensor", "reason"),
    [
        ("gpt2", "transformer.h.0.attn.c_attn.weight", "h.0.attn.c_attn.weight is missing"),
        ("bloom", "transformer.h.1.self_attention.query_key_value.bias", "query_key_value.bias is missing"),
        ("t5-gated", "encoder.block.1.layer.1.DenseReluDense.wi_0.weight", "wi_0.weight is missing"),
        ("llama", "lm_head.weight", "lm_head.weight is missing"),
    ],
)
def test_split_or_transposed_tensors_are_named_as_missing(
    name: str, tensor: str, reason: str, tmp_path: Path
) -> None:
    with_tensors(folder_of(name, tmp_path), lambda tensors: {n: t for n, t in tensors.items() if n != tensor})
    assert_refused(tmp_path, reason)


@pytest.mark.parametrize(
    ("name", "fields", "reason"),
    [
        ("gpt2", {"model_type": "gpt_neox"}, "model_type must be one of gpt2, bert"),
        ("gpt2", {"model_type": "gemma3_text"}, "Gemma 3 is not read here: some of its layers see a window"),
        ("gpt2", {"architectures": ["GPT2DoubleHeadsModel"]}, "must be one of GPT2LMHeadModel"),
        ("gpt2", {"n_embd": None}, "config.json has no n_embd"),
        ("gpt2", {"n_layer": "two"}, "n_layer must be a whole number of at least 1, got 'two'"),
        ("gpt2", {"n_head": 4}, "d_model must be a multiple of n_heads, got 21 and 4"),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx must be False"),
        ("gpt2", {"activation_function": "quick_gelu"}, "activation_function must be one of relu, gelu"),
        ("gpt2", {"auto_map": {"AutoModel": "code.py"}, "q_norm": 1}, "not known here: auto_map, q_norm"),
        ("bert", {"position_embedding_type": "relative_key"}, "position_embedding_type must be 'absolute'"),
        ("bert", {"tie_word_embeddings": False}, "tie_word_embeddings must be True to be read here"),
        ("roberta", {"hidden_act": "relu"}, "hidden_act must be gelu"),
        ("bloom", {"apply_residual_connection_post_layernorm": True}, "must be False to be read here"),
        ("bart", {"normalize_before": True}, "normalize_before must be False to be read here"),
        ("t5", {"relative_attention_num_buckets": 16}, "relative_attention_num_buckets must be 32"),
        ("llama", {"rope_parameters": {"rope_type": "yarn", "factor": 8.0}}, "default, linear or llama3"),
        ("llama", {"rope_parameters": {"rope_type": "linear"}}, "config.json has no factor"),
        ("llama", {"rope_parameters": {"rope_type": "linear", "factor": 0}}, "factor must be above 0, got 0"),
        ("llama", {"rope_parameters": LLAMA_3 | {"high_freq_factor": 1}}, "must be above low_freq_factor"),
        ("llama", {"rope_parameters": {"rope_theta": 7.0, "partial_rotary_factor": 0.5}}, "partial_rotary"),
        ("qwen2", SLIDING | {"layer_types": ["full_attention", "sliding_attention"]},
         "some layers have a sliding window of 4 keys and some have none"),
        ("qwen2", {"layer_types": ["sliding_attention"] * 2}, "full_attention without a sliding window"),
        ("qwen3", SLIDING | {"layer_types": ["full_attention", "other"]}, "or sliding_attention, got"),
        ("gpt2", {"layer_norm_epsilon": 0}, "layer_norm_epsilon must be above 0, got 0"),
        ("llama", {"rms_norm_eps": 1e-50}, "rms_norm_eps must be above 0, got 1e-50"),
    ],
)  # fmt: skip
def test_a_field_that_makes_another_model_of_it_is_refused(
    name: str, fields: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    with_fields(folder_of(name, tmp_path), **fields)
    assert_refused(tmp_path, reason)


def test_the_base_of_rotary_positions_may_stand_where_older_folders_have_it(tmp_path: Path) -> None:
    expected = logits_of(folder_of("llama", tmp_path))
    with_fields(tmp_path, rope_parameters=None, rope_theta=77.0)
    assert torch.equal(logits_of(tmp_path), expected)
    with_fields(tmp_path, rope_theta=7.0)
    assert not torch.allclose(logits_of(tmp_path), expected)


def test_weights_in_several_files_are_the_same_model(tmp_path: Path) -> None:
    expected = logits_of(folder_of("t5", tmp_path / "one"))
    written("t5", tmp_path / "one").save_pretrained(tmp_path / "many", max_shard_size="8KB")
    assert len(list((tmp_path / "many").glob("*.safetensors"))) > 2
    assert torch.equal(logits_of(tmp_path / "many"), expected)


def test_files_must_agree_with_their_list(tmp_path: Path) -> None:
    written("gpt2", tmp_path).save_pretrained(tmp_path / "many", max_shard_size="8KB")
    path = tmp_path / "many" / INDEX
    said = json.loads(path.read_text("utf-8"))
    name, file = next(iter(said["weight_map"].items()))
    for change, reason in [
        ({name: "../model.safetensors"}, "must name safetensors beside it, got '../model.safetensors'"),
        ({name: "weights.bin"}, "must name safetensors beside it, got 'weights.bin'"),
        ({"of.nothing": file}, "disagree about of.nothing"),
        ({"of.nothing": "absent.safetensors"}, "absent.safetensors is missing"),
    ]:
        path.write_text(json.dumps({"weight_map": said["weight_map"] | change}), "utf-8")
        assert_refused(tmp_path / "many", reason)


@pytest.mark.parametrize(
    ("name", "copy", "original"),
    [
        ("gpt2", "lm_head.weight", "transformer.wte.weight"),
        ("bart", "model.encoder.embed_tokens.weight", "model.shared.weight"),
        ("bert", "cls.predictions.decoder.bias", "cls.predictions.bias"),
    ],
)
def test_a_second_copy_of_a_tensor_is_one_if_it_is_equal(
    name: str, copy: str, original: str, tmp_path: Path
) -> None:
    expected = logits_of(folder_of(name, tmp_path))
    with_tensors(tmp_path, lambda tensors: tensors | {copy: tensors[original].clone()})
    assert torch.equal(logits_of(tmp_path), expected)
    with_tensors(tmp_path, lambda tensors: tensors | {copy: tensors[original] + 1})
    assert_refused(tmp_path, "is not known")


OLDER: dict[str, Callable[[str], str]] = {
    "gpt2": lambda name: name.removeprefix("transformer."),
    "bert": lambda name: name.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"),
}
"""Names of tensors in older folders."""

COUNTED: dict[str, Tensors] = {
    "gpt2": {
        "h.0.attn.bias": torch.ones(1, 1, 37, 37).tril(), "h.1.attn.masked_bias": torch.tensor(-1e4)
    },
    "bert": {"bert.embeddings.position_ids": torch.arange(37)[None]},
}  # fmt: skip
"""Further tensors in older folders, which are computed here."""


@pytest.mark.parametrize("name", OLDER)
def test_names_of_older_folders_are_understood(name: str, tmp_path: Path) -> None:
    expected = logits_of(folder_of(name, tmp_path))
    with_tensors(
        tmp_path, lambda tensors: {OLDER[name](one): tensors[one] for one in tensors} | COUNTED[name]
    )
    assert torch.equal(logits_of(tmp_path), expected)
    assert set(read(tmp_path).left_out) == {one.removeprefix("bert.") for one in COUNTED[name]}


def test_t5_may_have_a_separate_output_layer(tmp_path: Path) -> None:
    theirs = written("t5-gated", tmp_path)
    own = torch.randn(31, 20, generator=torch.Generator().manual_seed(3))
    with_tensors(tmp_path, lambda tensors: tensors | {"lm_head.weight": own})
    model, source, target = read(tmp_path).model, tokens_of(11, seed=1), tokens_of(5, seed=2)
    states = theirs(source, decoder_input_ids=target, output_hidden_states=True).decoder_hidden_states[-1]
    torch.testing.assert_close(model((source, target)), states @ own.T, rtol=1e-5, atol=1e-5)
    with_fields(tmp_path, scale_decoder_outputs=True)
    scaled = states @ own.T / 20**0.5
    torch.testing.assert_close(read(tmp_path).model((source, target)), scaled, rtol=1e-5, atol=1e-5)


def test_a_pickle_is_never_opened(tmp_path: Path) -> None:
    folder_of("gpt2", tmp_path)
    (tmp_path / FILE).rename(tmp_path / "pytorch_model.bin")
    assert_refused(tmp_path, "a pickle, which could run code when it is opened")


def test_a_folder_without_a_tokenizer_has_none_and_a_decoder_of_two_sequences_a_first_token(
    tmp_path: Path,
) -> None:
    assert read(folder_of("bart", tmp_path / "bart")).tokenizer is None
    assert read(tmp_path / "bart").target == (2, None, {2}, ())
    assert read(folder_of("t5", tmp_path / "t5")).target == (0, None, {1}, ())
    assert read(folder_of("gpt2", tmp_path / "gpt2")).target is None


def test_begin_and_end_tokens_of_a_target_agree_with_transformers(tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path)
    said = json.loads((folder / "config.json").read_text("utf-8"))
    said |= {"eos_token_id": [2, 7, VOCAB, -1, True], "decoder_start_token_id": VOCAB, "pad_token_id": 5}
    (folder / "config.json").write_text(json.dumps(said), "utf-8")
    (folder / "generation_config.json").unlink()
    assert read(folder).target == (5, None, {2, 7}, ()), "missing tokens do not count"
    beside = {"forced_bos_token_id": 3, "decoder_start_token_id": 11}
    (folder / "generation_config.json").write_text(json.dumps(beside), "utf-8")
    assert read(folder).target == (11, 3, {2, 7}, ())
    tasks = [{"prefix": "sum up: "}, {"length": 7}, {"prefix": " "}, {"prefix": 5}, 3, {"prefix": "sum up:"}]
    said["task_specific_params"] = dict(zip("abcdef", tasks, strict=True))
    (folder / "config.json").write_text(json.dumps(said), "utf-8")
    assert read(folder).target == (11, 3, {2, 7}, ("sum up:",))
    many = {str(n): {"prefix": f"{n}" * (1 + n // 90)} for n in range(400)}
    said["task_specific_params"] = {"long": {"prefix": "a" * 101}, **many}
    (folder / "config.json").write_text(json.dumps(said), "utf-8")
    assert read(folder).target == (11, 3, {2, 7}, tuple(map(str, range(32))))


def test_tied_and_shared_tables_are_one_in_memory(tmp_path: Path) -> None:
    gpt2 = read(folder_of("gpt2", tmp_path / "gpt2")).model
    assert gpt2.unembed.weight is gpt2.embed.weight
    bart = read(folder_of("bart", tmp_path / "bart")).model
    assert bart.decoder.embed.weight is bart.encoder.embed.weight is bart.decoder.unembed.weight
    assert not any(parameter.requires_grad for parameter in bart.parameters())


def test_an_ablation_shares_the_weights_and_switched_back_is_the_original(tmp_path: Path) -> None:
    found = read(folder_of("gpt2", tmp_path))
    model, tokens, config = found.model, tokens_of(5, seed=1), found.configs[0]
    for switch in ({"mask": "bidirectional"}, {"positions": "none"}, {"scale": False}, {"mlp": False},
                   {"residual": False}, {"norm": "none"}, {"activation": "relu"}):  # fmt: skip
        other = with_configs(model, replace(config, **switch))
        assert other.embed.weight.data_ptr() == model.embed.weight.data_ptr()
        assert not torch.allclose(other(tokens), model(tokens)), switch
        assert torch.equal(with_configs(other, other.config)(tokens), other(tokens))
    assert torch.equal(with_configs(model, config)(tokens), model(tokens))
    with pytest.raises(ValueError, match=r"the model was trained without blocks\.0\.mlp\.gate\.weight"):
        with_configs(model, replace(config, gated=True))
