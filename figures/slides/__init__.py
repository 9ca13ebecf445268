"""Slides for PowerPoint, and as a PDF: titles, captions and notes as text, pictures as vectors.

`slide.py` lays a slide out and writes PDF, and `presentation.py` writes PPTX.
"""
