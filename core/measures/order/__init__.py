"""Two orders of the same words, and which models can tell them apart."""
