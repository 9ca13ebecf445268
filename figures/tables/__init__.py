"""Tables of a sheet as figures: the text of their cells, and their layout."""
