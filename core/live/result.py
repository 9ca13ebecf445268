"""The result of a finished training: a checkpoint such as the collection has."""

from pathlib import Path
from tempfile import TemporaryDirectory

from core.learning.checkpoints import save
from core.learning.collection.making import described
from core.learning.training import Model
from core.live.plan import Plan


def checkpoint(model: Model, plan: Plan) -> bytes:
    """Return the contents of a safetensors file with `model`, which `plan` has trained, and its record."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        save(path, model, described(model, plan.task, plan.recipe))
        return path.read_bytes()
