"""Size of a model, in words."""

from core.pretrained.library import FolderSummary
from words import memory


def described(known: FolderSummary) -> str:
    """Return the description of a model before it is loaded."""
    return (
        f"{known.family} family, {parameters(known.n_parameters)} parameters: "
        f"{memory(known.on_disk)} on disk, {memory(known.in_memory)} in memory."
    )


def parameters(n: int) -> str:
    """Return a number of parameters in words."""
    if n < 1e5:
        return f"{n:,}"
    return f"{n / 1e9:.1f} billion" if n >= 1e9 else f"{n / 1e6:.1f} million"
