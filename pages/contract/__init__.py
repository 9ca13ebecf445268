"""A view as data: its question and its sheet. Nothing here knows Streamlit."""
