"""Checks and measurements of `core` on a GPU: references, speed, memory and training, in a few minutes."""
