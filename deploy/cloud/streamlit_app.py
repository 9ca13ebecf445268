"""Entrypoint for Streamlit Community Cloud: `requirements.txt` beside it brings PyTorch for the CPU.

Streamlit looks for `st.App` in the file that it runs, and serves the app with its middleware.
"""

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[2]))

import app as root

app = st.App(root.__file__, middleware=root.middleware)
