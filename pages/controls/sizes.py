"""How large a model is, in words."""

from core.pretrained.library import About
from viz.units import memory


def described(known: About) -> str:
    """What a model is before it is loaded."""
    return (
        f"{known.family} family, {_millions(known.n_parameters)} parameters: "
        f"{memory(known.on_disk)} on disk, {memory(known.in_memory)} in memory."
    )


def _millions(n: int) -> str:
    return f"{n / 1e9:.1f} billion" if n >= 1e9 else f"{n / 1e6:.1f} million"
