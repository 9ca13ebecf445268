"""Slides for PowerPoint, and as a PDF: titles, captions and notes as text, pictures as vectors.

`slide.py` lays a slide out, `presentation.py` writes PPTX, and `pages.py` writes PDF.
"""
