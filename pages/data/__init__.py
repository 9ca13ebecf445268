"""Text of the app that no computation changes, as TOML; `entries.py` reads it, `links.py` its links."""
