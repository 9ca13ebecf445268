"""Text of the app that depends on no computation, as TOML: terms, concepts, documents, slips, stops.

`entries.py` reads the files and names a wrong entry, `links.py` reads their links.
"""
