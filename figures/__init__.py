"""Figures as files: every picture of a link, laid out for a slide or a paper, in the formats these take.

`export_request.py` parses a request, for `http.py` or for the command line (`python -m figures`).
`export_pictures.py` finds the pictures of its link, and `export.py` makes the files: `layout.py` puts each
picture on a sheet, and `rendering/` draws the sheet in a separate process, which receives plain data only.
"""
