"""What a finished training leaves: a checkpoint such as the collection has."""

from pathlib import Path
from tempfile import TemporaryDirectory

from core.learning.checkpoints import save
from core.learning.collection.making import described
from core.learning.training import Model
from core.live.plan import Plan


def checkpoint(model: Model, plan: Plan) -> bytes:
    """The contents of a safetensors file with `model`, which `plan` has trained, and all that it can do."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        save(path, model, described(model, plan.task, plan.recipe))
        return path.read_bytes()
