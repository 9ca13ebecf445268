"""What the app says that depends on nothing computed, as TOML: terms, concepts, documents, slips, stops.

`entries.py` reads the files and names the entry that is wrong, `links.py` their links.
"""
