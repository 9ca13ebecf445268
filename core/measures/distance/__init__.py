"""Distances between two words: in operations, in time and in a model's memory."""
