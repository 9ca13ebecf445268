"""Models of twelve layers of twelve heads, width 768: ours, transformers', TransformerLens', BertViz'."""

LAYERS, HEADS, WIDTH = 12, 12, 768
"""The size of every model here, ours and theirs."""

OURS = "ours"
"""Name of our model among those measured."""
