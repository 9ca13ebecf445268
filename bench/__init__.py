"""Benchmarks of the app, measured side by side in one run, so that ratios hold on a busy machine."""
