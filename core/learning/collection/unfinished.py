"""A training that is under way, kept on disk now and then: one that is cut off does not begin again."""

from dataclasses import dataclass
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from core.learning.checkpoints import written_whole
from core.learning.training import Training

KEPT_EVERY = 250
"""Greatest number of steps that are lost."""

OF = "of"
"""What the file calls the training that it is of."""


@dataclass(frozen=True)
class Unfinished:
    """The file with the state of a training; `of` says what is trained and how, and no other is resumed."""

    path: Path
    of: str

    def keep(self, training: Training) -> None:
        """Write the state whole or not at all. Raises OSError where the disk does not take it."""
        tensors = {name: value.contiguous().cpu() for name, value in training.state().items()}
        with written_whole(self.path) as part:
            save_file(tensors, part, metadata={OF: self.of})

    def resume(self, training: Training) -> None:
        """Take `training` to where it was kept, if there is a file of the same training that can be read."""
        try:
            with safe_open(self.path, framework="pt") as file:
                if file.metadata().get(OF) != self.of:
                    return
                state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, not a mapping
        except (FileNotFoundError, SafetensorError):
            return
        training.resume(state)

    def forget(self) -> None:
        """Take the file away: the training is finished."""
        self.path.unlink(missing_ok=True)
