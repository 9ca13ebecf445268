"""The pictures of the interaction-distance page: the two networks, and how their costs grow."""
