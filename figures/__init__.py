"""Figures as files: every picture of a link, laid out for a slide or a paper, in the formats these take.

`http.py` reads an `order.py` for a page, `python -m figures` for the command line. `files.py` makes its files
of the pictures of the link (`exhibits.py`): `layout.py` puts each on a sheet, and `rendering/` draws that in
a separate process, which is given plain data and knows nothing of links.
"""
