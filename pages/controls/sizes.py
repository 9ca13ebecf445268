"""How large a model is, in words."""

from core.pretrained.library import About


def described(known: About) -> str:
    """What a model is before it is loaded."""
    return (
        f"{known.family} family, {_millions(known.n_parameters)} parameters: "
        f"{in_bytes(known.on_disk)} on disk, {in_bytes(known.in_memory)} in memory."
    )


def in_bytes(n: int) -> str:
    """So many bytes."""
    return f"{n / 1e9:.1f} GB" if n >= 1e9 else f"{n / 1e6:.0f} MB"


def _millions(n: int) -> str:
    return f"{n / 1e9:.1f} billion" if n >= 1e9 else f"{n / 1e6:.1f} million"
