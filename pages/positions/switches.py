"""The switches that views of the page share."""

OF_THE_WEIGHTS = frozenset({"model", "seed", "mask", "heads", "layers", "norm"})
