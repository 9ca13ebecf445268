"""What the views of the page have in common: the sentence, the switches of their weights, what is missing."""

from pages.contract.sheet import Notice

OF_THE_WEIGHTS = frozenset({"model", "seed", "mask", "heads", "layers", "norm"})


def of_missing(said: str) -> tuple[Notice, ...]:
    """A note on models that a view goes without; none where `said` is empty."""
    return (Notice(said, "warning"),) if said else ()
