"""Figures as files: every picture of a link, laid out for a slide or a paper, in the formats these take.

`exhibits.py` has the pictures of a link, drawn for the `preset.py` that is asked for, and what a file says of
them (`provenance.py`). `rendering/` makes files of plain data in a process of its own, and knows nothing of
links. `python -m figures` does it from the command line, `http.py` for a page.
"""
