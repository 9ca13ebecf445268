"""One head from words to output, one matrix at a time: its stages, changed entries, and the lookup."""
