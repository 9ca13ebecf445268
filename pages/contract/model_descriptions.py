"""Models in words, as captions name them: kind, training, layers, heads, positions, norm."""

from collections.abc import Collection, Iterable, Iterator

from core.learning.checkpoints import Config
from core.learning.collection import MEMBERS
from core.model.classifier import ClassifierConfig
from core.model.config import ModelConfig, PairConfig
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from core.model.recurrent import RecurrentConfig
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentPairConfig
from core.text.translation import NAME
from words import counted

ENGLISH = "artificial English"
TRAINED_ON = {
    "next word": f"next-word prediction in {ENGLISH}",
    "masked word": f"masked-word prediction in {ENGLISH}",
    "agreement": f"subject–verb agreement in {ENGLISH}",
    "recall": "recall of digits after letters",
    "review": f"the verdicts of reviews in {ENGLISH}",
    "classification": f"reviews in {ENGLISH}",
    "translation": f"translation from {ENGLISH} into {NAME}",
}
"""Tasks as captions name them, by their names in checkpoints."""

CHECKPOINTS = {
    "all-minilm-l6-v2": "all-MiniLM-L6-v2",
    "smollm2-135m": "SmolLM2-135M-Instruct (4-bit, dequantized)",
}
"""Names of checkpoints whose folders are named otherwise."""

RANDOM, HAND_SET = "with random weights", "with weights set by hand"

WITHOUT = {
    "scale": "scores not scaled",
    "residual": "no residual connections",
    "mlp": "no feed-forward layers",
}
"""Part that a Transformer lacks if a field of its configuration is off."""


EITHER_TASK = f"trained on next-word or masked-word prediction in {ENGLISH}, as the mask allows"
"""The training of models that differ in their masks."""


def trained_on(task: str) -> str:
    """Return the training of a model by the name of its task."""
    return f"trained on {TRAINED_ON[task]}"


def member(name: str) -> str:
    """Return a model of the collection in words."""
    one = MEMBERS[name]
    return in_words(one.config, trained_on(one.task.name))


def members(names: Iterable[str]) -> tuple[str, ...]:
    """Return models of the collection in words, together if they learned the same task."""
    by_task: dict[str, list[str]] = {}
    for one in (MEMBERS[name] for name in names):
        by_task.setdefault(one.task.name, []).append(in_brackets(one.config))
    return tuple(f"{', '.join(models)}, {trained_on(task)}" for task, models in by_task.items())


def in_words(config: Config, weights: str, *, but: Collection[str] = ()) -> str:
    """Return a model with these `weights` in words, or the models that differ in the fields `but`."""
    return f"{_kind(config)}{'s' if but else ''} {weights}: {', '.join(_parts(config, but))}"


def in_brackets(config: Config) -> str:
    """Return a model as one of several: its kind, and its parts in brackets."""
    return f"{_kind(config)} ({', '.join(_parts(config, ()))})"


def mask_in_words(mask: str) -> str:
    """Return a mask as a part of a sentence: `the causal mask`, `no mask (bidirectional)`."""
    return f"the {mask} mask" if MASKS[mask].hides else f"no mask ({mask})"


def settings(config: ModelConfig, but: Collection[str] = ()) -> dict[str, str]:
    """Return the settings of a Transformer in words by the fields of its configuration."""
    rms = " (RMS)" if config.norm_kind == "rms" else ""
    said = {
        "n_layers": counted(config.n_layers, "layer"),
        "n_heads": counted(config.n_heads, "head"),
        "positions": SCHEMES[config.positions].about.title,
        "mask": f"{mask_in_words(config.mask).removeprefix('the ')}{_within(config.window)}",
        "norm": "no layer norm" if config.norm == "none" else f"{config.norm}-norm{rms}",
        **{field: lacks for field, lacks in WITHOUT.items() if not getattr(config, field)},
    }
    return {field: one for field, one in said.items() if field not in but}


def _within(window: int | None) -> str:
    return "" if window is None else f" with a window of ±{counted(window, 'position')}"


def _kind(config: Config) -> str:
    match config:
        case ClassifierConfig(encoder=encoder):
            return f"{_kind(encoder)} classifier"
        case RecurrentConfig(network=network):
            return network.upper()
        case RecurrentPairConfig(network=network):
            return f"{network.upper()} encoder–decoder"
        case PairConfig():
            return "Transformer encoder–decoder"
    return "Transformer"


def _parts(config: Config, but: Collection[str]) -> Iterator[str]:
    match config:
        case ClassifierConfig(encoder=encoder, pooling=pooling):
            yield from _parts(encoder, but)
            yield f"pooling: {pooling}"
        case PairConfig(decoder=decoder):
            said = settings(decoder, {*but, "mask"})
            yield f"{said.pop('n_layers')} on each side"
            yield from said.values()
        case RecurrentPairConfig(attention=attention):
            yield counted(config.n_layers, "layer")
            yield "no attention" if attention == FIXED_VECTOR else f"{attention} attention"
        case RecurrentConfig():
            yield counted(config.n_layers, "layer")
        case ModelConfig():
            yield from settings(config, but).values()
