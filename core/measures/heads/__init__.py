"""Heads: their scores, effects and costs, and the gain of several."""
