"""Middleware that serves, compresses, paces or refuses requests before Streamlit sees them."""
