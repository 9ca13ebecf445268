"""Figures from data: NumPy arrays with words for matrices, pandas tables for the rest; Plotly figures out."""
