"""Words and the small artificial English that models are trained on."""
