"""Tables of a sheet as figures: what stands in their cells, and how they are set."""
