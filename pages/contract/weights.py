"""Sentences on what the weights have learned, and on parts ablated from the trained model."""

from collections.abc import Iterable

from core.learning.collection import name_of
from core.learning.tasks import RECALL
from core.learning.tasks.sentences import WORD_DROPOUT
from core.model.config import ModelConfig
from core.model.masks import MASKS, NEXT_WORD
from core.model.positions import SCHEMES
from core.sources import Source, UnavailableError, UntrainedError
from core.sources.missing_models import absent
from core.text.language import UNKNOWN
from pages.contract.model_descriptions import mask_in_words
from pages.contract.prose import Typed, literal, unbroken
from pages.contract.sheet import Text
from words import counted, enumerated, per_cent

OTHERWISE = {
    "positions": "{} positions",
    "norm": "{}-norm",
    "scale": "{} scaling by √d_head",
    "residual": "{} residual connections",
    "mlp": "{} feed-forward layers",
}
"""Phrases for a missing or changed part by the field of its configuration; {} is the value."""

OWN_MODEL = ("positions", "mask", "n_heads", "norm")
"""Fields of the configuration whose values have separately trained models."""

INTACT = "The model was trained with everything in place."

UNMEASURED = "Without these parts it was not measured."


def ablations(config: ModelConfig, weights: Source, window: int | None) -> list[str]:
    """Return the ablated or changed parts of the trained model, in words."""
    fields = weights.ablated(config)
    missing = [_said(config, field) for field in fields]
    if weights.pretrained is None and "n_layers" in fields:
        missing[fields.index("n_layers")] = "no second layer"
    if weights.trained and window is not None:
        missing.append(
            f"no attention beyond {counted(window, 'word' if weights.pretrained is None else 'token')}"
        )
    return missing


def model_shown(config: ModelConfig, weights: Source) -> str:
    """Return a sentence on which trained model the switches show; empty for the default one."""
    fields = [field for field in OWN_MODEL if field not in weights.ablated(config)]
    usual = ModelConfig.of_switches()
    others = [_said(config, field) for field in fields if getattr(config, field) != getattr(usual, field)]
    if not others:
        return ""
    return f"These switches show a separate model, trained with {enumerated(others)}."


def learned(config: ModelConfig, weights: Source, window: int | None) -> str:
    """Return a sentence on what these weights have learned."""
    try:
        record = weights.record(config)
    except UnavailableError as error:
        return not_there(error)
    if record is None:
        return "Initial weights, which have learned nothing."
    numbers = f"accuracy {unbroken(per_cent(record.accuracy))}, loss {record.loss:.2f} nats per"
    if record.task == RECALL.name:
        trained = f"Trained on the task {record.task} with letters and digits"
        numbers += " answer on newly drawn examples"
    else:
        trained = f"Trained on the task {record.task} in a small artificial English"
        numbers += f" word on unseen sentences{hidden_words(config.mask)}"
    if ablations(config, weights, window):
        return f"{trained}. Before parts were switched off: {numbers}. {UNMEASURED}"
    return f"{trained}: {numbers}."


def hidden_words(mask: str) -> str:
    """Return the words that a next-word loss counts if the mask shows the model some of the next words."""
    known = MASKS[mask]
    return ", of words that the mask hides" if known.objective == NEXT_WORD and known.looks_ahead else ""


def dropped_words(task_name: str) -> str:
    """Return why losses of training batches differ from measured ones; empty if they do not."""
    if task_name == RECALL.name:
        return ""
    return (
        f"In training, {literal(UNKNOWN)} replaces one word in {round(1 / WORD_DROPOUT)}, and the curves "
        "show the losses on these sentences. A finished model is measured on whole sentences."
    )


def not_there(error: UnavailableError) -> str:
    """Return the sentence of the sidebar on a missing model; the page gives the reason and the remedy."""
    return "Not trained yet." if isinstance(error, UntrainedError) else "Not available."


def absent_of(source: str, configs: Iterable[ModelConfig]) -> str:
    """Return why models of these configurations are missing, for notes and as a key of cached results."""
    return absent(map(name_of, configs)) if source == "trained" else ""


def missing_notes(said: str) -> tuple[Text, ...]:
    """Return the notes of a sheet on `absent_of`."""
    return (Text(said, "warning"),) if said else ()


def why_unavailable(error: UnavailableError) -> str:
    """Return why there is no model, for a note: text from a foreign folder is shown as plain text."""
    names = {name: literal(text) for name, text in error.names.items()}
    text = error.text.format(**names) if names else error.text
    return f"{text} {Typed(error.said):400}".rstrip()


def trained_with(config: ModelConfig, weights: Source, window: int | None, also: str = "") -> str:
    """Return what the model was trained with and is shown without; `also` is something no switch has."""
    if weights.pretrained is None:
        return f"The model was trained with {also} and everything in place." if also else INTACT
    had = [_said(weights.pretrained.config, field) for field in weights.ablated(config)]
    if window is not None:
        had.append("no window")
    if also:
        had.append(also)
    return f"{literal(weights.pretrained.title)} was trained with {', '.join(had)}." if had else INTACT


def _said(config: ModelConfig, field: str) -> str:
    value = getattr(config, field)
    if value in ("none", False):
        return OTHERWISE[field].replace("{}-", "{} ").format("no")
    if field == "mask":
        return mask_in_words(value)
    if field == "positions":
        return f"{SCHEMES[config.positions].about.name} positions"
    if field in ("n_layers", "n_heads"):
        return counted(getattr(config, field), field.removeprefix("n_").removesuffix("s"))
    return OTHERWISE[field].format("" if value is True else value).strip()
