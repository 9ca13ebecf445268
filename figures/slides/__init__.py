"""Slides for PowerPoint and what reads its files: titles, captions and notes as text, pictures as vectors.

`slide.py` says what stands on a slide and where, `presentation.py` writes it, beginning with `empty.py`;
`vector.py` puts an SVG there, `memory.py` what the file remembers.
"""
