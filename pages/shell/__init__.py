"""The shell: draws pages, sheets and lectures with Streamlit."""
