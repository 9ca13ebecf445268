"""How fast the app answers: measured side by side in one run, so that ratios survive a busy machine."""
