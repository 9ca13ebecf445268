"""Evaluation of trained models, question by question."""
