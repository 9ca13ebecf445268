"""One head from words to output, a matrix at a time: its stages, changed entries, and what it is like."""
