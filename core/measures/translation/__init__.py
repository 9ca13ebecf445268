"""What pages measure of models that translate: what they write, attend to and keep in a vector."""
