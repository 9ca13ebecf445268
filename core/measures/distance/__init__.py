"""How far apart two words are, in operations, in time and in what a model remembers."""
