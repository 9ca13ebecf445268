"""Whole models as parts and arrows, read off a forward pass; and the parameters of every part."""
