"""Gradients on their way back through a text: they vanish, explode, or arrive."""
