"""Files made of figures that are plain data.

`exporter.py` takes jobs. It keeps one process, `worker.py`, in which Chromium draws (`browser.py`,
`draw.js`) and `frame.py` adds title and caption in the typeface of `fonts.py`. Nothing here knows of links,
models or Streamlit.
"""
