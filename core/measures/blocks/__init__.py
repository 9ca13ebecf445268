"""The parts of a block around attention, and their effects."""
