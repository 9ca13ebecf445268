"""The parts of figures: cells and colours, axes, boxes, arrows, and their positions."""
