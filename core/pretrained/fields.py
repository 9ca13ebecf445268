"""The fields of `config.json`: each is either understood or known to change nothing."""

import re
from collections.abc import Mapping
from typing import Any

from core.pretrained.errors import FolderError

_NEEDED = object()

_ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}
"""Names of activations in folders, and in `core.model.activations`."""

_MOST = {"layer": 256, "head": 4096}
"""The largest numbers of layers and heads, and the largest width of a head."""

_MOST_OF_ALL = 2**24
"""The largest of all other sizes."""

_CHANGES_NOTHING = re.compile(
    # Origin, authors and language of the folder, and storage of its numbers.
    r"architectures|model_type|_name_or_path|_commit_hash|\w*transformers_version|transformers\.js_config|"
    r"torch_dtype|dtype|use_bfloat16|tokenizer_class|is_llama_config|unsloth_\w+|language|name|"
    # Initialisation, dropout and memory saving in training.
    r"init\w*_(range|std|factor|xavier_std)|init_std|\w*drop\w*|gradient_\w+|save_step|neftune_noise_alpha|"
    # Parts for tasks other than predicting words; BERT's first folders describe its pooler this way.
    r"id2label|label2id|_?num_labels|problem_type|finetuning_task|task_specific_params|summary_\w+|prefix|"
    r"directionality|pooler_\w+|n_special|predict_special_tokens|"
    # Special tokens, lengths of texts, and generation.
    r"\w+_token_ids?|model_max_length|max_sequence_length|do_sample|early_stopping|(max|min)_length|"
    r"(max|min)_new_tokens|max_time|num_beams|num_beam_groups|num_return_sequences|\w*no_repeat_ngram_size|"
    r"\w+_penalty|temperature|top_[hkp]|min_p|typical_p|(epsilon|eta)_cutoff|penalty_alpha|dola_layers|"
    r"guidance_scale|bad_words_ids|force_words_ids|force_bos_token_to_be_generated|sequence_bias|constraints|"
    r"(begin_)?suppress_tokens|remove_invalid_values|renormalize_logits|stop_strings|token_healing|"
    r"low_memory|is_assistant|assistant_\w+|num_assistant_tokens\w*|prompt_lookup_num_tokens|"
    r"max_matching_ngram_size|target_lookbehind|watermarking_config|speculation_type|use_mtp|"
    # Ways of computing that do not change the result.
    r"_?attn_implementation\w*|_flash_attn\w*|use_cache|cache_\w+|max_cache_len|compile_config|disable_compile|"
    r"prefill_chunk_size|continuous_batching_config|output_\w+|return_\w+|torchscript|tf_legacy_loss|"
    r"xla_device|pretraining_tp|chunk_size_feed_forward|pruned_heads|_from_model_config|"
    # Fields that matter only to the families that ask for them.
    r"is_encoder_decoder|is_decoder|add_cross_attention|cross_attention_hidden_size|tie_encoder_decoder|"
    r"position_embedding_type"
)
"""Fields that no modelling code of these families reads, except to train or to generate."""


LARGEST = 1e38
"""About the largest number in single precision."""

SMALLEST = 1e-38
"""About the smallest number above 0 in single precision."""

_KINDS = {bool: "true or false", float: "a number", dict: "an object", list: "a list"}


class Fields:
    """The fields of a `config.json`, each taken once; null or empty fields have their default."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = {name: value for name, value in values.items() if value not in (None, {}, [], "")}
        self._stated = frozenset(values)
        self._taken: set[str] = set()

    def states(self, name: str) -> bool:
        """Return whether a field is there, even if it is null."""
        return name in self._stated

    def take(self, *names: str, default: Any = _NEEDED) -> Any:
        """Return a field by any of its names; raises FolderError if it is missing or of another kind."""
        self._taken.update(names)
        for name in names:
            if name in self._values:
                return _of_kind(name, self._values[name], default)
        if default is _NEEDED:
            raise FolderError(f"config.json has no {' or '.join(names)}")
        return default

    def size(self, *names: str, default: Any = _NEEDED) -> Any:
        """Return a count or a width, or its default; raises FolderError if it is too large."""
        value = self.take(*names, default=default)
        if value is default:
            return value
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise FolderError(f"config.json: {names[0]} must be a whole number of at least 1, got {value!r}")
        most = next((most for part, most in _MOST.items() if part in names[0]), _MOST_OF_ALL)
        if value > most:
            raise FolderError(f"config.json: {names[0]} must be at most {most}, got {value}")
        return value

    def positive(self, name: str, *, default: Any = _NEEDED) -> float:
        """Return a field that is a number above 0, or its default."""
        found: float = _of_kind(name, self.take(name, default=default), 1.0)
        if found < SMALLEST:
            raise FolderError(f"config.json: {name} must be above 0, got {found}")
        return float(found)

    def activation(self, name: str, *, default: str) -> str:
        """Return the activation that a field names, as `core.model.activations` calls it."""
        value = self.take(name, default=default)
        if not isinstance(value, str) or value not in _ACTIVATIONS:
            raise FolderError(f"config.json: {name} must be one of {', '.join(_ACTIVATIONS)}, got {value!r}")
        return _ACTIVATIONS[value]

    def expect(self, name: str, value: Any) -> None:
        """Raise FolderError if a field has a value that our modules do not support."""
        found = self.take(name, default=value)
        if found != value:
            raise FolderError(f"config.json: {name} must be {value!r} to be read here, got {found!r}")

    def pass_over(self, *names: str) -> None:
        """Mark fields that change nothing in this family as read."""
        self._taken.update(names)

    def none_left(self) -> None:
        """Raise FolderError for fields that are neither taken nor known to change nothing."""
        left = [
            name for name in self._values if name not in self._taken and not _CHANGES_NOTHING.fullmatch(name)
        ]
        if left:
            raise FolderError(
                f"config.json has fields that may change what the model computes and are not known here: "
                f"{', '.join(sorted(left))}"
            )


def _of_kind(name: str, value: Any, default: Any) -> Any:
    """Return the value of a field, which must be of the kind of its default."""
    for kind, said in _KINDS.items():
        if isinstance(default, kind):
            is_number = (
                isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
            )
            if not (is_number if kind is float else isinstance(value, kind)):
                raise FolderError(f"config.json: {name} must be {said}, got {value!r:.60}")
            return value
    return value
