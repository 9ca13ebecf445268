"""Features in the browser: a folder for each, with its Python, script and style."""
