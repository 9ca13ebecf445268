"""Heads: their scores, effects and costs, and the gain from several heads."""
