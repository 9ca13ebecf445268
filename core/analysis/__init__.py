"""What pages measure of a model, by subject."""
