"""Files of figures that are plain data: an SVG and what is made of it, by a browser that stays warm.

`exporter.py` is asked for files. It keeps one process, `worker.py`, in which Chromium draws (`browser.py`,
`draw.js`), the frame is put around it (`frame.py`) with its typeface (`fonts.py`), and each format is
written. Nothing here knows of links, models or Streamlit.
"""
