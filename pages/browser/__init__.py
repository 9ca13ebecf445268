"""What the browser does by itself: a folder for each feature, its Python, script and style together."""
