"""`config.json`, of which every field is either understood or known to change nothing."""

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
"""The activations that folders name, as `core.model.activations` calls them."""

_MOST = {"layer": 256, "head": 4096}
"""The largest numbers of layers and heads, and the largest width of a head."""

_MOST_OF_ALL = 2**24
"""The largest of all other sizes."""

_CHANGES_NOTHING = re.compile(
    # Where the folder comes from, and how large numbers were stored.
    r"architectures|model_type|_name_or_path|transformers_version|transformers\.js_config|torch_dtype|dtype|"
    r"tokenizer_class|is_llama_config|gradient_checkpointing|use_cache|output_\w+|return_\w+|torchscript|"
    # How training began and what it left to chance.
    r"init\w*_(range|std|factor|xavier_std)|init_std|\w*drop\w*|"
    # Parts for other tasks than the next or a missing word.
    r"id2label|label2id|_?num_labels|problem_type|finetuning_task|task_specific_params|summary_\w+|prefix|"
    # Which tokens are special, and how text is generated.
    r"\w+_token_ids?|do_sample|early_stopping|max_length|min_length|num_beams|num_return_sequences|"
    r"no_repeat_ngram_size|length_penalty|temperature|top_k|top_p|bad_words_ids|"
    r"force_bos_token_to_be_generated|"
    # How the computation is shared out, which leaves its result as it is.
    r"pretraining_tp|chunk_size_feed_forward|pruned_heads|is_encoder_decoder"
)


class Fields:
    """The fields of a `config.json`, each to be taken once; `none_left` complains of those nobody took.

    A field that was not written has the default that transformers gives it.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)
        self._taken: set[str] = set()

    def take(self, *names: str, default: Any = _NEEDED) -> Any:
        """The value of a field, which may have several names; raises FolderError where it has to be there."""
        self._taken.update(names)
        for name in names:
            if self._values.get(name) is not None:
                return self._values[name]
        if default is _NEEDED:
            raise FolderError(f"config.json has no {' or '.join(names)}")
        return default

    def size(self, *names: str, default: Any = _NEEDED) -> Any:
        """Return a field that is a count or a width, or its default; raises FolderError for one too large."""
        value = self.take(*names, default=default)
        if value is default:
            return value
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise FolderError(f"config.json: {names[0]} must be a whole number of at least 1, got {value!r}")
        most = next((most for part, most in _MOST.items() if part in names[0]), _MOST_OF_ALL)
        if value > most:
            raise FolderError(f"config.json: {names[0]} must be at most {most}, got {value}")
        return value

    def activation(self, name: str, *, default: str) -> str:
        """The activation that a field names, as `core.model.activations` calls it."""
        value = self.take(name, default=default)
        if value not in _ACTIVATIONS:
            raise FolderError(f"config.json: {name} must be one of {', '.join(_ACTIVATIONS)}, got {value!r}")
        return _ACTIVATIONS[value]

    def expect(self, name: str, value: Any) -> None:
        """Raise FolderError where a field says something that our modules do not do."""
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
