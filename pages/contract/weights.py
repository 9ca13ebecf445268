"""What the weights on the screen have learned, and what was taken out of the model that learned it."""

from collections.abc import Iterable, Sequence

from core.learning.collection import name_of
from core.learning.tasks import RECALL
from core.learning.tasks.sentences import WORD_DROPOUT
from core.model.config import ModelConfig
from core.model.masks import MASKS, NEXT_WORD
from core.sources import Source, UnavailableError, UntrainedError
from core.sources.absent import absent
from core.text.language import UNKNOWN
from pages.contract.prose import Typed, literal, unbroken
from pages.contract.sheet import Text
from words import counted, enumerated, per_cent

WITHOUT = {
    "n_layers": "no second layer",
    "scale": "no scaling by √d_head",
    "residual": "no residual connections",
    "mlp": "no feed-forward layers",
}
"""What is missing when a field of the configuration is not what the model was trained with."""

OTHERWISE = {
    "positions": "{} positions",
    "mask": "the {} mask",
    "norm": "{}-norm",
    "scale": "{} scaling by √d_head",
    "residual": "{} residual connections",
    "mlp": "{} feed-forward layers",
}
"""What a model has or is without, by the field of its configuration, with the value filled in."""

OWN_MODEL = ("positions", "mask", "n_heads", "norm")
"""Fields of the configuration whose values have trained models of their own."""

INTACT = "The model was trained with everything in place."


def ablations(config: ModelConfig, weights: Source, window: int | None) -> list[str]:
    """What is missing of the model that was trained, or otherwise, in words."""
    fields = weights.ablated(config)
    missing = [WITHOUT[field] if weights.pretrained is None else _said(config, field) for field in fields]
    if weights.trained and window is not None:
        missing.append(
            f"no attention beyond {counted(window, 'word' if weights.pretrained is None else 'piece')}"
        )
    return missing


def model_shown(config: ModelConfig, weights: Source) -> str:
    """Return a sentence on which trained model the switches show; empty for the default one."""
    fields = [field for field in OWN_MODEL if field not in weights.ablated(config)]
    usual = ModelConfig.of_switches()
    others = [_said(config, field) for field in fields if getattr(config, field) != getattr(usual, field)]
    if not others:
        return ""
    return f"These switches show a model of its own, trained with {enumerated(others)}."


def learned(config: ModelConfig, weights: Source, window: int | None) -> str:
    """A sentence on what these weights have learned."""
    try:
        record = weights.record(config)
    except UnavailableError as error:
        return not_there(error)
    if record is None:
        return "Initial weights, which have learned nothing."
    intact = " with everything in place" if ablations(config, weights, window) else ""
    accuracy = unbroken(per_cent(record.accuracy))
    if record.task == RECALL.name:
        return (
            f"Trained on the task {record.task} with letters and digits: accuracy {accuracy}, loss "
            f"{record.loss:.2f} nats per answer on newly drawn examples{intact}."
        )
    return (
        f"Trained on the task {record.task} in a small artificial English: accuracy {accuracy}, loss "
        f"{record.loss:.2f} nats per word on unseen sentences{hidden_words(config.mask)}{intact}."
    )


def hidden_words(mask: str) -> str:
    """The words that a loss is of, where a model that predicts the next word may see some of them."""
    known = MASKS[mask]
    return ", of words that the mask hides" if known.objective == NEXT_WORD and known.looks_ahead else ""


def dropped_words(task_name: str) -> str:
    """Why losses of training batches are not those that are measured of the model; nothing where they are."""
    if task_name == RECALL.name:
        return ""
    return (
        f"In training one word in {round(1 / WORD_DROPOUT)} is read as {literal(UNKNOWN)}: the curves are of "
        "such sentences. A finished model is measured on whole ones."
    )


def not_there(error: UnavailableError) -> str:
    """What the sidebar says of a model that is not there; the page says why, and what to do."""
    return "Not trained yet." if isinstance(error, UntrainedError) else "Not available."


def absent_of(source: str, configs: Iterable[ModelConfig]) -> str:
    """A sentence for each reason why models of these configurations are not there; empty where all are.

    What is remembered of several models depends on it: a file that is restored has to be seen.
    """
    return absent(map(name_of, configs)) if source == "trained" else ""


def missing_notes(said: str) -> tuple[Text, ...]:
    """What `absent_of` says, as the notes of a sheet."""
    return (Text(said, "warning"),) if said else ()


def why_unavailable(error: UnavailableError) -> str:
    """Why there is no model, for a note: what a folder from elsewhere says is shown as mere characters."""
    names = {name: literal(text) for name, text in error.names.items()}
    text = error.text.format(**names) if names else error.text
    return f"{text} {Typed(error.said):400}".rstrip()


def ablation_label(missing: Sequence[str], trained_with: str = INTACT) -> str:
    """The label of a picture that shows something else than the model that was trained."""
    return f":orange-badge[ablation] {', '.join(missing)}. {trained_with}"


def trained_with(config: ModelConfig, weights: Source, window: int | None, also: str = "") -> str:
    """What the model was trained with, of what it is shown without; `also` is something no switch has."""
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
    if field in ("n_layers", "n_heads"):
        return counted(getattr(config, field), field.removeprefix("n_").removesuffix("s"))
    return OTHERWISE[field].format("" if value is True else value).strip()
