"""Times are measured one after the other, whoever asks for them."""

from threading import Lock

MEASURING = Lock()
"""Two measurements at once would slow each other down and both be wrong."""
