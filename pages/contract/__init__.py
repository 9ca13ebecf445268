"""A view as data: what it asks, and the sheet on which it answers. Nothing here knows Streamlit."""
