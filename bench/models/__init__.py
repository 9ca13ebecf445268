"""Twelve layers of twelve heads of width 768 beside transformers, TransformerLens and BertViz, in one run."""
