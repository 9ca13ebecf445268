"""The switches of the page's views."""

OF_MATRICES = frozenset({"model", "seed", "positions", "mask", "heads", "norm"})
"""Those of views that look at queries, keys and values."""
