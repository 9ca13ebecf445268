"""Measures of translators: their words, their attention, and the vector between two networks."""
