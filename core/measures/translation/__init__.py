"""Measures of models that translate: their words, their attention, and the vector between two networks."""
