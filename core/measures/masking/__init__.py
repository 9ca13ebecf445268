"""Masks by hand, what masked scores become, and what happens without a mask."""
