"""Middleware that answers, packs, paces or refuses requests before Streamlit sees them."""
