"""The switches of the page's views."""

OF_MATRICES = frozenset({"model", "seed", "positions", "mask", "heads", "norm"})
"""Switches of views about queries, keys and values."""
