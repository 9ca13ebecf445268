"""A class in front of the app: sessions that speak Streamlit's own protocol, and what they waited for."""
