"""Figures: NumPy arrays with words for matrices, pandas tables for the rest, in; Plotly figures out."""
