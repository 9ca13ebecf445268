"""Painted masks, values of masked scores, and models without a mask."""
