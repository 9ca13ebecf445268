"""A model trained on the page as a source of weights for other pages."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from core.device import choose_device, device_of
from core.learning.checkpoints import Record, build, save
from core.learning.collection.member_training import make_record
from core.learning.training import Model
from core.live.plan import Plan, encoding_of
from core.live.training_queue import TrainingQueue
from core.model.config import ModelConfig, setting_label
from core.model.models import Transformer
from core.sources import LoadedModel, Source, UnavailableError, register, registered
from core.sources.trained import TAKEN_OUT, ablation, taken_out

MADE_OF = ("positions", "mask", "n_heads", "norm")
"""Fields that determine a trained model: another value needs another training."""

WORDS = {"n_heads": "heads", "n_layers": "layers", "mlp": "feed-forward"}
"""Names of fields on the switches, if they differ."""


def register_trained_model(queue: TrainingQueue, owner: str) -> str | None:
    """Register the owner's present model as a source, and return its name; None if there is none now."""
    progress = queue.progress(owner)
    if progress is None or not progress.has_model:
        return None
    name = f"run {progress.number} after step {progress.steps}"
    if registered(name) is None:
        model = queue.model(owner)
        if model is None:
            return None
        plan = progress.plan
        record = make_record(model, plan.task, plan.recipe, tested=progress.tested, in_detail=False)
        register(name, source_of(model, plan, record))
    return name


def source_of(model: Model, plan: Plan, record: Record) -> Source:
    """Return the source of `model`, trained by `plan`."""

    def load(config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
        _check(config, plan)
        less = build(ablation(config, plan.config))
        assert isinstance(less, Transformer)
        kept = less.state_dict().keys()
        less.load_state_dict({name: weight for name, weight in model.state_dict().items() if name in kept})
        return _on_words(less.eval().requires_grad_(False).to(choose_device()), plan, words)

    def known(config: ModelConfig) -> Record:
        _check(config, plan)
        return record

    return Source(
        load,
        most_layers=plan.config.n_layers,
        ablated=lambda config: taken_out(config, plan.config),
        record=known,
    )


def _check(config: ModelConfig, plan: Plan) -> None:
    """Raise UnavailableError unless `config` is the trained configuration or an ablation of it."""
    planned = plan.config
    other = [name for name in MADE_OF if getattr(config, name) != getattr(planned, name)]
    more = [name for name in TAKEN_OUT if getattr(config, name) > getattr(planned, name)]
    if other or more:
        trained = ", ".join(
            f"{WORDS.get(name, name)} {setting_label(getattr(planned, name))}" for name in (*other, *more)
        )
        raise UnavailableError(
            f"Your model was trained with {trained}. Set the switches to that, train another one, or choose "
            "other weights."
        )


def _on_words(model: Transformer, plan: Plan, words: Sequence[str]) -> LoadedModel:
    try:
        encoding = encoding_of(plan.task, words)
    except KeyError as error:
        raise UnavailableError(
            f"Your model has learned recall and knows nothing but single letters and digits: type some, such "
            f"as {' '.join(plan.words)}."
        ) from error
    tokens = encoding.tokens.to(device_of(model))
    return LoadedModel(model, plan.task.vocabulary(), tuple(words), tokens, encoding.unknown)


def checkpoint(model: Model, plan: Plan) -> bytes:
    """Return the contents of a safetensors file with `model`, trained by `plan`, and its record."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        save(path, model, make_record(model, plan.task, plan.recipe))
        return path.read_bytes()
