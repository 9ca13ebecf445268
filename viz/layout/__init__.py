"""What figures are put together from: cells and colours, axes, boxes, arrows, and where all of it lies."""
