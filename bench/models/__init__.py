"""Twelve layers of twelve heads of width 768 beside transformers, TransformerLens and BertViz, in one run."""

LAYERS, HEADS, WIDTH = 12, 12, 768
"""The size of every model here, ours and theirs."""

OURS = "ours"
"""What our own is called among those that are measured."""
