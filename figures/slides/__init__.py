"""Slides for PowerPoint, and as a PDF: titles, captions and notes as text, pictures as vectors.

`slide.py` lays a slide out. `presentation.py` writes PPTX, beginning with `empty.py`; `vector.py` puts an SVG
there, `memory.py` what the file remembers. `pages.py` writes PDF.
"""
