"""Two orders of the same words, and the models that can tell them apart."""
