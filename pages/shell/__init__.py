"""The shell: draws pages and sheets, also in the large view, with Streamlit."""
